//! The title of a tool: its name, in words if the name is an identifier.

use super::{escape_invisible::escape_invisible, strings};

/// Returns the title of the tool with this name, as plain text without marks and cut to a maximum.
pub(super) fn tool_title(name: &str) -> String {
    identifier_in_words(name)
        .unwrap_or_else(|| strings::shorten_for_speech(&escape_invisible(name)))
}

/// Returns an identifier such as `delete_file` or `deleteFile` in words, `Delete file`; `None` for
/// a name that has other characters than ASCII letters, digits, `_` and `-`, or is so long that it
/// would be cut.
fn identifier_in_words(name: &str) -> Option<String> {
    const MAX_CHARACTERS: usize = 60;
    let is_letter = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
    if name.len() > MAX_CHARACTERS
        || !name.starts_with(|it: char| it.is_ascii_alphabetic())
        || !name.chars().all(is_letter)
    {
        return None;
    }
    let mut words = String::new();
    let mut letters = name.chars().peekable();
    let mut is_after_small = false;
    while let Some(letter) = letters.next() {
        let begins_word = is_after_small && letter.is_ascii_uppercase();
        let is_acronym = letters.peek().is_none_or(char::is_ascii_uppercase);
        is_after_small = letter.is_ascii_lowercase();
        if begins_word {
            words.push(' ');
        }
        words.push(match letter {
            '_' | '-' => ' ',
            _ if words.is_empty() => letter.to_ascii_uppercase(),
            _ if begins_word && !is_acronym => letter.to_ascii_lowercase(),
            _ => letter,
        });
    }
    Some(words)
}
