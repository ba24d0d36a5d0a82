//! Characters of languages that write no spaces between words.

/// Returns true for punctuation that is as wide as a letter of Chinese, Japanese or Korean.
pub(super) fn is_wide_punctuation(c: char) -> bool {
    matches!(c, '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301F}'
        | '\u{3030}' | '\u{303D}' | '\u{30A0}' | '\u{30FB}' | '\u{FE10}'..='\u{FE19}'
        | '\u{FE30}'..='\u{FE6B}' | '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}'
        | '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}')
}

/// Returns true for a letter of a language without spaces, or of Korean, whose endings follow a
/// word at once. Each such letter has at least three bytes.
pub(crate) fn is_wide_letter(c: char) -> bool {
    !is_wide_punctuation(c)
        && matches!(c, '\u{E01}'..='\u{EDF}' | '\u{1000}'..='\u{109F}' | '\u{1100}'..='\u{11FF}'
            | '\u{1780}'..='\u{17DD}' | '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}'
            | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{3035}' | '\u{303B}'..='\u{303C}'
            | '\u{3041}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}'
            | '\u{FF10}'..='\u{FF5A}' | '\u{FF66}'..='\u{FFDC}' | '\u{20000}'..='\u{3FFFF}')
}

/// Returns true for a character that no address contains as it is written: wide punctuation, and
/// the quotes around an address.
pub(crate) fn ends_address(c: char) -> bool {
    let is_part = matches!(
        c,
        '\u{30FB}' | '\u{FF5E}' | '\u{FF65}' | '\u{30A0}' | '\u{303D}'
    );
    (is_wide_punctuation(c) && !is_part) || matches!(c, '“' | '”' | '„' | '«' | '»' | '‹' | '›')
}
