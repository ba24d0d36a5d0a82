//! Source text without its comments: rules are about code, and a comment may name what the code
//! must not do; and nobody downloads comments. It knows strings, raw strings, template literals and
//! character literals of Rust, JavaScript and CSS as far as that needs.

/// Returns the text with every comment replaced by spaces; line numbers and byte positions stay the
/// same.
pub(crate) fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (kind, length) = next_piece(rest);
        let (piece, tail) = rest.split_at(length);
        match kind {
            Kind::Comment => code.extend(piece.chars().map(blank)),
            Kind::Kept => code.push_str(piece),
        }
        rest = tail;
    }
    code
}

fn blank(character: char) -> String {
    if character == '\n' {
        "\n".into()
    } else {
        " ".repeat(character.len_utf8())
    }
}

enum Kind {
    Comment,
    Kept,
}

fn next_piece(text: &str) -> (Kind, usize) {
    let first = text.chars().next().map_or(0, char::len_utf8);
    if text.starts_with("//") {
        (Kind::Comment, text.find('\n').unwrap_or(text.len()))
    } else if text.starts_with("/*") {
        (Kind::Comment, after(text, "*/", 2))
    } else if let Some(length) = raw_string(text) {
        (Kind::Kept, length)
    } else if text.starts_with('"') || text.starts_with('`') {
        (Kind::Kept, quoted(text))
    } else if text.starts_with('\'') {
        (Kind::Kept, short_quoted(text).unwrap_or(first))
    } else {
        // A whole word at once, so that its last letter is never taken for the `r` of a raw string.
        let word = text
            .find(|character: char| !is_word(character))
            .unwrap_or(text.len());
        // An address keeps its slashes: `https://…`.
        if text.starts_with("://") {
            (Kind::Kept, 3)
        } else {
            (Kind::Kept, word.max(first))
        }
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn after(text: &str, end: &str, from: usize) -> usize {
    text.get(from..)
        .and_then(|tail| tail.find(end))
        .map_or(text.len(), |position| from + position + end.len())
}

fn raw_string(text: &str) -> Option<usize> {
    let tail = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = tail.len() - tail.trim_start_matches('#').len();
    let start = text.len() - tail.len() + hashes + 1;
    tail.get(hashes..)?.strip_prefix('"')?;
    Some(after(text, &format!("\"{}", "#".repeat(hashes)), start))
}

fn quoted(text: &str) -> usize {
    let quote = text.chars().next();
    let mut is_escaped = false;
    for (position, character) in text.char_indices().skip(1) {
        if !is_escaped && Some(character) == quote {
            return position + character.len_utf8();
        }
        is_escaped = !is_escaped && character == '\\';
    }
    text.len()
}

/// Returns the length of a literal in single quotes on one line; a lone quote is a lifetime or an
/// apostrophe.
fn short_quoted(text: &str) -> Option<usize> {
    let length = quoted(text);
    let literal = text.get(..length)?;
    let is_closed = literal.len() > 1 && literal.ends_with('\'') && !literal.contains('\n');
    let starts_lifetime = literal.chars().nth(2).is_some_and(|third| third != '\'')
        && literal
            .chars()
            .skip(1)
            .take_while(|character| is_word(*character))
            .count()
            > 0
        && literal.contains(['<', '>', '&', ':', ';', '(', ')', ',', '{', '}']);
    (is_closed && !starts_lifetime).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(without_comments(text), expected);
    }

    #[test]
    fn comments_become_spaces_and_lines_stay() {
        check("a // b\nc /* d\ne */ f", "a     \nc     \n     f");
    }

    #[test]
    fn strings_are_kept() {
        check(r#"x("// no", 'y') // yes"#, r#"x("// no", 'y')       "#);
        check(r##"r#"// " no"# // yes"##, r##"r#"// " no"#       "##);
        check("`// no` // yes", "`// no`       ");
        check(r#""\"// no" // yes"#, r#""\"// no"       "#);
        check("'\"' // yes", "'\"'       ");
        check("'// no' // yes", "'// no'       ");
    }

    #[test]
    fn lifetimes_open_no_literal() {
        check("fn f<'a>(x: &'a str) // '", "fn f<'a>(x: &'a str)     ");
    }

    #[test]
    fn addresses_are_no_comments() {
        check("url(https://x) // y", "url(https://x)     ");
    }
}
