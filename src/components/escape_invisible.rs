//! Names as plain text, with deceptive characters as their codes.
//!
//! Approval requests are drawn by the renderer, which says the names of such characters. Names are
//! also needed where the renderer is not available: in announcements, in accessible names, at
//! files. Which characters deceive is known to `assent_characters` alone.

use assent_characters::{Effect, Script, hidden, script};

/// Returns the name of a tool or a conversation: hidden characters as their codes, and a code
/// behind letters that may pass for those of ASCII beside them.
pub(super) fn escape_invisible(name: &str) -> String {
    let mut escaped = String::new();
    let mut start = 0;
    for word in name.split_inclusive(|it: char| it.is_ascii() && !it.is_ascii_alphanumeric()) {
        let is_latin = word.contains(|it: char| it.is_ascii_alphabetic());
        for (at, character) in word.char_indices() {
            let is_alike = is_latin && looks_alike(character);
            push(
                &mut escaped,
                character,
                is_hidden(name, start + at, character),
                is_alike,
            );
        }
        start += word.len();
    }
    escaped
}

/// Returns the name of a file: hidden characters as their codes.
pub(super) fn escape_in_file_name(name: &str) -> String {
    let mut escaped = String::new();
    for (at, character) in name.char_indices() {
        push(
            &mut escaped,
            character,
            is_hidden(name, at, character),
            false,
        );
    }
    escaped
}

fn push(escaped: &mut String, character: char, is_hidden: bool, is_alike: bool) {
    if !is_hidden {
        escaped.push(character);
    }
    if is_hidden || is_alike {
        let code = format!(" [U+{:04X}] ", u32::from(character));
        escaped.push_str(&code);
    }
}

/// Returns true for a character that draws nothing where no script or emoji needs it, changes the
/// order of others, or has no agreed meaning. Spaces of any width are seen.
fn is_hidden(name: &str, at: usize, character: char) -> bool {
    let effect = hidden(name, at, character);
    character.is_control() || effect.is_some_and(|effect| effect != Effect::Separates)
}

/// Returns true for letters of a script that has some like those of ASCII.
fn looks_alike(character: char) -> bool {
    let script = script(character);
    script != Script::LATIN && script.has_look_alikes()
}
