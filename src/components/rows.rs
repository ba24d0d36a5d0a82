//! Lists whose rows keep their nodes.

use std::sync::Arc;

use leptos::prelude::*;

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
/// This is `<For>` for one type of row. Leptos compiles its own anew for each type: seven lists
/// took 5,200 bytes more of the widget's module (brotli, November 2026).
pub(super) fn rows(each: impl Fn() -> Vec<Row> + Send + Sync + 'static) -> AnyView {
    boxed_rows(Box::new(each))
}

fn boxed_rows(each: Box<dyn Fn() -> Vec<Row> + Send + Sync>) -> AnyView {
    let view = |row: Row| untrack(|| (row.view)());
    let each = move || {
        // Leptos moves the rows after several new ones, and a node that moves loses the focus.
        restore_focus_later();
        each()
    };
    view! { <For each key=|row| row.key.clone() children=view/> }.into_any()
}
