//! Characters that are invisible, or that do more than they show: their names, and the places where
//! ordinary texts have them.
//!
//! The list is Unicode's `Default_Ignorable_Code_Point`, the controls (`Cc`), the separators other
//! than the space, the annotation characters, the letters without a glyph (U+2800, U+3164 and their
//! relatives), and those for private use. Combining marks are included if they draw over other
//! text. They are ignored where a script needs them: joiners within the scripts that join, a zero
//! width space between letters of a script without spaces, a selector after an ideograph or a
//! Mongolian letter, an ideographic space beside ideographs. So are variation selectors and joiners
//! of emoji, and the three flags that are written with tags.

use crate::script::{Script, is_in, script};

/// What a hidden character does to the text in which it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharacterEffect {
    /// The character changes the order of the text around it.
    Reorders,
    /// The character sets the direction at its place, which is ordinary in text with right-to-left
    /// letters.
    Directs,
    /// The character draws nothing.
    Vanishes,
    /// The character is a control, or separates in a way that is no line break.
    Controls,
    /// The character leaves a space, and is not `U+0020`.
    Separates,
    /// The character has a glyph that only a typeface knows: it is for private use.
    Private,
    /// The character draws over the text beside it.
    CoversNeighbours,
}

use CharacterEffect::{
    Controls, CoversNeighbours, Directs, Private, Reorders, Separates, Vanishes,
};

const MARK: &str = "combining mark";

/// Packs a range of code points into one number, a row of the table: the first code point, how many
/// follow it, and the effect of all of them.
const fn entry(first: u32, last: u32, effect: CharacterEffect) -> u32 {
    first << 12 | (last - first) << 4 | effect as u32
}

/// Number of rows of the table of hidden characters.
const ROW_COUNT: usize = 77;

