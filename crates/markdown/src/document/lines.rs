//! Starts and ends of lines. Line endings are `\n` here; [`crate::line_ends`] converts them.

/// Returns the length of the whole lines of a text.
pub(super) fn whole(text: &str) -> usize {
    text.rfind('\n').map_or(0, |end| end + 1)
}

/// Returns the start of the line that contains a position.
pub(super) fn start(text: &str, place: usize) -> usize {
    whole(text.get(..place).unwrap_or_default())
}

/// Returns the end, line ending included, of the line that contains a position; a position after a
/// line ending is in no line.
pub(super) fn end(text: &str, place: usize) -> usize {
    if place > 0 && place == start(text, place) {
        return place;
    }
    next_end(text, place)
}

/// Returns the end of the line that begins at a position.
pub(super) fn next_end(text: &str, place: usize) -> usize {
    let rest = text.get(place..).unwrap_or_default();
    rest.find('\n')
        .map_or(text.len(), |found| place + found + 1)
}

/// Returns true if a text of whole lines ends with a blank one.
pub(super) fn ends_blank(text: &str) -> bool {
    let written = text.trim_end_matches([' ', '\t', '\n']);
    let rest = text.get(written.len()..).unwrap_or_default();
    rest.matches('\n').count() > usize::from(!written.is_empty())
}

/// Returns true if a text begins with a blank line.
pub(super) fn starts_blank(text: &str) -> bool {
    text.trim_start_matches([' ', '\t']).starts_with('\n')
}

/// Returns the fence at the beginning of a line, without its info string.
pub(super) fn fence(line: &str) -> Option<String> {
    let mark = line.trim_start_matches(' ');
    let first = mark.chars().next().filter(|first| "`~".contains(*first))?;
    let run = mark.len() - mark.trim_start_matches(first).len();
    let fence = line.get(..line.len() - mark.len() + run)?;
    Some(format!("{fence}\n"))
}
