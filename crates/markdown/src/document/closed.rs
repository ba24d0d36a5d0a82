//! What is shown of a text that is still arriving: marks that were opened are closed, and
//! characters whose meaning is open are left out. Finished text is parsed as written.

use super::lines;
use crate::{
    alert,
    read::ParseResult,
    scan::{has_blank_line, skip_bytes},
};

/// Maximum number of marks without an end, such as `**`, that are closed for display; if a text has
/// more, they are shown as they are.
const MAX_OPEN_MARKS: usize = 16;

/// Returns the end of the text, `tail`, without its last line if that may still become several
/// things: a rule, an underline of a heading, a fence.
pub(super) fn without_ambiguous_line(tail: &str, in_code: bool) -> &str {
    let start = lines::whole_lines_len(tail);
    let (before, line) = tail.split_at(start);
    let body = line.trim();
    if in_code {
        let fence = !body.is_empty() && consists_of(body, b"`~");
        return if fence { before } else { tail };
    }
    let body = without_leading(body, b"> \t");
    let below = !before.is_empty() && !lines::ends_blank(before);
    let marks = consists_of(body, b"-*_=+#`~|:$ \t");
    let number = matches!(without_leading(body, b"0123456789"), "." | ")");
    let bullet = matches!(body, "-" | "+") || line.ends_with("- ") || number;
    let waits = match body {
        "" => false,
        _ if bullet => below,
        _ if marks => true,
        _ => is_half_definition(body) && !below,
    };
    if waits { before } else { tail }
}

/// Returns the text from its first byte on that is not in `set`.
fn without_leading<'text>(text: &'text str, set: &[u8]) -> &'text str {
    text.get(skip_bytes(text.as_bytes(), 0, set)..)
        .unwrap_or_default()
}

fn consists_of(text: &str, set: &[u8]) -> bool {
    without_leading(text, set).is_empty()
}

fn is_half_definition(body: &str) -> bool {
    let Some(label) = body.strip_prefix('[') else {
        return false;
    };
    let label = label.trim_end_matches(':');
    (body.ends_with("]:") || label.starts_with('^'))
        && label.find(']').is_none_or(|end| end + 1 == label.len())
}

/// Returns the text with the marks of its last paragraph closed, such as `**` without an end;
/// `None` if there is nothing to close. Its first `context` bytes are not a part of the answer.
pub(super) fn close_marks(text: &str, context: usize, read: &ParseResult) -> Option<String> {
    let leaf = read.leaf.filter(|leaf| leaf.start >= context)?;
    let mut rest = read.masked.get(leaf.start..)?;
    let source = text.get(leaf.start..)?;
    let ended = if leaf.line {
        rest.contains('\n') || rest.contains('|')
    } else {
        has_blank_line(rest.as_bytes())
    };
    if ended {
        return None;
    }
    let whole = rest;
    for _ in 0..8 {
        let mut scan = MarkScan::new(rest);
        scan.scan_all();
        if let Some(cut) = scan.cut {
            rest = rest.get(..cut)?;
            continue;
        }
        if scan.removed.is_empty() && scan.closers.is_empty() {
            break;
        }
        return Some(format!(
            "{}{}",
            text.get(..leaf.start)?,
            scan.closed_source(source)
        ));
    }
    (rest.len() < whole.len())
        .then(|| text.get(..leaf.start + rest.len()).map(str::to_owned))
        .flatten()
}

/// A scan of a paragraph's text for marks that begin something and have no end yet.
struct MarkScan<'text> {
    text: &'text str,
    at: usize,
    /// The marks of emphasis that have no end yet, each with its character, how often that is
    /// repeated, and its position.
    open: Vec<(u8, usize, usize)>,
    brackets: Vec<usize>,
    /// Position from which the text is not shown yet; `None` if all of it is shown.
    cut: Option<usize>,
    /// Positions of the bytes that are not shown, such as the bracket of half a link.
    removed: Vec<usize>,
    closers: String,
}

/// The kind of character beside a mark of emphasis, which decides whether the mark can open or
/// close.
#[derive(PartialEq, Eq)]
enum SideKind {
    Space,
    Mark,
    Word,
}