/// The table of hidden characters: ranges in the order of code points, each with its effect and the
/// name of its characters.
const TABLE: [(u32, &str); ROW_COUNT] = [
    (entry(0x00, 0x00, Controls), "null"),
    (entry(0x01, 0x06, Controls), "control character"),
    (entry(0x07, 0x07, Controls), "bell"),
    (entry(0x08, 0x08, Controls), "backspace"),
    (entry(0x0B, 0x0B, Controls), "vertical tab"),
    (entry(0x0C, 0x0C, Controls), "form feed"),
    (entry(0x0D, 0x0D, Controls), "carriage return"),
    (entry(0x0E, 0x1A, Controls), "control character"),
    (entry(0x1B, 0x1B, Controls), "escape"),
    (entry(0x1C, 0x1F, Controls), "control character"),
    (entry(0x7F, 0x7F, Controls), "delete"),
    (entry(0x80, 0x84, Controls), "control character"),
    (entry(0x85, 0x85, Controls), "next line"),
    (entry(0x86, 0x9F, Controls), "control character"),
    (entry(0xA0, 0xA0, Separates), "no-break space"),
    (entry(0xAD, 0xAD, Vanishes), "soft hyphen"),
    // Strokes through a letter.
    (entry(0x334, 0x338, CoversNeighbours), MARK),
    (entry(0x34F, 0x34F, Vanishes), "combining grapheme joiner"),
    (entry(0x61C, 0x61C, Directs), "Arabic letter mark"),
    (entry(0x115F, 0x1160, Vanishes), "Hangul filler"),
    (entry(0x1680, 0x1680, Separates), "Ogham space mark"),
    (entry(0x17B4, 0x17B5, Vanishes), "Khmer inherent vowel"),
    (
        entry(0x180B, 0x180D, Vanishes),
        "Mongolian variation selector",
    ),
    (entry(0x180E, 0x180E, Vanishes), "Mongolian vowel separator"),
    (
        entry(0x180F, 0x180F, Vanishes),
        "Mongolian variation selector",
    ),
    (entry(0x2000, 0x2000, Separates), "en quad"),
    (entry(0x2001, 0x2001, Separates), "em quad"),
    (entry(0x2002, 0x2002, Separates), "en space"),
    (entry(0x2003, 0x2003, Separates), "em space"),
    (entry(0x2004, 0x2004, Separates), "three-per-em space"),
    (entry(0x2005, 0x2005, Separates), "four-per-em space"),
    (entry(0x2006, 0x2006, Separates), "six-per-em space"),
    (entry(0x2007, 0x2007, Separates), "figure space"),
    (entry(0x2008, 0x2008, Separates), "punctuation space"),
    (entry(0x2009, 0x2009, Separates), "thin space"),
    (entry(0x200A, 0x200A, Separates), "hair space"),
    (entry(0x200B, 0x200B, Vanishes), "zero width space"),
    (entry(0x200C, 0x200C, Vanishes), "zero width non-joiner"),
    (entry(0x200D, 0x200D, Vanishes), "zero width joiner"),
    (entry(0x200E, 0x200E, Directs), "left-to-right mark"),
    (entry(0x200F, 0x200F, Directs), "right-to-left mark"),
    (entry(0x2028, 0x2028, Controls), "line separator"),
    (entry(0x2029, 0x2029, Controls), "paragraph separator"),
    (entry(0x202A, 0x202A, Reorders), "left-to-right embedding"),
    (entry(0x202B, 0x202B, Reorders), "right-to-left embedding"),
    (
        entry(0x202C, 0x202C, Reorders),
        "pop directional formatting",
    ),
    (entry(0x202D, 0x202D, Reorders), "left-to-right override"),
    (entry(0x202E, 0x202E, Reorders), "right-to-left override"),
    (entry(0x202F, 0x202F, Separates), "narrow no-break space"),
    (
        entry(0x205F, 0x205F, Separates),
        "medium mathematical space",
    ),
    (entry(0x2060, 0x2060, Vanishes), "word joiner"),
    (entry(0x2061, 0x2064, Vanishes), "invisible operator"),
    (
        entry(0x2065, 0x2065, Vanishes),
        "unassigned invisible character",
    ),
    (entry(0x2066, 0x2066, Reorders), "left-to-right isolate"),
    (entry(0x2067, 0x2067, Reorders), "right-to-left isolate"),
    (entry(0x2068, 0x2068, Reorders), "first strong isolate"),
    (entry(0x2069, 0x2069, Reorders), "pop directional isolate"),
    (
        entry(0x206A, 0x206F, Controls),
        "deprecated format character",
    ),
    // Strokes, and frames around a letter.
    (entry(0x20D2, 0x20D3, CoversNeighbours), MARK),
    (entry(0x20D8, 0x20E6, CoversNeighbours), MARK),
    (entry(0x2800, 0x2800, Vanishes), "Braille blank"),
    (entry(0x3000, 0x3000, Separates), "ideographic space"),
    (entry(0x3164, 0x3164, Vanishes), "Hangul filler"),
    (entry(0xE000, 0xE000, Private), "private character"),
    (entry(0xFE00, 0xFE0F, Vanishes), "variation selector"),
    (entry(0xFEFF, 0xFEFF, Vanishes), "zero width no-break space"),
    (entry(0xFFA0, 0xFFA0, Vanishes), "halfwidth Hangul filler"),
    (
        entry(0xFFF0, 0xFFF8, Vanishes),
        "unassigned invisible character",
    ),
    (entry(0xFFF9, 0xFFFB, Controls), "interlinear annotation"),
    (
        entry(0xFFFC, 0xFFFC, Controls),
        "object replacement character",
    ),
    (entry(0xFFFE, 0xFFFF, Controls), "noncharacter"),
    (
        entry(0x1_BCA0, 0x1_BCA3, Vanishes),
        "shorthand format control",
    ),
    (
        entry(0x1_D173, 0x1_D17A, Vanishes),
        "musical format control",
    ),
    (entry(0xE_0000, 0xE_007F, Vanishes), "tag character"),
    (
        entry(0xE_0080, 0xE_00FF, Vanishes),
        "unassigned invisible character",
    ),
    (entry(0xE_0100, 0xE_01EF, Vanishes), "variation selector"),
    (
        entry(0xE_01F0, 0xE_01FF, Vanishes),
        "unassigned invisible character",
    ),
];

/// The ranges and effects of the table, without the names, so that a module that does not use the
/// names does not contain them.
static RANGES: [u32; ROW_COUNT] = split_columns().0;
static NAMES: [&str; ROW_COUNT] = split_columns().1;

