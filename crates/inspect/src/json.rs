//! JSON with line breaks and indents: nothing else about it changes.
//!
//! `serde_json` says what is JSON; the writer relies on that and copies every token as it was spelled.

use serde::de::IgnoredAny;

use crate::Finding;

/// Deeper values stand on one line, so that the result is never more than ten times as long as its text.
const MAX_INDENT: usize = 8;

/// An open array or object.
struct Open<'a> {
    is_object: bool,
    is_empty: bool,
    /// The names of the members so far, as they are spelled.
    names: Vec<&'a str>,
}

/// The indented text of a JSON object or array; `None` where `text` is neither. Its tokens, one after the other, are
/// those of `text`; only the space between them differs.
pub(crate) fn pretty(text: &str, findings: &mut Vec<Finding>) -> Option<String> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) || serde_json::from_str::<IgnoredAny>(text).is_err() {
        return None;
    }
    let mut written = String::with_capacity(text.len());
    let mut open: Vec<Open> = Vec::new();
    let mut rest = text;
    // Where a member's name may come.
    let mut is_name = false;
    while let Some((token, behind)) = next_token(rest) {
        rest = behind;
        let first = token.bytes().next().unwrap_or_default();
        if matches!(first, b'}' | b']') {
            let closed = open.pop()?;
            if !closed.is_empty {
                break_line(&mut written, open.len());
            }
            if has_repeated(closed.names) {
                findings.push(Finding::RepeatedMember);
            }
            written.push_str(token);
            continue;
        }
        let depth = open.len();
        if let Some(around) = open.last_mut() {
            if around.is_empty {
                around.is_empty = false;
                break_line(&mut written, depth);
            }
            if is_name && around.is_object && first == b'"' {
                around.names.push(token);
            }
        }
        written.push_str(token);
        is_name = false;
        match first {
            b'{' | b'[' => {
                is_name = first == b'{';
                open.push(Open {
                    is_object: is_name,
                    is_empty: true,
                    names: Vec::new(),
                });
            }
            b',' => {
                is_name = true;
                break_line(&mut written, depth);
            }
            b':' => written.push(' '),
            _ => {}
        }
    }
    Some(written)
}

/// The next token of valid JSON, and what is behind it.
fn next_token(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches([' ', '\t', '\n', '\r']);
    let bytes = text.as_bytes();
    let end = match bytes.first()? {
        b'{' | b'}' | b'[' | b']' | b',' | b':' => 1,
        b'"' => {
            let mut is_escaped = false;
            let closes = |byte: &u8| {
                let closes = *byte == b'"' && !is_escaped;
                is_escaped = *byte == b'\\' && !is_escaped;
                closes
            };
            bytes.iter().skip(1).position(closes)? + 2
        }
        _ => bytes
            .iter()
            .position(|byte| b",:]} \t\n\r".contains(byte))
            .unwrap_or(bytes.len()),
    };
    text.split_at_checked(end)
}

fn break_line(written: &mut String, depth: usize) {
    if depth <= MAX_INDENT {
        written.push('\n');
        for _ in 0..depth {
            written.push_str("  ");
        }
    }
}

/// Whether two members have the same name, however it is escaped.
fn has_repeated(names: Vec<&str>) -> bool {
    let mut names: Vec<String> = names
        .into_iter()
        .map(|name| serde_json::from_str(name).unwrap_or_else(|_| name.to_owned()))
        .collect();
    names.sort_unstable();
    names
        .windows(2)
        .any(|pair| matches!(pair, [one, other] if one == other))
}
