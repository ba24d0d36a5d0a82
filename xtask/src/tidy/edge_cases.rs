//! The rule that every numbered edge case of the conversation core has a test that carries its
//! number, and the other way round.

use super::sources::{SourceFile, Violation, numbered_lines};

const LIST_FILE: &str = "crates/conversation/EDGE_CASES.md";
const TESTS_FOLDER: &str = "crates/conversation/";

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let Some(list) = sources.iter().find(|source| source.path == LIST_FILE) else {
        return Vec::new();
    };
    let cases: Vec<(usize, u32)> = numbered_lines(&list.text)
        .filter_map(|(line, text)| Some((line, case_number(text)?)))
        .collect();
    let tests: Vec<(&SourceFile, usize, u32)> = sources
        .iter()
        .filter(|source| source.is_in(&[TESTS_FOLDER]) && source.extension() == "rs")
        .flat_map(|source| {
            numbered_lines(&source.text).map(move |(line, text)| (source, line, text))
        })
        .flat_map(|(source, line, text)| {
            test_numbers(text)
                .into_iter()
                .map(move |number| (source, line, number))
        })
        .collect();
    let mut violations = Vec::new();
    for (index, (line, number)) in cases.iter().enumerate() {
        if cases
            .iter()
            .take(index)
            .any(|(_, earlier)| earlier == number)
        {
            violations.push(list.violation(*line, format!("E{number} is there twice")));
        }
        if !tests.iter().any(|(_, _, tested)| tested == number) {
            let message = format!("E{number} has no test with `e{number}_` in its name");
            violations.push(list.violation(*line, message));
        }
    }
    for (source, line, number) in tests {
        if !cases.iter().any(|(_, listed)| *listed == number) {
            let message = format!("E{number} is tested but not listed in EDGE_CASES.md");
            violations.push(source.violation(line, message));
        }
    }
    violations
}

/// Returns the number of the edge case that a line of the list describes: 12 for `- E12. …`; `None`
/// for other lines.
fn case_number(line: &str) -> Option<u32> {
    line.strip_prefix("- ")
        .unwrap_or(line)
        .strip_prefix('E')?
        .split_once('.')?
        .0
        .parse()
        .ok()
}

/// Returns the numbers of the edge cases that a test has in its name: 12 and 13 if the line
/// declares `fn e12_e13_…` or `fn stop_e12_e13_…`.
fn test_numbers(line: &str) -> Vec<u32> {
    let Some((_, declared)) = line.split_once("fn ") else {
        return Vec::new();
    };
    let name = declared.split(['(', '<']).next().unwrap_or_default();
    let mut parts: Vec<&str> = name.split('_').collect();
    // The number is followed by an underscore, so the last part is none.
    parts.pop();
    parts
        .iter()
        .filter_map(|part| part.strip_prefix('e')?.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(list: &str, test: &str) -> Vec<String> {
        let source = |path: &str, text: &str| SourceFile {
            path: path.into(),
            text: text.into(),
        };
        let sources = [
            source(LIST_FILE, list),
            source("crates/conversation/tests/edge.rs", test),
        ];
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_case_needs_a_test_and_each_test_a_case() {
        assert!(say("- E1. a\n- E12. b\n", "fn e1_a() {}\nfn stop_e12_b() {}\n").is_empty());
        assert_eq!(say("E1. a\nE12. b\n", "fn e12_b() {}\n").len(), 1);
        assert_eq!(say("E1. a\n", "fn e1_a() {}\nfn e2_b() {}\n").len(), 1);
        assert_eq!(say("E1. a\nE1. b\n", "fn e1_a() {}\n").len(), 1);
        assert_eq!(say("E1. a\n", "fn e11_a() {}\n").len(), 2);
    }

    #[test]
    fn one_test_may_cover_several_cases() {
        assert!(say("E1. a\nE2. b\n", "    fn e1_e2_both() {\n").is_empty());
    }
}
