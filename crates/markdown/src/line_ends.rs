//! Conversion of line endings: `\r\n` and `\r` become `\n`.

/// Converts `\r\n` and a lone `\r` to `\n`, even if the two characters arrive in different pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineEnds {
    after_return: bool,
}

impl LineEnds {
    /// Appends the next piece to `text`, with all its line endings as `\n`.
    pub(crate) fn push(&mut self, piece: &str, text: &mut String) {
        let piece = match piece.strip_prefix('\n') {
            Some(rest) if self.after_return => rest,
            _ => piece,
        };
        if piece.is_empty() {
            return self.after_return = false;
        }
        self.after_return = piece.ends_with('\r');
        if piece.contains('\r') {
            text.push_str(&piece.replace("\r\n", "\n").replace('\r', "\n"));
        } else {
            text.push_str(piece);
        }
    }
}
