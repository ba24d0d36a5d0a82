//! Hidden characters in an argument: how severe they are, and what they are found as. The list of
//! them, and where ordinary text has them, is in `assent-characters`.

use assent_characters::{CharacterEffect, effect, name};

use crate::{Finding, Severity};

/// A hidden character that is out of place.
#[derive(Clone, Copy)]
pub(crate) struct HiddenCharacter {
    pub(crate) name: &'static str,
    pub(crate) severity: Severity,
}

/// Returns the name and the severity of the character at the byte `at` of a text, if it is hidden
/// and out of place. `runs_left` is true if the text has right-to-left letters.
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

/// Returns the finding for a hidden character that is out of place.
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
