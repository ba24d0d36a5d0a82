//! What a server says beside the protocol: lines of the log, as far as there is any use in them.

use std::sync::{Mutex, PoisonError};

use tokio::{io::AsyncReadExt as _, process::ChildStderr};

use crate::settings::secret::Secret;

/// Longest line of a server that is logged, in bytes; the rest of a longer one is left out.
const MAX_LINE: usize = 400;

/// Most bytes of one server that are logged between its start and its end.
const MAX_LOGGED: usize = 64 * 1024;

/// Writes a server's standard error into the log, without its keys, and returns the last line that
/// is not empty. All of it is read, even what is not logged: a server that cannot write stands
/// still.
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

/// Logs the messages that a server sends for the log by the protocol, without the server's keys.
#[derive(Debug)]
pub(super) struct LogMessages {
    server: String,
    secrets: Vec<Secret>,
    lines: Mutex<Lines>,
}

impl LogMessages {
    pub(super) fn new(server: &str, secrets: &[Secret]) -> Self {
        Self {
            server: server.to_owned(),
            secrets: secrets.to_vec(),
            lines: Mutex::default(),
        }
    }

    /// Writes a message of the server into the log, within the same limits as its standard error.
    pub(super) fn log(&self, text: &str) {
        let secrets = self.secrets.iter();
        let text = secrets.fold(text.to_owned(), |text, secret| secret.remove_from(&text));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        for line in lines.push(format!("{text}\n").as_bytes()) {
            tracing::debug!(server = self.server, "{line}");
        }
    }
}

/// Logs the first of the lines that a server writes to its standard output and that are no
/// messages.
#[derive(Clone, Debug)]
pub(super) struct StrayOutput {
    server: String,
    secrets: Vec<Secret>,
    is_noted: bool,
}

impl StrayOutput {
    pub(super) fn new(server: &str, secrets: &[Secret]) -> Self {
        Self {
            server: server.to_owned(),
            secrets: secrets.to_vec(),
            is_noted: false,
        }
    }

    /// Logs a line that is no message, if it is the first one; further ones are left out.
    pub(super) fn note(&mut self, line: &[u8]) {
        if !std::mem::replace(&mut self.is_noted, true) {
            // Longer than what is logged: a key at its end is found before it is cut.
            let line = line.get(..4 * MAX_LINE).unwrap_or(line);
            let line = self.line(&String::from_utf8_lossy(line));
            tracing::warn!(
                server = self.server,
                line,
                "a tool server writes lines to its standard output that are no messages; they are \
                 left out, and this is the first one"
            );
        }
    }

    /// Returns a text as one line without keys.
    fn line(&self, text: &str) -> String {
        let secrets = self.secrets.iter();
        let text = secrets.fold(text.to_owned(), |text, secret| secret.remove_from(&text));
        let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        line.truncate(line.floor_char_boundary(MAX_LINE));
        line
    }
}

/// Lines for the log, put together from pieces of text.
#[derive(Debug, Default)]
struct Lines {
    line: Vec<u8>,
    logged: usize,
}

impl Lines {
    /// Adds the next bytes; returns the lines that are whole now, each cut to [`MAX_LINE`], and
    /// none beyond [`MAX_LOGGED`].
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
