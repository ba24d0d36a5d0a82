//! The rule that every row of the table in `docs/FAULTS.md` names a test that exists.

use super::sources::{SourceFile, Violation, numbered_lines};

const TABLE: &str = "docs/FAULTS.md";
const CASES_FOLDER: &str = "e2e/cases/";
/// The folder in `e2e/cases/` of the test files that the table of faults names without a folder.
const FAULTS_FOLDER: &str = "faults/";
/// The folders with tests in Rust; the table of faults names such a test's file by its whole path.
const RUST_FOLDERS: [&str; 2] = ["crates/", "tests/"];

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let Some(table) = sources.iter().find(|source| source.path == TABLE) else {
        return Vec::new();
    };
    let rows =
        numbered_lines(&table.text).filter(|(_, line)| line.starts_with("| ") && !is_head(line));
    rows.filter_map(|(number, line)| {
        let wrong = match parse_test(line) {
            None => "this row names no test: `file` \"words of its title\"".to_owned(),
            Some((file, words)) => {
                let path = path_in_table(file);
                let mut tests = sources.iter().filter(|source| source.path == path);
                if tests.any(|source| source.text.contains(words)) {
                    return None;
                }
                format!("{path} has no test with \"{words}\"")
            }
        };
        Some(table.violation(number, wrong))
    })
    .collect()
}

/// Returns the path in the repository of a test's file, which the table of faults names as `file`.
fn path_in_table(file: &str) -> String {
    if RUST_FOLDERS.iter().any(|folder| file.starts_with(folder)) {
        return format!("{file}.rs");
    }
    let folder = if file.contains('/') {
        ""
    } else {
        FAULTS_FOLDER
    };
    format!("{CASES_FOLDER}{folder}{file}.test.js")
}

fn is_head(line: &str) -> bool {
    line.ends_with("| Test |")
}

/// Returns the file of a test, and words of the test's name, from a row `` | … | `file` "words" |
/// `` of the table of faults; `None` if the row has another form.
fn parse_test(row: &str) -> Option<(&str, &str)> {
    let (_, cell) = row.strip_suffix("\" |")?.rsplit_once("| `")?;
    cell.split_once("` \"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(row: &str) -> Vec<String> {
        let source = |path: &str, text: &str| SourceFile {
            path: path.into(),
            text: text.into(),
        };
        let head = "| Fault | Test |\n|---|---|\n";
        let sources = [
            source(TABLE, &format!("{head}{row}\n")),
            source("tests/component/lists.rs", "fn a_list_is_read() {}"),
            source(
                "e2e/cases/faults/reads.test.js",
                "test(\"a list that fails\")",
            ),
        ];
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_row_names_a_test_that_is_there() {
        assert!(say("| a \"b\" | `reads` \"a list that\" |").is_empty());
        assert!(say("| a | `faults/reads` \"a list that\" |").is_empty());
        assert!(say("| a | `tests/component/lists` \"a_list_is_read\" |").is_empty());
        assert_eq!(
            say("| a | `tests/component/lists` \"a_list_is\" \"\" |").len(),
            1
        );
        assert_eq!(say("| a | `device/reads` \"a list that\" |").len(), 1);
        assert_eq!(say("| a | `reads` \"a thread that\" |").len(), 1);
        assert_eq!(say("| a | `stalls` \"a list that\" |").len(), 1);
        assert_eq!(say("| a | \"a list that\" |").len(), 1);
        assert_eq!(say("| a | |").len(), 1);
    }
}
