//! Letters that look alike across scripts.
//!
//! Pairs after Unicode's list of confusable characters (UTS #39), kept to what a reader of an ordinary typeface takes
//! for the other letter.

use crate::script::Script;

/// Cyrillic letters of living alphabets, each followed by the Latin one that it looks like.
const CYRILLIC: &str = "аaеeоoрpсcуyхxкkгrіiїïёëАAВBЕEНHІIЇÏКKМMОOРPСCТTХXУYЬbЁË";

/// More of them. No word that is written with these is imitated, so that a Latin one never stands for them.
const RARE_CYRILLIC: &str =
    "ѕsјjһhԁdԛqԝwӏlѵvѡwүyґrәəӕæӓäӧöӱÿҫçѐèӑăӗĕԍgЅSЈJҺHԌGԚQԜWѴVӀIҮYӔÆӒÄӦÖЀÈҪÇӐĂӖĔ";

/// Greek letters and the Latin ones that each is not told from.
const GREEK: &str = "οoόóϲcϳjΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϹCͿJϺM";

/// Greek letters that are symbols of mathematics and the sciences, too: they deceive only amid small letters.
const GREEK_SYMBOLS: &str = "αaγyιiκkνvρpτtυuχxηnωwσoάáίíύúϊïϋü";

/// Armenian letters and the Latin ones.
const ARMENIAN: &str = "օoոnսuհhցgզqյjլlքpՕOՍUՏSԼLՈn";

/// Special letters and the Latin ones. Those of mathematics all look like a Latin one.
const SPECIAL: &str = "ɑaɡgⅰiⅴvⅹxⅼlⅽcⅾdⅿmⅠIⅤVⅩXⅬLⅭCⅮDⅯM\u{212A}K";

/// Letters of the Cherokee, the Lisu and the aboriginal Canadian scripts that look like Latin ones.
const SYLLABLES: &str = "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏃᏎᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏳᏴᏂ\
    ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴᐯᑌᑎᑕᑭᑯᒍᒪᕼᕽᖇᖯᖴᗅᗞᗪᗩᗰᗷ᙭";

/// Whether `letter`, which is of the script `from`, can pass for a letter of the script `to`.
/// `is_amid_small`: the letters on both sides are small Latin ones.
pub(crate) fn passes(letter: char, from: Script, to: Script, is_amid_small: bool) -> bool {
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
        || has(pairs, letter, is_reverse)
        || (!is_reverse && has(more, letter, false))
}

/// Whether a letter of a script with look-alikes can be taken for a Latin one wherever it stands.
pub(crate) fn looks_latin(letter: char, script: Script) -> bool {
    match script {
        Script::LATIN => false,
        Script::CHEROKEE | Script::LISU | Script::CANADIAN => {
            SYLLABLES.chars().any(|one| one == letter)
        }
        _ => passes(letter, script, Script::LATIN, false) && !is_weak(letter),
    }
}

/// Whether a Cyrillic letter resembles a Latin one only amid other letters of that: people who read Cyrillic tell them
/// apart at once, so that words such as `Курск` are not taken for Latin ones.
pub(crate) fn is_weak(letter: char) -> bool {
    matches!(letter, 'к' | 'г' | 'ґ')
}

/// Whether a pair has the letter in the first place, or in the second one.
fn has(pairs: &str, letter: char, is_second: bool) -> bool {
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
    use crate::script::script;

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
                assert!(has(pairs, pair[0], false) && has(pairs, pair[1], true));
            }
        }
    }
}
