//! The tables: their order, and that names and effects are those of the same rows.
#![allow(missing_docs, reason = "tests")]

use assent_characters::{
    CharacterEffect, Script, effect, effect_in_text, is_invisible, name, script,
};

#[test]
fn every_listed_character_has_its_effect_and_its_name() {
    for (character, expected, called) in [
        ('\0', CharacterEffect::Controls, "null"),
        ('\u{A0}', CharacterEffect::Separates, "no-break space"),
        (
            '\u{338}',
            CharacterEffect::CoversNeighbours,
            "combining mark",
        ),
        ('\u{200E}', CharacterEffect::Directs, "left-to-right mark"),
        (
            '\u{202E}',
            CharacterEffect::Reorders,
            "right-to-left override",
        ),
        ('\u{2062}', CharacterEffect::Vanishes, "invisible operator"),
        ('\u{F000}', CharacterEffect::Private, "private character"),
        ('\u{10FFFF}', CharacterEffect::Private, "private character"),
        (
            '\u{E0FFF}',
            CharacterEffect::Vanishes,
            "unassigned invisible character",
        ),
    ] {
        assert_eq!(effect(character), Some(expected), "{called}");
        assert_eq!(name(character), called);
    }
    for character in ['a', '\n', 'é', '\u{2027}', '\u{E1000}'] {
        assert_eq!(effect(character), None, "{character:?}");
    }
}

/// A row that stands before a smaller one would hide it.
#[test]
fn a_character_is_found_whatever_is_asked_before() {
    let listed = ('\0'..=char::MAX).filter(|one| effect(*one).is_some());
    let (mut count, mut effects) = (0, Vec::new());
    for character in listed {
        count += 1;
        let of = effect(character);
        if !effects.contains(&of) {
            effects.push(of);
        }
    }
    assert_eq!(effects.len(), 7);
    // Private use alone: U+E000 to U+F8FF, and all from U+F0000 to the end.
    assert!(count > 6_400 + 131_072, "{count}");
}

#[test]
fn the_place_decides_whether_a_character_is_hidden() {
    let of = |text: &str| {
        let mut all = text.char_indices();
        all.find_map(|(at, character)| effect_in_text(text, at, character))
    };
    assert_eq!(of("pay\u{200D}pal"), Some(CharacterEffect::Vanishes));
    assert_eq!(of("\u{1F469}\u{200D}\u{1F467}"), None);
    assert_eq!(of("a\r\nb"), None);
    assert_eq!(of("a\rb"), Some(CharacterEffect::Controls));
    assert_eq!(
        of("a\u{301}\u{302}\u{303}\u{304}\u{305}"),
        Some(CharacterEffect::CoversNeighbours)
    );
}

#[test]
fn what_is_invisible_leaves_no_gap() {
    assert!(['\u{AD}', '\u{200B}', '\u{202E}', '\u{FEFF}'].map(is_invisible) == [true; 4]);
    assert!(['\u{A0}', '\u{2028}', '\u{E000}', 'a'].map(is_invisible) == [false; 4]);
}

#[test]
fn letters_have_their_script() {
    assert_eq!(script('a'), Script::LATIN);
    assert_eq!(script('\u{430}'), Script::CYRILLIC);
    assert!(script('\u{430}').has_look_alikes());
    assert!(!script('\u{4E00}').has_look_alikes());
}
