//! One argument of a tool: its name, its value by kind, its findings, and its previous value.

use std::cell::Cell;

use assent_inspect::{Inspection, Kind, Part, Size, Text, Weight};
use js_sys::Function;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::Element;

use super::{
    change::{badge, since, was},
    data::{Fold, Rows},
    marks::{beginning, escaped_name, hidden_names, weight_name},
    node_builder::{NodeBuilder, new_id},
    texts,
};
use crate::node::{DomResult, add, set};

/// Maximum number of characters of a name beside its value; longer names stand above it.
const LONG_NAME: usize = 40;

/// The button of an argument that folds, with its listener, which is removed when the value is
/// dropped.
pub(super) struct Toggle {
    button: Element,
    listener: Closure<dyn FnMut()>,
}

impl Drop for Toggle {
    fn drop(&mut self) {
        let listener = self.listener.as_ref().unchecked_ref();
        self.button
            .remove_event_listener_with_callback("click", listener)
            .ok();
    }
}

/// Creates the row at `place` of `rows`; `open` gets its place among all that is read, once it is
/// opened.
pub(super) fn argument(
    nodes: &NodeBuilder,
    rows: &Rows,
    place: usize,
    inspection: &Inspection,
    open: &Function,
) -> DomResult<(Element, Option<Toggle>)> {
    let (Some((name, value)), Some(fold)) = (rows.now.get(place), rows.folds.get(place)) else {
        return Err(JsValue::UNDEFINED);
    };
    let since = since(rows.before.as_ref(), &rows.now, place);
    let is_named_long = name.chars().nth(LONG_NAME).is_some();
    let class = if is_named_long {
        "argument long-name"
    } else {
        "argument"
    };
    let row = nodes.element("div", class)?;
    if let Some(first) = inspection.findings.first() {
        row.set_attribute("data-weight", weight_name(first.weight()))?;
    }
    let title = nodes.element("dt", "")?;
    let parts = Parts {
        name: nodes.element("bdi", "argument-name")?,
        value: nodes.element("dd", "argument-value")?,
    };
    add(&title, &parts.name)?;
    badge(nodes, &title, &since)?;
    let kind = kind_name(&inspection.kind);
    parts.value.set_attribute("data-kind", kind)?;
    add(&row, &title)?;
    add(&row, &parts.value)?;
    let toggle = if *fold == Fold::Short {
        parts.show(nodes, inspection, None)?;
        None
    } else {
        let folding = Folding {
            label: texts::shortened(&escaped_name(name)),
            size: longer(Size::new(name), size_of(inspection)),
            nodes: nodes.clone(),
            more: nodes.element("dd", "argument-more")?,
            button: nodes.element("button", "link-button")?,
            parts,
            inspection: inspection.clone(),
            was_opened: Cell::new(*fold == Fold::Opened),
            is_shown: Cell::new(*fold == Fold::Opened),
            open: open.clone(),
            place: rows.first + place,
        };
        add(&row, &folding.more)?;
        Some(folding.start()?)
    };
    host(nodes, &row, &inspection.kind)?;
    was(nodes, &row, &since, value, rows.comparison)?;
    notes(nodes, &row, inspection)?;
    Ok((row, toggle))
}

/// The parts of a row that are rendered again when it is folded and opened.
struct Parts {
    name: Element,
    value: Element,
}

impl Parts {
    /// Shows name and value; `folding` of a long one is true if it is shown whole, and has its
    /// accessible name.
    fn show(
        &self,
        nodes: &NodeBuilder,
        inspection: &Inspection,
        folding: Option<(bool, &str)>,
    ) -> DomResult<()> {
        self.name.set_text_content(None);
        self.value.set_text_content(None);
        let is_cut = folding.is_some_and(|(is_shown, _)| !is_shown);
        let draw = |into: &Element, text: &Text| {
            if is_cut {
                cut(nodes, into, text)
            } else {
                nodes.inspected(into, text)
            }
        };
        if inspection.name.parts().is_empty() {
            nodes.append(&self.name, "em", "", nodes.texts.get(texts::NO_NAME))?;
        } else {
            draw(&self.name, &inspection.name)?;
        }
        if inspection.kind == Kind::Empty {
            nodes.append(&self.value, "em", "", nodes.texts.get(texts::EMPTY))?;
            return Ok(());
        }
        let text = nodes.element("div", "argument-text")?;
        let direction = match inspection.kind {
            Kind::Text | Kind::Lines => "auto",
            _ => "ltr",
        };
        draw(&text, shown_text(inspection))?;
        text.set_attribute("dir", direction)?;
        // Long values that were opened scroll in a box of their own.
        match folding {
            Some((true, label)) => {
                let scrolling = nodes.scrolling(label)?;
                add(&scrolling, &text)?;
                add(&self.value, &scrolling)
            }
            _ => add(&self.value, &text),
        }
    }
}

/// A long argument.
struct Folding {
    nodes: NodeBuilder,
    parts: Parts,
    more: Element,
    button: Element,
    inspection: Inspection,
    /// The name for labels, which cannot contain marks.
    label: String,
    size: Size,
    /// True once it was opened, and so was read; folding it again is only visual.
    was_opened: Cell<bool>,
    is_shown: Cell<bool>,
    open: Function,
    place: usize,
}

impl Folding {
    fn start(self) -> DomResult<Toggle> {
        let described = new_id();
        self.parts.name.set_attribute("id", &described)?;
        let attributes = [("type", "button"), ("aria-describedby", &described)];
        set(&self.button, &attributes)?;
        add(&self.more, &self.button)?;
        self.show(self.is_shown.get())?;
        let button = self.button.clone();
        let folding = self;
        let listener = Closure::<dyn FnMut()>::new(move || {
            folding.toggle().ok();
        });
        button.add_event_listener_with_callback("click", listener.as_ref().unchecked_ref())?;
        Ok(Toggle { button, listener })
    }

