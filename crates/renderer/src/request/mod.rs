//! A tool request as the user reads it before deciding: its origin, arguments, and findings.
//!
//! This file puts it together. `argument` is one row, `notes` what was found in it, and `marks` a
//! text with marks for deceptive characters. `change` has the differences from the previous call,
//! `risk` what the tool does, `warnings` what to look at before the decision, and `texts` all
//! texts.

mod argument;
mod change;
mod data;
mod host;
mod marks;
mod node_builder;
mod notes;
mod risk;
mod seen;
mod texts;
mod warnings;

pub use data::RequestData;

use assent_inspect::{Finding, Inspection, Severity, TextPart, inspect};
use wasm_bindgen::JsValue;
use web_sys::Element;

use crate::{
    node::{DomResult, append_element},
    request::{
        data::{Comparison, RequestParts, Rows},
        node_builder::{Button, NodeBuilder},
        seen::SeenObserver,
        warnings::Suspect,
    },
};

/// Maximum number of characters of a tool's name, its origin or the reason; a longer one scrolls in
/// a box.
const LONG_NAME_CHARACTERS: usize = 200;
/// Maximum number of characters of a tool's identifier for which its label is shown as the title.
const LONG_IDENTIFIER_CHARACTERS: usize = 60;

/// A request for approval that was drawn, with its listeners. Its nodes stay in the page when the
/// value is dropped, but their buttons do nothing any more.
pub(crate) struct DrawnRequest {
    _buttons: Vec<Button>,
    _watch: Option<SeenObserver>,
}

impl DrawnRequest {
    pub(crate) fn new(request: &RequestData) -> DomResult<Self> {
        let data = RequestParts::read(request)?;
        let document = data.head.owner_document().ok_or(JsValue::UNDEFINED)?;
        let inspected = InspectedRequest::new(
            NodeBuilder {
                document,
                texts: data.texts,
            },
            data,
        );
        let mut content = CollectedContent::default();
        inspected.append_head(&mut content)?;
        if let Some(root) = &inspected.data.rows {
            inspected.append_rows(root, &mut content)?;
        }
        if let Some(root) = &inspected.data.warnings {
            inspected.append_warnings(root, &mut content)?;
        }
        let data = &inspected.data;
        let roots = [Some(&data.head), data.rows.as_ref(), data.warnings.as_ref()];
        let parts = || seen::observed_parts(roots.into_iter().flatten());
        let watch = data
            .seen
            .clone()
            .map(|seen| SeenObserver::new(&parts(), seen));
        Ok(Self {
            _buttons: content.buttons,
            _watch: watch.transpose()?,
        })
    }
}

/// What is collected while a request is drawn: its buttons, and what could deceive.
#[derive(Default)]
struct CollectedContent {
    buttons: Vec<Button>,
    /// The names and arguments that could deceive, in the order in which they are shown.
    suspects: Vec<Suspect>,
}

/// A request for approval, with what the inspection says of its name, arguments and definition.
struct InspectedRequest {
    nodes: NodeBuilder,
    data: RequestParts,
    /// The inspection of the tool's name, and of its provider and category as the value.
    head: Inspection,
    arguments: Vec<Inspection>,
    definition: Vec<Inspection>,
}