#[allow(
    clippy::indexing_slicing,
    reason = "it runs in the compiler, which refuses what is out of bounds"
)]
const fn split_columns() -> ([u32; ROW_COUNT], [&'static str; ROW_COUNT]) {
    let (mut ranges, mut names) = ([0; ROW_COUNT], [""; ROW_COUNT]);
    let mut row = 0;
    while row < ROW_COUNT {
        (ranges[row], names[row]) = TABLE[row];
        row += 1;
    }
    (ranges, names)
}

/// Returns the effect of `character`, which is at the byte position `at` of `text`; `None` if it is
/// not hidden, or stands where ordinary texts need it.
#[must_use]
pub fn effect_in_text(text: &str, at: usize, character: char) -> Option<CharacterEffect> {
    // Fast path for most characters.
    if (' '..'\x7F').contains(&character) || character == '\n' || character == '\t' {
        return None;
    }
    let (before, after) = text.split_at_checked(at)?;
    match effect(character) {
        Some(_) if is_in_usual_place(character, before, after) => None,
        Some(effect) => Some(effect),
        None => covers_neighbours(character, before).then_some(CoversNeighbours),
    }
}

/// Returns the effect of a hidden character, wherever it stands in a text; `None` for a character
/// that is not hidden.
#[must_use]
pub fn effect(character: char) -> Option<CharacterEffect> {
    let range = RANGES.get(find_row(character)?)?;
    // The effects in the order of their numbers.
    Some(match range & 0xF {
        0 => Reorders,
        1 => Directs,
        2 => Vanishes,
        3 => Controls,
        4 => Separates,
        5 => Private,
        _ => CoversNeighbours,
    })
}

/// Returns the name of a hidden character, such as `soft hyphen`.
#[must_use]
pub fn name(character: char) -> &'static str {
    let name = find_row(character).and_then(|row| NAMES.get(row));
    name.copied().unwrap_or(MARK)
}

/// Returns true for a character that draws nothing and takes no space.
#[must_use]
pub fn is_invisible(character: char) -> bool {
    matches!(effect(character), Some(Reorders | Directs | Vanishes))
}

/// Returns the index of the row of the table of hidden characters that contains the character;
/// `None` if no row does.
fn find_row(character: char) -> Option<usize> {
    let code = match u32::from(character) {
        // All characters to the end of these blocks are alike.
        0xE_01F0..=0xE_0FFF => 0xE_01F0,
        0xE000..=0xF8FF | 0xF_0000.. => 0xE000,
        code => code,
    };
    let row = RANGES.partition_point(|range| range >> 12 <= code);
    let row = row.checked_sub(1)?;
    let range = RANGES.get(row)?;
    (code - (range >> 12) <= range >> 4 & 0xFF).then_some(row)
}

/// Returns true for a combining mark behind `before` that has no letter to be drawn on, or follows
/// four other marks, more than any language needs.
fn covers_neighbours(character: char, before: &str) -> bool {
    let carried = before.chars().rev().take(4);
    is_mark(character) && (before.is_empty() || carried.filter(|one| is_mark(*one)).count() > 3)
}

/// Returns true if the character is drawn above, below or on the letter before it, or joins such
/// marks.
fn is_mark(character: char) -> bool {
    script(character) == Script::INHERITED || is_in(STACKING_MARKS, character)
}

/// Returns true if a hidden character stands where ordinary texts need it. `before` is the text
/// before it, and `after` the text that begins with it.
fn is_in_usual_place(character: char, before: &str, after: &str) -> bool {
    let mut back = before.chars().rev();
    let last = back.next().unwrap_or(' ');
    let next = after.chars().nth(1).unwrap_or(' ');
    match character {
        '\r' => next == '\n',
        '\u{200B}' => is_in(SPACELESS_SCRIPTS, last) && is_in(SPACELESS_SCRIPTS, next),
        '\u{200C}' => is_in(JOINING_SCRIPTS, last) && is_in(JOINING_SCRIPTS, next),
        '\u{200D}' if is_in(JOINING_SCRIPTS, last) => true,
        '\u{200D}' => {
            let base = if last == '\u{FE0F}' {
                back.next()
            } else {
                None
            };
            is_in(EMOJI_RANGES, base.unwrap_or(last)) && is_in(EMOJI_RANGES, next)
        }
        '\u{FE0F}' if last.is_ascii_digit() || last == '#' || last == '*' => next == '\u{20E3}',
        '\u{FE0E}' | '\u{FE0F}' => is_in(EMOJI_RANGES, last),
        '\u{FE00}'..='\u{FE02}' | '\u{E0100}'..='\u{E01EF}' => script(last) == Script::HAN,
        '\u{180B}'..='\u{180F}' => is_mongolian(last),
        '\u{202F}' => is_mongolian(last) && is_mongolian(next),
        // A relation with a stroke is its negation, and the box of a keycap follows its selector.
        '\u{338}' => matches!(last, '<'..='>' | '\u{2190}'..='\u{22FF}'),
        '\u{20E3}' => last == '\u{FE0F}',
        '\u{2800}' => is_braille(last) || is_braille(next),
        '\u{3000}' => is_ideographic(last) || is_ideographic(next),
        '\u{E0020}'..='\u{E007F}' => is_in_flag(before, after),
        _ => false,
    }
}