    fn toggle(&self) -> DomResult<()> {
        let is_shown = !self.is_shown.get();
        // An argument that could not be rendered was not opened.
        self.show(is_shown)?;
        self.is_shown.set(is_shown);
        if !self.was_opened.replace(true) {
            let place = u32::try_from(self.place).unwrap_or(u32::MAX);
            self.open.call1(&JsValue::UNDEFINED, &place.into())?;
        }
        Ok(())
    }

    fn show(&self, is_shown: bool) -> DomResult<()> {
        let size = self.size;
        let folding = Some((is_shown, self.label.as_str()));
        self.parts.show(&self.nodes, &self.inspection, folding)?;
        let label = if is_shown {
            self.nodes.texts.get(texts::FOLD).to_owned()
        } else {
            texts::show_all(self.nodes.texts, size.characters, size.lines)
        };
        self.button.set_text_content(Some(&label));
        let expanded = if is_shown { "true" } else { "false" };
        self.button.set_attribute("aria-expanded", expanded)?;
        if let Some(size_label) = self.button.next_element_sibling() {
            size_label.remove();
        }
        if is_shown {
            let size_label = texts::size(self.nodes.texts, size.characters, size.lines);
            self.nodes
                .append(&self.more, "span", "argument-size", &size_label)?;
        }
        Ok(())
    }
}

/// Returns the value to read: JSON is shown with its own line breaks.
fn shown_text(inspection: &Inspection) -> &Text {
    match &inspection.kind {
        Kind::Json(pretty) => pretty,
        _ => &inspection.value,
    }
}

/// Returns the size of the text to read.
fn size_of(inspection: &Inspection) -> Size {
    match &inspection.kind {
        Kind::Json(pretty) => Size {
            lines: breaks(pretty) + 1,
            ..inspection.size
        },
        _ => inspection.size,
    }
}

fn cut(nodes: &NodeBuilder, into: &Element, text: &Text) -> DomResult<()> {
    let start = beginning(text);
    nodes.inspected(into, &start)?;
    if start == *text {
        return Ok(());
    }
    nodes.append_text(into, "…")
}

fn breaks(text: &Text) -> usize {
    let breaks = |part: &Part| match part {
        Part::Plain(text) => text.matches('\n').count(),
        Part::Hidden { .. } | Part::LookAlike { .. } => 0,
    };
    text.parts().iter().map(breaks).sum()
}

fn longer(one: Size, other: Size) -> Size {
    if one.characters > other.characters {
        one
    } else {
        other
    }
}

/// Appends the target of an address, separate from its spelling.
fn host(nodes: &NodeBuilder, row: &Element, kind: &Kind) -> DomResult<()> {
    let (label, host, unicode) = match kind {
        Kind::Address(address) if address.host.is_empty() => (
            nodes.texts.get(texts::SCHEME),
            address.scheme.clone(),
            &None,
        ),
        Kind::Address(address) => {
            let mut host = address.host.clone();
            if let Some(port) = address.port {
                host.push(':');
                host.push_str(&port.to_string());
            }
            (nodes.texts.get(texts::LEADS_TO), host, &address.unicode)
        }
        Kind::Email(mailbox) => (
            nodes.texts.get(texts::DOMAIN),
            mailbox.host.clone(),
            &mailbox.unicode,
        ),
        _ => return Ok(()),
    };
    let line = nodes.append(row, "dd", "argument-host", label)?;
    line.set_attribute("dir", "auto")?;
    nodes.append_text(&line, " ")?;
    let written = nodes.element("bdi", "host")?;
    written.set_attribute("dir", "ltr")?;
    nodes.inspected(&written, &Text::new(&host))?;
    add(&line, &written)?;
    if let Some(unicode) = unicode {
        nodes.append_text(&line, nodes.texts.get(texts::SPELLING_OF))?;
        nodes.append_text(&line, " ")?;
        let host = nodes.element("bdi", "host")?;
        nodes.inspected(&host, unicode)?;
        add(&line, &host)?;
    }
    Ok(())
}

/// Appends a sentence for each finding, and the names of hidden characters.
fn notes(nodes: &NodeBuilder, row: &Element, inspection: &Inspection) -> DomResult<()> {
    for finding in &inspection.findings {
        note(
            nodes,
            row,
            finding.weight(),
            &texts::finding(nodes.texts, *finding),
        )?;
    }
    let mut names = Vec::new();
    hidden_names(&inspection.name, &mut names);
    hidden_names(&inspection.value, &mut names);
    if names.is_empty() {
        return Ok(());
    }
    let names = nodes
        .texts
        .fill(texts::HIDDEN, &[("names", &names.join(", "))]);
    note(nodes, row, Weight::Warning, &names)
}

fn note(nodes: &NodeBuilder, row: &Element, weight: Weight, text: &str) -> DomResult<()> {
    let note = nodes.append(row, "dd", "argument-note", text)?;
    let attributes = [("dir", "auto"), ("data-weight", weight_name(weight))];
    set(&note, &attributes)
}

/// Returns `data-kind` of the value.
fn kind_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Empty => "empty",
        Kind::Text => "text",
        Kind::Lines => "lines",
        Kind::Number => "number",
        Kind::Amount => "amount",
        Kind::Address(_) => "url",
        Kind::Email(_) => "email",
        Kind::Path => "path",
        Kind::Json(_) => "json",
    }
}
