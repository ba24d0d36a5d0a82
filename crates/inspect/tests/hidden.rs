//! Every class of invisible characters, by name, out of place.
#![allow(missing_docs, reason = "tests are named by what they show")]

mod common;

use assent_inspect::{Finding, Text, TextPart, TextSize, code_point_notation};
use common::{look, notation, whole};

fn check(text: &str, expected: &str, finding: Finding) {
    let seen = look("text", text);
    assert_eq!(notation(&seen.value), expected, "{text:?}");
    assert_eq!(seen.findings, [finding], "{text:?}");
    assert_eq!(whole(&seen.value), text);
    // The name of an argument is no safer than its value.
    let seen = look(text, "5");
    assert_eq!(notation(&seen.name), expected, "{text:?}");
    assert_eq!(seen.findings, [finding], "{text:?}");
}

#[test]
fn controls_of_direction() {
    for (character, name) in [
        ('\u{202A}', "left-to-right embedding"),
        ('\u{202B}', "right-to-left embedding"),
        ('\u{202C}', "pop directional formatting"),
        ('\u{202D}', "left-to-right override"),
        ('\u{202E}', "right-to-left override"),
        ('\u{2066}', "left-to-right isolate"),
        ('\u{2067}', "right-to-left isolate"),
        ('\u{2068}', "first strong isolate"),
        ('\u{2069}', "pop directional isolate"),
        ('\u{200E}', "left-to-right mark"),
        ('\u{200F}', "right-to-left mark"),
        ('\u{61C}', "Arabic letter mark"),
    ] {
        check(
            &format!("a{character}b"),
            &format!("a[{name}]b"),
            Finding::Reordering,
        );
    }
    check(
        "photo_\u{202E}gpj.exe",
        "photo_[right-to-left override]gpj.exe",
        Finding::Reordering,
    );
    // Right-to-left text needs no override, either.
    check(
        "שלום \u{202E}abc",
        "שלום [right-to-left override]abc",
        Finding::Reordering,
    );
}

#[test]
fn characters_that_draw_nothing() {
    for (character, name) in [
        ('\u{AD}', "soft hyphen"),
        ('\u{34F}', "combining grapheme joiner"),
        ('\u{115F}', "Hangul filler"),
        ('\u{1160}', "Hangul filler"),
        ('\u{17B4}', "Khmer inherent vowel"),
        ('\u{180B}', "Mongolian variation selector"),
        ('\u{180E}', "Mongolian vowel separator"),
        ('\u{180F}', "Mongolian variation selector"),
        ('\u{200B}', "zero width space"),
        ('\u{200C}', "zero width non-joiner"),
        ('\u{200D}', "zero width joiner"),
        ('\u{2060}', "word joiner"),
        ('\u{2061}', "invisible operator"),
        ('\u{2064}', "invisible operator"),
        ('\u{2065}', "unassigned invisible character"),
        ('\u{2800}', "Braille blank"),
        ('\u{3164}', "Hangul filler"),
        ('\u{FE00}', "variation selector"),
        ('\u{FE0E}', "variation selector"),
        ('\u{FE0F}', "variation selector"),
        ('\u{FEFF}', "zero width no-break space"),
        ('\u{FFA0}', "halfwidth Hangul filler"),
        ('\u{FFF0}', "unassigned invisible character"),
        ('\u{1BCA0}', "shorthand format control"),
        ('\u{1D173}', "musical format control"),
        ('\u{E0001}', "tag character"),
        ('\u{E0041}', "tag character"),
        ('\u{E007F}', "tag character"),
        ('\u{E0080}', "unassigned invisible character"),
        ('\u{E0100}', "variation selector"),
        ('\u{E01EF}', "variation selector"),
        ('\u{E0FFF}', "unassigned invisible character"),
    ] {
        check(
            &format!("a{character}b"),
            &format!("a[{name}]b"),
            Finding::Invisible,
        );
    }
}

