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

/// Phonetic letters and the Latin ones.
const PHONETIC: &str = "ɑaɡg";

/// Whether `letter`, which is of the script `from`, can pass for a letter of the script `to`.
/// `is_amid_small`: the letters on both sides are small Latin ones.
pub(crate) fn passes(letter: char, from: Script, to: Script, is_amid_small: bool) -> bool {
    match from {
        Script::LATIN => pairs(to).is_none_or(|pairs| original(pairs, letter).is_some()),
        Script::GREEK if is_amid_small && twin(GREEK_SYMBOLS, letter).is_some() => true,
        Script::CYRILLIC if twin(RARE_CYRILLIC, letter).is_some() => true,
        _ => pairs(from).is_none_or(|pairs| twin(pairs, letter).is_some()),
    }
}

/// The pairs of a script; `None` where all of its letters count as look-alikes.
fn pairs(script: Script) -> Option<&'static str> {
    match script {
        Script::CYRILLIC => Some(CYRILLIC),
        Script::GREEK => Some(GREEK),
        Script::ARMENIAN => Some(ARMENIAN),
        Script::PHONETIC => Some(PHONETIC),
        _ => None,
    }
}

/// The Latin letter that `letter` looks like.
fn twin(pairs: &str, letter: char) -> Option<char> {
    find(pairs, letter, 0)
}

/// The letter that looks like the Latin `letter`.
fn original(pairs: &str, letter: char) -> Option<char> {
    find(pairs, letter, 1)
}

fn find(pairs: &str, letter: char, side: usize) -> Option<char> {
    let index = pairs.chars().position(|other| other == letter)?;
    (index % 2 == side).then(|| pairs.chars().nth(index ^ 1))?
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
            (PHONETIC, Script::PHONETIC),
        ] {
            let letters: Vec<char> = pairs.chars().collect();
            for pair in letters.chunks(2) {
                assert_eq!(pair.len(), 2, "{pairs}");
                assert_eq!(script(pair[0]), expected, "{pair:?}");
                assert_eq!(script(pair[1]), Script::LATIN, "{pair:?}");
                assert_eq!(twin(pairs, pair[0]), Some(pair[1]));
            }
        }
    }
}
