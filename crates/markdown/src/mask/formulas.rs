//! Finds the formulas in the words of a text, and hides them from the parser.

use std::ops::Range;

use super::{
    Formula, Masked, MaskedBytes,
    delimiter::{Delimiter, OpenFormula},
    leaves::Leaf,
    lines, money,
};
use crate::{Inline, scan};

/// Number of bytes before a dollar sign or bracket that are searched for the beginning of an
/// address, in which no formula begins.
const MAX_WORD_BYTES: usize = 400;

/// Finds and masks the formulas of a text, and notes the one that has begun and not ended at the
/// text's end.
pub(super) fn mask_formulas(
    source: &str,
    leaves: &[Leaf],
    bytes: &mut MaskedBytes,
    masked: &mut Masked,
) {
    let text = source.as_bytes();
    let mut undecided = 0..0;
    if let Some(line) = masked.regions.open {
        undecided = line..scan::next_line(text, line);
    }
    let mut reader = FormulaReader {
        source,
        text,
        bytes,
        formulas: &mut masked.formulas,
        done: 0,
        endless: 0,
        prices: 0,
        open: None,
    };
    let mut open: Option<OpenFormula> = None;
    for leaf in leaves {
        reader.endless = 0;
        reader.prices = 0;
        reader.open = None;
        for words in &leaf.words {
            reader.read_formulas(leaf, words.clone());
        }
        let end = leaf.end();
        let rest = end..scan::next_line(text, end);
        // A cell too many may be none, if a formula has a line in it.
        if leaf.row && !text.get(rest.clone()).unwrap_or_default().contains(&b'`') {
            reader.read_formulas(leaf, rest);
        }
        if !open.is_some_and(|open| undecided.contains(&open.start)) {
            open = reader.open;
        }
    }
    masked.open = open.filter(|open| {
        let rest = text.get(open.start..).unwrap_or_default();
        !scan::has_blank_line(rest)
    });
}

/// Finds the formulas in the text blocks of a text, one block after the other.
struct FormulaReader<'text> {
    source: &'text str,
    text: &'text [u8],
    bytes: &'text mut MaskedBytes,
    formulas: &'text mut Vec<Formula>,
    /// The position in the text at which the last formula that was found ends.
    done: usize,
    /// A bit for each kind of delimiter: set if its end mark does not occur any more in the text
    /// block.
    endless: u32,
    /// The end of the last range of prices, such as "$5-$10"; no dollar sign before it begins a
    /// formula.
    prices: usize,
    /// The last formula of the text block that has begun and has no end; `None` if there is none.
    open: Option<OpenFormula>,
}

