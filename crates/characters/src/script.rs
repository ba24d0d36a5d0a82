//! The script that a letter belongs to, such as Latin or Greek, in a table of ranges of code
//! points.
//!
//! The ranges are as detailed as the checks of words and hosts need, and follow the blocks of
//! Unicode 16: marks and signs that several scripts share are [`Script::COMMON`] only if ordinary
//! words have them.

/// The script of a letter, as a number. Scripts that the checks do not treat by name have a number
/// alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Script(u8);

#[expect(missing_docs, reason = "most constants have the name of their script")]
impl Script {
    /// Characters of no single script: signs, digits, symbols.
    pub const COMMON: Self = Self(0);
    /// Marks that have the script of the letter before them.
    pub const INHERITED: Self = Self(1);
    pub const LATIN: Self = Self(2);
    /// Latin letters of phonetics, of Roman numbers and of mathematics: no language writes its
    /// words with them.
    pub const SPECIAL: Self = Self(3);
    pub const GREEK: Self = Self(4);
    pub const CYRILLIC: Self = Self(5);
    pub const ARMENIAN: Self = Self(6);
    pub const CHEROKEE: Self = Self(7);
    pub const COPTIC: Self = Self(8);
    pub const LISU: Self = Self(9);
    pub const CANADIAN: Self = Self(10);
    pub const DESERET: Self = Self(11);
    pub const HAN: Self = Self(12);
    /// Hiragana and Katakana, as one script.
    pub const KANA: Self = Self(13);
    pub const BOPOMOFO: Self = Self(14);
    pub const HANGUL: Self = Self(15);

    const FIRST_LEFTWARD: u8 = 32;
    const FIRST_OTHER: u8 = 64;
    /// The first of the numbers that stand for systems of digits, one for each of [`ZEROS`].
    const FIRST_DIGITS: u8 = 128;
    /// The digits of mathematics and of old computers: ASCII digits in another typeface.
    pub const STYLED: Self = Self(255);

    /// Returns the script with this number among those that are written from right to left.
    const fn leftward_script(number: u8) -> Self {
        Self(Self::FIRST_LEFTWARD + number)
    }

    /// Returns the script with this number among those that have no constant here.
    const fn other_script(number: u8) -> Self {
        Self(Self::FIRST_OTHER + number)
    }

    /// Number of scripts whose letters look like letters of another one.
    pub const WITH_LOOK_ALIKES: usize = (Self::DESERET.0 - Self::LATIN.0) as usize + 1;

    /// Returns the index of the script among those whose letters have look-alikes in other scripts;
    /// Latin is 0. For any other script the number is not below [`Script::WITH_LOOK_ALIKES`].
    pub fn look_alike_index(self) -> usize {
        usize::from(self.0.wrapping_sub(Self::LATIN.0))
    }

    /// Returns the script with this index among those whose letters have look-alikes in other
    /// scripts; Latin is 0.
    pub fn with_look_alike_index(index: usize) -> Self {
        Self(
            Self::LATIN
                .0
                .saturating_add(u8::try_from(index).unwrap_or_default()),
        )
    }

    /// Returns true if letters of this script look like letters of another one.
    pub fn has_look_alikes(self) -> bool {
        self.look_alike_index() < Self::WITH_LOOK_ALIKES
    }

    /// Returns the name of a script with look-alikes, or of a system of digits.
    pub fn name(self) -> &'static str {
        match self {
            Self::LATIN => "Latin",
            Self::SPECIAL => "Special Latin",
            Self::GREEK => "Greek",
            Self::CYRILLIC => "Cyrillic",
            Self::ARMENIAN => "Armenian",
            Self::CHEROKEE => "Cherokee",
            Self::COPTIC => "Coptic",
            Self::LISU => "Lisu",
            Self::CANADIAN => "Canadian Aboriginal",
            Self::DESERET => "Deseret",
            Self::STYLED => "Mathematical digits",
            Self(Self::FIRST_DIGITS..=0x81) => "Arabic digits",
            Self(0x83..=0x8C) => "Indic digits",
            _ => "Foreign digits",
        }
    }
}

