//! The marks that formulas stand between: `$`, `$$`, `\(` and `\)`, `\[` and `\]`, and environments
//! such as `\begin{align}`.

/// A pair of marks around formulas: its index in [`MARK_PAIRS`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Delimiter(usize);

/// The marks that open and end a formula. The third pair and those after it may be around several
/// lines that look like blocks; the seventh and those after it are a part of the TeX.
const MARK_PAIRS: [(&str, &str); 14] = [
    ("$", "$"),
    ("\\(", "\\)"),
    ("$$", "$$"),
    ("\\[", "\\]"),
    ("\\begin{math}", "\\end{math}"),
    ("\\begin{displaymath}", "\\end{displaymath}"),
    ("\\begin{align}", "\\end{align}"),
    ("\\begin{align*}", "\\end{align*}"),
    ("\\begin{equation}", "\\end{equation}"),
    ("\\begin{equation*}", "\\end{equation*}"),
    ("\\begin{gather}", "\\end{gather}"),
    ("\\begin{gather*}", "\\end{gather*}"),
    ("\\begin{multline}", "\\end{multline}"),
    ("\\begin{multline*}", "\\end{multline*}"),
];

/// A formula at the end of a text that has begun and not ended.
#[derive(Clone, Copy)]
pub(crate) struct OpenFormula {
    pub(crate) start: usize,
    pub(super) delimiter: Delimiter,
}

impl OpenFormula {
    /// Returns `text` with an end mark for the formula at its end, or without the formula if that
    /// is empty so far.
    pub(crate) fn with_end_mark(self, text: &str) -> String {
        let (open, close) = self.delimiter.marks();
        let start = self.start + open.len();
        let mut kept = text.trim_end();
        // A part of its end may be there.
        if let [before @ .., last] = kept.as_bytes()
            && before.len() >= start
            && close.as_bytes().first() == Some(last)
            && !before.ends_with(b"\\")
        {
            kept = kept.get(..before.len()).unwrap_or_default();
        }
        let (kept, close) = if kept.trim_end().len() > start {
            (kept, close)
        } else {
            (text.get(..self.start).unwrap_or_default(), "")
        };
        kept.trim_end().to_owned() + close
    }
}

impl Delimiter {
    pub(super) const DOLLAR: Self = Self(0);
    pub(super) const ROUND: Self = Self(1);
    pub(super) const DOLLARS: Self = Self(2);
    pub(super) const SQUARE: Self = Self(3);
    const ENVIRONMENT: Self = Self(6);
    pub(super) const KIND_COUNT: usize = MARK_PAIRS.len();

    /// Returns the delimiter with which a text begins, if formulas between such marks may have
    /// several lines.
    pub(super) fn of_a_block(text: &[u8]) -> Option<Self> {
        if !matches!(text, [b'$' | b'\\', ..]) || text.starts_with(b"$$$") {
            return None;
        }
        let mut blocks = (Self::DOLLARS.0..Self::KIND_COUNT).map(Self);
        blocks.find(|delimiter| text.starts_with(delimiter.marks().0.as_bytes()))
    }

    pub(super) fn table_index(self) -> usize {
        self.0
    }

    pub(super) fn is_display(self) -> bool {
        self.0 >= Self::DOLLARS.0
    }

    /// Returns true if the marks are a part of the formula's TeX, as `\begin{align}` is.
    pub(super) fn is_tex(self) -> bool {
        self.0 >= Self::ENVIRONMENT.0
    }

    /// Returns the marks that open and end a formula with this delimiter.
    pub(super) fn marks(self) -> (&'static str, &'static str) {
        MARK_PAIRS.get(self.0).copied().unwrap_or_default()
    }

    /// Returns the position of the first end mark in a text from `at` on, the position behind the
    /// opening mark.
    pub(super) fn find_end(self, text: &[u8], mut at: usize) -> Option<usize> {
        let close = self.marks().1.as_bytes();
        loop {
            let rest = text.get(at..)?;
            if rest.starts_with(close) {
                return Some(at);
            }
            at += if *rest.first()? == b'\\' { 2 } else { 1 };
        }
    }
}

/// Returns true if a text has a character with which a formula could begin.
pub(super) fn may_be_in(text: &[u8]) -> bool {
    text.iter().enumerate().any(|(place, byte)| match byte {
        b'$' => true,
        b'\\' => matches!(text.get(place + 1), Some(b'(' | b'[' | b'b')),
        _ => false,
    })
}
