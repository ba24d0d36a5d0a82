//! Formulas in words.

use std::ops::Range;

use super::{
    Bytes, INERT, Leaf,
    delimiter::{Delimiter, Opening, name},
    lines, money,
};
use crate::Inline;

/// Number of bytes before a formula that are searched for the beginning of an address.
const MAX_WORD: usize = 400;

/// Masks the formulas of a text; returns the one that has begun at its end.
pub(super) fn mask(
    source: &str,
    leaves: &[Leaf],
    bytes: &mut Bytes,
    tokens: &mut Vec<(Range<usize>, Inline)>,
) -> Option<Opening> {
    let last = super::regions(source).pop();
    let undecided = last.filter(|region| region.end == usize::MAX);
    let mut done = 0;
    let mut open: Option<Opening> = None;
    for leaf in leaves {
        let mut reader = Reader::new(source, leaf);
        for words in leaf.words.iter().cloned().chain(reader.rest_of_row()) {
            let mut at = words.start.max(done);
            while at < words.end {
                let Some((start, delimiter)) = reader.opening(at) else {
                    at += 1;
                    continue;
                };
                let length = delimiter.open_length();
                at = start + length;
                if let Some((inner, end)) = reader.formula(at, delimiter) {
                    let formula = Inline::Math {
                        source: reader.tex(&inner, delimiter),
                        display: !matches!(delimiter, Delimiter::Dollar | Delimiter::Round),
                    };
                    reader.fill(start..end, bytes);
                    tokens.push((start..end, formula));
                    done = end;
                    at = end;
                } else if delimiter != Delimiter::Dollar {
                    reader.open = Some(Opening { start, delimiter });
                }
            }
        }
        let goes_on = open.filter(|open| {
            let region = undecided.as_ref();
            let before = region.and_then(|region| source.get(region.start..open.start));
            before.is_some_and(|before| !before.contains('\n'))
        });
        open = goes_on.or(reader.open);
    }
    open.filter(|open| {
        let rest = source.get(open.start..).unwrap_or_default();
        !rest
            .split_inclusive('\n')
            .any(|line| line.ends_with('\n') && line.trim().is_empty())
    })
}

/// Reads the formulas of one text block.
struct Reader<'text> {
    source: &'text str,
    leaf: &'text Leaf,
    /// The delimiters of which no end is left.
    endless: Vec<Delimiter>,
    open: Option<Opening>,
    /// Dollar signs before this place are of prices.
    prices: usize,
}

impl<'text> Reader<'text> {
    fn new(source: &'text str, leaf: &'text Leaf) -> Self {
        Self {
            source,
            leaf,
            endless: Vec::new(),
            open: None,
            prices: 0,
        }
    }

    /// Returns the end of a row: a cell too many may be none, if a formula has a line in it.
    fn rest_of_row(&self) -> Option<Range<usize>> {
        let end = self.leaf.end();
        let rest = self.source.get(end..).filter(|_| self.leaf.row)?;
        let rest = rest.split('\n').next()?;
        (!rest.contains('`')).then(|| end..end + rest.len())
    }

    fn byte(&self, place: usize) -> Option<u8> {
        self.source.as_bytes().get(place).copied()
    }

    /// Returns place and kind of the opening delimiter at a place, or with its backslash before it.
    fn opening(&self, at: usize) -> Option<(usize, Delimiter)> {
        let (start, delimiter) = match self.byte(at)? {
            b'(' if self.is_escaped(at) => (at - 1, Delimiter::Round),
            b'[' if self.is_escaped(at) => (at - 1, Delimiter::Square),
            b'$' if !self.is_escaped(at) => {
                let before = self.source.get(..at)?.chars().next_back();
                if before == Some('$') || at < self.prices {
                    return None;
                }
                let rest = self.source.get(at..)?;
                match rest.len() - rest.trim_start_matches('$').len() {
                    1 if money::opens(before, rest) => (at, Delimiter::Dollar),
                    2 => (at, Delimiter::Dollars),
                    _ => return None,
                }
            }
            b'\\' => {
                let delimiter = Delimiter::of_a_block(self.source.get(at..)?)?;
                let before = self.source.get(..at)?;
                let line = before.rsplit('\n').next()?;
                let begins = line.trim_matches([' ', '\t', '>']).is_empty();
                let is_environment = matches!(delimiter, Delimiter::Environment(_));
                (begins && is_environment).then_some((at, delimiter))?
            }
            _ => return None,
        };
        (!self.is_in_address(start)).then_some((start, delimiter))
    }