/// Returns the script of a character; [`Script::COMMON`] if it belongs to no single one.
pub fn script(character: char) -> Script {
    // Fast path for most characters.
    if character.is_ascii() {
        return if character.is_ascii_alphabetic() {
            Script::LATIN
        } else {
            Script::COMMON
        };
    }
    let code = u32::from(character);
    let behind = SCRIPT_STARTS.partition_point(|start| start >> 8 <= code);
    let entry = behind
        .checked_sub(1)
        .and_then(|index| SCRIPT_STARTS.get(index));
    entry.map_or(Script::COMMON, |start| Script(start.to_le_bytes()[0]))
}

/// Returns true if the character, whose script is `script`, is a letter that is written from right
/// to left.
pub fn is_right_to_left(character: char, script: Script) -> bool {
    // The mark of that direction is in the same range as the letters.
    script.0 & Script::FIRST_LEFTWARD > 0 && character != '\u{61C}'
}

/// Returns true if one of the ranges, each from a first to a last character, contains the
/// character.
pub fn is_in(ranges: &[(char, char)], character: char) -> bool {
    ranges
        .iter()
        .any(|(first, last)| *first <= character && character <= *last)
}

/// Returns the system of digits that a decimal digit belongs to, [`Script::COMMON`] for the ASCII
/// digits; `None` if the character is no digit.
///
/// Fullwidth digits are omitted: they look like what they are.
pub fn digit_system(character: char) -> Option<Script> {
    if character.is_ascii() {
        return character.is_ascii_digit().then_some(Script::COMMON);
    }
    if matches!(character, '\u{1D7CE}'..='\u{1D7FF}' | '\u{1FBF0}'..='\u{1FBF9}') {
        return Some(Script::STYLED);
    }
    let code = u32::from(character);
    let behind = ZEROS.partition_point(|zero| u32::from(*zero) <= code);
    let index = behind.checked_sub(1)?;
    let zero = ZEROS.get(index)?;
    let system = Script::FIRST_DIGITS.saturating_add(u8::try_from(index).ok()?);
    (code - u32::from(*zero) < 10).then_some(Script(system))
}

const ZEROS: &[u16] = &[
    0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6,
    0xE50, 0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50,
    0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0,
];

/// Packs the first code point of a range and the script of the range into one number: the script is
/// in its lowest byte.
const fn encode_start(code: u32, script: Script) -> u32 {
    code << 8 | script.0 as u32
}

