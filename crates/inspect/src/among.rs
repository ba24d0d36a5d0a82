//! Lists of words.

/// Returns true if the word is in a space-separated list, ignoring ASCII case.
pub(crate) fn is_among(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one.eq_ignore_ascii_case(word))
}
