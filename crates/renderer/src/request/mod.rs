//! A tool request as the user reads it before deciding: its origin, arguments, and findings.
//!
//! This file puts it together; `argument` is one row, `marks` a text with marks for deceptive
//! characters, `change` the differences from the last call, `texts` all texts.

mod argument;
mod change;
mod data;
mod host;
mod marks;
mod node_builder;
mod seen;
mod texts;

pub use data::RequestData;

use assent_inspect::{Finding, Inspection, Weight, inspect};
use wasm_bindgen::JsValue;
use web_sys::Element;

use crate::{
    node::{DomResult, add, icon, set},
    request::{
        argument::Toggle,
        data::{Data, Rows},
        node_builder::NodeBuilder,
        seen::Watch,
    },
};

/// Maximum number of characters of a name; longer ones scroll.
const LONG_NAME: usize = 200;
const ALERT: &str = "M12 8v5M12 16.5h.01M12 3l9.5 17h-19z";

/// A rendered request. Its nodes stay when it is dropped, but are inactive.
pub(crate) struct Drawn {
    _toggles: Vec<Toggle>,
    _watch: Option<Watch>,
}

impl Drawn {
    pub(crate) fn new(request: &RequestData) -> DomResult<Self> {
        let data = Data::read(request)?;
        let document = data.head.owner_document().ok_or(JsValue::UNDEFINED)?;
        let inspected = InspectedRequest::new(
            NodeBuilder {
                document,
                texts: data.texts,
            },
            data,
        );
        inspected.head()?;
        let mut toggles = Vec::new();
        if let Some(root) = &inspected.data.rows {
            inspected.rows(root, &mut toggles)?;
        }
        if let Some(root) = &inspected.data.looks {
            inspected.looks(root)?;
        }
        let data = &inspected.data;
        let roots = [Some(&data.head), data.rows.as_ref(), data.looks.as_ref()];
        let parts = || seen::parts(roots.into_iter().flatten());
        let watch = data.seen.clone().map(|seen| Watch::new(&parts(), seen));
        Ok(Self {
            _toggles: toggles,
            _watch: watch.transpose()?,
        })
    }
}

/// A request, inspected.
struct InspectedRequest {
    nodes: NodeBuilder,
    data: Data,
    /// The tool's name, and its provider.
    head: Inspection,
    arguments: Vec<Inspection>,
    definition: Vec<Inspection>,
}

impl InspectedRequest {
    fn new(nodes: NodeBuilder, data: Data) -> Self {
        let origin = texts::origin(&data.provider, &data.category);
        let arguments = data.arguments.now.iter().enumerate();
        let arguments = arguments.map(|(place, (name, value))| {
            let mut inspection = inspect(name, value, &host::resolve);
            let mut others = data.arguments.now.iter().enumerate();
            if others.any(|(other, (same, _))| other != place && same == name) {
                inspection.mark_repeated();
            }
            inspection
        });
        let definition = data.definition.now.iter();
        let definition = definition.map(|(name, value)| inspect(name, value, &|_| None));
        Self {
            head: inspect(&data.name, &origin, &|_| None),
            arguments: arguments.collect(),
            definition: definition.collect(),
            nodes,
            data,
        }
    }

    fn head(&self) -> DomResult<()> {
        let (nodes, data) = (&self.nodes, &self.data);
        let name = nodes.element("bdi", "")?;
        if data.name.trim().is_empty() {
            nodes.append_text(&name, &data.label)?;
        } else {
            nodes.inspected(&name, &self.head.name)?;
        }
        self.title("tool-name", &name, data.name.chars().count())?;
        let origin = nodes.element("bdi", "")?;
        nodes.inspected(&origin, &self.head.value)?;
        let length = data.provider.chars().count() + data.category.chars().count();
        self.title("tool-origin", &origin, length)
    }

    /// Appends a part of the head. Its height is bounded, whatever `length` it has.
    fn title(&self, class: &str, text: &Element, length: usize) -> DomResult<()> {
        let nodes = &self.nodes;
        let title = if length <= LONG_NAME {
            let title = nodes.element("span", class)?;
            add(&title, text)?;
            title
        } else {
            let title = nodes.element("div", class)?;
            let scrolling = nodes.scrolling(&self.data.label)?;
            add(&scrolling, text)?;
            add(&title, &scrolling)?;
            nodes.append(
                &title,
                "span",
                "argument-size",
                &nodes.texts.count(texts::CHARACTERS, length, &[]),
            )?;
            title
        };
        add(&self.data.head, &title)
    }

