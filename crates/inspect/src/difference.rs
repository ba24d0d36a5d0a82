//! The difference between two values of an argument: the part between their common start and end.

use assent_characters::is_in;

/// Two texts, the one before a change and the one after it, in parts: what they have in common at
/// start and end, and what differs between.
///
/// `start`, `removed`, `end` concatenated are the text before; `start`, `added`, `end` are the text
/// after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference<'a> {
    /// The part at the start that both texts have.
    pub start: &'a str,
    /// The part that only the text before the change has.
    pub removed: &'a str,
    /// The part that only the text after the change has.
    pub added: &'a str,
    /// The part at the end that both texts have.
    pub end: &'a str,
}

/// Returns what differs between two texts; `None` if they are equal.
///
/// No line break and no character sequence that belongs together is cut: a letter and its marks, an
/// emoji of several parts. A word of a script with vowel signs or joining letters is taken whole.
/// To show the texts with their parts, [`Text::cut`](crate::Text::cut) cuts them at `start.len()`
/// and at the length of the text without `end.len()`.
#[must_use]
pub fn difference<'a>(before: &'a str, after: &'a str) -> Option<Difference<'a>> {
    if before == after {
        return None;
    }
    let same = |(one, other): &(u8, u8)| one == other;
    let mut start = before.bytes().zip(after.bytes()).take_while(same).count();
    while !(may_cut(before, start) && may_cut(after, start)) {
        start -= 1;
    }
    let (start, before) = before.split_at_checked(start)?;
    let after = after.get(start.len()..)?;
    let bytes = before.bytes().rev().zip(after.bytes().rev());
    let mut end = bytes.take_while(same).count();
    while !(may_cut(before, before.len() - end) && may_cut(after, after.len() - end)) {
        end -= 1;
    }
    let (removed, end) = before.split_at_checked(before.len() - end)?;
    let added = after.get(..after.len() - end.len())?;
    Some(Difference {
        start,
        removed,
        added,
        end,
    })
}

/// Returns true if a text may be cut at the byte position `at` without splitting what a reader sees
/// as one character or one joined word. The start and the end of the text are such positions.
fn may_cut(text: &str, at: usize) -> bool {
    let Some((before, after)) = text.split_at_checked(at) else {
        return false;
    };
    let (Some(last), Some(next)) = (before.chars().next_back(), after.chars().next()) else {
        return true;
    };
    let is_flag = |character: char| matches!(character, '\u{1F1E6}'..='\u{1F1FF}');
    !((last == '\r' && next == '\n')
        || last == '\u{200D}'
        || is_in(EXTENDING_CHARACTERS, next)
        || (is_flag(last) && is_flag(next))
        || (is_in(TIED_SCRIPTS, last) && is_in(TIED_SCRIPTS, next)))
}

/// Characters that belong to the character before them: marks, joiners, variation selectors, skin
/// colours, tags.
const EXTENDING_CHARACTERS: &[(char, char)] = &[
    ('\u{300}', '\u{36F}'),
    ('\u{483}', '\u{489}'),
    ('\u{1160}', '\u{11FF}'),
    ('\u{1AB0}', '\u{1AFF}'),
    ('\u{1DC0}', '\u{1DFF}'),
    ('\u{200C}', '\u{200D}'),
    ('\u{20D0}', '\u{20FF}'),
    ('\u{302A}', '\u{302F}'),
    ('\u{3099}', '\u{309A}'),
    ('\u{FE00}', '\u{FE0F}'),
    ('\u{FE20}', '\u{FE2F}'),
    ('\u{FF9E}', '\u{FF9F}'),
    ('\u{1F3FB}', '\u{1F3FF}'),
    ('\u{E0000}', '\u{E0FFF}'),
];

/// Ranges of characters of scripts whose letters join or carry vowel signs, such as Arabic, Hindi
/// and Mongolian: between two of these characters no word is cut.
const TIED_SCRIPTS: &[(char, char)] = &[
    ('\u{591}', '\u{10FF}'),
    ('\u{1780}', '\u{18AF}'),
    ('\u{1900}', '\u{1CFF}'),
    ('\u{A800}', '\u{ABFF}'),
    ('\u{FB1D}', '\u{FDFF}'),
    ('\u{FE70}', '\u{FEFC}'),
    ('\u{10A00}', '\u{11FFF}'),
];
