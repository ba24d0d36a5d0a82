//! The row of one argument of a call: its name, its value, what was found in it, and its value in
//! the previous call of the tool.

use std::cell::Cell;

use assent_inspect::{Inspection, Text, TextPart, TextSize, ValueKind};
use js_sys::Function;
use wasm_bindgen::JsValue;
use web_sys::Element;

use super::{
    change::{ArgumentChange, append_badge, append_previous_value, compare_argument},
    data::{FoldState, Rows},
    marks::{escaped_name, folded_beginning, severity_name, shown_text},
    node_builder::{Button, NodeBuilder, new_id},
    notes::append_note,
    texts,
};
use crate::node::{DomResult, append_element};

/// Creates the row with the index `place` of `rows`, and its button, if the row is long enough to
/// be folded. When a person opens it, `open` is called with its index among the rows of the whole
/// request.
pub(super) fn argument_row(
    nodes: &NodeBuilder,
    rows: &Rows,
    place: usize,
    inspection: &Inspection,
    open: &Function,
) -> DomResult<(Element, Option<Button>)> {
    let (Some((name, value)), Some(fold)) = (rows.now.get(place), rows.folds.get(place)) else {
        return Err(JsValue::UNDEFINED);
    };
    let since = compare_argument(rows, place, inspection);
    let row = nodes.element("div", "argument")?;
    since.mark(&row)?;
    if let Some(first) = inspection.findings.first() {
        row.set_attribute("data-weight", severity_name(first.severity()))?;
    }
    let title = nodes.element("dt", "")?;
    let parts = RowParts {
        name: nodes.element("bdi", "argument-name")?,
        value: nodes.element("dd", "argument-value")?,
        added: match &since {
            ArgumentChange::Changed(change) => change.added_bytes(),
            ArgumentChange::Nothing | ArgumentChange::New => None,
        },
    };
    append_element(&title, &parts.name)?;
    append_badge(nodes, &title, &since)?;
    let kind = kind_name(&inspection.kind);
    parts.value.set_attribute("data-kind", kind)?;
    append_element(&row, &title)?;
    append_element(&row, &parts.value)?;
    let toggle = if *fold == FoldState::Short {
        parts.show(nodes, inspection, None)?;
        None
    } else {
        let folding = Folding {
            label: texts::shorten(&escaped_name(name)),
            size: larger_size(TextSize::new(name), size_of(inspection)),
            nodes: nodes.clone(),
            more: nodes.element("dd", "argument-more")?,
            button: nodes.element("button", "link-button")?,
            parts,
            inspection: inspection.clone(),
            was_opened: Cell::new(*fold == FoldState::Opened),
            is_shown: Cell::new(*fold == FoldState::Opened),
            open: open.clone(),
            place: rows.first + place,
        };
        append_element(&row, &folding.more)?;
        Some(folding.make_button()?)
    };
    append_note(nodes, &row, value, inspection)?;
    append_previous_value(nodes, &row, &since, rows.comparison)?;
    Ok((row, toggle))
}

/// The elements of a row that are drawn again when a person folds or opens it.
struct RowParts {
    name: Element,
    value: Element,
    /// The start and the end, in bytes, of what the shown value has and the value of the previous
    /// call did not have; `None` if nothing is marked.
    added: Option<(usize, usize)>,
}

impl RowParts {
    /// Draws the name and the value. `folding` is `None` for a short argument; of a long one it
    /// says whether the value is shown whole, and has the accessible name of the box that scrolls
    /// it.
    fn show(
        &self,
        nodes: &NodeBuilder,
        inspection: &Inspection,
        folding: Option<(bool, &str)>,
    ) -> DomResult<()> {
        self.name.set_text_content(None);
        self.value.set_text_content(None);
        let is_cut = folding.is_some_and(|(is_shown, _)| !is_shown);
        let draw = |into: &Element, text: &Text, added| {
            if is_cut {
                let start = folded_beginning(text);
                append_marked(nodes, into, &start, added)?;
                let end = if start == *text { "" } else { "…" };
                nodes.append_text(into, end)
            } else {
                append_marked(nodes, into, text, added)
            }
        };
        if inspection.name.parts().is_empty() {
            nodes.append_own_text(&self.name, "em", "", texts::NO_NAME)?;
        } else {
            draw(&self.name, &inspection.name, None)?;
        }
        if inspection.kind == ValueKind::Empty {
            nodes.append_own_text(&self.value, "em", "", texts::EMPTY)?;
            return Ok(());
        }
        let text = nodes.element("div", "argument-text")?;
        let direction = match inspection.kind {
            ValueKind::Text | ValueKind::Lines => "auto",
            _ => "ltr",
        };
        draw(&text, shown_text(inspection), self.added)?;
        text.set_attribute("dir", direction)?;
        // Long values that were opened scroll in a box of their own.
        match folding {
            Some((true, label)) => {
                let scrolling = nodes.scrolling_box(label)?;
                append_element(&scrolling, &text)?;
                append_element(&self.value, &scrolling)
            }
            _ => append_element(&self.value, &text),
        }
    }
}

