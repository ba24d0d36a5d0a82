//! Differences between two values, cut at boundaries that a reader sees.
#![allow(
    clippy::panic,
    missing_docs,
    reason = "tests may fail loudly and are named by what they show"
)]

mod common;

use assent_inspect::{Text, difference};
use common::notation;

/// Checks a difference: in `before` and `after`, `[` and `]` enclose the changed part.
fn check(before: &str, after: &str) {
    let plain = |text: &str| text.replace(['[', ']'], "");
    let (old, new) = (plain(before), plain(after));
    let Some(found) = difference(&old, &new) else {
        panic!("{before}: no difference")
    };
    let join = |middle: &str| format!("{}[{middle}]{}", found.start, found.end);
    assert_eq!(
        (join(found.removed), join(found.added)),
        (before.to_owned(), after.to_owned())
    );
}

#[test]
fn equal_texts_have_no_difference() {
    for text in ["", "a", "ä\r\n"] {
        assert_eq!(difference(text, text), None);
    }
}

#[test]
fn the_middle_is_what_changed() {
    check("[]", "[a]");
    check("[a]", "[]");
    check("[a]", "[b]");
    check("amount [1]00", "amount [9]00");
    check("ab[]", "ab[c]");
    check("[]bc", "[a]bc");
    check("aa[]", "aa[a]");
    check("aba[]", "aba[ba]");
    check("ab[ab]", "ab[]");
    check("pay [Ann] now", "pay [Bob] now");
}

#[test]
fn what_belongs_together_is_not_cut() {
    // Two letters with the same first byte, the same letter with another mark.
    check("[ä]", "[ö]");
    check("x[e]y", "x[e\u{301}]y");
    check("x[e\u{300}]y", "x[e\u{301}]y");
    check("[a\u{301}]", "[o\u{301}]");
    check("a[\r\n]b", "a[\n]b");
    check("a[\r\n]b", "a[\r]b");
    check("a\r\n[]", "a\r\n[\n]");
    check("[👩🏽]!", "[👩🏿]!");
    check("[👩\u{200D}🚀]!", "[👩\u{200D}🔬]!");
    check("[👩\u{200D}🚀]!", "[👨\u{200D}🚀]!");
    check("[👩]!", "[👩\u{200D}🚀]!");
    check("to [🇩🇪] now", "to [🇩🇰] now");
    check("[❤]", "[❤\u{FE0F}]");
    check("[🏴\u{E0067}\u{E007F}]", "[🏴\u{E0077}\u{E007F}]");
    // Words whose letters join or carry signs.
    check("على [بيت] هنا", "على [بيوت] هنا");
    check("[कि]", "[की]");
}

#[test]
fn a_text_with_its_parts_is_cut_at_the_same_place() {
    let (before, after) = (
        "pay раypal\u{200B}\u{200B} now",
        "pay раypall\u{200B}\u{200B}\u{200B} now",
    );
    let Some(found) = difference(before, after) else {
        panic!()
    };
    let (start, rest) = Text::new(after).cut(found.start.len());
    let (added, end) = rest.cut(found.added.len());
    assert_eq!(
        [start, added, end].map(|text| notation(&text)),
        [
            "pay <Cyrillic:ра>ypal",
            "l[zero width space]",
            "[zero width space 2] now"
        ]
    );
    // Inside a letter: the letter stays before the cut.
    let (start, end) = Text::new("аb\u{200B}\u{200B}").cut(1);
    assert_eq!(
        [start, end].map(|text| notation(&text)),
        ["<Cyrillic:а>", "b[zero width space 2]"]
    );
    let (start, end) = Text::new("a\u{200B}\u{200B}").cut(2);
    assert_eq!(
        [start, end].map(|text| notation(&text)),
        ["a[zero width space]", "[zero width space]"]
    );
    let (start, end) = Text::new("ab").cut(9);
    assert_eq!([start, end].map(|text| notation(&text)), ["ab", ""]);
}
