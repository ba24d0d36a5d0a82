//! The English texts, which are shown where the page gave no text of its own.

use std::sync::OnceLock;

/// A table of English texts with their keys. It is one long string, which is split when it is first
/// used: pointers to each text would make the download larger.
pub struct Table {
    /// Three lines for each text: its key, the English singular, and the English plural.
    written: &'static str,
    lines: OnceLock<Vec<&'static str>>,
}

/// A row of a table: one text, with its key.
#[derive(Clone, Copy)]
pub struct TextRow {
    table: &'static Table,
    place: u16,
}

impl Table {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(written: &'static str) -> Self {
        Self {
            written,
            lines: OnceLock::new(),
        }
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn row(&'static self, place: u16) -> TextRow {
        TextRow { table: self, place }
    }

    /// Returns true if there is a text under this key.
    #[must_use]
    pub fn has_key(&self, key: &str) -> bool {
        self.lines().iter().step_by(3).any(|known| *known == key)
    }

    fn lines(&self) -> &[&'static str] {
        self.lines
            .get_or_init(|| self.written.split('\n').collect())
    }
}

impl TextRow {
    /// Returns the key under which a page gives its own text for this row.
    #[must_use]
    pub fn key(self) -> &'static str {
        self.line(0)
    }

    /// Returns the English text of the row; the singular if it has plural forms.
    pub(crate) fn english(self) -> &'static str {
        self.line(1)
    }

    /// Returns the English plural of the row's text.
    pub(crate) fn english_plural(self) -> &'static str {
        self.line(2)
    }

    fn line(self, line: usize) -> &'static str {
        let place = usize::from(self.place) * 3 + line;
        // A row is created only with its table, which contains it.
        self.table.lines().get(place).copied().unwrap_or_default()
    }
}