impl FormulaReader<'_> {
    /// Finds and masks the formulas that begin in the range `words` of a text block.
    fn read_formulas(&mut self, leaf: &Leaf, words: Range<usize>) {
        let mut at = words.start.max(self.done);
        while at < words.end {
            at += 1;
            let Some((start, delimiter)) = self.opening_at(at - 1) else {
                continue;
            };
            at = start + delimiter.marks().0.len();
            if let Some(end) = self.formula_end(leaf, at, delimiter) {
                at = end;
                self.done = end;
                let tex = self.mask_tex(leaf, start..end, delimiter);
                self.formulas.push((
                    start..end,
                    Inline::Math {
                        source: tex,
                        display: delimiter.is_display(),
                    },
                ));
            } else if delimiter != Delimiter::DOLLAR {
                self.open = Some(OpenFormula { start, delimiter });
            }
        }
    }

    /// Returns the position and the kind of the mark that opens a formula at `at`, or one byte
    /// before it if it begins with a backslash; `None` if there is none.
    fn opening_at(&self, at: usize) -> Option<(usize, Delimiter)> {
        let (before, rest) = self.text.split_at_checked(at)?;
        let (start, delimiter) = match rest {
            [b'(', ..] if is_escaped(before) => (at - 1, Delimiter::ROUND),
            [b'[', ..] if is_escaped(before) => (at - 1, Delimiter::SQUARE),
            [b'$', ..] => match (before.last(), rest) {
                _ if at < self.prices || is_escaped(before) => return None,
                (Some(b'$'), _) | (_, [b'$', b'$', b'$', ..]) => return None,
                (_, [b'$', b'$', ..]) => (at, Delimiter::DOLLARS),
                // "US$5", "5$/month".
                (Some(last), _) if last.is_ascii_alphanumeric() => return None,
                _ => (at, Delimiter::DOLLAR),
            },
            [b'\\', b'b', ..] => {
                let mut line = before.iter().rev();
                let last = line.find(|byte| !b" \t>".contains(byte));
                let begins = matches!(last, None | Some(b'\n'));
                (at, Delimiter::of_a_block(rest).filter(|_| begins)?)
            }
            _ => return None,
        };
        (!is_in_address(before)).then_some((start, delimiter))
    }

    /// Returns the end of the formula whose TeX begins at `start`; `None` if it has no end or is no
    /// formula.
    fn formula_end(&mut self, leaf: &Leaf, start: usize, delimiter: Delimiter) -> Option<usize> {
        let endless = 1 << delimiter.table_index();
        if self.endless & endless != 0 {
            return None;
        }
        let limit = if leaf.row {
            scan::next_line(self.text, start)
        } else {
            leaf.end()
        };
        let Some(close) = delimiter.find_end(self.text.get(..limit)?, start) else {
            self.endless |= endless;
            return None;
        };
        let end = close + delimiter.marks().1.len();
        let text = self.source.get(start..close)?;
        let tex = text.as_bytes();
        let after = self.text.get(end..)?;
        let has = |is: fn(&[u8]) -> bool| (0..tex.len()).any(|at| tex.get(at..).is_some_and(is));
        let is_one = match delimiter {
            Delimiter::DOLLAR => {
                if money::is_price_range(tex, after) {
                    self.prices = end;
                }
                money::is_formula(text, after)
            }
            Delimiter::DOLLARS => !after
                .first()
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_$".contains(byte)),
            // Escaped Markdown: a mark of a source, a link, a box of a task.
            Delimiter::SQUARE => {
                has(|rest| money::begins_with_letter(rest) || matches!(rest, [b'0'..=b'9', ..]))
                    && !tex
                        .iter()
                        .all(|byte| "0123456789,;–- ".as_bytes().contains(byte))
                    && !matches!(after, [b'(' | b':', ..] | [b'\\', b'(', ..])
            }
            Delimiter::ROUND => !has(|rest| rest.starts_with(b"://")),
            _ => true,
        };
        let is_one = is_one && !text.trim().is_empty() && !tex.contains(&b'`');
        (is_one && self.respects_cells(leaf, start..close, delimiter)).then_some(end)
    }

    /// Returns true if the range `tex` can be a formula although it contains `|`: in the row of a
    /// table within brackets, and in a paragraph where the parser sees no table.
    fn respects_cells(&self, leaf: &Leaf, tex: Range<usize>, delimiter: Delimiter) -> bool {
        let inner = self.text.get(tex.clone()).unwrap_or_default();
        if !inner.contains(&b'|') {
            return true;
        }
        if leaf.row {
            let is_plain = matches!(delimiter, Delimiter::ROUND | Delimiter::SQUARE);
            let mut depth = 0_usize;
            let mut before = b' ';
            for byte in inner {
                match byte {
                    _ if before == b'\\' => {}
                    b'(' | b'[' | b'{' => depth += 1,
                    b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                    b'|' if leaf.head || !is_plain && depth == 0 => return false,
                    _ => {}
                }
                before = *byte;
            }
            return true;
        }
        let mut at = tex.start;
        loop {
            at = scan::next_line(self.text, at);
            let start = scan::skip_bytes(self.text, at, b" \t>");
            let end = scan::skip_bytes(self.text, start, b"|-: \t");
            let row = self.text.get(start..end).unwrap_or_default();
            let is_line = end == tex.end || matches!(self.text.get(end), None | Some(b'\n'));
            if is_line && row.contains(&b'-') {
                return false;
            }
            if at > tex.end || at == self.text.len() {
                return true;
            }
        }
    }

    /// Masks a formula in the text for the parser, except for the beginnings of its lines. Returns
    /// its TeX, without the marks `>` of quotes.
    fn mask_tex(&mut self, leaf: &Leaf, formula: Range<usize>, delimiter: Delimiter) -> String {
        let mut tex = Vec::new();
        let mut at = formula.start;
        while at < formula.end
            && let Some(byte) = self.text.get(at)
        {
            match byte {
                b'\n' => {
                    at = lines::prefix_end(self.text, at + 1, leaf.quotes);
                    tex.push(b'\n');
                    continue;
                }
                // In a cell it is escaped.
                b'|' if leaf.row && tex.last() == Some(&b'\\') => {
                    tex.pop();
                }
                _ => {}
            }
            tex.push(*byte);
            self.bytes.set_byte(at, super::INERT_BYTE);
            at += 1;
        }
        if !delimiter.is_tex() {
            let (open, close) = delimiter.marks();
            tex.truncate(tex.len() - close.len());
            tex.drain(..open.len());
        }
        String::from_utf8(tex).unwrap_or_default()
    }
}

/// Returns true if `before` ends with an odd number of backslashes, so that the next character is
/// escaped.
fn is_escaped(before: &[u8]) -> bool {
    let slashes = before.iter().rev().take_while(|byte| **byte == b'\\');
    slashes.count() % 2 == 1
}

/// Returns true if `before` ends inside of a web address.
fn is_in_address(before: &[u8]) -> bool {
    let first = before.len().saturating_sub(MAX_WORD_BYTES);
    for place in (first..before.len()).rev() {
        match before.get(place..) {
            Some([b' ' | b'\t' | b'\n', ..]) => return false,
            Some([b':', b'/', b'/', ..] | [b'w', b'w', b'w', b'.', ..]) => return true,
            _ => {}
        }
    }
    false
}
