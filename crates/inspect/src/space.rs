//! Ordinary white space that goes unnoticed: at both ends of a text, and in runs so long that the
//! text after them is overlooked. Unusual white space is in `assent-characters`.

/// Scanner of a text's white space, from beginning to end.
pub(crate) struct Spaces<'a> {
    text: &'a str,
    /// Position up to which all of it is marked: the end of the leading space, or of the last long
    /// run.
    until: usize,
    /// Start of the trailing space.
    end: usize,
    /// Length from which a run is too long: in texts with lines, columns and indentation are
    /// ordinary.
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

    /// Returns the name of an unnoticed white space character at the byte `at`.
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