#[test]
fn control_characters_and_odd_separators() {
    for (character, name) in [
        ('\0', "null"),
        ('\u{1}', "control character"),
        ('\u{7}', "bell"),
        ('\u{8}', "backspace"),
        ('\u{B}', "vertical tab"),
        ('\u{C}', "form feed"),
        ('\u{1B}', "escape"),
        ('\u{1F}', "control character"),
        ('\u{7F}', "delete"),
        ('\u{80}', "control character"),
        ('\u{85}', "next line"),
        ('\u{9F}', "control character"),
        ('\u{2028}', "line separator"),
        ('\u{2029}', "paragraph separator"),
        ('\u{206A}', "deprecated format character"),
        ('\u{FFF9}', "interlinear annotation"),
        ('\u{FFFC}', "object replacement character"),
        ('\u{FFFF}', "noncharacter"),
    ] {
        check(
            &format!("a{character}b"),
            &format!("a[{name}]b"),
            Finding::Control,
        );
    }
}

#[test]
fn a_carriage_return_is_a_line_break_only_before_a_line_feed() {
    check(
        "rm -rf /\rls      ",
        "rm -rf /[carriage return]ls(space 6)",
        Finding::Control,
    );
    check("a\r\r\nb", "a[carriage return]\r\nb", Finding::Control);
    check(
        "a\n\rb\r",
        "a\n[carriage return]b[carriage return]",
        Finding::Control,
    );
}

#[test]
fn every_unusual_space_is_named_and_none_is_a_finding() {
    for character in "\u{A0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\u{200A}\u{202F}\u{205F}\u{3000}".chars() {
        let seen = look("text", &format!("a{character}b"));
        assert!(matches!(seen.value.parts(), [_, TextPart::Hidden { .. }, _]), "{character:?}");
        assert_eq!(seen.findings, []);
    }
}

#[test]
fn what_emoji_and_scripts_need_is_hidden_elsewhere() {
    let invisible = Finding::Invisible;
    // A second joiner, a joiner beside a letter, a selector after another one or after a digit.
    check(
        "👩\u{200D}\u{200D}🚀",
        "👩[zero width joiner 2]🚀",
        invisible,
    );
    check("👩\u{200D}a", "👩[zero width joiner]a", invisible);
    check(
        "❤\u{FE0F}\u{FE0F}",
        "❤\u{FE0F}[variation selector]",
        invisible,
    );
    check("5\u{FE0F}0", "5[variation selector]0", invisible);
    check(
        "葛\u{E0100}\u{E0101}",
        "葛\u{E0100}[variation selector]",
        invisible,
    );
    // Persian and Hindi join letters, not spaces; a second joiner has no effect.
    check(
        "می\u{200C} خواهم",
        "می[zero width non-joiner] خواهم",
        invisible,
    );
    check(
        "می\u{200C}\u{200C}خ",
        "می[zero width non-joiner 2]خ",
        invisible,
    );
    check("pay\u{200B}pal", "pay[zero width space]pal", invisible);
    // A flag that is not one of the three carries other data.
    check(
        "🏴\u{E0067}\u{E0061}\u{E007F}",
        "🏴[tag character][tag character][tag character]",
        invisible,
    );
    check(
        "x\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        "x[tag character][tag character][tag character][tag character][tag character][tag character]",
        invisible,
    );
    check("a\u{FEFF}", "a[zero width no-break space]", invisible);
    check(
        "\u{FEFF}\u{FEFF}",
        "(byte order mark)[zero width no-break space]",
        invisible,
    );
}

