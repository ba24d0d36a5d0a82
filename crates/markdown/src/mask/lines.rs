//! Masks at the beginnings of lines that the parser would take for another block: lines of a
//! formula, and line breaks written as HTML.

use std::ops::Range;

use super::{INERT_BYTE, MaskedBytes, delimiter::Delimiter, html};
use crate::scan::{next_line, skip_bytes};

/// Characters with which a line of a formula could begin another block, such as a list.
const BLOCK_MARKS: &[u8] = b"-+*=_>#<0123456789";

/// Where a text has formulas that stand at the beginning of a line, so that they may go over
/// several lines.
pub(crate) struct FormulaRegions {
    /// The ranges of the formulas of several lines, in order.
    pub(crate) ended: Vec<Range<usize>>,
    /// The beginning of the first line with a formula that may still go on; `None` if there is
    /// none.
    pub(crate) open: Option<usize>,
}

impl FormulaRegions {
    /// Returns true if a position is inside of a formula of several lines, behind its beginning and
    /// before its end.
    pub(crate) fn contains(&self, place: usize) -> bool {
        let before = self.ended.partition_point(|region| region.start < place);
        let last = before
            .checked_sub(1)
            .and_then(|index| self.ended.get(index));
        self.open.is_some_and(|open| open < place) || last.is_some_and(|region| place < region.end)
    }
}

/// Masks the first character of lines inside of formulas, and of lines that begin with `<br>`.
/// Returns where formulas of several lines are.
pub(super) fn mask_line_starts(text: &[u8], bytes: &mut MaskedBytes) -> FormulaRegions {
    let mut regions = FormulaRegions {
        ended: Vec::new(),
        open: None,
    };
    // For each kind of delimiter: up to here none ends.
    let mut endless = [0; Delimiter::KIND_COUNT];
    // A place, and where a formula that begins behind it cannot go on.
    let mut stop = 0..0;
    let mut at = 0;
    while at < text.len() {
        let line = at;
        at = next_line(text, line);
        let body = skip_bytes(text, line, b" \t>");
        let start = skip_marker(text, body);
        if let Some(delimiter) = text.get(start..at).and_then(Delimiter::of_a_block)
            && let Some(endless) = endless.get_mut(delimiter.table_index())
            && start >= *endless
        {
            if !stop.contains(&line) {
                stop = line..find_stop(text, line);
            }
            let (open, close) = delimiter.marks();
            let before = text.get(..stop.end).unwrap_or(text);
            if let Some(end) = delimiter.find_end(before, start + open.len()) {
                let end = end + close.len();
                if end > at {
                    regions.ended.push(line..end);
                }
                let marks = text.get(line..body).unwrap_or_default();
                let quotes = marks.iter().filter(|byte| **byte == b'>').count();
                while at < end {
                    let start = prefix_end(text, at, quotes);
                    if text
                        .get(start)
                        .is_some_and(|byte| BLOCK_MARKS.contains(byte))
                    {
                        bytes.set_byte(start, INERT_BYTE);
                    }
                    at = next_line(text, at);
                }
            } else {
                *endless = stop.end;
                if stop.end == usize::MAX {
                    regions.open = regions.open.or(Some(line));
                }
            }
        } else if html::line_break_end(text, body).is_some_and(|end| end <= at)
            && !is_underline(text, at)
        {
            bytes.set_byte(body, INERT_BYTE);
        }
    }
    regions
}

/// Returns the position of the first blank line or code from the line at `at` on, behind which no
/// formula goes on; `usize::MAX` if there is none.
fn find_stop(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        let next = next_line(text, at);
        let start = skip_bytes(text, at, b" \t>");
        let line = text.get(start..next).unwrap_or_default();
        if line == b"\n" || line.starts_with(b"~~~") {
            return at;
        }
        if let Some(tick) = line.iter().position(|byte| *byte == b'`') {
            return start + tick;
        }
        at = next;
    }
    usize::MAX
}

/// Returns the position behind the indentation of the line at `at` and behind the marks `>` of
/// `quotes` quotes.
pub(super) fn prefix_end(text: &[u8], at: usize, quotes: usize) -> usize {
    let mut at = skip_bytes(text, at, b" \t");
    for _ in 0..quotes {
        if text.get(at) == Some(&b'>') {
            at = skip_bytes(text, at + 1, b" \t");
        }
    }
    at
}

/// Returns the position behind the marker of a list's item, such as `1.`, if one is at `at`;
/// otherwise `at`.
fn skip_marker(text: &[u8], at: usize) -> usize {
    let digits = skip_bytes(text, at, b"0123456789");
    let is_marker = match text.get(digits) {
        Some(b'.' | b')') => digits > at,
        Some(b'-' | b'+' | b'*') => digits == at,
        _ => false,
    };
    let end = skip_bytes(text, digits + 1, b" \t");
    if is_marker && end > digits + 1 {
        end
    } else {
        at
    }
}

/// Returns true if the line at `at` consists of `=` or `-`, which would make a heading of the line
/// before it.
fn is_underline(text: &[u8], at: usize) -> bool {
    let start = skip_bytes(text, at, b" \t>");
    let mark = text.get(start..start + 1).unwrap_or_default();
    let end = skip_bytes(text, skip_bytes(text, start, mark), b" \t");
    matches!(mark, b"-" | b"=") && matches!(text.get(end), None | Some(b'\n'))
}
