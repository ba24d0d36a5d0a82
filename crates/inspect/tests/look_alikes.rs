//! Letters and digits that pass for others.
#![allow(missing_docs, reason = "tests are named by what they show")]

mod common;

use assent_inspect::Finding;
use common::{look, notation, whole};

fn check(text: &str, expected: &str, script: &'static str) {
    let seen = look("text", text);
    assert_eq!(notation(&seen.value), expected, "{text:?}");
    assert_eq!(seen.findings, [Finding::LookAlike(script)], "{text:?}");
    assert_eq!(whole(&seen.value), text);
}

#[test]
fn foreign_letters_in_a_latin_word() {
    for (text, expected) in [
        ("раypal", "<Cyrillic:ра>ypal"),
        (
            "Please pay pаypаl now",
            "Please pay p<Cyrillic:а>yp<Cyrillic:а>l now",
        ),
        ("gооgle_2", "g<Cyrillic:оо>gle_2"),
        ("Вank", "<Cyrillic:В>ank"),
        ("miсrosoft", "mi<Cyrillic:с>rosoft"),
        ("ԝikipedia", "<Cyrillic:ԝ>ikipedia"),
        ("paypaӏ", "paypa<Cyrillic:ӏ>"),
        ("SMSка", "SMS<Cyrillic:ка>"),
    ] {
        check(text, expected, "Cyrillic");
    }
    for (text, expected) in [
        ("gοogle", "g<Greek:ο>ogle"),
        ("pαypal", "p<Greek:α>ypal"),
        ("Βank", "<Greek:Β>ank"),
        ("bαααnk", "b<Greek:ααα>nk"),
    ] {
        check(text, expected, "Greek");
    }
    check("gօօgle", "g<Armenian:օօ>gle", "Armenian");
    check("ɡoogle", "<Special Latin:ɡ>oogle", "Special Latin");
    check("paypaⅼ", "paypa<Special Latin:ⅼ>", "Special Latin");
    check("p𝖺ypal", "p<Special Latin:𝖺>ypal", "Special Latin");
    check(
        "\u{212A}iwi",
        "<Special Latin:\u{212A}>iwi",
        "Special Latin",
    );
    check("facebooк", "faceboo<Cyrillic:к>", "Cyrillic");
    check("ᎪᏢPLE", "<Cherokee:ᎪᏢ>PLE", "Cherokee");
    check("ꓐANK", "<Lisu:ꓐ>ANK", "Lisu");
    check("gⲟogle", "g<Coptic:ⲟ>ogle", "Coptic");
}

#[test]
fn latin_letters_in_a_foreign_word() {
    check("Cбербанк", "<Latin:C>бербанк", "Latin");
    check("Переведите cюда", "Переведите <Latin:c>юда", "Latin");
    check("Киiв", "Ки<Latin:i>в", "Latin");
    check("Xбокс", "<Latin:X>бокс", "Latin");
    check("Aθήνα", "<Latin:A>θήνα", "Latin");
}

#[test]
fn a_foreign_word_that_reads_as_latin_in_a_latin_text() {
    check("Visit аррӏе.com", "Visit <Cyrillic:аррӏе>.com", "Cyrillic");
    check("send to рау now", "send to <Cyrillic:рау> now", "Cyrillic");
    // Beside Russian it is read as Russian.
    assert!(look("text", "сухо и сыро at home").findings.is_empty());
}

#[test]
fn what_cannot_be_seen_does_not_divide_a_word() {
    let seen = look("text", "p\u{200B}аypal");
    assert_eq!(notation(&seen.value), "p[zero width space]<Cyrillic:а>ypal");
    assert_eq!(
        seen.findings,
        [Finding::Invisible, Finding::LookAlike("Cyrillic")]
    );
    check("а\u{301}pple", "<Cyrillic:а>\u{301}pple", "Cyrillic");
    let seen = look("text", "а\u{200B}pple and 1\u{200B}٠");
    assert_eq!(
        notation(&seen.value),
        "<Cyrillic:а>[zero width space]pple and 1[zero width space]<Arabic:٠>"
    );
}

#[test]
fn digits_of_several_systems_in_one_number() {
    check("1٠0", "1<Arabic:٠>0", "Arabic");
    check("1,٠00.5", "1,<Arabic:٠>00.5", "Arabic");
    check("৪1", "<Indic:৪>1", "Indic");
    check("๐5", "<Foreign:๐>5", "Foreign");
    check("٥۵", "<Arabic:٥۵>", "Arabic");
}

#[test]
fn all_that_deceives_is_found_at_once() {
    let seen = look("te\u{AD}xt", "\u{202E}раypal\u{0} 1٠0");
    assert_eq!(
        seen.findings,
        [
            Finding::Reordering,
            Finding::Invisible,
            Finding::Control,
            Finding::LookAlike("Arabic"),
            Finding::LookAlike("Cyrillic"),
        ]
    );
}
