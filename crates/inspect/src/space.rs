//! Finds ordinary white space that a reader would not notice: at both ends of a text, and so much
//! of it that the text behind is overlooked. Unusual white space is in `assent-characters`.

/// Looks through a text, from beginning to end, for white space that a reader would not notice.
pub(crate) struct Spaces<'a> {
    text: &'a str,
    /// Position in bytes up to which white space counts as unnoticed: the end of the leading space,
    /// or of the last row of spaces that is too long.
    until: usize,
    /// Position in bytes at which the white space at the end of the text begins.
    end: usize,
    /// Number of equal white space characters in a row that are too many. It is larger in texts of
    /// several lines, where columns and indentation are ordinary.
    limit: usize,
}

impl<'a> Spaces<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        // In UTF-8 only controls and the space are at or below this byte.
        let is_seen = |byte: u8| byte > b' ';
        Self {
            text,
            until: text.bytes().position(is_seen).unwrap_or(0),
            end: text.bytes().rposition(is_seen).map_or(0, |last| last + 1),
            limit: if text.contains('\n') { 32 } else { 3 },
        }
    }

    /// Returns the name of the white space character at the byte position `at`, such as `tab`, if a
    /// reader would not notice it; otherwise `None`. Positions have to increase from call to call.
    pub(crate) fn name_if_unnoticed(&mut self, at: usize, character: char) -> Option<&'static str> {
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
