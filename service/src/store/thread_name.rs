//! The name that a thread has before anybody gives it one.

/// Longest name taken from a message, in characters.
const MAX_DERIVED_NAME_LENGTH: usize = 60;

/// Derives a thread's name from its first message: its text, shortened at a word boundary.
pub(super) fn name_from(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let whole = words.join(" ");
    if whole.chars().count() <= MAX_DERIVED_NAME_LENGTH {
        return whole;
    }
    let room = MAX_DERIVED_NAME_LENGTH - 1;
    let mut name = String::new();
    for word in words {
        let space = usize::from(!name.is_empty());
        if name.chars().count() + space + word.chars().count() > room {
            break;
        }
        if space == 1 {
            name.push(' ');
        }
        name.push_str(word);
    }
    if name.is_empty() {
        name = whole.chars().take(room).collect();
    }
    name.push('…');
    name
}

#[cfg(test)]
mod tests {
    use super::name_from;

    #[test]
    fn a_short_message_is_the_name() {
        assert_eq!(name_from("  approve\n one "), "approve one");
    }

    #[test]
    fn a_long_message_is_cut_between_words() {
        let name = name_from(&"wonderful ".repeat(20));
        assert_eq!(
            name,
            "wonderful wonderful wonderful wonderful wonderful wonderful…"
        );
    }

    #[test]
    fn a_long_word_is_cut_inside() {
        let name = name_from(&"é".repeat(80));
        assert_eq!(name.chars().count(), 60);
        assert!(name.ends_with("é…"));
    }
}
