//! Words that mix scripts, and numbers that mix digits, in a way that nobody writes (UTS #39, sections 5.1 and 5.3).
//!
//! Only letters that can be taken for others deceive, so a word is suspicious where its letters of one script all look
//! like letters of another script in it: the word would read the same in one script alone. `NFκB`, `kΩ`, `Δx` and a
//! Latin name with a Cyrillic ending that shows are written every day. A word is a run of letters with their marks;
//! digits and `_` are part of it, a hyphen, an apostrophe or a dot is not. Scripts without look-alikes among the others
//! are left alone: Chinese, Japanese and Korean with Latin, Arabic or Thai with Latin are ordinary.

use crate::{
    hidden::is_listed,
    looks::passes,
    script::{Script, foreign_zero, runs_left, script},
};

/// Characters that look like others: where they start and end, in bytes, and the name of their script.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) script: &'static str,
}

/// What the judgement of one word takes from the whole text.
pub(crate) struct Context {
    /// There are letters that run from right to left.
    pub(crate) runs_left: bool,
    /// There are Latin letters, and Cyrillic ones that all look like Latin ones.
    cyrillic_hides: bool,
}

struct Letter {
    at: usize,
    character: char,
    script: Script,
}

impl Context {
    pub(crate) fn new(text: &str) -> Self {
        let (mut leftward, mut latin, mut cyrillic) = (false, false, false);
        for character in text.chars() {
            leftward |= !character.is_ascii() && runs_left(character);
            match script_of(character) {
                Script::LATIN => latin = true,
                Script::CYRILLIC if !cyrillic => {
                    cyrillic = !passes(character, Script::CYRILLIC, Script::LATIN, false);
                }
                _ => {}
            }
        }
        Self {
            runs_left: leftward,
            cyrillic_hides: latin && !cyrillic,
        }
    }
}

/// All look-alikes of a text, in their order.
pub(crate) fn marks(text: &str, context: &Context) -> Vec<Mark> {
    let mut marks = Vec::new();
    let (mut word, mut number) = (Vec::new(), Vec::new());
    for (at, character) in text.char_indices() {
        let (script, zero) = (script_of(character), zero_of(character));
        if let Some(zero) = zero {
            number.push((at, character, zero));
        } else if !matches!(character, '.' | ',' | '\'' | '_') && !is_listed(character) {
            judge_number(&mut number, &mut marks);
        }
        if script.has_look_alikes() {
            word.push(Letter {
                at,
                character,
                script,
            });
        } else if zero.is_none()
            && script != Script::INHERITED
            && character != '_'
            && !is_listed(character)
        {
            judge_word(&mut word, context, &mut marks);
        }
    }
    judge_number(&mut number, &mut marks);
    judge_word(&mut word, context, &mut marks);
    marks.sort_unstable();
    marks
}

/// Empties the word, and marks what in it deceives.
fn judge_word(word: &mut Vec<Letter>, context: &Context, marks: &mut Vec<Mark>) {
    let letters = std::mem::take(word);
    let Some(first) = letters.first() else { return };
    if letters.iter().all(|letter| letter.script == first.script) {
        if context.cyrillic_hides && is_hidden_word(&letters) {
            mark(&letters, Script::CYRILLIC, marks);
        }
        return;
    }
    let count = |script| {
        letters
            .iter()
            .filter(|letter| letter.script == script)
            .count()
    };
    let mut scripts: Vec<(usize, Script)> = Vec::new();
    for letter in &letters {
        if !scripts.iter().any(|(_, script)| *script == letter.script) {
            scripts.push((count(letter.script), letter.script));
        }
    }
    // The script of the word is the one with most letters; of two with as many, the Latin one.
    let Some((most, base)) = scripts
        .iter()
        .max_by_key(|(count, script)| (*count, *script == Script::LATIN))
        .copied()
    else {
        return;
    };
    for (fewer, script) in scripts {
        if script == base {
            continue;
        }
        // One or two Greek letters beside Latin ones are a unit or a variable, no Greek word.
        let is_greek_word = |script, count| script != Script::GREEK || count > 2;
        if is_greek_word(base, most) && pass(&letters, script, base) {
            mark(&letters, script, marks);
        } else if is_greek_word(script, fewer) && pass(&letters, base, script) {
            mark(&letters, base, marks);
        }
    }
}

/// Whether all letters of the script `from` in a word can pass for letters of the script `to`.
fn pass(letters: &[Letter], from: Script, to: Script) -> bool {
    let is_small = |index: Option<usize>| {
        let letter = index.and_then(|index| letters.get(index));
        letter.is_some_and(|letter| letter.character.is_ascii_lowercase() || letter.script == from)
    };
    letters.iter().enumerate().all(|(index, letter)| {
        let is_amid_small = is_small(index.checked_sub(1)) && is_small(index.checked_add(1));
        letter.script != from || passes(letter.character, from, to, is_amid_small)
    })
}

/// Whether a word of Cyrillic letters that all look like Latin ones could be taken for a Latin word: two small letters
/// or more. Capitals alone are left out, because `МОСКВА` and `КОТ` are words.
fn is_hidden_word(letters: &[Letter]) -> bool {
    let is_cyrillic = |letter: &Letter| letter.script == Script::CYRILLIC;
    // The capitals of Russian and of its relatives are before U+0430, those of others do not matter here.
    let is_small = |letter: &&Letter| letter.character >= '\u{430}';
    letters.iter().all(is_cyrillic) && letters.iter().filter(is_small).count() > 1
}

fn mark(letters: &[Letter], script: Script, marks: &mut Vec<Mark>) {
    let letters = letters.iter().filter(|letter| letter.script == script);
    marks.extend(letters.map(|letter| Mark {
        start: letter.at,
        end: letter.at + letter.character.len_utf8(),
        script: script.name(),
    }));
}

/// Empties the number, and marks its foreign digits where it has those of several systems.
fn judge_number(number: &mut Vec<(usize, char, char)>, marks: &mut Vec<Mark>) {
    let first = number.first().map(|(.., zero)| *zero);
    if number.iter().any(|(.., zero)| Some(*zero) != first) {
        let foreign = number.iter().filter(|(.., zero)| *zero != '0');
        marks.extend(foreign.map(|(at, digit, zero)| Mark {
            start: *at,
            end: at + digit.len_utf8(),
            script: match zero {
                '\u{660}' | '\u{6F0}' => "Arabic digits",
                '\u{966}'..='\u{DE6}' => "Indic digits",
                _ => "foreign digits",
            },
        }));
    }
    number.clear();
}

fn zero_of(character: char) -> Option<char> {
    if character.is_ascii() {
        character.is_ascii_digit().then_some('0')
    } else {
        foreign_zero(character)
    }
}

/// The script, with the answer for most letters of most texts at once.
fn script_of(character: char) -> Script {
    match character {
        'a'..='z' | 'A'..='Z' => Script::LATIN,
        '\0'..='\x7F' => Script::COMMON,
        _ => script(character),
    }
}
