//! Letters and digits that look like others.
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
fn a_word_of_another_alphabet_that_reads_as_latin() {
    for text in ["𝖯𝖺𝗒𝖯𝖺𝗅", "𝗉𝖺𝗒", "𝚋𝚊𝚌𝚔𝚞𝚙", "𝚁𝙼", "ⅽⅰⅴⅰⅽ", "ɑɡ"]
    {
        check(text, &format!("<Special Latin:{text}>"), "Special Latin");
    }
    check(
        "/srv/𝚋𝚊𝚌𝚔𝚞𝚙/db",
        "/srv/<Special Latin:𝚋𝚊𝚌𝚔𝚞𝚙>/db",
        "Special Latin",
    );
    for (word, script) in [
        ("ꓮꓚꓟꓰ", "Lisu"),
        ("ᎪᏢᎪᎪ", "Cherokee"),
        ("ⲞⲔ", "Coptic"),
        ("𐐛𐐬", "Deseret"),
        ("ᗷᗩᑕ", "Canadian Aboriginal"),
        ("ΝΟΚΙΑ", "Greek"),
        ("ՍՏՕ", "Armenian"),
    ] {
        check(
            &format!("{word} Bank"),
            &format!("<{script}:{word}> Bank"),
            script,
        );
        check(
            &format!("Bank {word}"),
            &format!("Bank <{script}:{word}>"),
            script,
        );
        // Alone it is a word of its language.
        assert!(look("text", word).findings.is_empty(), "{word}");
    }
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
        "<Cyrillic:а>[zero width space]pple and 1[zero width space]<Arabic digits:٠>"
    );
}

#[test]
fn digits_of_several_systems_in_one_number() {
    check("1٠0", "1<Arabic digits:٠>0", "Arabic digits");
    check("1,٠00.5", "1,<Arabic digits:٠>00.5", "Arabic digits");
    check("৪1", "<Indic digits:৪>1", "Indic digits");
    check("๐5", "<Foreign digits:๐>5", "Foreign digits");
    check("٥۵", "<Arabic digits:٥۵>", "Arabic digits");
}

#[test]
fn digits_in_another_typeface_pass_for_ours_alone_too() {
    let digits = "Mathematical digits";
    check("1𝟢𝟢.00 EUR", "1<Mathematical digits:𝟢𝟢>.00 EUR", digits);
    check("𝟷𝟶𝟶 EUR", "<Mathematical digits:𝟷𝟶𝟶> EUR", digits);
    check("𝟏", "<Mathematical digits:𝟏>", digits);
    check("🯱🯰", "<Mathematical digits:🯱🯰>", digits);
    check(
        "DE89 3704 0044 0532 013𝟢 00",
        "DE89 3704 0044 0532 013<Mathematical digits:𝟢> 00",
        digits,
    );
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
            Finding::LookAlike("Arabic digits"),
            Finding::LookAlike("Cyrillic"),
        ]
    );
}
