//! Removes comments from source text before rules are checked: a comment may name what the code
//! must not do.

/// Returns source text of Rust, JavaScript or CSS without comments, with the same number of lines.
/// A comment starts at the beginning of a line or after white space, so that the `//` of an address
/// is none.
pub(crate) fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = comment_start(rest) {
        let (before, comment) = rest.split_at(start);
        let end = match comment.starts_with("//") {
            true => comment.find('\n'),
            false => comment.find("*/").map(|end| end + 2),
        };
        let (comment, after) = comment.split_at(end.unwrap_or(comment.len()));
        code.push_str(before);
        code.extend(comment.matches('\n'));
        rest = after;
    }
    code + rest
}

fn comment_start(text: &str) -> Option<usize> {
    let starts = text
        .match_indices('/')
        .map(|(position, _)| text.split_at(position));
    starts
        .filter(|(before, _)| before.is_empty() || before.ends_with(char::is_whitespace))
        .find(|(_, after)| after.starts_with("//") || after.starts_with("/*"))
        .map(|(before, _)| before.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_lines_stay() {
        let text = "a // b\nc /* d\ne */ f\n// g\n";
        assert_eq!(without_comments(text), "a \nc \n f\n\n");
    }

    #[test]
    fn addresses_and_patterns_stay() {
        let text = "url(https://x) \"//x\" 'a/*' a//b";
        assert_eq!(without_comments(text), text);
    }
}
