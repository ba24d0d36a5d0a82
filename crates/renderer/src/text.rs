//! Changes of the text in a node of the page, from the first difference on.

use web_sys::CharacterData;

use crate::node::DomResult;

/// Returns the length in bytes of the beginning that both texts have in common, without half
/// characters.
pub(crate) fn common_prefix_len(one: &str, other: &str) -> usize {
    let pairs = one.bytes().zip(other.bytes());
    let mut same = pairs.take_while(|(a, b)| a == b).count();
    while !one.is_char_boundary(same) {
        same -= 1;
    }
    same
}

/// Changes the content of a text node from `old` to `new`, from their first difference on, so that
/// a person's selection before that stays.
pub(crate) fn patch_text(text: &CharacterData, old: &str, new: &str) -> DomResult<()> {
    let (kept, rest) = new
        .split_at_checked(common_prefix_len(old, new))
        .unwrap_or(("", new));
    let gone = old.get(kept.len()..).unwrap_or_default();
    match (gone, rest) {
        ("", "") => Ok(()),
        ("", rest) => text.append_data(rest),
        (gone, rest) => text.replace_data(utf16_len(kept), utf16_len(gone), rest),
    }
}

/// Returns the length of the text in UTF-16 units, in which the browser counts.
fn utf16_len(text: &str) -> u32 {
    let count = text.chars().map(char::len_utf16).sum::<usize>();
    u32::try_from(count).unwrap_or(u32::MAX)
}
