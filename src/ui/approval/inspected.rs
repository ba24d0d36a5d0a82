//! A text of the agent as nodes, with its deceiving characters drawn as marks that name them.

use assent_inspect::{Part, Text, Weight, code_point};
use leptos::prelude::*;

use crate::ui::{element::el, strings};

/// What stands for a hidden character that ordinary texts have, too.
const QUIET: &str = "␣";

/// The text as nodes. Marks stand in the place of what cannot be seen, so that nothing is reordered or left out.
pub(in crate::ui) fn inspected(text: &Text) -> AnyView {
    text.parts().iter().map(part).collect::<Vec<_>>().into_any()
}

/// A name where there can be no nodes, with the names of its hidden characters.
pub(in crate::ui) fn spelled(name: &str) -> String {
    let mut spelled = String::new();
    for part in Text::new(name).parts() {
        match part {
            Part::Plain(text) => spelled.push_str(text),
            Part::LookAlike { text, script } => {
                spelled.push_str(text);
                push_bracketed(&mut spelled, script);
            }
            Part::Hidden { name, .. } => push_bracketed(&mut spelled, name),
        }
    }
    spelled
}

fn push_bracketed(to: &mut String, name: &str) {
    to.push_str(" [");
    to.push_str(name);
    to.push_str("] ");
}

fn part(part: &Part) -> AnyView {
    match part {
        Part::Plain(text) => text.clone().into_any(),
        Part::LookAlike { text, script } => el("mark", "alike")
            .attr("title", &strings::letters_of(script))
            .text(text)
            .child(el("span", "alike-script").text(script))
            .view(),
        Part::Hidden {
            character,
            name,
            weight,
            times,
        } => {
            let mut shown = code_point(*character);
            let title = strings::hidden_character(name, &shown, *times);
            if *weight == Weight::Note {
                QUIET.clone_into(&mut shown);
            }
            if *times > 1 {
                shown.push_str(" ×");
                shown.push_str(&strings::counted(*times));
            }
            let said = [" [", &title, "] "].concat();
            el("span", "mark")
                .attr("data-weight", weight_name(*weight))
                .attr("dir", "ltr")
                .attr("title", &title)
                .child(el("span", "").attr("aria-hidden", "true").text(&shown))
                .child(el("span", "visually-hidden").text(&said))
                .view()
        }
    }
}

/// `data-weight` of marks and notes.
pub(super) fn weight_name(weight: Weight) -> &'static str {
    match weight {
        Weight::Warning => "warning",
        Weight::Note => "note",
    }
}

/// Adds what the hidden characters that could deceive are called, each once.
pub(super) fn hidden_names(text: &Text, names: &mut Vec<String>) {
    for part in text.parts() {
        if let Part::Hidden {
            character,
            name,
            weight: Weight::Warning,
            ..
        } = part
        {
            let name = [&code_point(*character), " ", name].concat();
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
}

/// The first lines of a text that is folded.
pub(super) fn beginning(text: &Text) -> Text {
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
