//! The lower case of every character.

use assent_characters::lower_case;

#[test]
fn the_lower_case_is_that_of_the_standard_library() {
    for character in char::MIN..=char::MAX {
        let own = lower_case(character);
        let code = u32::from(character);
        assert!(own.eq(character.to_lowercase()), "U+{code:04X} {character}");
    }
}
