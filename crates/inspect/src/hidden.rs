//! Characters that cannot be seen, or that do more than they show: their names, and where ordinary texts have them.
//!
//! The list is Unicode's `Default_Ignorable_Code_Point`, the controls (`Cc`), the separators other than the space, the
//! annotation characters, and the letters that are drawn as nothing (U+2800, U+3164 and their relatives).
//! They are left alone where a script or an emoji needs them: joiners within the scripts that join, a zero width space
//! between letters of a script without spaces, variation selectors and joiners of emoji, the three flags that are
//! written with tags, a selector behind an ideograph or a Mongolian letter, an ideographic space beside ideographs.

use crate::{
    Finding, Weight,
    script::{Script, script},
};

/// What a hidden character does.
#[derive(Clone, Copy)]
enum Effect {
    /// Changes the order of what is around it.
    Reorders,
    /// Tells the direction of where it stands; ordinary in a text with letters that run to the left.
    Directs,
    /// Draws nothing.
    Vanishes,
    /// Is a control character, or a separator that is no line break.
    Controls,
    /// Is a space that is not `U+0020`.
    Separates,
}

/// A hidden character where it has no business.
#[derive(Clone, Copy)]
pub(crate) struct Hidden {
    pub(crate) name: &'static str,
    pub(crate) weight: Weight,
}

use Effect::{Controls, Directs, Reorders, Separates, Vanishes};

/// First and last code point, what they do, what each is called. In the order of the code points.
const TABLE: &[(u32, u32, Effect, &str)] = &[
    (0x00, 0x00, Controls, "null"),
    (0x01, 0x06, Controls, "control character"),
    (0x07, 0x07, Controls, "bell"),
    (0x08, 0x08, Controls, "backspace"),
    (0x0B, 0x0B, Controls, "vertical tab"),
    (0x0C, 0x0C, Controls, "form feed"),
    (0x0D, 0x0D, Controls, "carriage return"),
    (0x0E, 0x1A, Controls, "control character"),
    (0x1B, 0x1B, Controls, "escape"),
    (0x1C, 0x1F, Controls, "control character"),
    (0x7F, 0x7F, Controls, "delete"),
    (0x80, 0x84, Controls, "control character"),
    (0x85, 0x85, Controls, "next line"),
    (0x86, 0x9F, Controls, "control character"),
    (0xA0, 0xA0, Separates, "no-break space"),
    (0xAD, 0xAD, Vanishes, "soft hyphen"),
    (0x34F, 0x34F, Vanishes, "combining grapheme joiner"),
    (0x61C, 0x61C, Directs, "Arabic letter mark"),
    (0x115F, 0x1160, Vanishes, "Hangul filler"),
    (0x1680, 0x1680, Separates, "Ogham space mark"),
    (0x17B4, 0x17B5, Vanishes, "Khmer inherent vowel"),
    (0x180B, 0x180D, Vanishes, "Mongolian variation selector"),
    (0x180E, 0x180E, Vanishes, "Mongolian vowel separator"),
    (0x180F, 0x180F, Vanishes, "Mongolian variation selector"),
    (0x2000, 0x2000, Separates, "en quad"),
    (0x2001, 0x2001, Separates, "em quad"),
    (0x2002, 0x2002, Separates, "en space"),
    (0x2003, 0x2003, Separates, "em space"),
    (0x2004, 0x2004, Separates, "three-per-em space"),
    (0x2005, 0x2005, Separates, "four-per-em space"),
    (0x2006, 0x2006, Separates, "six-per-em space"),
    (0x2007, 0x2007, Separates, "figure space"),
    (0x2008, 0x2008, Separates, "punctuation space"),
    (0x2009, 0x2009, Separates, "thin space"),
    (0x200A, 0x200A, Separates, "hair space"),
    (0x200B, 0x200B, Vanishes, "zero width space"),
    (0x200C, 0x200C, Vanishes, "zero width non-joiner"),
    (0x200D, 0x200D, Vanishes, "zero width joiner"),
    (0x200E, 0x200E, Directs, "left-to-right mark"),
    (0x200F, 0x200F, Directs, "right-to-left mark"),
    (0x2028, 0x2028, Controls, "line separator"),
    (0x2029, 0x2029, Controls, "paragraph separator"),
    (0x202A, 0x202A, Reorders, "left-to-right embedding"),
    (0x202B, 0x202B, Reorders, "right-to-left embedding"),
    (0x202C, 0x202C, Reorders, "pop directional formatting"),
    (0x202D, 0x202D, Reorders, "left-to-right override"),
    (0x202E, 0x202E, Reorders, "right-to-left override"),
    (0x202F, 0x202F, Separates, "narrow no-break space"),
    (0x205F, 0x205F, Separates, "medium mathematical space"),
    (0x2060, 0x2060, Vanishes, "word joiner"),
    (0x2061, 0x2064, Vanishes, "invisible operator"),
    (0x2065, 0x2065, Vanishes, "unassigned invisible character"),
    (0x2066, 0x2066, Reorders, "left-to-right isolate"),
    (0x2067, 0x2067, Reorders, "right-to-left isolate"),
    (0x2068, 0x2068, Reorders, "first strong isolate"),
    (0x2069, 0x2069, Reorders, "pop directional isolate"),
    (0x206A, 0x206F, Controls, "deprecated format character"),
    (0x2800, 0x2800, Vanishes, "Braille blank"),
    (0x3000, 0x3000, Separates, "ideographic space"),
    (0x3164, 0x3164, Vanishes, "Hangul filler"),
    (0xFE00, 0xFE0F, Vanishes, "variation selector"),
    (0xFEFF, 0xFEFF, Vanishes, "zero width no-break space"),
    (0xFFA0, 0xFFA0, Vanishes, "halfwidth Hangul filler"),
    (0xFFF0, 0xFFF8, Vanishes, "unassigned invisible character"),
    (0xFFF9, 0xFFFB, Controls, "interlinear annotation"),
    (0xFFFC, 0xFFFC, Controls, "object replacement character"),
    (0xFFFE, 0xFFFF, Controls, "noncharacter"),
    (0x1_BCA0, 0x1_BCA3, Vanishes, "shorthand format control"),
    (0x1_D173, 0x1_D17A, Vanishes, "musical format control"),
    (0xE_0000, 0xE_007F, Vanishes, "tag character"),
    (
        0xE_0080,
        0xE_00FF,
        Vanishes,
        "unassigned invisible character",
    ),
    (0xE_0100, 0xE_01EF, Vanishes, "variation selector"),
    (
        0xE_01F0,
        0xE_0FFF,
        Vanishes,
        "unassigned invisible character",
    ),
];

