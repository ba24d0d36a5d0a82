//! The rule for the form of a user's id (specification, Authentication), which widget and service
//! both use.

/// Maximum length of a user's id, in bytes.
pub const MAX_USER_ID_BYTES: usize = 256;

/// Returns true for a text that can be a user's id: it is sent as UTF-8, has at most
/// [`MAX_USER_ID_BYTES`] and no control characters, and neither begins nor ends with white space of
/// any script.
#[must_use]
pub fn is_user_id(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= MAX_USER_ID_BYTES
        && text.trim() == text
        && !text.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::is_user_id;

    #[test]
    fn letters_of_any_script_are_an_id_and_blanks_at_its_ends_are_not() {
        for id in [
            "ada",
            "josé",
            "世界",
            "Ada L",
            "a\u{a0}b",
            "à",
            &"x".repeat(256),
        ] {
            assert!(is_user_id(id), "{id:?}");
        }
        for no in [
            "",
            " ",
            " ada",
            "ada\u{a0}",
            "\u{2003}ada",
            "ada\u{3000}",
            "a\tb",
            "a\u{85}b",
            "a\0b",
            &"x".repeat(257),
            &"世".repeat(86),
        ] {
            assert!(!is_user_id(no), "{no:?}");
        }
    }
}
