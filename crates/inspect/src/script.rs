//! The scripts of letters, by ranges of code points.
//!
//! As fine as the judgement of words and hosts needs it: marks and signs that several scripts share are
//! [`Script::Common`] only where ordinary words have them. The ranges are those of the blocks of Unicode 16.

/// The script of a letter. Scripts that nothing here treats in a way of its own are told apart by a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    /// Signs, digits, symbols: no letter of one script.
    Common,
    /// Marks that take the script of the letter before them.
    Inherited,
    Latin,
    /// Latin letters of phonetics: no language writes its words with them.
    Phonetic,
    Greek,
    Cyrillic,
    Armenian,
    Cherokee,
    Coptic,
    Lisu,
    Canadian,
    Deseret,
    Han,
    /// Hiragana and Katakana.
    Kana,
    Bopomofo,
    Hangul,
    /// Scripts that run from right to left.
    Leftward(u8),
    /// Any other one.
    Other(u8),
}

impl Script {
    /// The name of a script whose letters can pass for letters of another one.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Latin => "Latin",
            Self::Phonetic => "phonetic",
            Self::Greek => "Greek",
            Self::Cyrillic => "Cyrillic",
            Self::Armenian => "Armenian",
            Self::Cherokee => "Cherokee",
            Self::Coptic => "Coptic",
            Self::Lisu => "Lisu",
            Self::Canadian => "Canadian Aboriginal",
            Self::Deseret => "Deseret",
            _ => "",
        }
    }
}

/// The script of a character.
pub(crate) fn script(character: char) -> Script {
    let code = u32::from(character);
    let behind = STARTS.partition_point(|(start, _)| *start <= code);
    let entry = behind.checked_sub(1).and_then(|index| STARTS.get(index));
    entry.map_or(Script::Common, |(_, script)| *script)
}

/// Whether the character is a letter of a script that runs from right to left.
pub(crate) fn runs_left(character: char) -> bool {
    // The mark of that direction stands amid the letters.
    character != '\u{61C}' && matches!(script(character), Script::Leftward(_))
}

/// The zero of the decimal digits that `character` is one of, if it is no ASCII digit.
///
/// Fullwidth digits are left out: they look like what they are.
pub(crate) fn foreign_zero(character: char) -> Option<char> {
    let code = u32::from(character);
    let behind = ZEROS.partition_point(|zero| u32::from(*zero) <= code);
    let zero = *behind.checked_sub(1).and_then(|index| ZEROS.get(index))?;
    (code - u32::from(zero) < 10).then(|| char::from_u32(zero.into()))?
}

const ZEROS: &[u16] = &[
    0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6,
    0xE50, 0xED0, 0xF20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50,
    0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0,
];

use Script::{
    Armenian, Bopomofo, Canadian, Cherokee, Common, Coptic, Cyrillic, Deseret, Greek, Han, Hangul,
    Inherited, Kana, Latin, Leftward, Lisu, Other, Phonetic,
};

