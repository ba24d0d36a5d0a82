//! Ordinary white space where it looks like nothing: at both ends of a text, and so much of it that what is behind is
//! overlooked. Unusual white space is in `hidden.rs`.

/// Reads the white space of a text from its beginning to its end.
pub(crate) struct Spaces<'a> {
    text: &'a str,
    /// Up to here all of it is marked: the end of that at the start, or of the last long row.
    until: usize,
    /// Where that at the end begins.
    end: usize,
    /// How many in a row are too many: where texts have lines, columns and indentation are ordinary.
    limit: usize,
}

impl<'a> Spaces<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        // Of all bytes of characters only controls and the space are below.
        let is_seen = |byte: u8| byte > b' ';
        Self {
            text,
            until: text.bytes().position(is_seen).unwrap_or(0),
            end: text.bytes().rposition(is_seen).map_or(0, |last| last + 1),
            limit: if text.contains('\n') { 32 } else { 3 },
        }
    }

    /// What a character is called that looks like nothing where it stands, at the byte `at`.
    pub(crate) fn unseen(&mut self, at: usize, character: char) -> Option<&'static str> {
        let name = match character {
            ' ' => "space",
            '\t' => "tab",
            // Line breaks at the ends are ordinary, if there is anything between.
            '\n' if self.end == 0 => "line break",
            _ => return None,
        };
        if at >= self.until {
            let rest = self.text.get(at..)?;
            let row = rest.chars().take_while(|next| *next == character).count();
            if row >= self.limit {
                self.until = at + row;
            }
        }
        (at < self.until || at >= self.end).then_some(name)
    }
}
