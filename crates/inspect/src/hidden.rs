//! Characters that are invisible, or that do more than they show: their names, and the places where
//! ordinary texts have them.
//!
//! The list is Unicode's `Default_Ignorable_Code_Point`, the controls (`Cc`), the separators other
//! than the space, the annotation characters, the letters without a glyph (U+2800, U+3164 and their
//! relatives), and those for private use. Combining marks are included if they draw over other
//! text. They are ignored where a script or an emoji needs them: joiners within the scripts that
//! join, a zero width space between letters of a script without spaces, variation selectors and
//! joiners of emoji, the three flags that are written with tags, a selector after an ideograph or a
//! Mongolian letter, an ideographic space beside ideographs.

use crate::{
    Finding, Weight,
    script::{Script, is_in, script},
};

/// A hidden character that is out of place.
#[derive(Clone, Copy)]
pub(crate) struct Hidden {
    pub(crate) name: &'static str,
    pub(crate) weight: Weight,
}

/// Effect of a hidden character: changes the order of the text around it.
const REORDERS: u32 = 0;
/// Effect: sets the direction at its place, which is ordinary in text with right-to-left letters.
const DIRECTS: u32 = 1;
/// Effect: draws nothing.
const VANISHES: u32 = 2;
/// Effect: controls, or separates in a way that is no line break.
const CONTROLS: u32 = 3;
/// Effect: leaves space that is not `U+0020`, or has a glyph that only a typeface knows.
const SEPARATES: u32 = 4;
/// Effect: draws over the text beside it.
const OVERDRAWS: u32 = 5;

const MARK: &str = "combining mark";

/// Encodes a range of code points in one number: the first one, how many follow it, their effect.
const fn range(first: u32, last: u32, effect: u32) -> u32 {
    first << 12 | (last - first) << 4 | effect
}

