//! Names as plain text, with deceptive characters as their codes.
//!
//! Approval requests are drawn by the renderer, which knows every such character by name. Names are
//! also needed where the renderer is not available: in announcements, in accessible names, at
//! files. Here a few ranges are enough.

/// Returns the name of a tool or a conversation: hidden characters as their codes, and a code
/// behind letters that may pass for those of ASCII beside them.
pub(super) fn escape_invisible(name: &str) -> String {
    let mut spelled = Spelled::default();
    for word in name.split_inclusive(|it: char| it.is_ascii() && !it.is_ascii_alphanumeric()) {
        let is_latin = word.contains(|it: char| it.is_ascii_alphabetic());
        for character in word.chars() {
            spelled.push(character, is_latin && looks_alike(character));
        }
    }
    spelled.text
}

/// Returns the name of a file: hidden characters as their codes.
pub(super) fn escape_in_file_name(name: &str) -> String {
    let mut spelled = Spelled::default();
    for character in name.chars() {
        spelled.push(character, false);
    }
    spelled.text
}

#[derive(Default)]
struct Spelled {
    text: String,
    /// The previous character.
    before: char,
}

impl Spelled {
    fn push(&mut self, character: char, looks_alike: bool) {
        let is_hidden = is_hidden(character) && !belongs(character, self.before);
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

/// Returns true for joiners and selectors in scripts and emoji that need them.
fn belongs(character: char, before: char) -> bool {
    matches!(character, '\u{200C}' | '\u{200D}' | '\u{FE0E}' | '\u{FE0F}')
        && before >= '\u{600}'
        && (before == '\u{FE0F}' || !is_hidden(before))
}

/// Returns true for characters that draw nothing, change the order of others, or have no agreed
/// meaning.
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{AD}'
                | '\u{34F}'
                | '\u{61C}'
                | '\u{115F}'..='\u{1160}'
                | '\u{17B4}'..='\u{17B5}'
                | '\u{180B}'..='\u{180F}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202F}'
                | '\u{205F}'..='\u{206F}'
                | '\u{3164}'
                | '\u{E000}'..='\u{F8FF}'
                | '\u{FE00}'..='\u{FE0F}'
                | '\u{FEFF}'
                | '\u{FFA0}'
                | '\u{FFF0}'..='\u{FFFB}'
                | '\u{E0000}'..='\u{E0FFF}'
                | '\u{F0000}'..
        )
}

/// Returns true for letters of scripts that have some like those of ASCII: phonetic, Greek,
/// Cyrillic, Armenian, Cherokee, Lisu.
fn looks_alike(character: char) -> bool {
    matches!(
        character,
        '\u{250}'..='\u{2AF}'
            | '\u{370}'..='\u{58F}'
            | '\u{13A0}'..='\u{13FF}'
            | '\u{1F00}'..='\u{1FFF}'
            | '\u{2160}'..='\u{217F}'
            | '\u{A4D0}'..='\u{A4FF}'
            | '\u{AB70}'..='\u{ABBF}'
    )
}
