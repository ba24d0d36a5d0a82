//! Functions that find positions in the bytes of a text.

/// Returns the first position from `at` on whose byte is not in `set`.
// Each of the many callers would have a loop of its own.
#[inline(never)]
pub(crate) fn skip_bytes(text: &[u8], mut at: usize, set: &[u8]) -> usize {
    while text.get(at).is_some_and(|byte| set.contains(byte)) {
        at += 1;
    }
    at
}

/// Returns the beginning of the line after the one that the position `at` is in.
#[inline(never)]
pub(crate) fn next_line(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|byte| *byte != b'\n') {
        at += 1;
    }
    (at + 1).min(text.len())
}

/// Returns true if a line of the text is blank and has a line ending.
pub(crate) fn has_blank_line(text: &[u8]) -> bool {
    let mut is_blank = true;
    for byte in text {
        match byte {
            b'\n' if is_blank => return true,
            b'\n' => is_blank = true,
            b' ' | b'\t' => {}
            _ => is_blank = false,
        }
    }
    false
}