/// Ranges sorted by code point, each with the name of its characters.
const RANGES: &[(u32, &str)] = &[
    (range(0x00, 0x00, CONTROLS), "null"),
    (range(0x01, 0x06, CONTROLS), "control character"),
    (range(0x07, 0x07, CONTROLS), "bell"),
    (range(0x08, 0x08, CONTROLS), "backspace"),
    (range(0x0B, 0x0B, CONTROLS), "vertical tab"),
    (range(0x0C, 0x0C, CONTROLS), "form feed"),
    (range(0x0D, 0x0D, CONTROLS), "carriage return"),
    (range(0x0E, 0x1A, CONTROLS), "control character"),
    (range(0x1B, 0x1B, CONTROLS), "escape"),
    (range(0x1C, 0x1F, CONTROLS), "control character"),
    (range(0x7F, 0x7F, CONTROLS), "delete"),
    (range(0x80, 0x84, CONTROLS), "control character"),
    (range(0x85, 0x85, CONTROLS), "next line"),
    (range(0x86, 0x9F, CONTROLS), "control character"),
    (range(0xA0, 0xA0, SEPARATES), "no-break space"),
    (range(0xAD, 0xAD, VANISHES), "soft hyphen"),
    // Strokes through a letter.
    (range(0x334, 0x338, OVERDRAWS), MARK),
    (range(0x34F, 0x34F, VANISHES), "combining grapheme joiner"),
    (range(0x61C, 0x61C, DIRECTS), "Arabic letter mark"),
    (range(0x115F, 0x1160, VANISHES), "Hangul filler"),
    (range(0x1680, 0x1680, SEPARATES), "Ogham space mark"),
    (range(0x17B4, 0x17B5, VANISHES), "Khmer inherent vowel"),
    (
        range(0x180B, 0x180D, VANISHES),
        "Mongolian variation selector",
    ),
    (range(0x180E, 0x180E, VANISHES), "Mongolian vowel separator"),
    (
        range(0x180F, 0x180F, VANISHES),
        "Mongolian variation selector",
    ),
    (range(0x2000, 0x2000, SEPARATES), "en quad"),
    (range(0x2001, 0x2001, SEPARATES), "em quad"),
    (range(0x2002, 0x2002, SEPARATES), "en space"),
    (range(0x2003, 0x2003, SEPARATES), "em space"),
    (range(0x2004, 0x2004, SEPARATES), "three-per-em space"),
    (range(0x2005, 0x2005, SEPARATES), "four-per-em space"),
    (range(0x2006, 0x2006, SEPARATES), "six-per-em space"),
    (range(0x2007, 0x2007, SEPARATES), "figure space"),
    (range(0x2008, 0x2008, SEPARATES), "punctuation space"),
    (range(0x2009, 0x2009, SEPARATES), "thin space"),
    (range(0x200A, 0x200A, SEPARATES), "hair space"),
    (range(0x200B, 0x200B, VANISHES), "zero width space"),
    (range(0x200C, 0x200C, VANISHES), "zero width non-joiner"),
    (range(0x200D, 0x200D, VANISHES), "zero width joiner"),
    (range(0x200E, 0x200E, DIRECTS), "left-to-right mark"),
    (range(0x200F, 0x200F, DIRECTS), "right-to-left mark"),
    (range(0x2028, 0x2028, CONTROLS), "line separator"),
    (range(0x2029, 0x2029, CONTROLS), "paragraph separator"),
    (range(0x202A, 0x202A, REORDERS), "left-to-right embedding"),
    (range(0x202B, 0x202B, REORDERS), "right-to-left embedding"),
    (
        range(0x202C, 0x202C, REORDERS),
        "pop directional formatting",
    ),
    (range(0x202D, 0x202D, REORDERS), "left-to-right override"),
    (range(0x202E, 0x202E, REORDERS), "right-to-left override"),
    (range(0x202F, 0x202F, SEPARATES), "narrow no-break space"),
    (
        range(0x205F, 0x205F, SEPARATES),
        "medium mathematical space",
    ),
    (range(0x2060, 0x2060, VANISHES), "word joiner"),
    (range(0x2061, 0x2064, VANISHES), "invisible operator"),
    (
        range(0x2065, 0x2065, VANISHES),
        "unassigned invisible character",
    ),
    (range(0x2066, 0x2066, REORDERS), "left-to-right isolate"),
    (range(0x2067, 0x2067, REORDERS), "right-to-left isolate"),
    (range(0x2068, 0x2068, REORDERS), "first strong isolate"),
    (range(0x2069, 0x2069, REORDERS), "pop directional isolate"),
    (
        range(0x206A, 0x206F, CONTROLS),
        "deprecated format character",
    ),
    // Strokes, and frames around a letter.
    (range(0x20D2, 0x20D3, OVERDRAWS), MARK),
    (range(0x20D8, 0x20E6, OVERDRAWS), MARK),
    (range(0x2800, 0x2800, VANISHES), "Braille blank"),
    (range(0x3000, 0x3000, SEPARATES), "ideographic space"),
    (range(0x3164, 0x3164, VANISHES), "Hangul filler"),
    (range(0xE000, 0xE000, SEPARATES), "private character"),
    (range(0xFE00, 0xFE0F, VANISHES), "variation selector"),
    (range(0xFEFF, 0xFEFF, VANISHES), "zero width no-break space"),
    (range(0xFFA0, 0xFFA0, VANISHES), "halfwidth Hangul filler"),
    (
        range(0xFFF0, 0xFFF8, VANISHES),
        "unassigned invisible character",
    ),
    (range(0xFFF9, 0xFFFB, CONTROLS), "interlinear annotation"),
    (
        range(0xFFFC, 0xFFFC, CONTROLS),
        "object replacement character",
    ),
    (range(0xFFFE, 0xFFFF, CONTROLS), "noncharacter"),
    (
        range(0x1_BCA0, 0x1_BCA3, VANISHES),
        "shorthand format control",
    ),
    (
        range(0x1_D173, 0x1_D17A, VANISHES),
        "musical format control",
    ),
    (range(0xE_0000, 0xE_007F, VANISHES), "tag character"),
    (
        range(0xE_0080, 0xE_00FF, VANISHES),
        "unassigned invisible character",
    ),
    (range(0xE_0100, 0xE_01EF, VANISHES), "variation selector"),
    (
        range(0xE_01F0, 0xE_01FF, VANISHES),
        "unassigned invisible character",
    ),
];

/// Returns the character at the byte `at` of a text, if it is hidden and out of place. `runs_left`:
/// the text has right-to-left letters.
pub(crate) fn hidden(text: &str, at: usize, character: char, runs_left: bool) -> Option<Hidden> {
    // Fast path for most characters.
    if (' '..'\x7F').contains(&character) || character == '\n' || character == '\t' {
        return None;
    }
    let (before, after) = text.split_at_checked(at)?;
    let (effect, name) = match entry(character) {
        Some(_) if belongs(character, before, after) => return None,
        Some(entry) => entry,
        None if overdraws(character, before) => (OVERDRAWS, MARK),
        None => return None,
    };
    // The mark that some programs write at the start of a file.
    let is_start = character == '\u{FEFF}' && at == 0;
    Some(Hidden {
        name: if is_start { "byte order mark" } else { name },
        weight: if is_start || effect == SEPARATES || (effect == DIRECTS && runs_left) {
            Weight::Note
        } else {
            Weight::Warning
        },
    })
}

