//! Addresses that are written without the marks of a link, found by the rules of GFM's autolink
//! extension.

use crate::{
    Inline, LinkTarget,
    mask::{ends_address, is_spaceless},
};

/// Characters that do not belong to an address if it ends with them: the punctuation of a sentence.
const SENTENCE_MARKS: &str = "?!.,:*_~'\"’‘…—–،؛؟।・～";

/// Splits a text into the addresses that it has, as links, and the texts between them.
pub(crate) fn split_addresses(text: &str) -> Vec<Inline> {
    let mut parts = Vec::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = next_mark(text, at) {
        at = found + 1;
        let Some((start, end, address)) = address_at(text, done, found) else {
            continue;
        };
        at = at.max(end);
        if let Some(target) = LinkTarget::new(&address) {
            parts.extend(text_part(text, done, start));
            parts.push(Inline::Link {
                target,
                content: text_part(text, start, end).into_iter().collect(),
            });
            done = end;
        }
    }
    parts.extend(text_part(text, done, text.len()));
    parts
}

fn text_part(text: &str, start: usize, end: usize) -> Option<Inline> {
    let words = text.get(start..end).filter(|words| !words.is_empty())?;
    Some(Inline::Text(words.to_owned()))
}

/// Returns the position of the next character, from `from` on, by which an address is recognised: a
/// colon, an at sign, or the `w` of `www.`.
fn next_mark(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes().get(from..)?;
    let found = bytes.iter().enumerate().position(|(place, byte)| {
        matches!(byte, b':' | b'@')
            || (matches!(byte, b'w' | b'W') && starts_with(bytes.get(place..), "www."))
    });
    found.map(|place| from + place)
}

fn starts_with(bytes: Option<&[u8]>, prefix: &str) -> bool {
    bytes
        .and_then(|bytes| bytes.get(..prefix.len()))
        .is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
}

/// Returns the start, the end and the target of the address around the character at `mark`; `None`
/// if there is none. The address cannot begin before the position `floor`.
fn address_at(text: &str, floor: usize, mark: usize) -> Option<(usize, usize, String)> {
    match text.as_bytes().get(mark)? {
        b':' => address_with_scheme(text, floor, mark),
        b'@' => email_address_at(text, floor, mark),
        _ => {
            let before = text.get(..mark)?.chars().next_back();
            if before.is_some_and(|c| !may_precede(c)) {
                return None;
            }
            let end = page_end(text, mark)?;
            Some((mark, end, format!("http://{}", text.get(mark..end)?)))
        }
    }
}

/// Returns true if an address that begins with `www.` can stand behind this character: a space, a
/// mark, or a letter of a language without spaces.
fn may_precede(c: char) -> bool {
    c.is_whitespace() || matches!(c, '*' | '_' | '~' | '(') || ends_address(c) || is_spaceless(c)
}

fn address_with_scheme(text: &str, floor: usize, colon: usize) -> Option<(usize, usize, String)> {
    let start = start_of_run(text, floor, colon, u8::is_ascii_alphabetic);
    let scheme = text.get(start..colon)?;
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return None;
    }
    let rest = text.get(colon..)?.strip_prefix("://")?;
    let end = page_end(text, text.len() - rest.len())?;
    Some((start, end, text.get(start..end)?.to_owned()))
}

/// Returns the end of the web address whose host begins at the position `host`; `None` if no host
/// begins there.
fn page_end(text: &str, host: usize) -> Option<usize> {
    let rest = text.get(host..)?;
    let domain = rest
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')))
        .unwrap_or(rest.len());
    let domain = rest.get(..domain)?;
    if let Some(end) = end_of_latin(domain) {
        return is_domain(domain.get(..end)?).then_some(host + end);
    }
    // The rest of the word comes last: a long word may contain many schemes without a domain, and
    // none may cost the word's length.
    if !is_domain(domain) {
        return None;
    }
    let length = rest
        .find(|c: char| c.is_whitespace() || c == '<' || ends_address(c))
        .unwrap_or(rest.len());
    Some(host + without_punctuation(rest.get(..length)?).len())
}

/// Returns the end of the host in `domain`, if words of a language without spaces follow it at
/// once. The last part of a host never has Latin letters before those of another script.
fn end_of_latin(domain: &str) -> Option<usize> {
    let start = domain.trim_end_matches('.').rfind('.')? + 1;
    let label = domain.get(start..)?.bytes();
    let latin = label.take_while(u8::is_ascii_alphabetic).count();
    let rest = domain.get(start + latin..)?.chars().next()?;
    (latin > 0 && is_spaceless(rest)).then_some(start + latin)
}

/// Returns true for a host of at least two parts between dots, with no underscore in the last two.
fn is_domain(domain: &str) -> bool {
    let mut labels = domain.trim_end_matches('.').rsplit('.');
    let is_label =
        |label: Option<&str>| label.is_some_and(|label| !label.is_empty() && !label.contains('_'));
    is_label(labels.next()) && is_label(labels.next())
}

/// Returns the address without the punctuation of the sentence around it.
fn without_punctuation(address: &str) -> &str {
    let mut rest = address;
    let mut unbalanced = count_char(rest, ')') - count_char(rest, '(');
    loop {
        let shorter = rest.trim_end_matches(|c: char| SENTENCE_MARKS.contains(c));
        if shorter.len() < rest.len() {
            rest = shorter;
        } else if rest.ends_with(')') && unbalanced > 0 {
            unbalanced -= 1;
            rest = rest.strip_suffix(')').unwrap_or(rest);
        } else if let Some(inner) = rest.strip_suffix(';') {
            let name = inner.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
            rest = match name.strip_suffix('&') {
                Some(before) if name.len() < inner.len() => before,
                _ => inner,
            };
        } else {
            return rest;
        }
    }
}

fn count_char(text: &str, wanted: char) -> isize {
    isize::try_from(text.matches(wanted).count()).unwrap_or(isize::MAX)
}

/// Returns where the bytes before `place` begin for all of which `is` returns true; at least
/// `floor`.
fn start_of_run(text: &str, floor: usize, place: usize, is: fn(&u8) -> bool) -> usize {
    let mut start = place;
    while start > floor && text.as_bytes().get(start - 1).is_some_and(is) {
        start -= 1;
    }
    start
}

fn is_of_domain(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_')
}

fn email_address_at(text: &str, floor: usize, sign: usize) -> Option<(usize, usize, String)> {
    let name = start_of_run(text, floor, sign, |byte| {
        is_of_domain(byte) || *byte == b'+'
    });
    let rest = text.as_bytes().get(sign + 1..)?;
    let mut length = rest.iter().take_while(|byte| is_of_domain(byte)).count();
    while length > 0 && rest.get(length - 1) == Some(&b'.') {
        length -= 1;
    }
    let domain = rest.get(..length)?;
    let dot = domain.iter().position(|byte| *byte == b'.');
    if name == sign || dot.is_none_or(|dot| dot == 0) || matches!(domain, [.., b'-' | b'_']) {
        return None;
    }
    let end = sign + 1 + length;
    // A written `mailto:` belongs to the address.
    let before = name.saturating_sub(7);
    let is_written = before >= floor && starts_with(text.as_bytes().get(before..name), "mailto:");
    let start = if is_written { before } else { name };
    Some((start, end, format!("mailto:{}", text.get(name..end)?)))
}
