//! Tables of letters that look like letters of another script.
//!
//! Pairs from Unicode's list of confusable characters (UTS #39), restricted to those that a reader
//! confuses in an ordinary typeface.

use assent_characters::Script;

/// Cyrillic letters of living alphabets, each followed by its Latin look-alike.
const CYRILLIC: &str = "аaеeоoрpсcуyхxкkгrіiїïёëАAВBЕEНHІIЇÏКKМMОOРPСCТTХXУYЬbЁË";

/// Further Cyrillic letters, each followed by its Latin look-alike. They can pass for Latin
/// letters, but no Latin letter is taken for one of them, because nobody imitates words with them.
const RARE_CYRILLIC: &str =
    "ѕsјjһhԁdԛqԝwӏlѵvѡwүyґrәəӕæӓäӧöӱÿҫçѐèӑăӗĕԍgЅSЈJҺHԌGԚQԜWѴVӀIҮYӔÆӒÄӦÖЀÈҪÇӐĂӖĔ";

/// Greek letters, each followed by its Latin look-alike.
const GREEK: &str = "οoόóϲcϳjΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϹCͿJϺM";

/// Greek letters, each followed by its Latin look-alike, that are also symbols of the sciences:
/// they count as look-alikes only between lowercase letters.
const GREEK_SYMBOLS: &str = "αaγyιiκkνvρpτtυuχxηnωwσoάáίíύúϊïϋü";

/// Armenian letters, each followed by its Latin look-alike.
const ARMENIAN: &str = "օoոnսuհhցgզqյjլlքpՕOՍUՏSԼLՈn";

/// Letters of phonetics and Roman numbers, each followed by its Latin look-alike. Those of
/// mathematics are not listed, because all of them look Latin.
const SPECIAL: &str = "ɑaɡgⅰiⅴvⅹxⅼlⅽcⅾdⅿmⅠIⅤVⅩXⅬLⅭCⅮDⅯM\u{212A}K";

/// Letters of the Cherokee, Lisu and Canadian Aboriginal scripts that look like Latin ones.
const SYLLABLES: &str = "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏃᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏳᏴᏂ\
    ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴᐯᑌᑎᑕᑭᑯᒍᒪᕼᕽᖇᖯᖴᗅᗞᗪᗩᗰᗷ᙭";

/// Returns true if `letter`, which is of the script `from`, can pass for a letter of the script
/// `to`. `is_amid_small` is true if the letters on both sides of it are lowercase Latin ones.
pub(crate) fn can_pass_for(letter: char, from: Script, to: Script, is_amid_small: bool) -> bool {
    let is_reverse = from == Script::LATIN;
    let (pairs, more) = match if is_reverse { to } else { from } {
        Script::CYRILLIC => (CYRILLIC, RARE_CYRILLIC),
        Script::GREEK if is_amid_small => (GREEK, GREEK_SYMBOLS),
        Script::GREEK => (GREEK, ""),
        Script::ARMENIAN => (ARMENIAN, ""),
        Script::SPECIAL => (SPECIAL, ""),
        // All of their letters count as look-alikes.
        _ => return true,
    };
    letter >= '\u{1D5A0}'
        || has_letter(pairs, letter, is_reverse)
        || (!is_reverse && has_letter(more, letter, false))
}

/// Returns true if a letter of `script`, which has look-alikes, can be taken for a Latin letter,
/// whatever letters are around it.
pub(crate) fn looks_latin(letter: char, script: Script) -> bool {
    match script {
        Script::LATIN => false,
        Script::CHEROKEE | Script::LISU | Script::CANADIAN => {
            SYLLABLES.chars().any(|one| one == letter)
        }
        _ => can_pass_for(letter, script, Script::LATIN, false) && !is_weak_look_alike(letter),
    }
}

/// Returns true for a Cyrillic letter that is taken for a Latin one only if all letters of its word
/// look Latin. Words such as `Курск` are therefore not taken for Latin ones.
pub(crate) fn is_weak_look_alike(letter: char) -> bool {
    matches!(letter, 'к' | 'г' | 'ґ')
}

/// Returns true if `letter` is in one of `pairs`, which are two letters each: as the second letter
/// if `is_second`, otherwise as the first.
fn has_letter(pairs: &str, letter: char, is_second: bool) -> bool {
    let mut pairs = pairs.chars();
    while let (Some(first), Some(second)) = (pairs.next(), pairs.next()) {
        if letter == if is_second { second } else { first } {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use assent_characters::script;

    #[test]
    fn every_pair_is_a_letter_of_its_script_and_a_latin_one() {
        for (pairs, expected) in [
            (CYRILLIC, Script::CYRILLIC),
            (RARE_CYRILLIC, Script::CYRILLIC),
            (GREEK, Script::GREEK),
            (GREEK_SYMBOLS, Script::GREEK),
            (ARMENIAN, Script::ARMENIAN),
            (SPECIAL, Script::SPECIAL),
        ] {
            let letters: Vec<char> = pairs.chars().collect();
            for pair in letters.chunks(2) {
                assert_eq!(pair.len(), 2, "{pairs}");
                assert_eq!(script(pair[0]), expected, "{pair:?}");
                assert_eq!(script(pair[1]), Script::LATIN, "{pair:?}");
                assert!(has_letter(pairs, pair[0], false) && has_letter(pairs, pair[1], true));
            }
        }
    }
}
