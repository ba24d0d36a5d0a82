//! Emphasis beside punctuation in languages without spaces.
//!
//! A run of asterisks between punctuation and a letter opens or closes, never both, because a space
//! tells words apart. Where no space does, the run may do either: the parser is shown a letter in
//! place of wide punctuation, or punctuation in place of the letter.

use super::{Bytes, INERT, Leaf, wide};

/// What stands for punctuation.
const MARK: u8 = b',';

/// A character that is read as something else on its side at a run.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// Place and length of the character.
    start: usize,
    length: usize,
    /// The byte at the run.
    side: usize,
    value: u8,
}

/// Finds the characters to mask.
pub(super) fn spots(source: &str) -> Vec<Spot> {
    let mut spots = Vec::new();
    if source.is_ascii() {
        return spots;
    }
    let bytes = source.as_bytes();
    let mut at = 0;
    while let Some(found) = bytes
        .get(at..)
        .and_then(|rest| rest.iter().position(|byte| matches!(byte, b'*' | b'~')))
    {
        let start = at + found;
        let sign = bytes.get(start);
        let run = bytes
            .iter()
            .skip(start)
            .take_while(|byte| Some(*byte) == sign);
        let end = start + run.count();
        at = end;
        let (Some(before), Some(after)) = (source.get(..start), source.get(end..)) else {
            continue;
        };
        let (Some(before), Some(after)) = (before.chars().next_back(), after.chars().next()) else {
            continue;
        };
        let last = Spot {
            start: start - before.len_utf8(),
            length: before.len_utf8(),
            side: start - 1,
            value: INERT,
        };
        let first = Spot {
            start: end,
            length: after.len_utf8(),
            side: end,
            value: INERT,
        };
        match (is_mark(before), is_mark(after)) {
            (true, false) if is_word(after) => spots.extend(choice(last, before, first, after)),
            (false, true) if is_word(before) => spots.extend(choice(first, after, last, before)),
            _ => {}
        }
    }
    spots
}

/// Chooses which of a mark and a letter is masked.
fn choice(mark: Spot, sign: char, letter: Spot, word: char) -> Option<Spot> {
    if wide::is_punctuation(sign) {
        Some(mark)
    } else if wide::is_letter(word) {
        Some(Spot {
            value: MARK,
            ..letter
        })
    } else {
        None
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || wide::is_letter(c)
}

/// Returns true for punctuation, as the parser has it. A backslash takes the asterisk behind it.
fn is_mark(c: char) -> bool {
    (c.is_ascii_punctuation() && c != '\\')
        || wide::is_punctuation(c)
        || matches!(c, '§' | '«' | '»' | '·' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{203E}')
}

/// Masks the characters that the parser reads as words.
pub(super) fn mask(spots: &[Spot], leaves: &[Leaf], bytes: &mut Bytes) {
    let mut leaves = leaves.iter().peekable();
    for spot in spots {
        while leaves.next_if(|leaf| leaf.end() <= spot.start).is_some() {}
        let all = spot.start..spot.start + spot.length;
        if leaves.peek().is_some_and(|leaf| leaf.has(spot.start)) {
            // It may be at two runs: each side is masked by itself.
            if !all.clone().any(|place| bytes.is_inert(place)) {
                all.for_each(|place| bytes.set(place, INERT));
            }
            bytes.set(spot.side, spot.value);
        }
    }
}
