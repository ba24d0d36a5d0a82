//! The rule that the values in the loader's own style sheet, with which it draws the panel before
//! the widget's style sheet arrives, are those of `style/tokens.css`.

use super::sources::{SourceFile, Violation, line_of};
use crate::comments::without_comments;

const TOKENS_FILE: &str = "style/tokens.css";
const LOADER: &str = "web/loader/frame.js";

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let find = |path: &str| sources.iter().find(|source| source.path == path);
    let (Some(tokens), Some(loader)) = (find(TOKENS_FILE), find(LOADER)) else {
        return Vec::new();
    };
    let sheet = without_comments(&tokens.text);
    let mut known: Vec<(String, String)> = declarations(&sheet);
    known.extend(
        fallbacks(&sheet)
            .into_iter()
            .map(|(_, name, value)| (name, value)),
    );
    let script = without_comments(&loader.text);
    let mut violations = Vec::new();
    for (position, name, value) in fallbacks(&script) {
        let values: Vec<&str> = known
            .iter()
            .filter(|(token, _)| *token == name)
            .map(|(_, value)| value.as_str())
            .collect();
        let message = match values.as_slice() {
            [] => format!("`{name}` is not in {TOKENS_FILE}"),
            values if values.contains(&value.as_str()) => continue,
            values => format!(
                "`{name}` is `{value}` here and `{}` in {TOKENS_FILE}",
                values.join("` or `")
            ),
        };
        violations.push(loader.violation(line_of(&script, position), message));
    }
    violations
}

/// Returns the name and the value of every declaration `--assent-…: value;` in a style sheet.
fn declarations(sheet: &str) -> Vec<(String, String)> {
    sheet
        .split(['{', '}', ';'])
        .filter_map(|declaration| declaration.split_once(':'))
        .map(|(name, value)| (name.trim().to_owned(), in_one_line(value)))
        .filter(|(name, _)| name.starts_with("--assent-"))
        .collect()
}

/// Returns the position, the name and the value of every `var(--assent-…, value)` in a text.
fn fallbacks(text: &str) -> Vec<(usize, String, String)> {
    text.match_indices("var(--assent-")
        .filter_map(|(position, _)| {
            let inside = until_parenthesis(text.get(position + "var(".len()..)?);
            let (name, value) = inside.split_once(',')?;
            Some((position, name.trim().to_owned(), in_one_line(value)))
        })
        .collect()
}

fn until_parenthesis(text: &str) -> &str {
    let mut depth = 1_i32;
    let end = text.find(|character: char| {
        depth += i32::from(character == '(') - i32::from(character == ')');
        depth == 0
    });
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

fn in_one_line(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(tokens: &str, loader: &str) -> Vec<String> {
        let source = |path: &str, text: &str| SourceFile {
            path: path.into(),
            text: text.into(),
        };
        let sources = [source(TOKENS_FILE, tokens), source(LOADER, loader)];
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn equal_values_pass_in_whatever_lines_they_stand() {
        let tokens = ":host { --assent-a: light-dark(#fff,\n    rgb(0 0 0)); --assent-b: 1px }";
        let loader = "`x { color: var(--assent-a, light-dark(#fff, rgb(0 0 0))); inset: var(--assent-b,1px) }`";
        assert_eq!(say(tokens, loader), Vec::<String>::new());
    }

    #[test]
    fn another_value_and_an_unknown_token_are_found() {
        assert_eq!(
            say(":host { --assent-a: 1px; }", "`var(--assent-a, 2px)`").len(),
            1
        );
        assert_eq!(
            say(":host { --assent-a: 1px; }", "`var(--assent-c, 1px)`").len(),
            1
        );
    }

    #[test]
    fn a_use_without_a_fallback_is_left_alone() {
        assert!(say(":host { --assent-a: 1px; }", "`var(--assent-a)`").is_empty());
    }
}
