//! Ordinary white space where it looks like nothing: at both ends of a text, and so much of it that what is behind is
//! overlooked. Unusual white space is in `hidden.rs`.

/// Reads the white space of a text from its beginning to its end.
pub(crate) struct Spaces<'a> {
    text: &'a str,
    /// Where the white space at the start ends, and where that at the end begins.
    ends: (usize, usize),
    /// How many in a row are too many: where texts have lines, columns and indentation are ordinary.
    limit: usize,
    /// Where the last row ends, and whether it is too long.
    row: (usize, bool),
}

impl<'a> Spaces<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        // Of all bytes of characters only controls and the space are below.
        let is_seen = |byte: u8| byte > b' ';
        let start = text.bytes().position(is_seen);
        let end = text.bytes().rposition(is_seen);
        Self {
            text,
            ends: (start.unwrap_or(0), end.map_or(0, |end| end + 1)),
            limit: if text.contains('\n') { 32 } else { 3 },
            row: (0, false),
        }
    }

    /// What a character is called that looks like nothing where it stands, at the byte `at`.
    pub(crate) fn unseen(&mut self, at: usize, character: char) -> Option<&'static str> {
        let name = match character {
            ' ' => "space",
            '\t' => "tab",
            // Line breaks at the ends are ordinary, but nothing else is not.
            '\n' if self.ends.1 == 0 => return Some("line break"),
            _ => return None,
        };
        if at >= self.row.0 {
            let rest = self.text.get(at..).unwrap_or_default();
            let length = rest.chars().take_while(|next| *next == character).count();
            self.row = (at + length, length >= self.limit);
        }
        (self.row.1 || at < self.ends.0 || at >= self.ends.1).then_some(name)
    }
}