/// The first code points of ranges of characters that are of one script, each packed with the
/// script, in order. A range ends where the next one begins.
const SCRIPT_STARTS: &[u32] = &[
    encode_start(0x41, Script::LATIN),
    encode_start(0x5B, Script::COMMON),
    encode_start(0x61, Script::LATIN),
    encode_start(0x7B, Script::COMMON),
    encode_start(0xAA, Script::LATIN),
    encode_start(0xAB, Script::COMMON),
    encode_start(0xBA, Script::LATIN),
    encode_start(0xBB, Script::COMMON),
    encode_start(0xC0, Script::LATIN),
    encode_start(0xD7, Script::COMMON),
    encode_start(0xD8, Script::LATIN),
    encode_start(0xF7, Script::COMMON),
    encode_start(0xF8, Script::LATIN),
    // Click letters, which look like strokes and an exclamation mark.
    encode_start(0x1C0, Script::SPECIAL),
    encode_start(0x1C4, Script::LATIN),
    encode_start(0x250, Script::SPECIAL),
    // Schwa and its relatives are letters of African and Turkic languages, too.
    encode_start(0x253, Script::LATIN),
    encode_start(0x261, Script::SPECIAL),
    encode_start(0x262, Script::LATIN),
    encode_start(0x2B0, Script::COMMON),
    encode_start(0x300, Script::INHERITED),
    encode_start(0x370, Script::GREEK),
    encode_start(0x37E, Script::COMMON),
    encode_start(0x37F, Script::GREEK),
    encode_start(0x385, Script::COMMON),
    encode_start(0x386, Script::GREEK),
    encode_start(0x387, Script::COMMON),
    encode_start(0x388, Script::GREEK),
    encode_start(0x3E2, Script::COPTIC),
    encode_start(0x3F0, Script::GREEK),
    encode_start(0x400, Script::CYRILLIC),
    encode_start(0x483, Script::INHERITED),
    encode_start(0x48A, Script::CYRILLIC),
    encode_start(0x530, Script::ARMENIAN),
    encode_start(0x590, Script::leftward_script(0)),
    encode_start(0x600, Script::leftward_script(1)),
    encode_start(0x64B, Script::INHERITED),
    encode_start(0x660, Script::COMMON),
    encode_start(0x66E, Script::leftward_script(1)),
    encode_start(0x6F0, Script::COMMON),
    encode_start(0x6FA, Script::leftward_script(1)),
    encode_start(0x700, Script::leftward_script(2)),
    encode_start(0x750, Script::leftward_script(1)),
    encode_start(0x780, Script::leftward_script(3)),
    encode_start(0x7C0, Script::leftward_script(4)),
    encode_start(0x800, Script::leftward_script(5)),
    encode_start(0x840, Script::leftward_script(6)),
    encode_start(0x860, Script::leftward_script(2)),
    encode_start(0x870, Script::leftward_script(1)),
    encode_start(0x900, Script::other_script(0)),
    encode_start(0x964, Script::COMMON),
    encode_start(0x966, Script::other_script(0)),
    encode_start(0x980, Script::other_script(1)),
    encode_start(0xA00, Script::other_script(2)),
    encode_start(0xA80, Script::other_script(3)),
    encode_start(0xB00, Script::other_script(4)),
    encode_start(0xB80, Script::other_script(5)),
    encode_start(0xC00, Script::other_script(6)),
    encode_start(0xC80, Script::other_script(7)),
    encode_start(0xD00, Script::other_script(8)),
    encode_start(0xD80, Script::other_script(9)),
    encode_start(0xE00, Script::other_script(10)),
    encode_start(0xE3F, Script::COMMON),
    encode_start(0xE40, Script::other_script(10)),
    encode_start(0xE80, Script::other_script(11)),
    encode_start(0xF00, Script::other_script(12)),
    encode_start(0x1000, Script::other_script(13)),
    encode_start(0x10A0, Script::other_script(14)),
    encode_start(0x1100, Script::HANGUL),
    encode_start(0x1200, Script::other_script(15)),
    encode_start(0x13A0, Script::CHEROKEE),
    encode_start(0x1400, Script::CANADIAN),
    encode_start(0x1680, Script::other_script(16)),
    encode_start(0x16A0, Script::other_script(17)),
    encode_start(0x1700, Script::other_script(18)),
    encode_start(0x1780, Script::other_script(19)),
    encode_start(0x1800, Script::other_script(20)),
    encode_start(0x18B0, Script::CANADIAN),
    encode_start(0x1900, Script::other_script(21)),
    encode_start(0x1AB0, Script::INHERITED),
    encode_start(0x1B00, Script::other_script(22)),
    encode_start(0x1C80, Script::CYRILLIC),
    encode_start(0x1C90, Script::other_script(14)),
    encode_start(0x1CC0, Script::other_script(22)),
    encode_start(0x1CD0, Script::INHERITED),
    encode_start(0x1D00, Script::LATIN),
    encode_start(0x1DC0, Script::INHERITED),
    encode_start(0x1E00, Script::LATIN),
    encode_start(0x1F00, Script::GREEK),
    encode_start(0x2000, Script::COMMON),
    encode_start(0x20D0, Script::INHERITED),
    encode_start(0x2100, Script::COMMON),
    encode_start(0x2126, Script::GREEK),
    encode_start(0x2127, Script::COMMON),
    encode_start(0x212A, Script::SPECIAL),
    encode_start(0x212B, Script::LATIN),
    encode_start(0x212C, Script::COMMON),
    encode_start(0x2160, Script::SPECIAL),
    encode_start(0x2189, Script::COMMON),
    encode_start(0x2C00, Script::other_script(23)),
    encode_start(0x2C60, Script::LATIN),
    encode_start(0x2C80, Script::COPTIC),
    encode_start(0x2D00, Script::other_script(14)),
    encode_start(0x2D30, Script::other_script(24)),
    encode_start(0x2D80, Script::other_script(15)),
    encode_start(0x2DE0, Script::CYRILLIC),
    encode_start(0x2E00, Script::COMMON),
    encode_start(0x2E80, Script::HAN),
    encode_start(0x3000, Script::COMMON),
    encode_start(0x3005, Script::HAN),
    encode_start(0x3008, Script::COMMON),
    encode_start(0x3021, Script::HAN),
    encode_start(0x302A, Script::INHERITED),
    encode_start(0x3030, Script::COMMON),
    encode_start(0x3041, Script::KANA),
    encode_start(0x3099, Script::INHERITED),
    encode_start(0x309B, Script::KANA),
    encode_start(0x3100, Script::BOPOMOFO),
    encode_start(0x3130, Script::HANGUL),
    encode_start(0x3190, Script::COMMON),
    encode_start(0x31A0, Script::BOPOMOFO),
    encode_start(0x31C0, Script::COMMON),
    encode_start(0x31F0, Script::KANA),
    encode_start(0x3200, Script::COMMON),
    encode_start(0x3400, Script::HAN),
    encode_start(0x4DC0, Script::COMMON),
    encode_start(0x4E00, Script::HAN),
    encode_start(0xA000, Script::other_script(25)),
    encode_start(0xA4D0, Script::LISU),
    encode_start(0xA500, Script::other_script(26)),
    encode_start(0xA640, Script::CYRILLIC),
    encode_start(0xA6A0, Script::other_script(27)),
    encode_start(0xA700, Script::COMMON),
    encode_start(0xA722, Script::LATIN),
    encode_start(0xA78C, Script::SPECIAL),
    encode_start(0xA78D, Script::LATIN),
    encode_start(0xA800, Script::other_script(28)),
    encode_start(0xA830, Script::COMMON),
    encode_start(0xA840, Script::other_script(28)),
    encode_start(0xA8E0, Script::other_script(0)),
    encode_start(0xA900, Script::other_script(29)),
    encode_start(0xA960, Script::HANGUL),
    encode_start(0xA980, Script::other_script(30)),
    encode_start(0xA9E0, Script::other_script(13)),
    encode_start(0xAA00, Script::other_script(31)),
    encode_start(0xAA60, Script::other_script(13)),
    encode_start(0xAA80, Script::other_script(31)),
    encode_start(0xAB01, Script::other_script(15)),
    encode_start(0xAB30, Script::LATIN),
    encode_start(0xAB70, Script::CHEROKEE),
    encode_start(0xABC0, Script::other_script(31)),
    encode_start(0xAC00, Script::HANGUL),
    encode_start(0xD800, Script::COMMON),
    encode_start(0xF900, Script::HAN),
    encode_start(0xFB00, Script::LATIN),
    encode_start(0xFB13, Script::ARMENIAN),
    encode_start(0xFB1D, Script::leftward_script(0)),
    encode_start(0xFB50, Script::leftward_script(1)),
    encode_start(0xFE00, Script::INHERITED),
    encode_start(0xFE10, Script::COMMON),
    encode_start(0xFE20, Script::INHERITED),
    encode_start(0xFE30, Script::COMMON),
    encode_start(0xFE70, Script::leftward_script(1)),
    encode_start(0xFEFF, Script::COMMON),
    encode_start(0xFF21, Script::LATIN),
    encode_start(0xFF3B, Script::COMMON),
    encode_start(0xFF41, Script::LATIN),
    encode_start(0xFF5B, Script::COMMON),
    encode_start(0xFF66, Script::KANA),
    encode_start(0xFFA0, Script::HANGUL),
    encode_start(0xFFE0, Script::COMMON),
    encode_start(0x1_0000, Script::other_script(32)),
    encode_start(0x1_0400, Script::DESERET),
    encode_start(0x1_0450, Script::other_script(32)),
    encode_start(0x1_0800, Script::leftward_script(7)),
    encode_start(0x1_1000, Script::other_script(32)),
    encode_start(0x1_B000, Script::KANA),
    encode_start(0x1_B170, Script::other_script(33)),
    encode_start(0x1_D000, Script::COMMON),
    // Sans-serif, like most text of pages.
    encode_start(0x1_D5A0, Script::SPECIAL),
    encode_start(0x1_D5D4, Script::COMMON),
    // Monospaced, like programs and paths.
    encode_start(0x1_D670, Script::SPECIAL),
    encode_start(0x1_D6A4, Script::COMMON),
    encode_start(0x1_E000, Script::other_script(34)),
    encode_start(0x1_E800, Script::leftward_script(8)),
    encode_start(0x1_EE00, Script::leftward_script(1)),
    encode_start(0x1_EF00, Script::COMMON),
    encode_start(0x2_0000, Script::HAN),
    encode_start(0x3_23B0, Script::COMMON),
];