/// Returns true if the character is in the list, regardless of its place.
pub(crate) fn is_listed(character: char) -> bool {
    entry(character).is_some()
}

/// Returns the effect and the name of a character.
fn entry(character: char) -> Option<(u32, &'static str)> {
    let code = match u32::from(character) {
        // All characters to the end of these blocks are alike.
        0xE_01F0..=0xE_0FFF => 0xE_01F0,
        0xE000..=0xF8FF | 0xF_0000.. => 0xE000,
        code => code,
    };
    let behind = RANGES.partition_point(|(range, _)| range >> 12 <= code);
    let (range, name) = RANGES.get(behind.checked_sub(1)?)?;
    (code - (range >> 12) <= range >> 4 & 0xFF).then_some((range & 7, name))
}

/// Returns the finding for a hidden character that is out of place.
pub(crate) fn finding(character: char) -> Option<Finding> {
    match entry(character).map_or(OVERDRAWS, |(effect, _)| effect) {
        OVERDRAWS => Some(Finding::Overdrawing),
        REORDERS | DIRECTS => Some(Finding::Reordering),
        VANISHES => Some(Finding::Invisible),
        CONTROLS => Some(Finding::Control),
        _ => None,
    }
}

/// Returns true if a mark has no base, or follows four others, more than the letters of any
/// language carry.
fn overdraws(character: char, before: &str) -> bool {
    let carried = before.chars().rev().take(4);
    is_mark(character) && (before.is_empty() || carried.filter(|one| is_mark(*one)).count() > 3)
}

/// Returns true if it is drawn above, below or on the letter before it, or joins such marks.
fn is_mark(character: char) -> bool {
    script(character) == Script::INHERITED || is_in(MARKS, character)
}

/// Returns true if a listed character stands where ordinary texts need it.
fn belongs(character: char, before: &str, after: &str) -> bool {
    let mut back = before.chars().rev();
    let last = back.next().unwrap_or(' ');
    let next = after.chars().nth(1).unwrap_or(' ');
    match character {
        '\r' => next == '\n',
        '\u{200B}' => is_in(SPACELESS, last) && is_in(SPACELESS, next),
        '\u{200C}' => is_in(JOINING, last) && is_in(JOINING, next),
        '\u{200D}' if is_in(JOINING, last) => true,
        '\u{200D}' => {
            let base = if last == '\u{FE0F}' {
                back.next()
            } else {
                None
            };
            is_in(EMOJI, base.unwrap_or(last)) && is_in(EMOJI, next)
        }
        '\u{FE0F}' if last.is_ascii_digit() || last == '#' || last == '*' => next == '\u{20E3}',
        '\u{FE0E}' | '\u{FE0F}' => is_in(EMOJI, last),
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

/// Returns true if a tag belongs to the flag of England, Scotland or Wales, the only ones written
/// with tags.
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

/// Emoji and the symbols that become one, by their blocks.
const EMOJI: &[(char, char)] = &[
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

/// Letters and marks of the scripts with joining letters: Arabic and its relatives, those of India,
/// Mongolian.
const JOINING: &[(char, char)] = &[
    ('\u{620}', '\u{109F}'),
    ('\u{1780}', '\u{18AF}'),
    ('\u{1900}', '\u{1CFF}'),
    ('\u{A800}', '\u{ABFF}'),
    ('\u{FB50}', '\u{FDFF}'),
    ('\u{FE70}', '\u{FEFC}'),
    ('\u{10A00}', '\u{11FFF}'),
    ('\u{1E900}', '\u{1E95F}'),
];

/// Scripts of south-east Asia, whose words may be separated by a zero width space.
const SPACELESS: &[(char, char)] = &[
    ('\u{E00}', '\u{109F}'),
    ('\u{1780}', '\u{17FF}'),
    ('\u{1950}', '\u{1AAF}'),
    ('\u{A9E0}', '\u{A9FF}'),
    ('\u{AA60}', '\u{AADF}'),
];

/// Stacking marks of the scripts whose marks have no block of their own: from Hebrew to Tibetan.
const MARKS: &[(char, char)] = &[
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
