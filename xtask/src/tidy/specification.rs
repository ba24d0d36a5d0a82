//! The rule that sections of the specification that code and tests cite exist in
//! docs/SPECIFICATION.md.

use super::sources::{SourceFile, Violation, numbered_lines};

const SPECIFICATION_FILE: &str = "docs/SPECIFICATION.md";
/// The text before the name of a cited section, in two parts, so that this file itself has no
/// citation.
const CITATION: [&str; 2] = ["pecifi", "cation, "];

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let Some(document) = sources
        .iter()
        .find(|source| source.path == SPECIFICATION_FILE)
    else {
        return Vec::new();
    };
    let headings: Vec<&str> = document.text.lines().filter_map(heading).collect();
    let citation = CITATION.concat();
    let mut violations = Vec::new();
    let code = sources
        .iter()
        .filter(|it| it.path != SPECIFICATION_FILE && ["rs", "js"].contains(&it.extension()));
    for source in code {
        for (number, line) in numbered_lines(&source.text) {
            let cited = line
                .split(&citation)
                .skip(1)
                .filter(|it| is_section_name(it));
            for cited in cited.filter(|cited| !headings.iter().any(|it| names_section(cited, it))) {
                let message = format!("{SPECIFICATION_FILE} has no section for `{cited}`");
                violations.push(source.violation(number, message));
            }
        }
    }
    violations
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    (text.len() < line.len()).then(|| text.trim().trim_matches('`'))
}

/// Returns true if the text behind a citation's beginning is the name of a section: it begins with
/// a capital letter.
fn is_section_name(cited: &str) -> bool {
    let mut letters = cited.chars().filter(|letter| letter.is_alphabetic());
    letters.next().is_some_and(char::is_uppercase)
}

/// Returns true if `cited`, the rest of a line, begins with the section's name `heading`, or is the
/// beginning of it that goes on in the next line.
fn names_section(cited: &str, heading: &str) -> bool {
    let cited = cited.trim().replace(['`', '*'], "");
    cited.is_empty() || cited.starts_with(heading) || heading.starts_with(&cited)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> SourceFile {
        SourceFile {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn a_section_that_the_document_lacks_is_named_and_others_are_not() {
        let document = source(
            SPECIFICATION_FILE,
            "# Interface\n\n## Batch rules\n\n### `Agent`\n",
        );
        let citation = CITATION.concat();
        for (cited, expected) in [
            ("Batch rules, 4).", 0),
            ("Batch", 0),
            ("`Agent`)", 0),
            ("in its own words", 0),
            ("Rules of batches).", 1),
        ] {
            let code = source("src/a.rs", &format!("//! The s{citation}{cited}\n"));
            let violations = check(&[source(SPECIFICATION_FILE, &document.text), code]);
            assert_eq!(violations.len(), expected, "{cited}");
        }
    }
}