/// Where a range of one script begins; it ends where the next one does.
const STARTS: &[(u32, Script)] = &[
    (0x41, Latin),
    (0x5B, Common),
    (0x61, Latin),
    (0x7B, Common),
    (0xAA, Latin),
    (0xAB, Common),
    (0xBA, Latin),
    (0xBB, Common),
    (0xC0, Latin),
    (0xD7, Common),
    (0xD8, Latin),
    (0xF7, Common),
    (0xF8, Latin),
    // Clicks, which look like strokes and an exclamation mark.
    (0x1C0, Phonetic),
    (0x1C4, Latin),
    (0x250, Phonetic),
    // Schwa and its relatives are letters of African and Turkic languages, too.
    (0x253, Latin),
    (0x261, Phonetic),
    (0x262, Latin),
    (0x2B0, Common),
    (0x300, Inherited),
    (0x370, Greek),
    (0x37E, Common),
    (0x37F, Greek),
    (0x385, Common),
    (0x386, Greek),
    (0x387, Common),
    (0x388, Greek),
    (0x3E2, Coptic),
    (0x3F0, Greek),
    (0x400, Cyrillic),
    (0x483, Inherited),
    (0x48A, Cyrillic),
    (0x530, Armenian),
    (0x590, Leftward(0)),
    (0x600, Leftward(1)),
    (0x64B, Inherited),
    (0x660, Common),
    (0x66E, Leftward(1)),
    (0x6F0, Common),
    (0x6FA, Leftward(1)),
    (0x700, Leftward(2)),
    (0x750, Leftward(1)),
    (0x780, Leftward(3)),
    (0x7C0, Leftward(4)),
    (0x800, Leftward(5)),
    (0x840, Leftward(6)),
    (0x860, Leftward(2)),
    (0x870, Leftward(1)),
    (0x900, Other(0)),
    (0x964, Common),
    (0x966, Other(0)),
    (0x980, Other(1)),
    (0xA00, Other(2)),
    (0xA80, Other(3)),
    (0xB00, Other(4)),
    (0xB80, Other(5)),
    (0xC00, Other(6)),
    (0xC80, Other(7)),
    (0xD00, Other(8)),
    (0xD80, Other(9)),
    (0xE00, Other(10)),
    (0xE3F, Common),
    (0xE40, Other(10)),
    (0xE80, Other(11)),
    (0xF00, Other(12)),
    (0x1000, Other(13)),
    (0x10A0, Other(14)),
    (0x1100, Hangul),
    (0x1200, Other(15)),
    (0x13A0, Cherokee),
    (0x1400, Canadian),
    (0x1680, Other(16)),
    (0x16A0, Other(17)),
    (0x1700, Other(18)),
    (0x1780, Other(19)),
    (0x1800, Other(20)),
    (0x18B0, Canadian),
    (0x1900, Other(21)),
    (0x1AB0, Inherited),
    (0x1B00, Other(22)),
    (0x1C80, Cyrillic),
    (0x1C90, Other(14)),
    (0x1CC0, Other(22)),
    (0x1CD0, Inherited),
    (0x1D00, Latin),
    (0x1DC0, Inherited),
    (0x1E00, Latin),
    (0x1F00, Greek),
    (0x2000, Common),
    (0x20D0, Inherited),
    (0x2100, Common),
    (0x2126, Greek),
    (0x2127, Common),
    (0x212A, Latin),
    (0x212C, Common),
    (0x2160, Latin),
    (0x2189, Common),
    (0x2C00, Other(23)),
    (0x2C60, Latin),
    (0x2C80, Coptic),
    (0x2D00, Other(14)),
    (0x2D30, Other(24)),
    (0x2D80, Other(15)),
    (0x2DE0, Cyrillic),
    (0x2E00, Common),
    (0x2E80, Han),
    (0x3000, Common),
    (0x3005, Han),
    (0x3008, Common),
    (0x3021, Han),
    (0x302A, Inherited),
    (0x3030, Common),
    (0x3041, Kana),
    (0x3099, Inherited),
    (0x309B, Kana),
    (0x3100, Bopomofo),
    (0x3130, Hangul),
    (0x3190, Common),
    (0x31A0, Bopomofo),
    (0x31C0, Common),
    (0x31F0, Kana),
    (0x3200, Common),
    (0x3400, Han),
    (0x4DC0, Common),
    (0x4E00, Han),
    (0xA000, Other(25)),
    (0xA4D0, Lisu),
    (0xA500, Other(26)),
    (0xA640, Cyrillic),
    (0xA6A0, Other(27)),
    (0xA700, Common),
    (0xA722, Latin),
    (0xA78C, Phonetic),
    (0xA78D, Latin),
    (0xA800, Other(28)),
    (0xA830, Common),
    (0xA840, Other(28)),
    (0xA8E0, Other(0)),
    (0xA900, Other(29)),
    (0xA960, Hangul),
    (0xA980, Other(30)),
    (0xA9E0, Other(13)),
    (0xAA00, Other(31)),
    (0xAA60, Other(13)),
    (0xAA80, Other(31)),
    (0xAB01, Other(15)),
    (0xAB30, Latin),
    (0xAB70, Cherokee),
    (0xABC0, Other(31)),
    (0xAC00, Hangul),
    (0xD800, Common),
    (0xF900, Han),
    (0xFB00, Latin),
    (0xFB13, Armenian),
    (0xFB1D, Leftward(0)),
    (0xFB50, Leftward(1)),
    (0xFE00, Inherited),
    (0xFE10, Common),
    (0xFE20, Inherited),
    (0xFE30, Common),
    (0xFE70, Leftward(1)),
    (0xFEFF, Common),
    (0xFF21, Latin),
    (0xFF3B, Common),
    (0xFF41, Latin),
    (0xFF5B, Common),
    (0xFF66, Kana),
    (0xFFA0, Hangul),
    (0xFFE0, Common),
    (0x1_0000, Other(32)),
    (0x1_0400, Deseret),
    (0x1_0450, Other(32)),
    (0x1_0800, Leftward(7)),
    (0x1_1000, Other(32)),
    (0x1_B000, Kana),
    (0x1_B170, Other(33)),
    (0x1_D000, Common),
    (0x1_E000, Other(34)),
    (0x1_E800, Leftward(8)),
    (0x1_EE00, Leftward(1)),
    (0x1_EF00, Common),
    (0x2_0000, Han),
    (0x3_23B0, Common),
];
