//! The standard error of a server: lines of the log, as far as there is any use in them.

use tokio::{io::AsyncReadExt as _, process::ChildStderr};

use crate::agents::model::secret::Secret;

/// Longest line, in bytes.
const MAX_LINE: usize = 400;

/// Bytes of one server that are logged between its start and its end.
const MAX_LOGGED: usize = 64 * 1024;

/// Writes what a server says into the log, without its keys, and returns its last line that is not
/// empty. It is read to its end in any case: a server that cannot write stands still.
pub(super) async fn log(
    server: String,
    mut errors: ChildStderr,
    secrets: Vec<Secret>,
) -> Option<String> {
    let mut lines = Lines::default();
    let mut last = None;
    let mut bytes = [0; 4096];
    while let Ok(length @ 1..) = errors.read(&mut bytes).await {
        for mut line in lines.push(bytes.get(..length).unwrap_or_default()) {
            for secret in &secrets {
                line = secret.remove_from(&line);
            }
            tracing::debug!(server, "{line}");
            if !line.trim().is_empty() {
                last = Some(line);
            }
        }
    }
    last
}

/// Lines that come in pieces.
#[derive(Debug, Default)]
struct Lines {
    line: Vec<u8>,
    logged: usize,
}

impl Lines {
    /// Takes the next bytes; returns the lines that are whole, cut to the limits.
    fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for byte in bytes {
            match byte {
                b'\n' => {
                    let line = String::from_utf8_lossy(&self.line).trim_end().to_owned();
                    self.line.clear();
                    self.logged = self.logged.saturating_add(line.len() + 1);
                    if self.logged <= MAX_LOGGED {
                        lines.push(line);
                    }
                }
                byte if self.line.len() < MAX_LINE => self.line.push(*byte),
                _ => {}
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, MAX_LINE, MAX_LOGGED};

    #[test]
    fn lines_are_put_together_and_neither_a_long_one_nor_many_fill_the_log() {
        let mut lines = Lines::default();
        assert_eq!(lines.push(b"one\ntw"), ["one"]);
        assert_eq!(lines.push(b"o\r\n"), ["two"]);
        for _ in 0..1000 {
            assert!(lines.push(&[b'x'; 4096]).is_empty());
        }
        assert_eq!(
            lines.push(b"\nnext\n"),
            ["x".repeat(MAX_LINE), "next".to_owned()]
        );
        let all: usize = (0..MAX_LOGGED).map(|_| lines.push(b"abc\n").len()).sum();
        assert!(all < MAX_LOGGED / 4 && all > MAX_LOGGED / 8, "{all}");
        assert!(lines.push(b"abc\n").is_empty());
    }
}