impl SideKind {
    fn of(c: Option<char>) -> Self {
        match c {
            Some(c) if c.is_ascii_punctuation() => Self::Mark,
            Some(c) if !c.is_whitespace() => Self::Word,
            _ => Self::Space,
        }
    }
}

impl<'text> MarkScan<'text> {
    fn new(text: &'text str) -> Self {
        Self {
            text,
            at: 0,
            open: Vec::new(),
            brackets: Vec::new(),
            cut: None,
            removed: Vec::new(),
            closers: String::new(),
        }
    }

    fn rest(&self, from: usize) -> &'text str {
        self.text.get(from..).unwrap_or_default()
    }

    fn scan_all(&mut self) {
        while self.cut.is_none()
            && let Some(byte) = self.text.as_bytes().get(self.at).copied()
        {
            match byte {
                b'\\' if self.at + 1 == self.text.len() => self.cut = Some(self.at),
                b'\\' => self.at += 2,
                b'`' => self.scan_code(),
                b'*' | b'_' | b'~' => self.scan_emphasis(byte),
                b'[' => {
                    self.brackets.push(self.at);
                    self.at += 1;
                }
                b']' => self.scan_bracket(),
                b'<' => self.scan_angle(),
                b'&' => self.scan_entity(),
                _ => self.at += 1,
            }
        }
        if self.cut.is_none() {
            self.close_open_marks();
        }
    }

    fn run_length(&self, byte: u8) -> usize {
        self.rest(self.at)
            .bytes()
            .take_while(|b| *b == byte)
            .count()
    }

    /// Moves behind a span whose content is no Markdown, such as code. `mark` is the length of its
    /// mark, and `after` the position behind its end; without an end, it is closed for display.
    fn scan_verbatim(&mut self, mark: usize, after: Option<usize>) {
        match after {
            Some(after) => self.at = after,
            None => {
                let inner = self.rest(self.at + mark);
                let sign = self.text.as_bytes().get(self.at).copied().unwrap_or(b'`');
                let sign = char::from(sign);
                let written = inner.trim_end_matches(sign);
                if written.trim().is_empty() {
                    self.cut = Some(self.at);
                } else if written.len() < inner.len() {
                    self.cut = Some(self.text.len() - (inner.len() - written.len()));
                } else {
                    self.closers = String::from(sign).repeat(mark);
                    self.at = self.text.len();
                }
            }
        }
    }

    fn scan_code(&mut self) {
        let mark = self.run_length(b'`');
        let mut from = self.at + mark;
        let mut after = None;
        while let Some(found) = self.rest(from).find('`') {
            let place = from + found;
            let run = self.rest(place).bytes().take_while(|b| *b == b'`').count();
            from = place + run;
            if run == mark {
                after = Some(from);
                break;
            }
        }
        self.scan_verbatim(mark, after);
    }

    fn scan_emphasis(&mut self, byte: u8) {
        let start = self.at;
        let mut run = self.run_length(byte);
        self.at += run;
        let before = self
            .text
            .get(..start)
            .and_then(|text| text.chars().next_back());
        let after = self.rest(self.at).chars().next();
        let (from, to) = (SideKind::of(before), SideKind::of(after));
        let left = to != SideKind::Space && (to != SideKind::Mark || from != SideKind::Word);
        let right = from != SideKind::Space && (from != SideKind::Mark || to != SideKind::Word);
        let inside = byte == b'_' && left && right;
        while right && !inside && run > 0 {
            let Some(place) = self.open.iter().rposition(|(open, ..)| *open == byte) else {
                break;
            };
            self.open.truncate(place + 1);
            let Some((_, length, _)) = self.open.last_mut() else {
                break;
            };
            if *length > run && after.is_none() {
                return self.cut = Some(start);
            }
            let used = run.min(*length);
            *length -= used;
            run -= used;
            if *length == 0 {
                self.open.pop();
            }
        }
        if run == 0 {
            return;
        }
        if after.is_none() {
            self.cut = Some(start);
        } else if left && !inside && (byte != b'~' || run <= 2) {
            self.open.push((byte, run, start));
        }
    }

    fn scan_bracket(&mut self) {
        let close = self.at;
        self.at += 1;
        let Some(open) = self.brackets.pop() else {
            return;
        };
        let inner = self.text.get(open + 1..close).unwrap_or_default();
        if inner.starts_with('^') || is_alert(inner) {
            return;
        }
        let rest = self.rest(self.at);
        let end = match rest.as_bytes() {
            [] => None,
            [b'(', ..] => link_end(rest),
            [b'[', ..] => rest.find(']').map(|end| end + 1),
            _ => return,
        };
        match end {
            Some(end) => self.at += end,
            // A task's checkbox is withheld; half a link is shown as its text.
            None if inner.trim().chars().nth(1).is_none() && rest.is_empty() => {
                self.cut = Some(open);
            }
            None if rest.is_empty() => {
                self.remove_bracket(open);
                self.removed.push(close);
            }
            None => self.cut = Some(close + 1),
        }
    }

    fn remove_bracket(&mut self, open: usize) {
        let image = open
            .checked_sub(1)
            .filter(|place| self.text.as_bytes().get(*place) == Some(&b'!'));
        self.removed.extend(image);
        self.removed.push(open);
    }

    fn scan_angle(&mut self) {
        let rest = self.rest(self.at + 1);
        let half = rest.len() < 200 && !rest.bytes().any(|byte| b"> \n\t".contains(&byte));
        if half && (rest.contains("://") || rest.contains('@')) {
            self.removed.push(self.at);
        } else if half && rest.len() < 40 && !matches!(rest.as_bytes(), [b'0'..=b'9', ..]) {
            return self.cut = Some(self.at);
        }
        self.at += 1;
    }

    fn scan_entity(&mut self) {
        let rest = self.rest(self.at + 1);
        let half = rest.len() < 10 && rest.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'#');
        if half && !rest.is_empty() {
            self.cut = Some(self.at);
        }
        self.at += 1;
    }

    /// Closes the marks that have no end, at the end of the scan; or leaves out what begins with
    /// such a mark and has no content yet.
    fn close_open_marks(&mut self) {
        let written = self.text.trim_end().len();
        if let Some(open) = self.brackets.first().copied() {
            let inner = self.rest(open + 1);
            let image = open
                .checked_sub(1)
                .filter(|place| self.text.as_bytes().get(*place) == Some(&b'!'));
            if inner.trim().chars().nth(1).is_none() || inner.starts_with('^') || is_alert(inner) {
                return self.cut = Some(image.unwrap_or(open));
            }
            if self.brackets.len() <= MAX_OPEN_MARKS {
                for open in std::mem::take(&mut self.brackets) {
                    self.remove_bracket(open);
                }
            }
        }
        if self.open.len() > MAX_OPEN_MARKS {
            return;
        }
        if let Some((_, length, place)) = self.open.last()
            && place + length >= written
        {
            return self.cut = Some(*place);
        }
        for (byte, length, _) in self.open.iter().rev() {
            self.closers
                .push_str(&String::from(char::from(*byte)).repeat(*length));
        }
    }

    /// Returns the source of the paragraph as it is parsed for display, with its marks closed.
    fn closed_source(&mut self, source: &str) -> String {
        self.removed.sort_unstable();
        let mut written = String::with_capacity(self.text.len() + self.closers.len());
        let mut from = 0;
        for place in &self.removed {
            written.push_str(source.get(from..*place).unwrap_or_default());
            from = place + 1;
        }
        written.push_str(source.get(from..self.text.len()).unwrap_or_default());
        written.truncate(written.trim_end().len());
        written.push_str(&self.closers);
        written
    }
}

/// Returns true if the text in brackets is that of an alert, such as `!WARNING`.
fn is_alert(inner: &str) -> bool {
    inner.strip_prefix('!').is_some_and(alert::is_word)
}

/// Returns the length of the parentheses with a link's address, with which `rest` begins; `None` if
/// they are not closed.
fn link_end(rest: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut escaped = false;
    for (place, byte) in rest.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'(' => depth += 1,
            b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(place + 1);
                }
            }
            _ => {}
        }
    }
    None
}
