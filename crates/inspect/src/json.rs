//! Indentation of JSON for a person who reads it: only the white space between its tokens changes.
//!
//! `serde_json` validates it; the writer relies on that and copies every token as it was spelled.

use serde::de::IgnoredAny;

use crate::{Finding, finding::Findings};

/// Number of nested arrays and objects whose content is indented. Deeper ones stand on one line, so
/// that the result is at most ten times as long as the text.
const MAX_INDENT_DEPTH: usize = 8;

/// An array or object of the JSON text whose closing bracket has not come yet.
#[derive(Default)]
struct OpenContainer {
    is_object: bool,
    has_any: bool,
    /// The names of the object's members that were read so far; none for an array.
    names: Vec<String>,
}

/// Returns the indented text of a JSON object or array; `None` if `text` is neither. Its tokens are
/// those of `text`; only the space between them differs.
pub(crate) fn indent_json(text: &str, findings: &mut Findings) -> Option<String> {
    let first = text.bytes().find(|byte| !b" \t\n\r".contains(byte))?;
    if !matches!(first, b'{' | b'[') || serde_json::from_str::<IgnoredAny>(text).is_err() {
        return None;
    }
    let mut written = String::with_capacity(text.len());
    let mut open: Vec<OpenContainer> = Vec::new();
    // Start of the current string, and true if its next character is escaped.
    let (mut string, mut is_escaped) = (None, false);
    // The last character outside of strings, numbers and words.
    let mut sign = ' ';
    for (at, character) in text.char_indices() {
        if let Some(start) = string {
            written.push(character);
            let is_end = character == '"' && !is_escaped;
            is_escaped = character == '\\' && !is_escaped;
            if is_end {
                string = None;
                if let (Some(around), '{' | ',') = (open.last_mut(), sign)
                    && around.is_object
                {
                    around.names.push(unescape(text.get(start..at)?));
                }
            }
            continue;
        }
        match character {
            ' ' | '\t' | '\n' | '\r' => continue,
            '}' | ']' => {
                let mut closed = open.pop()?;
                // Without a line break inside there is none before its end, either.
                if closed.has_any && open.len() < MAX_INDENT_DEPTH {
                    break_line(&mut written, open.len());
                }
                if has_repeated(&mut closed.names) {
                    findings.add(Finding::RepeatedMember);
                }
            }
            _ => {
                let depth = open.len();
                if let Some(around) = open.last_mut()
                    && !around.has_any
                {
                    around.has_any = true;
                    break_line(&mut written, depth);
                }
            }
        }
        written.push(character);
        match character {
            '"' => {
                string = Some(at);
                continue;
            }
            '{' | '[' => open.push(OpenContainer {
                is_object: character == '{',
                ..OpenContainer::default()
            }),
            ',' => break_line(&mut written, open.len()),
            ':' => written.push(' '),
            _ => continue,
        }
        sign = character;
    }
    Some(written)
}

fn break_line(written: &mut String, depth: usize) {
    if depth <= MAX_INDENT_DEPTH {
        written.push('\n');
        for _ in 0..depth {
            written.push_str("  ");
        }
    }
}

/// Returns true if a name is twice in `names`, the unescaped names of an object's members. Sorts
/// the names.
fn has_repeated(names: &mut [String]) -> bool {
    // Shellsort with gaps of the form 2^k - 1: small code, and never slower than n to the power of
    // 1.5.
    let mut gap = usize::MAX
        .checked_shr(names.len().leading_zeros())
        .unwrap_or(0);
    while gap > 0 {
        for end in gap..names.len() {
            let mut place = end;
            while place >= gap && names.get(place - gap) > names.get(place) {
                names.swap(place - gap, place);
                place -= gap;
            }
        }
        gap >>= 1;
    }
    let mut names = names.iter();
    let mut last = names.next();
    names.any(|name| last.replace(name) == Some(name))
}

/// Returns the content of a JSON string with its `\u` escapes decoded, so that two spellings of a
/// name are equal.
fn unescape(string: &str) -> String {
    let mut name = String::new();
    let mut rest = string.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            name.push(character);
            continue;
        }
        match rest.next() {
            Some('u') => {
                let digits = rest.as_str().get(..4).unwrap_or_default();
                let code = u32::from_str_radix(digits, 16).ok();
                match code.and_then(char::from_u32) {
                    Some(letter) => {
                        name.push(letter);
                        rest.nth(3);
                    }
                    None => name.push_str("\\u"),
                }
            }
            other => {
                name.push('\\');
                name.extend(other);
            }
        }
    }
    name
}
