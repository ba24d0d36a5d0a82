//! Lines that the parser would take for the beginning of another block: those of a formula, and
//! line breaks written as HTML.

use std::ops::Range;

use super::{Bytes, INERT, delimiter::Delimiter, html};
use crate::Inline;

/// Characters at which another block could begin.
const MARKS: &str = "-+*=_>#<";

/// Masks the beginnings of lines within formulas, and line breaks at the beginning of a line.
pub(super) fn mask(source: &str, bytes: &mut Bytes, tokens: &mut Vec<(Range<usize>, Inline)>) {
    let mut regions = Regions::new(source);
    let mut at = 0;
    while let Some(line) = line_at(source, at) {
        let next = at + line.len();
        if let Some(end) = regions.end_of(at) {
            let quotes = quotes(line);
            let mut inner = next;
            while inner < end
                && let Some(line) = line_at(source, inner)
            {
                let body = line.get(prefix(line, quotes)..).unwrap_or_default();
                let is_mark = |c: char| MARKS.contains(c) || c.is_ascii_digit();
                if body.starts_with(is_mark) {
                    bytes.set(inner + line.len() - body.len(), INERT);
                }
                inner += line.len();
            }
            at = inner;
            continue;
        }
        let body = line.trim_start_matches([' ', '\t', '>']);
        if let Some(length) = html::line_break(body)
            && length <= body.len()
            && !is_underline(line_at(source, next).unwrap_or_default())
        {
            let start = next - body.len();
            bytes.set(start, INERT);
            tokens.push((start..start + length, Inline::Break));
        }
        at = next;
    }
}

/// Returns the formulas that begin their line, of several lines. One that may still go on has no
/// end.
pub(crate) fn regions(source: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !super::delimiter::may_be_in(source) {
        return found;
    }
    let mut regions = Regions::new(source);
    let mut at = 0;
    while let Some(line) = line_at(source, at) {
        let next = at + line.len();
        let end = regions.end_of(at);
        if regions.undecided {
            found.push(at..usize::MAX);
            break;
        } else if let Some(end) = end.filter(|end| *end > next) {
            found.push(at..end);
        }
        at = end.map_or(next, |end| end_of_line(source, end).max(next));
    }
    found
}

/// Returns the length of indentation and marks of quotes at the beginning of a line.
pub(super) fn prefix(line: &str, quotes: usize) -> usize {
    let mut rest = line.trim_start_matches([' ', '\t']);
    for _ in 0..quotes {
        match rest.strip_prefix('>') {
            Some(more) => rest = more.trim_start_matches([' ', '\t']),
            None => break,
        }
    }
    line.len() - rest.len()
}

/// Returns the text of an item's first line, without the item's marker.
fn without_marker(body: &str) -> &str {
    let digits = body.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if digits.len() < body.len() {
        digits.strip_prefix(['.', ')'])
    } else {
        body.strip_prefix(['-', '+', '*'])
    };
    let rest = rest.filter(|rest| rest.starts_with([' ', '\t']));
    rest.map_or(body, |rest| rest.trim_start_matches([' ', '\t']))
}

/// Returns the number of quotes that a line is in.
fn quotes(line: &str) -> usize {
    let body = line.trim_start_matches([' ', '\t', '>']);
    let marks = line.get(..line.len() - body.len()).unwrap_or_default();
    marks.matches('>').count()
}

fn line_at(source: &str, at: usize) -> Option<&str> {
    source.get(at..)?.split_inclusive('\n').next()
}

fn end_of_line(source: &str, place: usize) -> usize {
    let rest = source.get(place..).unwrap_or_default();
    rest.find('\n').map_or(source.len(), |end| place + end + 1)
}

fn is_underline(line: &str) -> bool {
    let body = line.trim_matches([' ', '\t', '>', '\n']);
    !body.is_empty()
        && (body.bytes().all(|byte| byte == b'-') || body.bytes().all(|byte| byte == b'='))
}

/// Formulas that begin their line.
struct Regions<'text> {
    source: &'text str,
    /// For each kind of delimiter: up to here none ends.
    endless: [usize; Delimiter::COUNT],
    /// A place, and where a formula that begins behind it cannot go on.
    limit: Range<usize>,
    /// True if the last one had neither an end nor a blank line.
    undecided: bool,
}

impl<'text> Regions<'text> {
    fn new(source: &'text str) -> Self {
        Self {
            source,
            endless: [0; Delimiter::COUNT],
            limit: 0..0,
            undecided: false,
        }
    }

    /// Returns the end of the formula that begins with the line at `at`.
    fn end_of(&mut self, at: usize) -> Option<usize> {
        self.undecided = false;
        let line = line_at(self.source, at)?;
        let body = without_marker(line.trim_start_matches([' ', '\t', '>']));
        let delimiter = Delimiter::of_a_block(body)?;
        let start = at + line.len() - body.len() + delimiter.open_length();
        let endless = self.endless.get_mut(delimiter.number())?;
        if start < *endless {
            self.undecided = *endless == usize::MAX;
            return None;
        }
        if !self.limit.contains(&at) {
            self.limit = at..limit(self.source, at).unwrap_or(usize::MAX);
        }
        let limit = self.limit.end.max(start);
        let inner = self.source.get(start..limit.min(self.source.len()))?;
        if let Some((_, end)) = delimiter.find_end(inner) {
            return Some(start + end);
        }
        *endless = limit;
        self.undecided = limit == usize::MAX;
        None
    }
}

/// Returns the place where a formula, whose line begins at `at`, cannot go on: a blank line, or
/// code.
fn limit(source: &str, at: usize) -> Option<usize> {
    let mut line = at;
    while let Some(text) = line_at(source, line) {
        let body = text.trim_start_matches([' ', '\t', '>']);
        let is_blank = text.ends_with('\n') && body.trim().is_empty();
        if is_blank || body.starts_with("~~~") {
            return Some(line);
        }
        if let Some(tick) = text.find('`') {
            return Some(line + tick);
        }
        line += text.len();
    }
    None
}
