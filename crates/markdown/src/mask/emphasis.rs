//! Masks for emphasis that stands beside punctuation in languages without spaces.
//!
//! A run of asterisks between punctuation and a letter opens or closes, never both, because a space
//! tells words apart. Where no space does, the run may do either: the parser is shown a letter in
//! place of wide punctuation, or punctuation in place of the letter.

use super::{INERT_BYTE, MaskedBytes, leaves::Leaf, wide};

/// The byte that the parser is shown in place of a letter, so that it takes it for punctuation.
const PUNCTUATION_BYTE: u8 = b',';

/// A character beside a run of asterisks or tildes that is to be masked, so that the parser takes
/// it for another kind of character.
pub(super) struct MaskSpot {
    start: usize,
    end: usize,
    /// The position of the character's byte that is next to the asterisks or tildes.
    side: usize,
    /// The byte that replaces the one at `side`.
    value: u8,
}

/// Returns the characters beside asterisks and tildes of `source` that are to be masked.
pub(super) fn find_spots(source: &str) -> Vec<MaskSpot> {
    let mut spots = Vec::new();
    if source.is_ascii() {
        return spots;
    }
    // The last character, and the one before the last run.
    let mut last = (0, ' ');
    let mut before = last;
    for here in source.char_indices() {
        if here.1 != last.1 {
            if matches!(last.1, '*' | '~') {
                spots.extend(spot_to_mask(before, here));
            }
            before = last;
        }
        last = here;
    }
    spots
}

/// Returns which of the characters before and after a run of asterisks or tildes is to be masked,
/// each given with its position; `None` if neither is.
fn spot_to_mask(before: (usize, char), after: (usize, char)) -> Option<MaskSpot> {
    let begins = is_mark(before.1);
    let (mark, word) = if begins {
        (before.1, after.1)
    } else {
        (after.1, before.1)
    };
    if begins == is_mark(after.1) || !(word.is_alphanumeric() || wide::is_wide_letter(word)) {
        return None;
    }
    let is_wide = wide::is_wide_punctuation(mark);
    if !is_wide && !wide::is_wide_letter(word) {
        return None;
    }
    let is_before = begins == is_wide;
    let (start, c) = if is_before { before } else { after };
    let end = start + c.len_utf8();
    Some(MaskSpot {
        start,
        end,
        side: if is_before { end - 1 } else { start },
        value: if is_wide {
            INERT_BYTE
        } else {
            PUNCTUATION_BYTE
        },
    })
}

/// Returns true for what the parser takes for punctuation, except for a backslash, which escapes
/// the asterisk behind it.
fn is_mark(c: char) -> bool {
    (c.is_ascii_punctuation() && c != '\\')
        || wide::is_wide_punctuation(c)
        || matches!(c, '§' | '«' | '»' | '·' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{203E}')
}

/// Masks those of `spots` in `bytes` that the parser reads as words, and not as code or addresses.
pub(super) fn mask_emphasis(spots: &[MaskSpot], leaves: &[Leaf], bytes: &mut MaskedBytes) {
    let mut spots = spots.iter().peekable();
    for words in leaves.iter().flat_map(|leaf| &leaf.words) {
        while let Some(spot) = spots.next_if(|spot| spot.start < words.end) {
            if spot.start < words.start {
                continue;
            }
            // It may be at two runs: each side is masked by itself.
            if !bytes.is_masked(spot.start) {
                bytes.mask_range(spot.start..spot.end);
            }
            bytes.set_byte(spot.side, spot.value);
        }
    }
}
