//! Hidden characters in an argument: which of them are warnings, and which finding they give. Which
//! characters are hidden, and where ordinary text has them, is in `assent-characters`.

use assent_characters::{CharacterEffect, effect, name};

use crate::{Finding, Severity};

/// A hidden character at a place where ordinary text does not need it.
#[derive(Clone, Copy)]
pub(crate) struct HiddenCharacter {
    pub(crate) name: &'static str,
    pub(crate) severity: Severity,
}

/// Returns the name and the severity of the character at the byte position `at` of a text, if it is
/// hidden and the text does not need it there; otherwise `None`. `runs_left` is true if the text
/// has right-to-left letters.
pub(crate) fn misplaced_character(
    text: &str,
    at: usize,
    character: char,
    runs_left: bool,
) -> Option<HiddenCharacter> {
    let effect = assent_characters::effect_in_text(text, at, character)?;
    // The mark that some programs write at the start of a file.
    let is_start = character == '\u{FEFF}' && at == 0;
    let is_ordinary = match effect {
        CharacterEffect::Separates | CharacterEffect::Private => true,
        CharacterEffect::Directs => runs_left,
        _ => is_start,
    };
    Some(HiddenCharacter {
        name: if is_start {
            "byte order mark"
        } else {
            name(character)
        },
        severity: if is_ordinary {
            Severity::Note
        } else {
            Severity::Warning
        },
    })
}

/// Returns the finding that a hidden character gives at a place where ordinary text does not need
/// it; `None` for unusual spaces and characters for private use.
#[must_use]
pub fn hidden_finding(character: char) -> Option<Finding> {
    match effect(character).unwrap_or(CharacterEffect::CoversNeighbours) {
        CharacterEffect::CoversNeighbours => Some(Finding::Overdrawing),
        CharacterEffect::Reorders | CharacterEffect::Directs => Some(Finding::Reordering),
        CharacterEffect::Vanishes => Some(Finding::Invisible),
        CharacterEffect::Controls => Some(Finding::Control),
        CharacterEffect::Separates | CharacterEffect::Private => None,
    }
}
