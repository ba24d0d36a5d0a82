//! Hosts: whether the one that is opened is the one that a person reads.

use crate::{
    Finding, Text, looks,
    punycode::to_unicode,
    script::{Script, script},
};

/// The host in Unicode, and what there is to look at. `written` is how the text spells it, `ascii` what is opened.
pub(crate) fn inspect(written: &str, ascii: &str, findings: &mut Vec<Finding>) -> Option<Text> {
    let unicode = to_unicode(ascii);
    let spelled: String = written.chars().map(small).collect();
    if written != ascii && spelled != ascii && Some(&spelled) != unicode.as_ref() {
        findings.push(Finding::HostWrittenOtherwise);
    }
    if is_numeric(ascii) {
        findings.push(Finding::HostIsNumeric);
    }
    let shown = unicode.as_deref()?;
    let top = shown.rsplit('.').find(|label| !label.is_empty());
    findings.extend(
        shown
            .split('.')
            .filter_map(|label| judge(label, top.unwrap_or_default())),
    );
    Some(Text::new(shown))
}

/// An IPv6 address in brackets, or four numbers.
fn is_numeric(ascii: &str) -> bool {
    ascii.starts_with('[')
        || (ascii.split('.').count() == 4
            && ascii
                .bytes()
                .all(|byte| byte == b'.' || byte.is_ascii_digit()))
}

/// The capitals of the alphabets that hosts are most often written in, as small letters.
fn small(character: char) -> char {
    let offset = match character {
        'A'..='Z' | 'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ω' | 'А'..='Я' => 32,
        'Ѐ'..='Џ' => 80,
        _ => 0,
    };
    char::from_u32(u32::from(character) + offset).unwrap_or(character)
}

/// One label of a host, by the restriction levels of UTS #39, section 5.2: "highly restrictive" passes, and Latin with
/// one script that has no look-alikes.
fn judge(label: &str, top: &str) -> Option<Finding> {
    let mut scripts: Vec<Script> = Vec::new();
    for script in label.chars().map(script) {
        let counts = !matches!(script, Script::COMMON | Script::INHERITED);
        if counts && !scripts.contains(&script) {
            scripts.push(script);
        }
    }
    let latin = scripts.contains(&Script::LATIN);
    let foreign: Vec<Script> = scripts
        .into_iter()
        .filter(|script| *script != Script::LATIN)
        .collect();
    match foreign.as_slice() {
        [] => None,
        [one] if latin || *one == Script::PHONETIC => {
            let deceives = one.has_look_alikes() || (*one == Script::KANA && !is_japanese(label));
            deceives.then_some(Finding::HostMixesScripts)
        }
        // Under a top level of the same script people expect that script.
        [one] if top.chars().any(|letter| script(letter) == *one) => None,
        [one] => {
            let hides = one.has_look_alikes()
                && label.chars().all(|letter| {
                    script(letter) != *one || looks::passes(letter, *one, Script::LATIN, true)
                });
            hides.then_some(Finding::HostLooksLatin)
        }
        _ => {
            let east_asian = [
                [Script::HAN, Script::KANA],
                [Script::HAN, Script::BOPOMOFO],
                [Script::HAN, Script::HANGUL],
            ];
            let is_one_language =
                |pair: &[Script; 2]| foreign.iter().all(|script| pair.contains(script));
            (!east_asian.iter().any(is_one_language)).then_some(Finding::HostMixesScripts)
        }
    }
}

/// Whether it has a Japanese letter that looks like no stroke.
fn is_japanese(label: &str) -> bool {
    let is_stroke = |letter: char| matches!(letter, 'ノ' | 'ン' | 'ソ' | 'ゾ' | 'ー' | 'ヽ' | 'ヾ');
    label
        .chars()
        .any(|letter| script(letter) == Script::KANA && !is_stroke(letter))
}