/// The character at the start of `after`, the text behind `before`, if it is hidden and has no business there.
/// `runs_left`: the whole text has letters that run from right to left.
pub(crate) fn hidden(before: &str, after: &str, runs_left: bool) -> Option<Hidden> {
    let character = after.chars().next()?;
    // Most of most texts, at once.
    if (' '..'\x7F').contains(&character) || character == '\n' || character == '\t' {
        return None;
    }
    let (name, effect) = entry(character)?;
    if belongs(character, before, after) {
        return None;
    }
    let (name, is_ordinary) = match effect {
        Separates => (name, true),
        Directs => (name, runs_left),
        // The mark that some programs write at the start of a file.
        _ if character == '\u{FEFF}' && before.is_empty() => ("byte order mark", true),
        _ => (name, false),
    };
    let weight = if is_ordinary {
        Weight::Note
    } else {
        Weight::Warning
    };
    Some(Hidden { name, weight })
}

/// Whether the character is in the list, wherever it stands.
pub(crate) fn is_listed(character: char) -> bool {
    entry(character).is_some()
}

fn entry(character: char) -> Option<(&'static str, Effect)> {
    let code = u32::from(character);
    let index = TABLE.partition_point(|(_, last, ..)| *last < code);
    let (first, _, effect, name) = TABLE.get(index)?;
    (*first <= code).then_some((*name, *effect))
}

/// What a hidden character without business gives to look at.
pub(crate) fn finding(character: char) -> Option<Finding> {
    match entry(character)?.1 {
        Reorders | Directs => Some(Finding::Reordering),
        Vanishes => Some(Finding::Invisible),
        Controls => Some(Finding::Control),
        Separates => None,
    }
}

/// Whether a listed character stands where ordinary texts need it.
fn belongs(character: char, before: &str, after: &str) -> bool {
    let mut back = before.chars().rev();
    let last = back.next().unwrap_or(' ');
    let next = after.chars().nth(1).unwrap_or(' ');
    match character {
        '\r' => next == '\n',
        '\u{200B}' => has_no_spaces(last) && has_no_spaces(next),
        '\u{200C}' => joins(last) && joins(next),
        '\u{200D}' if joins(last) => true,
        '\u{200D}' => {
            let base = if last == '\u{FE0F}' {
                back.next()
            } else {
                None
            };
            is_emoji(base.unwrap_or(last)) && is_emoji(next)
        }
        '\u{FE0F}' if last.is_ascii_digit() || last == '#' || last == '*' => next == '\u{20E3}',
        '\u{FE0E}' | '\u{FE0F}' => is_emoji(last),
        '\u{FE00}'..='\u{FE02}' | '\u{E0100}'..='\u{E01EF}' => script(last) == Script::HAN,
        '\u{180B}'..='\u{180F}' => is_mongolian(last),
        '\u{202F}' => is_mongolian(last) && is_mongolian(next),
        '\u{2800}' => is_braille(last) || is_braille(next),
        '\u{3000}' => is_ideographic(last) || is_ideographic(next),
        '\u{E0020}'..='\u{E007F}' => is_in_flag(before, after),
        _ => false,
    }
}

/// Whether a tag belongs to the flag of England, Scotland or Wales, the only ones written with tags.
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
fn is_emoji(character: char) -> bool {
    matches!(character, '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}'
        | '\u{2194}'..='\u{21AA}' | '\u{2300}'..='\u{23FF}' | '\u{24C2}' | '\u{25A0}'..='\u{27BF}'
        | '\u{2934}' | '\u{2935}' | '\u{2B05}'..='\u{2B55}' | '\u{3030}' | '\u{303D}'
        | '\u{3297}' | '\u{3299}' | '\u{1F000}'..='\u{1FAFF}')
}

/// Letters and marks of the scripts whose letters join: Arabic and its relatives, those of India, Mongolian.
fn joins(character: char) -> bool {
    matches!(character, '\u{620}'..='\u{109F}' | '\u{1780}'..='\u{18AF}' | '\u{1900}'..='\u{1CFF}'
        | '\u{A800}'..='\u{ABFF}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
        | '\u{10A00}'..='\u{11FFF}' | '\u{1E900}'..='\u{1E95F}')
}

/// Scripts of south-east Asia, whose words may be divided by a zero width space.
fn has_no_spaces(character: char) -> bool {
    matches!(character, '\u{E00}'..='\u{FFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{1950}'..='\u{1AAF}' | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AADF}')
}

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