    /// Returns true if an odd number of backslashes is before a place.
    fn is_escaped(&self, at: usize) -> bool {
        let before = self.source.get(..at).unwrap_or_default();
        (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
    }

    /// Returns true if the word before a place is the beginning of an address.
    fn is_in_address(&self, at: usize) -> bool {
        let mut before = self.source.as_bytes().get(at.saturating_sub(MAX_WORD)..at);
        while let Some([rest @ .., last]) = before {
            if last.is_ascii_whitespace() {
                return false;
            }
            if rest.ends_with(b":/") && *last == b'/' || rest.ends_with(b"www") && *last == b'.' {
                return true;
            }
            before = Some(rest);
        }
        false
    }

    /// Returns the inner range and the end of a formula.
    fn formula(&mut self, start: usize, delimiter: Delimiter) -> Option<(Range<usize>, usize)> {
        if self.endless.contains(&delimiter) {
            return None;
        }
        let limit = if self.leaf.row {
            let rest = self.source.get(start..)?;
            rest.find('\n').map_or(self.source.len(), |end| start + end)
        } else {
            self.leaf.end()
        };
        let Some((length, end)) = delimiter.find_end(self.source.get(start..limit)?) else {
            if delimiter != Delimiter::Dollar {
                self.endless.push(delimiter);
            }
            return None;
        };
        let (inner, end) = (start..start + length, start + end);
        if delimiter == Delimiter::Dollar
            && let (Some(tex), Some(after)) =
                (self.source.get(inner.clone()), self.source.get(end..))
            && money::is_range(tex, after)
        {
            self.prices = end;
        }
        self.accepts(&inner, end, delimiter).then_some((inner, end))
    }

    fn accepts(&self, inner: &Range<usize>, end: usize, delimiter: Delimiter) -> bool {
        let tex = self.source.get(inner.clone()).unwrap_or_default();
        let after = self.source.get(end..).unwrap_or_default();
        if tex.trim().is_empty() || tex.contains('`') || !self.leaves_cells(inner, end, delimiter) {
            return false;
        }
        match delimiter {
            Delimiter::Dollar => money::is_formula(tex, after),
            Delimiter::Dollars => {
                !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$')
            }
            // Escaped Markdown: a mark of a source, a link, a box of a task.
            Delimiter::Square => {
                let is_mark = |c: char| c.is_ascii_digit() || ",;–- ".contains(c);
                tex.contains(char::is_alphanumeric)
                    && !tex.chars().all(is_mark)
                    && !after.starts_with(['(', ':'])
                    && !after.starts_with("\\(")
            }
            Delimiter::Round => !tex.contains("://"),
            Delimiter::Environment(_) => true,
        }
    }

    /// Returns true if no cell begins or ends in a formula. In a table's row a formula may have
    /// lines between its brackets; no formula makes a table of a paragraph.
    fn leaves_cells(&self, inner: &Range<usize>, end: usize, delimiter: Delimiter) -> bool {
        let tex = self.source.get(inner.clone()).unwrap_or_default();
        if !tex.contains('|') {
            return true;
        }
        if self.leaf.row {
            let mut depth = 0_usize;
            let mut before = ' ';
            let is_open = tex.chars().any(|c| {
                match c {
                    _ if before == '\\' => {}
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                let is_cell = c == '|' && before != '\\' && depth == 0;
                before = c;
                is_cell
            });
            let is_plain = delimiter == Delimiter::Round || delimiter == Delimiter::Square;
            let is_split = tex.replace("\\|", "").contains('|');
            return !is_split || !self.leaf.head && (is_plain || !is_open);
        }
        let rest = self.source.get(end..).unwrap_or_default();
        let next = rest.split('\n').nth(1).unwrap_or_default();
        let mut lines = tex.split('\n').skip(1).chain([next]);
        !lines.any(|line| {
            let body = line.trim_matches([' ', '\t', '>', '\r']);
            body.contains('-') && body.chars().all(|c| "|-: \t".contains(c))
        })
    }

    /// Returns the TeX of a formula, without the marks of quotes at its lines.
    fn tex(&self, inner: &Range<usize>, delimiter: Delimiter) -> String {
        let text = self.source.get(inner.clone()).unwrap_or_default();
        let mut tex = String::with_capacity(text.len());
        for (number, line) in text.split('\n').enumerate() {
            if number == 0 {
                tex.push_str(line);
            } else {
                tex.push('\n');
                tex.push_str(
                    line.get(lines::prefix(line, self.leaf.quotes)..)
                        .unwrap_or_default(),
                );
            }
        }
        if self.leaf.row {
            tex = tex.replace("\\|", "|");
        }
        match delimiter {
            Delimiter::Environment(index) if !name(index).ends_with("math") => {
                format!("\\begin{{{0}}}{tex}\\end{{{0}}}", name(index))
            }
            _ => tex,
        }
    }

    /// Masks the formula but for the beginnings of its lines.
    fn fill(&self, range: Range<usize>, bytes: &mut Bytes) {
        let mut at = range.start;
        let text = self.source.get(range).unwrap_or_default();
        for (number, line) in text.split('\n').enumerate() {
            let prefix = if number == 0 {
                0
            } else {
                lines::prefix(line, self.leaf.quotes)
            };
            for place in at + prefix..at + line.len() {
                bytes.set(place, INERT);
            }
            at += line.len() + 1;
        }
    }
}
