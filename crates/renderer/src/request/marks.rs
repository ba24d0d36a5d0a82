//! Nodes for names and values that an agent wrote: each deceptive character is shown as a mark that
//! names it.

use assent_inspect::{Inspection, Severity, Text, TextPart, ValueKind, code_point_notation};
use web_sys::Element;

use super::{node_builder::NodeBuilder, texts};
use crate::node::{DomResult, append_element, set_attributes};

/// The sign that is drawn for a hidden character that ordinary texts have, too, such as an unusual
/// space.
const SPACE_SIGN: &str = "␣";

impl NodeBuilder {
    /// Appends a text that a person decides about. Marks stand for invisible characters, so that
    /// nothing is hidden or reordered. A browser that translates the page leaves the text as it is.
    pub(super) fn append_inspected(&self, into: &Element, text: &Text) -> DomResult<()> {
        into.set_attribute("translate", "no")?;
        text.parts()
            .iter()
            .try_for_each(|part| self.append_part(into, part))
    }

    fn append_part(&self, into: &Element, part: &TextPart) -> DomResult<()> {
        match part {
            TextPart::Plain(text) => self.append_text(into, text),
            TextPart::LookAlike { text, script } => {
                let mark = self.append(into, "mark", "alike", text)?;
                mark.set_attribute("title", &texts::letters_of(self.texts, script))?;
                let name = texts::script_name(self.texts, script);
                self.append(&mark, "span", "alike-script", &name)?;
                Ok(())
            }
            TextPart::Hidden {
                character,
                name,
                severity,
                times,
            } => {
                let mut shown = code_point_notation(*character);
                let title = texts::hidden_character(self.texts, name, &shown, *times);
                if *severity == Severity::Note {
                    SPACE_SIGN.clone_into(&mut shown);
                }
                if *times > 1 {
                    shown.push_str(" ×");
                    shown.push_str(&self.texts.format_number(*times));
                }
                let mark = self.element("span", "mark")?;
                let severity = severity_name(*severity);
                let attributes = [("data-weight", severity), ("dir", "ltr"), ("title", &title)];
                set_attributes(&mark, &attributes)?;
                let seen = self.append(&mark, "span", "", &shown)?;
                seen.set_attribute("aria-hidden", "true")?;
                let said = [" [", &title, "] "].concat();
                self.append(&mark, "span", "visually-hidden", &said)?;
                append_element(into, &mark)
            }
        }
    }
}

/// Returns a name as plain text, with the names of its hidden and look-alike characters in
/// brackets.
pub(super) fn escaped_name(name: &str) -> String {
    let mut escaped_name = String::new();
    for part in Text::new(name).parts() {
        match part {
            TextPart::Plain(text) => escaped_name.push_str(text),
            TextPart::LookAlike { text, script } => {
                escaped_name.push_str(text);
                push_bracketed(&mut escaped_name, script);
            }
            TextPart::Hidden { name, .. } => push_bracketed(&mut escaped_name, name),
        }
    }
    escaped_name
}

fn push_bracketed(to: &mut String, name: &str) {
    to.push_str(" [");
    to.push_str(name);
    to.push_str("] ");
}

/// Returns the value of the attribute `data-weight`, by which the style sheet tells warnings from
/// notes.
pub(super) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// Returns the value of an argument as a person reads it: JSON with a line for each member, and any
/// other value as it was received.
pub(super) fn shown_text(inspection: &Inspection) -> &Text {
    match &inspection.kind {
        ValueKind::Json(pretty) => pretty,
        _ => &inspection.value,
    }
}

/// Returns the beginning of a long text that is shown while it is folded: at most 240 characters in
/// 6 lines.
pub(super) fn folded_beginning(text: &Text) -> Text {
    const MAX_CHARACTERS: usize = 240;
    const MAX_LINES: usize = 6;
    let (mut bytes, mut characters, mut lines) = (0, 0, 1);
    let mut fits = |character: char| {
        characters += 1;
        lines += usize::from(character == '\n');
        let fits = characters <= MAX_CHARACTERS && lines <= MAX_LINES;
        if fits {
            bytes += character.len_utf8();
        }
        fits
    };
    for part in text.parts() {
        let all = match part {
            TextPart::Plain(text) | TextPart::LookAlike { text, .. } => text.chars().all(&mut fits),
            TextPart::Hidden {
                character, times, ..
            } => (0..*times).all(|_| fits(*character)),
        };
        if !all {
            break;
        }
    }
    text.cut(bytes).0
}
