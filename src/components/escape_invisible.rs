//! Names as plain text, with deceptive characters as their codes.
//!
//! Approval requests are drawn by the renderer, which says the names of such characters. Names are
//! also needed where the renderer is not available: in announcements, in accessible names, at
//! files. Which characters are deceptive is in `assent_characters`. Its function `effect_in_text`
//! knows more exactly where ordinary text has them, but takes 0.7 kB that every visitor would
//! download.

use assent_characters::{CharacterEffect, Script, effect, script};

use super::strings;

/// Maximum number of characters of the name of an agent or a conversation that are shown.
const MAX_NAME_CHARACTERS: usize = 200;

/// Returns the name of an agent or a conversation as it is shown and read out: cut to a maximum,
/// and with the codes of deceptive characters.
pub fn shown_name(name: &str) -> String {
    escape_invisible(&strings::cut_to(name, MAX_NAME_CHARACTERS))
}

/// Returns true if `name` is the name `own`, or may look like it to a person: by other cases of
/// letters, hidden characters, punctuation, or letters of another script.
pub(super) fn passes_for(name: &str, own: &str) -> bool {
    // The table of all letters is 1 kB that every visitor would download.
    let is_sign = |it: &char| it.is_ascii() && !it.is_ascii_alphanumeric() || is_hidden(*it);
    let letters = |text: &str| -> Vec<char> {
        let letters = text.chars().filter(|it| !is_sign(it));
        letters.map(plain_letter).collect()
    };
    let (name, own) = (letters(name), letters(own));
    let is_same = |(one, other): (&char, &char)| one == other || looks_alike(*one);
    !own.is_empty() && name.len() == own.len() && name.iter().zip(&own).all(is_same)
}

/// Returns a letter in lower case, and a letter of full width (as in East Asian text) in ordinary
/// width.
fn plain_letter(letter: char) -> char {
    let narrow = match letter {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(letter) - 0xFEE0),
        _ => None,
    };
    narrow.unwrap_or(letter).to_ascii_lowercase()
}

/// Returns the name of a tool or a conversation with the codes of hidden characters in their place.
/// In words with ASCII letters, a code follows each letter of a script that has letters like those
/// of ASCII.
pub(super) fn escape_invisible(name: &str) -> String {
    let mut escaped = EscapedText::default();
    for word in name.split_inclusive(|it: char| it.is_ascii() && !it.is_ascii_alphanumeric()) {
        let is_latin = word.contains(|it: char| it.is_ascii_alphabetic());
        for character in word.chars() {
            escaped.push(character, is_latin && looks_alike(character));
        }
    }
    escaped.text
}

/// Returns the name of a file with the codes of hidden characters in their place.
pub(super) fn escape_in_file_name(name: &str) -> String {
    let mut escaped = EscapedText::default();
    for character in name.chars() {
        escaped.push(character, false);
    }
    escaped.text
}

#[derive(Default)]
struct EscapedText {
    text: String,
    /// The previous character of the name.
    before: char,
}

impl EscapedText {
    fn push(&mut self, character: char, looks_alike: bool) {
        let is_hidden = is_hidden(character) && !belongs_after(character, self.before);
        if !is_hidden {
            self.text.push(character);
        }
        if is_hidden || looks_alike {
            let code = format!(" [U+{:04X}] ", u32::from(character));
            self.text.push_str(&code);
        }
        self.before = character;
    }
}

/// Returns true if `character` is a joiner or a variation selector, and `before` a character of a
/// script or an emoji that needs it: it is no hidden character there.
fn belongs_after(character: char, before: char) -> bool {
    matches!(character, '\u{200C}' | '\u{200D}' | '\u{FE0E}' | '\u{FE0F}')
        && before >= '\u{600}'
        && (before == '\u{FE0F}' || !is_hidden(before))
}

/// Returns true for a character that draws nothing, changes the order of others, or has no agreed
/// meaning. Spaces of any width, and strokes over other characters, do not count: they are seen.
fn is_hidden(character: char) -> bool {
    let is_seen = |effect| {
        matches!(
            effect,
            CharacterEffect::Separates | CharacterEffect::CoversNeighbours
        )
    };
    character.is_control() || effect(character).is_some_and(|effect| !is_seen(effect))
}

/// Returns true for a letter of a script, other than Latin, in which some letters look like letters
/// of ASCII.
fn looks_alike(character: char) -> bool {
    let script = script(character);
    script != Script::LATIN && script.has_look_alikes()
}
