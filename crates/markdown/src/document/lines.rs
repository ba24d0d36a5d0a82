//! Functions that find the starts and ends of lines. All line endings are `\n`;
//! [`crate::line_ends`] has converted the others.

use crate::scan::skip_bytes;

/// Returns the length of a text up to its last line ending, which is included; 0 if it has none.
pub(super) fn whole_lines_len(text: &str) -> usize {
    text.rfind('\n').map_or(0, |end| end + 1)
}

/// Returns the start of the line that contains the byte position `place`.
pub(super) fn line_start(text: &str, place: usize) -> usize {
    whole_lines_len(text.get(..place).unwrap_or_default())
}

/// Returns the end, line ending included, of the line that contains a position; a position after a
/// line ending is in no line.
pub(super) fn line_end(text: &str, place: usize) -> usize {
    if place > 0 && place == line_start(text, place) {
        return place;
    }
    next_line_end(text, place)
}

/// Returns the end, line ending included, of the line that begins at the byte position `place`.
pub(super) fn next_line_end(text: &str, place: usize) -> usize {
    let rest = text.get(place..).unwrap_or_default();
    rest.find('\n')
        .map_or(text.len(), |found| place + found + 1)
}

/// Returns true if a text of whole lines ends with a blank line.
pub(super) fn ends_blank(text: &str) -> bool {
    let mut ends = 0;
    for byte in text.bytes().rev() {
        match byte {
            b'\n' => ends += 1,
            b' ' | b'\t' => {}
            _ => return ends > 1,
        }
    }
    ends > 0
}

/// Returns true if a text begins with a blank line.
pub(super) fn starts_blank(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.get(skip_bytes(bytes, 0, b" \t")) == Some(&b'\n')
}

/// Returns true if a line begins with the marker of a list's item, such as `-` or `1.`.
pub(super) fn begins_item(line: &str) -> bool {
    let bytes = line.as_bytes();
    let digits = skip_bytes(bytes, 0, b"0123456789");
    let rest = match bytes.get(digits..) {
        Some([b'.' | b')', rest @ ..]) if digits > 0 => rest,
        Some([b'-' | b'+' | b'*', rest @ ..]) if digits == 0 => rest,
        _ => return false,
    };
    matches!(rest, [] | [b' ' | b'\t' | b'\n', ..])
}

/// Returns the fence of a code block at the beginning of a line, without its info string; `None` if
/// there is none.
pub(super) fn opening_fence(line: &str) -> Option<String> {
    let bytes = line.as_bytes();
    let start = skip_bytes(bytes, 0, b" ");
    let mark = bytes.get(start..start + 1)?;
    let end = skip_bytes(bytes, start, mark);
    let fence = line.get(..end)?.to_owned() + "\n";
    matches!(mark, b"`" | b"~").then_some(fence)
}
