//! Tells dollar signs around a formula from others: those of prices, shell variables, database
//! stages and stock symbols.

/// Endings of words that are written right behind a formula: "the $n$th element".
const WORD_ENDINGS: [&[u8]; 7] = [b"th", b"st", b"nd", b"rd", b"s", b"d", b"D"];

/// Returns true for a range of prices, such as "$5-$10": `tex` stands between the two dollar signs,
/// and `after` behind the second.
pub(super) fn is_price_range(tex: &[u8], after: &[u8]) -> bool {
    matches!((tex, after), ([b'0'..=b'9', ..], [b'0'..=b'9', ..]))
        && !tex.iter().any(u8::is_ascii_whitespace)
}

/// Returns true if `text`, which stands between two dollar signs, is a formula. `after` is the text
/// behind the second sign.
pub(super) fn is_formula(text: &str, after: &[u8]) -> bool {
    let tex = text.as_bytes();
    let [.., last] = tex else { return false };
    // "$/month", "$HOME/$USER", "($AAPL, $MSFT)". Commands of TeX may end with such a character.
    let begins = !matches!(tex, [b'/' | b' ' | b'\t' | b'\n', ..]);
    let ends = text.trim().len() == text.len() && !b"/:([{,".contains(last);
    let escaped = tex.ends_with(&[b'\\', *last]);
    // "$(pwd):$(pwd)", "${HOME}/${USER}".
    let is_call = matches!(
        (tex, after),
        ([b'(', ..], [b'(', ..]) | (_, [b'{' | b'$', ..])
    );
    begins
        && (ends || escaped)
        && !is_call
        && may_end_before(tex, *last, after)
        && is_balanced(tex)
        && !is_prose(tex)
}

/// Returns true if a formula may end before the text `after`: this begins with no word, or with one
/// of `WORD_ENDINGS`. `last` is the last byte of `tex`.
fn may_end_before(tex: &[u8], last: u8, after: &[u8]) -> bool {
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let word = after.get(..after.iter().take_while(is_word).count());
    let word = word.unwrap_or_default();
    let is_closed = last.is_ascii_alphanumeric() || !last.is_ascii() || matches!(last, b'}' | b')');
    // "$PATHs".
    let is_name = tex.len() > 1
        && tex
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
    word.is_empty() || is_closed && !is_name && WORD_ENDINGS.contains(&word)
}

fn is_balanced(tex: &[u8]) -> bool {
    let mut depth = 0_usize;
    let mut escaped = false;
    for byte in tex {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'{' => depth += 1,
            b'}' if depth == 0 => return false,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}

/// Returns true if the text between two dollar signs reads as a sentence, not as a formula: two
/// words follow each other, or a word follows an amount such as `5`.
fn is_prose(tex: &[u8]) -> bool {
    let is_amount = tex.first().is_some_and(u8::is_ascii_digit);
    let mut depth = 0_usize;
    let mut after_word = false;
    for (number, token) in tex.split(u8::is_ascii_whitespace).enumerate() {
        let Some(first) = token.first() else { continue };
        let mut is_word = depth == 0;
        let is_foreign = is_word && is_amount;
        let mut letters = 0;
        let mut ended = false;
        for place in 0..token.len() {
            let rest = token.get(place..).unwrap_or_default();
            match rest {
                [byte, ..] if begins_with_letter(rest) => {
                    if is_foreign && !byte.is_ascii() {
                        return true;
                    }
                    is_word &= !ended;
                    letters += 1;
                    continue;
                }
                [0x80..=0xBF, ..] => continue,
                [b'{', ..] => depth += 1,
                [b'}', ..] => depth = depth.saturating_sub(1),
                _ => {}
            }
            ended = letters > 0;
            is_word &= matches!(
                rest,
                [b'(' | b')' | b',' | b'.' | b';' | b':' | b'!' | b'?', ..]
            );
        }
        is_word &= letters > 1;
        if after_word && (is_word || is_amount && first.is_ascii_alphanumeric()) {
            return true;
        }
        after_word = is_word && (number > 0 || !is_amount);
    }
    false
}

/// Returns true if the first bytes of a text are those of a letter, in UTF-8; rare letters are not
/// recognised.
pub(super) fn begins_with_letter(text: &[u8]) -> bool {
    match text {
        // Signs for times and division, and wide punctuation.
        [0xC3, 0x97 | 0xB7, ..] | [0xE3, 0x80, ..] => false,
        [b'A'..=b'Z' | b'a'..=b'z' | 0xC3..=0xE1 | 0xE3..=0xED, ..] => true,
        _ => false,
    }
}
