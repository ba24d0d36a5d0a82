//! What formulas stand between: `$`, `$$`, `\(` and `\)`, `\[` and `\]`, and environments.

/// Environments that are a formula by themselves.
const ENVIRONMENTS: [&str; 10] = [
    "equation",
    "equation*",
    "align",
    "align*",
    "gather",
    "gather*",
    "multline",
    "multline*",
    "displaymath",
    "math",
];

/// What a formula stands between.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Delimiter {
    Dollar,
    Dollars,
    Round,
    Square,
    /// Index of its name.
    Environment(usize),
}

/// A formula that has begun.
#[derive(Clone, Copy)]
pub(crate) struct Opening {
    pub(crate) start: usize,
    pub(super) delimiter: Delimiter,
}

impl Opening {
    /// Returns the text with an end for the formula, or without the formula if it is empty so far.
    pub(crate) fn ended(self, text: &str) -> String {
        let start = self.start + self.delimiter.open_length();
        let inner = text.get(start..).unwrap_or_default().trim_end();
        let half = if self.delimiter == Delimiter::Dollars {
            '$'
        } else {
            '\\'
        };
        // A part of its end may be there.
        let inner = match inner.strip_suffix(half) {
            Some(rest) if !rest.ends_with('\\') => rest.trim_end(),
            _ => inner,
        };
        if inner.trim().is_empty() {
            return text
                .get(..self.start)
                .unwrap_or_default()
                .trim_end()
                .to_owned();
        }
        let kept = text.get(..start + inner.len()).unwrap_or_default();
        format!("{kept}{}", self.delimiter.close())
    }
}

impl Delimiter {
    /// Number of kinds that can have several lines.
    pub(super) const COUNT: usize = 2 + ENVIRONMENTS.len();

    /// Returns the delimiter at the start of a text that begins a formula of several lines.
    pub(super) fn of_a_block(text: &str) -> Option<Self> {
        if text.starts_with("\\[") {
            return Some(Self::Square);
        }
        if text.starts_with("$$") {
            return (!text.starts_with("$$$")).then_some(Self::Dollars);
        }
        let name = text.strip_prefix("\\begin{")?.split_once('}')?.0;
        let index = ENVIRONMENTS.iter().position(|known| *known == name)?;
        Some(Self::Environment(index))
    }

    pub(super) fn number(self) -> usize {
        match self {
            Self::Environment(index) => 2 + index,
            Self::Square => 1,
            _ => 0,
        }
    }

    pub(super) fn open_length(self) -> usize {
        match self {
            Self::Dollar => 1,
            Self::Environment(index) => "\\begin{}".len() + name(index).len(),
            _ => 2,
        }
    }

    fn close(self) -> String {
        match self {
            Self::Dollar => "$".to_owned(),
            Self::Dollars => "$$".to_owned(),
            Self::Round => "\\)".to_owned(),
            Self::Square => "\\]".to_owned(),
            Self::Environment(index) => format!("\\end{{{}}}", name(index)),
        }
    }

    /// Returns start and end of the closing delimiter in the text behind the opening one.
    pub(super) fn find_end(self, text: &str) -> Option<(usize, usize)> {
        let close = self.close();
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            if text.get(at..).is_some_and(|rest| rest.starts_with(&close)) {
                return Some((at, at + close.len()));
            }
            at += match byte {
                b'\\' => 2,
                // Without whitespace before it, one dollar sign ends what one has begun.
                b'$' if self == Self::Dollar => return None,
                _ => 1,
            };
        }
        None
    }
}

pub(super) fn name(index: usize) -> &'static str {
    ENVIRONMENTS.get(index).copied().unwrap_or_default()
}

/// Returns true if a text may contain a formula.
pub(super) fn may_be_in(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(place, byte)| match byte {
        b'$' => true,
        b'\\' => matches!(bytes.get(place + 1), Some(b'(' | b'[' | b'b')),
        _ => false,
    })
}
