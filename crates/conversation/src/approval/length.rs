//! The length of what is read before a decision: what is too long for a glance is shown folded.

/// The number of characters above which a text is shown folded, and has to be opened before its
/// tool can be approved.
pub(super) const FOLD_ABOVE_CHARACTERS: usize = 600;
/// The number of lines above which a text is shown folded. JSON counts with the lines that it has
/// once each of its members is on a line of its own.
pub(super) const FOLD_ABOVE_LINES: usize = 12;

/// Returns true if the name or the value, of an argument or a member of a definition, cannot be
/// read at a glance.
pub(super) fn is_long_member((name, value): &(String, String)) -> bool {
    is_long(name) || is_long(value)
}

/// Returns true for a text that cannot be read at a glance.
fn is_long(text: &str) -> bool {
    text.chars().nth(FOLD_ABOVE_CHARACTERS).is_some() || count_lines(text) > FOLD_ABOVE_LINES
}

/// Returns the number of lines of a text as it is shown.
pub(super) fn count_lines(text: &str) -> usize {
    text.lines().count().max(count_json_lines(text))
}

/// Returns how many lines JSON takes at most if each member is shown on a line; 0 if the text is no
/// array or object.
fn count_json_lines(text: &str) -> usize {
    if !text.trim_start().starts_with(['{', '[']) {
        return 0;
    }
    // The last character that was not white space, and within a string not escaped.
    let (mut lines, mut is_string, mut last) = (1_usize, false, ' ');
    for character in text.chars().filter(|it| !it.is_ascii_whitespace()) {
        let escaped = is_string && last == '\\';
        match character {
            _ if escaped => last = ' ',
            '"' => is_string = !is_string,
            _ if is_string => {}
            '}' | ']' if matches!(last, '{' | '[') => lines = lines.saturating_sub(1),
            ',' | '{' | '[' | '}' | ']' => lines += 1,
            _ => {}
        }
        if !escaped {
            last = character;
        }
    }
    lines
}
