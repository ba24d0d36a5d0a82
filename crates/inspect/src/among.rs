//! Look-up of words in lists that are written as one text.

/// Returns true if `word` is one of the words in `list`, which have a space between them. The case
/// of ASCII letters does not matter.
pub(crate) fn is_among(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one.eq_ignore_ascii_case(word))
}