/// Returns true if the tag character between `before` and `after` is a part of the flag of England,
/// Scotland or Wales; no other emoji are written with such characters.
fn is_in_flag(before: &str, after: &str) -> bool {
    const FLAGS: [&str; 3] = [
        "\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        "\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
        "\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
    ];
    FLAGS.iter().any(|flag| {
        flag.char_indices().any(|(at, _)| {
            let (gone, coming) = flag.split_at(at);
            let head = before.strip_suffix(gone);
            after.starts_with(coming) && head.is_some_and(|head| head.ends_with('\u{1F3F4}'))
        })
    })
}

/// Ranges of emoji, and of symbols that are drawn as emoji with a selector behind them.
const EMOJI_RANGES: &[(char, char)] = &[
    ('\u{A9}', '\u{A9}'),
    ('\u{AE}', '\u{AE}'),
    ('\u{203C}', '\u{203C}'),
    ('\u{2049}', '\u{2049}'),
    ('\u{2122}', '\u{2122}'),
    ('\u{2139}', '\u{2139}'),
    ('\u{2194}', '\u{21AA}'),
    ('\u{2300}', '\u{23FF}'),
    ('\u{24C2}', '\u{24C2}'),
    ('\u{25A0}', '\u{27BF}'),
    ('\u{2934}', '\u{2935}'),
    ('\u{2B05}', '\u{2B55}'),
    ('\u{3030}', '\u{3030}'),
    ('\u{303D}', '\u{303D}'),
    ('\u{3297}', '\u{3297}'),
    ('\u{3299}', '\u{3299}'),
    ('\u{1F000}', '\u{1FAFF}'),
];

/// Ranges of the letters and marks of scripts whose letters join: Arabic and its relatives, those
/// of India, Mongolian.
const JOINING_SCRIPTS: &[(char, char)] = &[
    ('\u{620}', '\u{109F}'),
    ('\u{1780}', '\u{18AF}'),
    ('\u{1900}', '\u{1CFF}'),
    ('\u{A800}', '\u{ABFF}'),
    ('\u{FB50}', '\u{FDFF}'),
    ('\u{FE70}', '\u{FEFC}'),
    ('\u{10A00}', '\u{11FFF}'),
    ('\u{1E900}', '\u{1E95F}'),
];

/// Ranges of the scripts of south-east Asia, which write no spaces and may have a zero width space
/// between words.
const SPACELESS_SCRIPTS: &[(char, char)] = &[
    ('\u{E00}', '\u{109F}'),
    ('\u{1780}', '\u{17FF}'),
    ('\u{1950}', '\u{1AAF}'),
    ('\u{A9E0}', '\u{A9FF}'),
    ('\u{AA60}', '\u{AADF}'),
];

/// Ranges of marks that are drawn above or below a letter, in scripts from Hebrew to Tibetan whose
/// marks are not in a Unicode block of their own.
const STACKING_MARKS: &[(char, char)] = &[
    ('\u{591}', '\u{5C7}'),
    ('\u{610}', '\u{61A}'),
    ('\u{6D6}', '\u{6ED}'),
    ('\u{730}', '\u{74A}'),
    ('\u{951}', '\u{954}'),
    ('\u{E31}', '\u{E3A}'),
    ('\u{E47}', '\u{E4E}'),
    ('\u{EB1}', '\u{EBC}'),
    ('\u{EC8}', '\u{ECE}'),
    ('\u{F71}', '\u{FBC}'),
    ('\u{200C}', '\u{200D}'),
];

fn is_mongolian(character: char) -> bool {
    matches!(character, '\u{1800}'..='\u{18AF}')
}

fn is_braille(character: char) -> bool {
    matches!(character, '\u{2801}'..='\u{28FF}')
}

fn is_ideographic(character: char) -> bool {
    let punctuation = matches!(character, '\u{3001}'..='\u{303F}' | '\u{FF00}'..='\u{FFEF}');
    punctuation
        || matches!(
            script(character),
            Script::HAN | Script::KANA | Script::BOPOMOFO | Script::HANGUL
        )
}