impl InspectedRequest {
    fn new(nodes: NodeBuilder, data: RequestParts) -> Self {
        let origin = texts::origin_text(&data.provider, &data.category);
        let arguments = data.arguments.now.iter().enumerate();
        let arguments = arguments.map(|(place, (name, value))| {
            let mut inspection = inspect(name, value, &host::resolve_host);
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

    fn append_head(&self, content: &mut CollectedContent) -> DomResult<()> {
        let (nodes, data) = (&self.nodes, &self.data);
        let name = nodes.element("bdi", "")?;
        let has_title = self.has_title();
        if has_title || data.name.trim().is_empty() {
            nodes.append_text(&name, &data.label)?;
        } else {
            nodes.append_inspected(&name, &self.head.name)?;
        }
        let title = self.append_title("tool-name", &name, data.name.chars().count())?;
        // The kind that a name would have as a value does not matter.
        if self.head.findings.iter().any(is_deceptive) {
            content.suspects.push(Suspect::of_name(title));
        }
        risk::append_effect(nodes, &data.head, data)?;
        let origin = nodes.element("bdi", "")?;
        let mut length = data.provider.chars().count() + data.category.chars().count();
        if has_title {
            nodes.append_inspected(&origin, &self.head.name)?;
            let between = if length > 0 { " · " } else { "" };
            nodes.append_text(&origin, between)?;
            length += data.name.chars().count();
        }
        nodes.append_inspected(&origin, &self.head.value)?;
        self.append_title("tool-origin", &origin, length)?;
        Ok(())
    }

    /// Returns true if the tool's label is shown as its title, and its identifier in small print;
    /// otherwise the identifier is the title. That is so for any name with characters that could
    /// deceive.
    fn has_title(&self) -> bool {
        let name = &self.data.name;
        let is_plain = matches!(self.head.name.parts(), [TextPart::Plain(_)]);
        let is_identifier = name.is_ascii() && name.len() <= LONG_IDENTIFIER_CHARACTERS;
        is_plain && is_identifier && *name != self.data.label
    }

    /// Appends the tool's name or origin to the head. `length` is the number of characters in
    /// `text`; a long text scrolls in a box.
    fn append_title(&self, class: &str, text: &Element, length: usize) -> DomResult {
        let nodes = &self.nodes;
        let title = if length <= LONG_NAME_CHARACTERS {
            let title = nodes.element("span", class)?;
            append_element(&title, text)?;
            title
        } else {
            let title = nodes.element("div", class)?;
            let scrolling = nodes.scrolling_box(&self.data.label)?;
            append_element(&scrolling, text)?;
            append_element(&title, &scrolling)?;
            nodes.append(
                &title,
                "span",
                "argument-size",
                &nodes.texts.plural(texts::CHARACTERS, length, &[]),
            )?;
            title
        };
        append_element(&self.data.head, &title)?;
        Ok(title)
    }

    fn append_rows(&self, root: &Element, content: &mut CollectedContent) -> DomResult<()> {
        let (nodes, rows) = (&self.nodes, &self.data.arguments);
        self.append_reason(root)?;
        if self.arguments.is_empty() {
            nodes.append_own_text(root, "p", "approval-hint", texts::NO_ARGUMENTS)?;
        } else {
            self.append_arguments(root, content)?;
        }
        change::append_removed(nodes, root, rows)?;
        self.append_definition(root, content)
    }

    /// Appends the arguments to `root`: first those to read, then, folded, those whose value a
    /// person approved at the previous call. An argument that could deceive is never folded.
    fn append_arguments(&self, root: &Element, content: &mut CollectedContent) -> DomResult<()> {
        let (nodes, rows) = (&self.nodes, &self.data.arguments);
        let is_folded = |place: &usize| {
            let inspection = self.arguments.get(*place);
            change::is_known(rows, *place) && inspection.is_some_and(|it| !has_warnings(it))
        };
        let (known, to_read): (Vec<_>, Vec<_>) =
            change::display_order(rows).into_iter().partition(is_folded);
        if !to_read.is_empty() {
            self.append_list(root, rows, &self.arguments, &to_read, content)?;
        }
        if known.is_empty() {
            if rows.before.as_ref() == Some(&rows.now) {
                nodes.append_own_text(root, "p", "approval-hint", texts::SAME_AS_LAST_TIME)?;
            }
            return Ok(());
        }
        let same = nodes.element("details", "same")?;
        let title = nodes.texts.plural(texts::SAME_VALUES, known.len(), &[]);
        nodes.append(&same, "summary", "", &title)?;
        // There is nothing else to see of a call that is the same altogether.
        if to_read.is_empty() && !change::has_removed_arguments(rows) {
            same.set_attribute("open", "")?;
        }
        self.append_list(&same, rows, &self.arguments, &known, content)?;
        append_element(root, &same)
    }

    /// Appends the definition of a tool that is new or was changed, as its server gives it; nothing
    /// for any other tool.
    fn append_definition(&self, root: &Element, content: &mut CollectedContent) -> DomResult<()> {
        if self.definition.is_empty() {
            return Ok(());
        }
        let (nodes, definition) = (&self.nodes, &self.data.definition);
        let title = match definition.before {
            Some(_) => texts::CHANGED_DEFINITION,
            None => texts::NEW_DEFINITION,
        };
        nodes.append_own_text(root, "p", "approval-hint", title)?;
        let places = change::display_order(definition);
        self.append_list(root, definition, &self.definition, &places, content)
    }

    /// Appends a list of those of `rows` whose indices are `places`, and collects their buttons and
    /// what could deceive.
    fn append_list(
        &self,
        root: &Element,
        rows: &Rows,
        inspections: &[Inspection],
        places: &[usize],
        content: &mut CollectedContent,
    ) -> DomResult<()> {
        let list = self.nodes.element("dl", "arguments")?;
        for place in places {
            let Some(inspection) = inspections.get(*place) else {
                continue;
            };
            let open = &self.data.open;
            let (row, button) =
                argument::argument_row(&self.nodes, rows, *place, inspection, open)?;
            append_element(&list, &row)?;
            content.buttons.extend(button);
            // Addresses in a definition lead nowhere.
            let is_suspect = match rows.comparison {
                Comparison::LastCall => has_warnings(inspection),
                Comparison::AcceptedDefinition => inspection.findings.iter().any(is_deceptive),
            };
            if is_suspect {
                let name = inspection.name.clone();
                content.suspects.push(Suspect::of_value(name, row));
            }
        }
        append_element(root, &list)
    }

    /// Appends the reason why the service asks for approval, if it gives one. A long reason scrolls
    /// in a box.
    fn append_reason(&self, root: &Element) -> DomResult<()> {
        let (nodes, reason) = (&self.nodes, &self.data.reason);
        if reason.trim().is_empty() {
            return Ok(());
        }
        let line = nodes.append_own_text(root, "p", "approval-hint", texts::REASON)?;
        nodes.append_text(&line, " ")?;
        let text = nodes.element("bdi", "")?;
        nodes.append_inspected(&text, &inspect(reason, "", &|_| None).name)?;
        if reason.chars().count() <= LONG_NAME_CHARACTERS {
            return append_element(&line, &text);
        }
        let scrolling = nodes.scrolling_box(nodes.texts.get(texts::REASON))?;
        append_element(&scrolling, &text)?;
        append_element(root, &scrolling)
    }
}

/// Returns true if the inspection of an argument found something that could deceive a person.
fn has_warnings(inspection: &Inspection) -> bool {
    let first = inspection.findings.first();
    first.is_some_and(|first| first.severity() == Severity::Warning)
}

/// Returns true for findings about the characters of a text, such as hidden ones; false for those
/// about its meaning, such as a path or an address.
fn is_deceptive(finding: &Finding) -> bool {
    *finding < Finding::ActiveScheme
}
