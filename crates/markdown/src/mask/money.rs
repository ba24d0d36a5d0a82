//! Dollar signs that are none of a formula: of prices, shells, stages and tickers.

/// Words that are written at a formula: "the $n$th element".
const ENDINGS: [&str; 7] = ["th", "st", "nd", "rd", "s", "d", "D"];

/// Returns true if a dollar sign may begin a formula. `rest` begins with the sign.
pub(super) fn opens(before: Option<char>, rest: &str) -> bool {
    // "US$5", "5$/month".
    let is_behind = before.is_some_and(|c| c.is_ascii_alphanumeric());
    let next = rest.chars().nth(1);
    !is_behind && next.is_some_and(|c| !c.is_whitespace() && c != '/')
}

/// Returns true for the beginning of a range of prices: "$5-$10".
pub(super) fn is_range(tex: &str, after: &str) -> bool {
    let is_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    is_digit(tex) && is_digit(after) && !tex.contains(char::is_whitespace)
}

/// Returns true if the text between two dollar signs is a formula, before `after`.
pub(super) fn is_formula(tex: &str, after: &str) -> bool {
    let first = tex.chars().next();
    let Some(last) = tex.chars().next_back() else {
        return false;
    };
    let before = tex.strip_suffix(last).unwrap_or_default();
    // "$HOME/$USER", "($AAPL, $MSFT)". Commands of TeX may end with such a character.
    let ends = before.ends_with('\\') || !last.is_whitespace() && !"/:([{,".contains(last);
    ends && follows(tex, last, after)
        && !(first == Some('(') && after.starts_with('('))
        && is_balanced(tex)
        && !is_prose(tex)
}

/// Returns true if a formula can stand before this text.
fn follows(tex: &str, last: char, after: &str) -> bool {
    let word = after.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let word = after.get(..after.len() - word.len()).unwrap_or_default();
    let is_ending = (last.is_alphanumeric() || "})".contains(last)) && ENDINGS.contains(&word);
    (word.is_empty() || (is_ending && !is_name(tex))) && !after.starts_with(['{', '$'])
}

/// Returns true for the name of a variable of a shell: "$PATHs".
fn is_name(tex: &str) -> bool {
    tex.len() > 1
        && tex
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

fn is_balanced(tex: &str) -> bool {
    let mut depth = 0_usize;
    let mut escaped = false;
    for byte in tex.bytes() {
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

/// Returns true for words of a sentence, outside of braces: two of them, or one between an amount
/// and what follows it.
fn is_prose(tex: &str) -> bool {
    let is_amount = tex.starts_with(|c: char| c.is_ascii_digit());
    let mut depth = 0_usize;
    let mut before = false;
    for (number, token) in tex.split_whitespace().enumerate() {
        let outside = depth == 0;
        depth = (depth + token.matches('{').count()).saturating_sub(token.matches('}').count());
        let word = token.trim_matches(['(', ')', ',', '.', ';', ':', '!', '?']);
        let is_word = outside && word.chars().count() > 1 && word.chars().all(char::is_alphabetic);
        if before && (is_word || is_amount && token.starts_with(|c: char| c.is_alphanumeric())) {
            return true;
        }
        if is_amount && outside && token.chars().any(|c| c.is_alphabetic() && !c.is_ascii()) {
            return true;
        }
        before = is_word && (number > 0 || !is_amount);
    }
    false
}
