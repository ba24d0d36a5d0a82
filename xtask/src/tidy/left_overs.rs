//! The rule that no file has words that are left over from unfinished work, and that no test is
//! switched off or waits for a fixed time.

use super::sources::{SourceFile, Violation, numbered_lines};

/// Words that no source file may have, because they mark unfinished work.
const FORBIDDEN_EVERYWHERE: [&str; 8] = [
    "todo!",
    "unimplemented!",
    "dbg!",
    "FIXME",
    "TODO",
    "XXX",
    "HACK",
    "#[ignore",
];
/// Words that no file in `e2e/` may have, except measurements.
const FORBIDDEN_IN_E2E: [&str; 8] = [
    "test.only",
    "test.skip",
    "test.fixme",
    "test.fail(",
    "describe.only",
    "describe.skip",
    "waitForTimeout",
    "page.pause",
];
/// Words that no file in a folder `tests` may have.
const FORBIDDEN_IN_TESTS: [&str; 2] = ["thread::sleep", "time::sleep"];
/// Words that code which runs in a page may not have, because they write to the page's console.
const FORBIDDEN_IN_PAGE: [&str; 5] = [
    "console.log",
    "console.debug",
    "console::log",
    "debugger",
    "println!",
];

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in sources.iter().filter(|source| is_checked(source)) {
        let mut words: Vec<&str> = FORBIDDEN_EVERYWHERE.to_vec();
        // A measurement waits for time on purpose.
        if source.is_in(&["e2e/"]) && !source.is_in(&["e2e/bench/"]) {
            words.extend(FORBIDDEN_IN_E2E);
        }
        if source.path.split('/').any(|folder| folder == "tests") {
            words.extend(FORBIDDEN_IN_TESTS);
        }
        if source.is_in(&["src/", "web/", "crates/client/", "crates/renderer/"]) {
            words.extend(FORBIDDEN_IN_PAGE);
        }
        for (number, line) in numbered_lines(&source.text) {
            for word in words.iter().filter(|word| line.contains(**word)) {
                violations.push(source.violation(number, format!("left over: `{word}`")));
            }
        }
    }
    violations
}

fn is_checked(source: &SourceFile) -> bool {
    // The rules spell out the words that they look for.
    let is_code =
        ["rs", "js", "mjs", "ts", "css", "toml", "sql", "html"].contains(&source.extension());
    is_code && !source.is_in(&["xtask/src/tidy/"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sources::messages_of;

    #[test]
    fn left_overs_are_found_where_they_must_not_be() {
        assert_eq!(
            messages_of(check, "service/src/a.rs", "// FIXME later\n").len(),
            1
        );
        assert_eq!(messages_of(check, "tests/a.rs", "#[ignore]\n").len(), 1);
        assert_eq!(
            messages_of(check, "e2e/cases/a/a.test.js", "test.only('x')\n").len(),
            1
        );
        let nap = "tokio::time::sleep(second).await;\n";
        assert_eq!(messages_of(check, "service/tests/a.rs", nap).len(), 1);
        assert!(messages_of(check, "service/src/a.rs", nap).is_empty());
        assert_eq!(
            messages_of(check, "web/loader/element/panel.js", "console.log(1)\n").len(),
            1
        );
        assert!(messages_of(check, "web/loader/element/panel.js", "console.warn(1)\n").is_empty());
        assert!(messages_of(check, "e2e/servers/a.js", "console.log(1)\n").is_empty());
    }
}
