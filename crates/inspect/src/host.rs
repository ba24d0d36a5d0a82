//! Compares the host that an address opens with the host that a person reads in it.

use assent_characters::{Script, is_in, script};

use crate::{
    Finding, Text,
    finding::Findings,
    look_alikes::{can_pass_for, is_weak_look_alike},
    punycode::to_unicode,
};

/// Returns the host `ascii`, which is opened, in Unicode; `None` if that is the same spelling. Adds
/// findings about the host, and about how the argument spells it, as `written`, maybe with a port.
pub(crate) fn inspect_host(written: &str, ascii: &str, findings: &mut Findings) -> Option<Text> {
    let unicode = to_unicode(ascii);
    let lowercase: String = written.chars().map(lower_case_of).collect();
    let is_written_as = |name: &str| {
        let port = lowercase.strip_prefix(name).or(written.strip_prefix(name));
        port.is_some_and(|port| port.is_empty() || port.starts_with(':'))
    };
    if !is_written_as(ascii) && !unicode.as_deref().is_some_and(is_written_as) {
        findings.add(Finding::HostWrittenOtherwise);
    }
    // An IPv6 address is in brackets; a name of digits and dots is always an IPv4 address.
    let is_number = |byte: u8| byte == b'.' || byte.is_ascii_digit();
    if ascii.starts_with('[') || ascii.bytes().all(is_number) {
        findings.add(Finding::HostIsNumeric);
    }
    let shown = unicode.as_deref()?;
    let mut top = "";
    for label in shown.split('.') {
        top = label;
    }
    for label in shown.split('.') {
        if let Some(finding) = check_label(label, top) {
            findings.add(finding);
        }
    }
    Some(Text::of_host(shown))
}

/// Returns the lowercase form of a Latin, Greek or Cyrillic capital, and any other character as it
/// is.
fn lower_case_of(character: char) -> char {
    let offset = match character {
        'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ω' | 'А'..='Я' => 32,
        'Ѐ'..='Џ' => 80,
        _ => 0,
    };
    char::from_u32(u32::from(character) + offset).unwrap_or(character)
}

/// Returns true for a sign outside of ASCII that could pass for a slash, colon or dot in a host.
/// Emoji are not among these signs.
pub(crate) fn is_sign(character: char) -> bool {
    is_in(HOST_SIGNS, character)
}

/// Ranges of signs that are no letters and no digits, and that browsers accept in a host.
const HOST_SIGNS: &[(char, char)] = &[
    ('\u{A1}', '\u{B6}'),
    ('\u{B8}', '\u{BF}'),
    ('\u{D7}', '\u{D7}'),
    ('\u{F7}', '\u{F7}'),
    ('\u{2C2}', '\u{2FF}'),
    ('\u{589}', '\u{58A}'),
    ('\u{5C0}', '\u{5C3}'),
    ('\u{2010}', '\u{25FF}'),
    ('\u{2768}', '\u{2BFF}'),
    ('\u{2E00}', '\u{2E7F}'),
    ('\u{3008}', '\u{3020}'),
    ('\u{A700}', '\u{A721}'),
];

/// Returns the finding about one label of a host, a part between dots; `None` if it is ordinary: of
/// one language, or Latin with one script without look-alikes (UTS #39, section 5.2). `top` is the
/// host's last label.
fn check_label(label: &str, top: &str) -> Option<Finding> {
    let (mut has_latin, mut foreign, mut has_more) = (false, Script::COMMON, false);
    // Han 1, Kana 2, Bopomofo 4, Hangul 8.
    let mut asian = 0_u8;
    let mut is_japanese = false;
    if label.chars().any(is_sign) {
        return Some(Finding::HostHoldsSign);
    }
    for letter in label.chars() {
        match script(letter) {
            Script::COMMON | Script::INHERITED => {}
            Script::LATIN => has_latin = true,
            Script::HAN => asian |= 1,
            Script::KANA => {
                asian |= 2;
                // The others look like strokes.
                is_japanese |= !matches!(letter, 'ノ' | 'ン' | 'ソ' | 'ゾ' | 'ー' | 'ヽ' | 'ヾ');
            }
            Script::BOPOMOFO => asian |= 4,
            Script::HANGUL => asian |= 8,
            one => {
                has_more |= foreign != Script::COMMON && foreign != one;
                foreign = one;
            }
        }
    }
    let is_one_language = match asian {
        0 => !has_more,
        2 if has_latin => is_japanese && foreign == Script::COMMON,
        1..=3 | 4 | 5 | 8 | 9 => foreign == Script::COMMON,
        _ => false,
    };
    let is_foreign = foreign.has_look_alikes();
    if !is_one_language || (is_foreign && (has_latin || foreign == Script::SPECIAL)) {
        return Some(Finding::HostMixesScripts);
    }
    // Under a top-level domain of the same script people expect that script.
    let is_expected = top.chars().any(|letter| script(letter) == foreign);
    let passes = |letter| {
        let passes =
            can_pass_for(letter, foreign, Script::LATIN, true) && !is_weak_look_alike(letter);
        script(letter) != foreign || passes
    };
    (is_foreign && !is_expected && label.chars().all(passes)).then_some(Finding::HostLooksLatin)
}
