//! The rule that code in the page does not turn text into markup or code, and has no `style`
//! attributes: strict policies and Trusted Types refuse both. `cargo xtask dist` finds what `view!`
//! makes of static markup.

use super::sources::{SourceFile, Violation, numbered_lines};
use crate::comments::without_comments;

const FORBIDDEN_MARKUP: [&str; 12] = [
    "innerHTML",
    "inner_html",
    "outerHTML",
    "outer_html",
    "insertAdjacentHTML",
    "insert_adjacent_html",
    "createContextualFragment",
    "document.write",
    "eval(",
    "new Function",
    "style=\"",
    "setAttribute(\"style\"",
];

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let in_the_page = |source: &&SourceFile| {
        source.is_in(&["src/", "web/", "crates/client/src/", "crates/renderer/src/"])
            && ["rs", "js", "mjs"].contains(&source.extension())
    };
    sources
        .iter()
        .filter(in_the_page)
        .flat_map(check_source)
        .collect()
}

fn check_source(source: &SourceFile) -> Vec<Violation> {
    let code = without_comments(&source.text);
    let mut violations = Vec::new();
    for (number, line) in numbered_lines(&code) {
        for word in FORBIDDEN_MARKUP.iter().filter(|word| has_word(line, word)) {
            let message = format!("`{word}` does not run under Trusted Types and a strict policy");
            violations.push(source.violation(number, message));
        }
    }
    violations
}

/// Returns true if the forbidden word is in the line. `eval(` has to stand alone, so that
/// `medieval(` is none; other words may be a part of a longer one, such as `set_inner_html`.
fn has_word(line: &str, word: &str) -> bool {
    let is_whole_word = word == "eval(";
    line.match_indices(word).any(|(position, _)| {
        let before = line
            .get(..position)
            .and_then(|head| head.chars().next_back());
        let starts =
            before.is_none_or(|character| !character.is_alphanumeric() && character != '_');
        starts || !is_whole_word
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sources::messages_of;

    fn assert_found(path: &str, text: &str) {
        assert_eq!(messages_of(check, path, text).len(), 1, "{text}");
    }

    #[test]
    fn ways_from_text_to_markup_or_code_are_found() {
        assert_found("web/loader/element/panel.js", "root.innerHTML = text;\n");
        assert_found(
            "crates/client/src/dom.rs",
            "element.set_inner_html(text);\n",
        );
        assert_found("web/loader/element/panel.js", "const x = eval(text);\n");
        assert_found("web/loader/element/panel.js", "new Function(text)();\n");
        assert_found(
            "src/components/app.rs",
            "view! { <p style=\"color: red\"></p> }\n",
        );
    }

    #[test]
    fn comments_and_other_words_are_left_alone() {
        let text =
            "// never innerHTML\nmedieval(x);\nscript-src 'wasm-unsafe-eval' (x)\nstyle:width=w\n";
        assert!(messages_of(check, "web/loader/element/panel.js", text).is_empty());
    }
}
