//! Recognises the one tag of HTML that is not shown as text: a line break.

use crate::scan::skip_bytes;

/// Returns the end of the line break that begins at the position `at`: `<br>`, `<br/>` or `</br>`,
/// in any case and without attributes; `None` if there is none.
pub(crate) fn line_break_end(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) != Some(&b'<') {
        return None;
    }
    let slash = usize::from(text.get(at + 1) == Some(&b'/'));
    let name = at + 1 + slash;
    if !text.get(name..name + 2)?.eq_ignore_ascii_case(b"br") {
        return None;
    }
    let mut end = skip_bytes(text, name + 2, b" \t\n");
    if text.get(end) == Some(&b'/') {
        end += 1;
    }
    (text.get(end) == Some(&b'>')).then_some(end + 1)
}
