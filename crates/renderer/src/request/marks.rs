//! Text of the agent as nodes, with deceptive characters shown as marks that name them.

use assent_inspect::{Inspection, Kind, Part, Text, Weight, code_point};
use web_sys::Element;

use super::{node_builder::NodeBuilder, texts};
use crate::node::{DomResult, add, set};

/// The sign that is drawn for a hidden character of a kind that ordinary texts have, too.
const SPACE_SIGN: &str = "␣";

impl NodeBuilder {
    /// Appends the text. Marks replace invisible characters, so that nothing is reordered or
    /// omitted. A browser that translates the page leaves the text as it is, for it is decided
    /// about.
    pub(super) fn append_inspected(&self, into: &Element, text: &Text) -> DomResult<()> {
        into.set_attribute("translate", "no")?;
        text.parts()
            .iter()
            .try_for_each(|part| self.part(into, part))
    }

    fn part(&self, into: &Element, part: &Part) -> DomResult<()> {
        match part {
            Part::Plain(text) => self.append_text(into, text),
            Part::LookAlike { text, script } => {
                let mark = self.append(into, "mark", "alike", text)?;
                mark.set_attribute("title", &texts::letters_of(self.texts, script))?;
                self.append(&mark, "span", "alike-script", script)?;
                Ok(())
            }
            Part::Hidden {
                character,
                name,
                weight,
                times,
            } => {
                let mut shown = code_point(*character);
                let title = texts::hidden_character(self.texts, name, &shown, *times);
                if *weight == Weight::Note {
                    SPACE_SIGN.clone_into(&mut shown);
                }
                if *times > 1 {
                    shown.push_str(" ×");
                    shown.push_str(&self.texts.number(*times));
                }
                let mark = self.element("span", "mark")?;
                let weight = weight_name(*weight);
                let attributes = [("data-weight", weight), ("dir", "ltr"), ("title", &title)];
                set(&mark, &attributes)?;
                let seen = self.append(&mark, "span", "", &shown)?;
                seen.set_attribute("aria-hidden", "true")?;
                let said = [" [", &title, "] "].concat();
                self.append(&mark, "span", "visually-hidden", &said)?;
                add(into, &mark)
            }
        }
    }
}

/// Returns a name as plain text, with the names of its hidden characters.
pub(super) fn escaped_name(name: &str) -> String {
    let mut escaped_name = String::new();
    for part in Text::new(name).parts() {
        match part {
            Part::Plain(text) => escaped_name.push_str(text),
            Part::LookAlike { text, script } => {
                escaped_name.push_str(text);
                push_bracketed(&mut escaped_name, script);
            }
            Part::Hidden { name, .. } => push_bracketed(&mut escaped_name, name),
        }
    }
    escaped_name
}

fn push_bracketed(to: &mut String, name: &str) {
    to.push_str(" [");
    to.push_str(name);
    to.push_str("] ");
}

/// Returns the value of the attribute `data-weight` of a mark or a note.
pub(super) fn weight_name(weight: Weight) -> &'static str {
    match weight {
        Weight::Warning => "warning",
        Weight::Note => "note",
    }
}

/// Returns the value to read: JSON is shown with its own line breaks.
pub(super) fn shown_text(inspection: &Inspection) -> &Text {
    match &inspection.kind {
        Kind::Json(pretty) => pretty,
        _ => &inspection.value,
    }
}

/// Returns the first lines of a folded text.
pub(super) fn folded_beginning(text: &Text) -> Text {
    const CHARACTERS: usize = 240;
    const LINES: usize = 6;
    let (mut bytes, mut characters, mut lines) = (0, 0, 1);
    let mut fits = |character: char| {
        characters += 1;
        lines += usize::from(character == '\n');
        let fits = characters <= CHARACTERS && lines <= LINES;
        if fits {
            bytes += character.len_utf8();
        }
        fits
    };
    for part in text.parts() {
        let all = match part {
            Part::Plain(text) | Part::LookAlike { text, .. } => text.chars().all(&mut fits),
            Part::Hidden {
                character, times, ..
            } => (0..*times).all(|_| fits(*character)),
        };
        if !all {
            break;
        }
    }
    text.cut(bytes).0
}