    fn rows(&self, root: &Element, toggles: &mut Vec<Toggle>) -> DomResult<()> {
        let (nodes, data) = (&self.nodes, &self.data);
        self.reason(root)?;
        if self.arguments.is_empty() {
            nodes.append(
                root,
                "p",
                "approval-hint",
                nodes.texts.get(texts::NO_ARGUMENTS),
            )?;
        } else {
            self.list(root, &data.arguments, &self.arguments, toggles)?;
            if data.arguments.before.as_ref() == Some(&data.arguments.now) {
                nodes.append(
                    root,
                    "p",
                    "approval-hint",
                    nodes.texts.get(texts::SAME_AS_LAST_TIME),
                )?;
            }
        }
        if let Some(before) = &data.arguments.before {
            change::gone(nodes, root, before, &data.arguments.now)?;
        }
        self.definition(root, toggles)
    }

    /// Appends what the tool's server says of a tool that is new or was changed.
    fn definition(&self, root: &Element, toggles: &mut Vec<Toggle>) -> DomResult<()> {
        if self.definition.is_empty() {
            return Ok(());
        }
        let (nodes, definition) = (&self.nodes, &self.data.definition);
        let title = match definition.before {
            Some(_) => texts::CHANGED_DEFINITION,
            None => texts::NEW_DEFINITION,
        };
        nodes.append(root, "p", "approval-hint", nodes.texts.get(title))?;
        self.list(root, definition, &self.definition, toggles)
    }

    fn list(
        &self,
        root: &Element,
        rows: &Rows,
        inspections: &[Inspection],
        toggles: &mut Vec<Toggle>,
    ) -> DomResult<()> {
        let list = self.nodes.element("dl", "arguments")?;
        for (place, inspection) in inspections.iter().enumerate() {
            let open = &self.data.open;
            let (row, toggle) = argument::argument(&self.nodes, rows, place, inspection, open)?;
            add(&list, &row)?;
            toggles.extend(toggle);
        }
        add(root, &list)
    }

    /// Appends the reason why the service asks. Its height is bounded.
    fn reason(&self, root: &Element) -> DomResult<()> {
        let (nodes, reason) = (&self.nodes, &self.data.reason);
        if reason.trim().is_empty() {
            return Ok(());
        }
        let line = nodes.append(root, "p", "approval-hint", nodes.texts.get(texts::REASON))?;
        nodes.append_text(&line, " ")?;
        let text = nodes.element("bdi", "")?;
        nodes.inspected(&text, &inspect(reason, "", &|_| None).name)?;
        if reason.chars().count() <= LONG_NAME {
            return add(&line, &text);
        }
        let scrolling = nodes.scrolling(nodes.texts.get(texts::REASON))?;
        add(&scrolling, &text)?;
        add(root, &scrolling)
    }

    /// Appends what to look at closely before the decision.
    fn looks(&self, root: &Element) -> DomResult<()> {
        if self.data.is_changed {
            let line = self.nodes.element("span", "")?;
            self.nodes
                .append_text(&line, self.nodes.texts.get(texts::CHANGED_TOOL))?;
            self.warn(root, &line)?;
        }
        self.suspects(root)
    }

    /// Appends the names to look at closely.
    fn suspects(&self, root: &Element) -> DomResult<()> {
        let warns = |inspection: &&Inspection| {
            let first = inspection.findings.first();
            first.is_some_and(|first| first.weight() == Weight::Warning)
        };
        // The kind that a name would have as a value does not matter.
        let deceives = |it: &Finding| *it < Finding::ActiveScheme;
        let is_named = self.head.findings.iter().any(deceives);
        if !is_named && !self.arguments.iter().any(|it| warns(&it)) {
            return Ok(());
        }
        let nodes = &self.nodes;
        let line = nodes.element("span", "")?;
        line.set_attribute("dir", "auto")?;
        nodes.append_text(&line, nodes.texts.get(texts::LOOK_CLOSELY))?;
        nodes.append_text(&line, " ")?;
        if is_named {
            nodes.append_text(&line, nodes.texts.get(texts::THE_NAME))?;
        }
        for (place, inspection) in self.arguments.iter().filter(warns).enumerate() {
            if is_named || place > 0 {
                nodes.append_text(&line, ", ")?;
            }
            if inspection.name.parts().is_empty() {
                nodes.append_text(&line, nodes.texts.get(texts::NO_NAME))?;
            } else {
                let name = nodes.element("bdi", "argument-name")?;
                nodes.inspected(&name, &inspection.name)?;
                add(&line, &name)?;
            }
        }
        self.warn(root, &line)
    }

    /// Appends a line with the icon of a warning.
    fn warn(&self, root: &Element, line: &Element) -> DomResult<()> {
        let looks = self.nodes.element("p", "tool-looks")?;
        add(&looks, &icon(&self.nodes.document, ALERT)?)?;
        add(&looks, line)?;
        add(root, &looks)
    }
}

impl NodeBuilder {
    /// Creates a scrolling box for long content.
    fn scrolling(&self, name: &str) -> DomResult {
        let scrolling = self.element("pre", "argument-box")?;
        let attributes = [("tabindex", "0"), ("role", "group"), ("aria-label", name)];
        set(&scrolling, &attributes)?;
        Ok(scrolling)
    }
}
