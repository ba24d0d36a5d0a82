//! The rule that the tests which `SECURITY.md` names for its promises exist: functions in Rust,
//! titles of tests in JavaScript, and files or folders.

use super::sources::{SourceFile, Violation, numbered_lines};

const PROMISES_FILE: &str = "SECURITY.md";
/// The end of the header line of the table of promises: its last column names the tests.
const GUARD_HEADER: &str = "| guarded by |";

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let Some(page) = sources.iter().find(|source| source.path == PROMISES_FILE) else {
        return Vec::new();
    };
    let mut is_guarded = false;
    let mut violations = Vec::new();
    for (number, line) in numbered_lines(&page.text) {
        is_guarded = line.starts_with('|') && (is_guarded || line.ends_with(GUARD_HEADER));
        let is_row = is_guarded && !line.ends_with(GUARD_HEADER) && !line.starts_with("|-");
        let guards = if is_row {
            quoted_pieces(
                line.trim_end_matches([' ', '|'])
                    .rsplit(" | ")
                    .next()
                    .unwrap_or_default(),
            )
        } else if line.starts_with("- ") {
            line.split('(')
                .skip(1)
                .flat_map(tests_in_parentheses)
                .collect()
        } else {
            continue;
        };
        if is_row && guards.is_empty() {
            violations.push(page.violation(number, "this promise names no test"));
        }
        let missing = guards
            .into_iter()
            .filter(|guard| !guard_exists(guard, sources));
        violations.extend(
            missing.map(|guard| {
                page.violation(number, format!("there is no test or file \"{guard}\""))
            }),
        );
    }
    violations
}

/// Returns the tests that are named in parentheses, of which `remark` is the text behind the
/// opening one; none if that does not begin with code.
fn tests_in_parentheses(remark: &str) -> Vec<&str> {
    let remark = remark.split(')').next().unwrap_or_default();
    if remark.starts_with('`') {
        quoted_pieces(remark)
    } else {
        Vec::new()
    }
}

/// Returns the parts of a text that stand between backticks or quotation marks.
fn quoted_pieces(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(begin) = rest.find(['`', '"']) {
        let (mark, inside) = rest.split_at(begin).1.split_at(1);
        let Some((part, behind)) = inside.split_once(mark) else {
            break;
        };
        parts.push(part);
        rest = behind;
    }
    parts
}

fn guard_exists(guard: &str, sources: &[SourceFile]) -> bool {
    let function = format!("fn {guard}(");
    let titles = ["\"", "`"].map(|quote| format!("test({quote}{guard}"));
    sources.iter().any(|source| match source.extension() {
        _ if source.path.starts_with(guard) => true,
        "rs" => source.text.contains(&function),
        "js" => titles.iter().any(|title| source.text.contains(title)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(line: &str) -> Vec<String> {
        let source = |path: &str, text: &str| SourceFile {
            path: path.into(),
            text: text.into(),
        };
        let head = "| guaranteed | how | guarded by |\n|---|---|---|\n";
        let sources = [
            source(PROMISES_FILE, &format!("{head}{line}\n")),
            source("service/tests/a.rs", "async fn it_is_kept() {}"),
            source(
                "e2e/cases/a/a.test.js",
                "test(\"it is kept, always\", () => {});",
            ),
        ];
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_promise_names_tests_that_are_there() {
        for row in [
            "| a | `how` | `it_is_kept` |",
            "| a | \"how\" | `it_is_kept`; \"it is kept, always\" |",
            "| a | b | `e2e/cases/a` |",
            "\n- It is kept (`it_is_kept`), see `X`.",
            "\n- Not a test (as `X` says).",
        ] {
            assert_eq!(say(row), [""; 0], "{row}");
        }
        for row in [
            "| a | b | c |",
            "| a | b | `it_is` |",
            "| a | b | `it_is_kept`, `it_is_lost` |",
            "| a | b | \"kept, always\" |",
            "| a | b | `e2e/cases/b` |",
            "\n- It is kept (`it_is_lost`).",
        ] {
            assert_eq!(say(row).len(), 1, "{row}");
        }
    }
}
