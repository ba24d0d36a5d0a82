//! Lists whose rows keep their nodes.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::tachys::{
    html::attribute::any_attribute::AnyAttribute,
    hydration::Cursor,
    no_attrs,
    reactive_graph::{OwnedView, OwnedViewState},
    renderer::{
        Rndr,
        types::{Element, Node, Placeholder},
    },
    view::{Mountable, Position, PositionState, Render, RenderHtml, any_view::AnyViewState},
};

use super::focus::restore_focus_later;

/// One row of a list: its key, and the function that makes the view of a row whose key is new in
/// the list.
pub(super) struct Row {
    key: String,
    view: Arc<dyn Fn() -> AnyView + Send + Sync>,
}

impl Row {
    pub(super) fn new<V: IntoView + 'static>(
        key: impl Into<String>,
        view: impl Fn() -> V + Send + Sync + 'static,
    ) -> Self {
        Self {
            key: key.into(),
            view: Arc::new(move || view().into_any()),
        }
    }
}

/// Shows a list of the rows that `each` returns. A row keeps its nodes as long as `each` returns a
/// row with the same key.
///
/// This is `<For>` for one type of row, and without sets of hashed keys: our lists are short, and
/// most rows are where they were.
pub(super) fn rows(each: impl Fn() -> Vec<Row> + Send + Sync + 'static) -> AnyView {
    boxed_rows(Box::new(each))
}

fn boxed_rows(each: Box<dyn Fn() -> Vec<Row> + Send + Sync>) -> AnyView {
    // That of the list: the one of the function below ends whenever the rows change.
    let owner = Owner::current().unwrap_or_default();
    let list = move || {
        // A node that moves loses the focus.
        restore_focus_later();
        RowList {
            rows: each(),
            owner: owner.clone(),
        }
    };
    list.into_any()
}

/// The rows of a list, as Leptos draws them.
struct RowList {
    rows: Vec<Row>,
    owner: Owner,
}

/// The nodes of a list: those of its rows, and a comment behind them.
struct DrawnList {
    rows: Vec<DrawnRow>,
    end: Placeholder,
}

struct DrawnRow {
    key: String,
    /// The place of the row before the last change; `None` for one that was not there.
    was_at: Option<usize>,
    nodes: OwnedViewState<AnyViewState>,
}

impl RowList {
    fn draw(&self, row: &Row) -> OwnedViewState<AnyViewState> {
        let owner = self.owner.with(Owner::new);
        let view = owner.with(|| untrack(|| (row.view)()));
        OwnedView::new_with_owner(view, owner).build()
    }
}

impl Render for RowList {
    type State = DrawnList;

    fn build(self) -> DrawnList {
        let mut list = DrawnList {
            rows: Vec::new(),
            end: Rndr::create_placeholder(),
        };
        self.rebuild(&mut list);
        list
    }

    fn rebuild(self, list: &mut DrawnList) {
        let mut before: Vec<_> = list.rows.drain(..).map(Some).collect();
        let mut next = 0;
        let mut kept = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let is_it = |at: &usize| {
                let known = before.get(*at).and_then(Option::as_ref);
                known.is_some_and(|known: &DrawnRow| known.key == row.key)
            };
            let was_at = (next..before.len()).chain(0..next).find(is_it);
            next = was_at.map_or(next, |at| at + 1);
            kept.push(was_at.and_then(|at| {
                let known = before.get_mut(at)?.take()?;
                Some(DrawnRow { was_at, ..known })
            }));
        }
        for mut gone in before.into_iter().flatten() {
            gone.nodes.unmount();
        }
        for (row, kept) in self.rows.iter().zip(kept) {
            list.rows.push(kept.unwrap_or_else(|| DrawnRow {
                key: row.key.clone(),
                was_at: None,
                nodes: self.draw(row),
            }));
        }
        // From the end on, a row stays that stood before all of those behind it that stay.
        let mut limit = usize::MAX;
        let mut behind: &dyn Mountable = &list.end;
        for row in list.rows.iter_mut().rev() {
            match row.was_at {
                Some(at) if at < limit => limit = at,
                _ => drop(behind.insert_before_this(&mut row.nodes)),
            }
            behind = &row.nodes;
        }
    }
}

no_attrs!(RowList);

/// Leptos asks for all of this. The widget is not rendered on a server.
impl RenderHtml for RowList {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(
        self,
        _: &mut String,
        _: &mut Position,
        _: bool,
        _: bool,
        _: Vec<AnyAttribute>,
    ) {
    }

    fn hydrate<const FROM_SERVER: bool>(self, _: &Cursor, _: &PositionState) -> DrawnList {
        self.build()
    }

    fn into_owned(self) -> Self {
        self
    }
}

impl Mountable for DrawnList {
    fn unmount(&mut self) {
        for row in &mut self.rows {
            row.nodes.unmount();
        }
        self.end.unmount();
    }

    fn mount(&mut self, parent: &Element, marker: Option<&Node>) {
        for row in &mut self.rows {
            row.nodes.mount(parent, marker);
        }
        self.end.mount(parent, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        match self.rows.first() {
            Some(first) => first.nodes.insert_before_this(child),
            None => self.end.insert_before_this(child),
        }
    }

    fn elements(&self) -> Vec<Element> {
        let mut all = Vec::new();
        for row in &self.rows {
            all.extend(row.nodes.elements());
        }
        all
    }
}