/// The row of a long argument, with the button that opens and folds it.
struct Folding {
    nodes: NodeBuilder,
    parts: RowParts,
    more: Element,
    button: Element,
    inspection: Inspection,
    /// The argument's name as plain text, for the accessible name of its box.
    label: String,
    size: TextSize,
    /// True once a person opened the argument, and so counts as having read it, even if it is
    /// folded again.
    was_opened: Cell<bool>,
    is_shown: Cell<bool>,
    open: Function,
    place: usize,
}

impl Folding {
    fn make_button(self) -> DomResult<Button> {
        let described = new_id();
        self.parts.name.set_attribute("id", &described)?;
        self.button.set_attribute("aria-describedby", &described)?;
        append_element(&self.more, &self.button)?;
        self.show_row(self.is_shown.get())?;
        Button::new(&self.button.clone(), move || {
            self.toggle().ok();
        })
    }

    fn toggle(&self) -> DomResult<()> {
        let is_shown = !self.is_shown.get();
        // An argument that could not be rendered was not opened.
        self.show_row(is_shown)?;
        self.is_shown.set(is_shown);
        if !self.was_opened.replace(true) {
            let place = u32::try_from(self.place).unwrap_or(u32::MAX);
            self.open.call1(&JsValue::UNDEFINED, &place.into())?;
        }
        Ok(())
    }

    fn show_row(&self, is_shown: bool) -> DomResult<()> {
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
            let size_label = texts::size_text(self.nodes.texts, size.characters, size.lines);
            self.nodes
                .append(&self.more, "span", "argument-size", &size_label)?;
        }
        Ok(())
    }
}

/// Returns the number of characters and lines of the argument's value as it is shown: JSON is shown
/// with a line for each member.
fn size_of(inspection: &Inspection) -> TextSize {
    match &inspection.kind {
        ValueKind::Json(pretty) => TextSize {
            lines: count_breaks(pretty) + 1,
            ..inspection.size
        },
        _ => inspection.size,
    }
}

/// Appends the text to `into`. The part between the two byte positions of `added` is marked as new,
/// with `<ins>`.
fn append_marked(
    nodes: &NodeBuilder,
    into: &Element,
    text: &Text,
    added: Option<(usize, usize)>,
) -> DomResult<()> {
    let Some((start, end)) = added else {
        return nodes.append_inspected(into, text);
    };
    let (before, rest) = text.cut(start);
    let (added, after) = rest.cut(end - start);
    nodes.append_inspected(into, &before)?;
    if !added.parts().is_empty() {
        let mark = nodes.element("ins", "")?;
        nodes.append_inspected(&mark, &added)?;
        append_element(into, &mark)?;
    }
    nodes.append_inspected(into, &after)
}

fn count_breaks(text: &Text) -> usize {
    let breaks = |part: &TextPart| match part {
        TextPart::Plain(text) => text.matches('\n').count(),
        TextPart::Hidden { .. } | TextPart::LookAlike { .. } => 0,
    };
    text.parts().iter().map(breaks).sum()
}

fn larger_size(one: TextSize, other: TextSize) -> TextSize {
    if one.characters > other.characters {
        one
    } else {
        other
    }
}

/// Returns the value of the attribute `data-kind` for a value of this kind.
fn kind_name(kind: &ValueKind) -> &'static str {
    match kind {
        ValueKind::Empty => "empty",
        ValueKind::Text => "text",
        ValueKind::Lines => "lines",
        ValueKind::Number => "number",
        ValueKind::Amount => "amount",
        ValueKind::Address(_) => "url",
        ValueKind::Email(_) => "email",
        ValueKind::Path => "path",
        ValueKind::Json(_) => "json",
    }
}
