//! Words that mix scripts, and numbers that mix digits, in a way that nobody writes (UTS #39,
//! sections 5.1 and 5.3).
//!
//! Only letters that can be taken for others deceive, so a word is suspicious if its letters of one
//! script all look like letters of another script in it: the word would look the same in one script
//! alone. `NFκB`, `kΩ`, `Δx` and a Latin name with a visible Cyrillic ending are written every day.
//! A word of one script is suspicious beside Latin ones, if all letters of that script in the text
//! look Latin. A word is a run of letters with their marks; digits and `_` are part of it, a
//! hyphen, an apostrophe or a dot is not. Scripts without look-alikes among the others are ignored:
//! Chinese, Japanese and Korean with Latin, Arabic or Thai with Latin are ordinary.

use assent_characters::{Script, digit_system, effect, is_right_to_left, script};

use crate::look_alikes::{can_pass_for, looks_latin};

/// What the check of one word for look-alikes has to know of the whole text.
pub(crate) struct TextContext {
    /// True if the text has right-to-left letters.
    pub(crate) runs_left: bool,
    /// A bit for each script that has look-alikes (`look_alike_index`): set if the text has a
    /// letter of the script that cannot be taken for a Latin one. Latin letters set the bit of
    /// their script.
    distinctive: u16,
}

struct Letter {
    at: usize,
    character: char,
    script: Script,
}

impl TextContext {
    pub(crate) fn new(text: &str) -> Self {
        let (mut leftward, mut distinctive) = (false, 0);
        for character in text.chars() {
            let script = script(character);
            leftward |= is_right_to_left(character, script);
            if script.has_look_alikes() && !looks_latin(character, script) {
                distinctive |= 1 << script.look_alike_index();
            }
        }
        Self {
            runs_left: leftward,
            distinctive,
        }
    }

    /// Returns true if the text has Latin letters, and all its letters of `script` can be taken for
    /// Latin ones.
    fn is_all_look_alikes(&self, script: Script) -> bool {
        let is_distinctive = |script: Script| self.distinctive >> script.look_alike_index() & 1 > 0;
        is_distinctive(Script::LATIN) && !is_distinctive(script)
    }
}

/// Returns a script for each byte of the text: that of the look-alike which begins at the byte, and
/// [`Script::COMMON`] for all other bytes.
pub(crate) fn look_alikes(text: &str, context: &TextContext) -> Vec<Script> {
    let mut found = vec![Script::COMMON; text.len()];
    let (mut word, mut number) = (Vec::new(), Vec::new());
    for (at, character) in text.char_indices() {
        let script = script(character);
        let digits = digit_system(character);
        let is_unseen = effect(character).is_some();
        if let Some(script) = digits {
            number.push(Letter {
                at,
                character,
                script,
            });
        } else if !is_unseen && !matches!(character, '.' | ',' | '\'' | '_') {
            mark_number(&mut number, &mut found);
        }
        if script.has_look_alikes() {
            word.push(Letter {
                at,
                character,
                script,
            });
        } else if digits.is_none() && !is_unseen && script != Script::INHERITED && character != '_'
        {
            mark_word(&mut word, context, &mut found);
        }
    }
    mark_number(&mut number, &mut found);
    mark_word(&mut word, context, &mut found);
    found
}

/// Sets the script of each look-alike of a word in `found`, at the letter's byte position, and
/// empties `letters`, the word.
fn mark_word(letters: &mut Vec<Letter>, context: &TextContext, found: &mut [Script]) {
    let mut counts = [0_usize; Script::WITH_LOOK_ALIKES];
    // The script of the word is the one with most letters; among equals, Latin.
    let (mut base, mut most) = (Script::LATIN, 0);
    for letter in &*letters {
        if let Some(count) = counts.get_mut(letter.script.look_alike_index()) {
            *count += 1;
        }
    }
    for (index, count) in counts.iter().enumerate() {
        if *count > most {
            (base, most) = (Script::with_look_alike_index(index), *count);
        }
    }
    if base != Script::LATIN && most == letters.len() {
        if is_hidden_word(letters, base, context) {
            mark_letters(letters, base, found);
        }
    } else {
        for (index, count) in counts.iter().enumerate() {
            let script = Script::with_look_alike_index(index);
            if script == base || *count == 0 {
                continue;
            }
            // One or two Greek letters beside Latin ones are a unit or a variable, not a Greek
            // word.
            if (base != Script::GREEK || most > 2) && all_can_pass(letters, script, base) {
                mark_letters(letters, script, found);
            } else if (script != Script::GREEK || *count > 2) && all_can_pass(letters, base, script)
            {
                mark_letters(letters, base, found);
            }
        }
    }
    letters.clear();
}

/// Returns true if each letter of a word that is of the script `from` looks like a letter of the
/// script `to`.
fn all_can_pass(letters: &[Letter], from: Script, to: Script) -> bool {
    let mut was_small = false;
    for (index, letter) in letters.iter().enumerate() {
        let is_small =
            |letter: &Letter| letter.character.is_ascii_lowercase() || letter.script == from;
        let is_amid_small = was_small && letters.get(index + 1).is_some_and(is_small);
        if letter.script == from && !can_pass_for(letter.character, from, to, is_amid_small) {
            return false;
        }
        was_small = is_small(letter);
    }
    true
}

/// Returns true if a word that is all of one script could be taken for a Latin word.
///
/// No real word consists of special letters. Two lowercase Cyrillic letters are needed, because
/// `МОСКВА` and `КОТ` are words, and three Greek or Armenian ones, because fewer are variables.
fn is_hidden_word(letters: &[Letter], script: Script, context: &TextContext) -> bool {
    // The Cyrillic capitals of Russian and related languages are before U+0430, those of others do
    // not matter here.
    let counts = |letter: &&Letter| script != Script::CYRILLIC || letter.character >= '\u{430}';
    let enough = match script {
        Script::GREEK | Script::ARMENIAN => 3,
        _ => 2,
    };
    let is_hidden = if script == Script::SPECIAL {
        all_can_pass(letters, script, Script::LATIN)
    } else {
        context.is_all_look_alikes(script)
    };
    is_hidden && letters.iter().filter(counts).count() >= enough
}

/// Sets the script of each digit of a number in `found`, at the digit's byte position, if the
/// number mixes systems of digits or has styled ones. Empties `number`.
fn mark_number(number: &mut Vec<Letter>, found: &mut [Script]) {
    let first = number.first().map(|digit| digit.script);
    let is_odd = |digit: &Letter| Some(digit.script) != first || digit.script == Script::STYLED;
    if number.iter().any(is_odd) {
        for digit in &*number {
            mark_letters(std::slice::from_ref(digit), digit.script, found);
        }
    }
    number.clear();
}

fn mark_letters(letters: &[Letter], script: Script, found: &mut [Script]) {
    for letter in letters {
        if letter.script == script
            && let Some(place) = found.get_mut(letter.at)
        {
            *place = script;
        }
    }
}