#[test]
fn marks_that_draw_over_other_text() {
    let over = Finding::Overdrawing;
    // The fifth mark of a row and all after it, in every script that stacks them, also with joiners
    // between them.
    check(
        &["pay 5", &"\u{301}".repeat(50), "0 EUR"].concat(),
        "pay 5\u{301}\u{301}\u{301}\u{301}[combining mark 46]0 EUR",
        over,
    );
    check(
        "a\u{301}\u{316}\u{301}\u{316}\u{301}\u{316}",
        "a\u{301}\u{316}\u{301}\u{316}[combining mark][combining mark]",
        over,
    );
    for mark in
        "\u{E47}\u{E34}\u{EC9}\u{5B7}\u{651}\u{730}\u{F74}\u{951}\u{1DC4}\u{20D7}\u{FE20}".chars()
    {
        let row = mark.to_string().repeat(4);
        check(
            &["ก", &row, &row].concat(),
            &["ก", &row, "[combining mark 4]"].concat(),
            over,
        );
    }
    check(
        "ก\u{E47}\u{E47}\u{200D}\u{E47}\u{E47}\u{E47}",
        "ก\u{E47}\u{E47}\u{200D}\u{E47}[combining mark 2]",
        over,
    );
    // Strokes and enclosing marks.
    check(
        "d\u{335}o\u{335} \u{336}not 5\u{338}0",
        "d[combining mark]o[combining mark] [combining mark]not 5[combining mark]0",
        over,
    );
    check(
        "1\u{20DD}0\u{20E3}",
        "1[combining mark]0[combining mark]",
        over,
    );
    // A mark without a base is drawn over the text before it.
    check("\u{301}abc", "[combining mark]abc", over);
    check("\u{E47}abc", "[combining mark]abc", over);
}

#[test]
fn white_space_that_looks_like_nothing_is_a_note() {
    for (text, expected) in [
        (" ", "(space)"),
        ("   ", "(space 3)"),
        ("\t \n", "(tab)(space)(line break)"),
        (" a", "(space)a"),
        ("a\t", "a(tab)"),
        ("a  \n \n", "a(space 2)\n(space)\n"),
        ("ok   rm", "ok(space 3)rm"),
        ("ok\t\t\trm", "ok(tab 3)rm"),
        ("\u{301} ", "[combining mark](space)"),
    ] {
        assert_eq!(notation(&Text::new(text)), expected, "{text:?}");
    }
    let seen = look("text", &["ok", &" ".repeat(300), "rm -rf /"].concat());
    assert_eq!(notation(&seen.value), "ok(space 300)rm -rf /");
    assert_eq!(seen.findings, []);
    let seen = look("  ", &["ok\n", &" ".repeat(32), "x\ny"].concat());
    assert_eq!(notation(&seen.name), "(space 2)");
    assert_eq!(notation(&seen.value), "ok\n(space 32)x\ny");
}

#[test]
fn private_characters_are_notes() {
    for character in "\u{E000}\u{F8FF}\u{F0000}\u{10FFFD}".chars() {
        let seen = look("text", &format!("a{character}b"));
        assert_eq!(notation(&seen.value), "a(private character)b");
        assert_eq!(seen.findings, []);
    }
}

#[test]
fn a_hidden_character_in_a_row_is_one_part() {
    let text = Text::new(&format!("a{}b", "\u{200B}".repeat(1000)));
    assert_eq!(notation(&text), "a[zero width space 1000]b");
    assert_eq!(text.parts().len(), 3);
}

#[test]
fn text_that_is_written_in_tags_is_seen() {
    let hidden: String = "ignore"
        .bytes()
        .filter_map(|byte| char::from_u32(0xE_0000 + u32::from(byte)))
        .collect();
    let seen = look("text", &format!("Hello{hidden}"));
    assert_eq!(seen.value.parts().len(), 7);
    assert_eq!(seen.findings, [Finding::Invisible]);
}

#[test]
fn code_points_are_spelled_as_usual() {
    for (character, expected) in [
        ('\0', "U+0000"),
        ('a', "U+0061"),
        ('\u{202E}', "U+202E"),
        ('\u{1F600}', "U+1F600"),
        ('\u{10FFFF}', "U+10FFFF"),
    ] {
        assert_eq!(code_point_notation(character), expected);
    }
}

#[test]
fn characters_and_lines_are_counted() {
    for (text, characters, lines) in [
        ("", 0, 0),
        ("a", 1, 1),
        ("ä€😀", 3, 1),
        ("a\nb", 3, 2),
        ("a\r\nb\r\n", 6, 2),
        ("\n", 1, 1),
        ("\n\n", 2, 2),
        ("a\rb", 3, 1),
    ] {
        assert_eq!(
            TextSize::new(text),
            TextSize { characters, lines },
            "{text:?}"
        );
    }
}
