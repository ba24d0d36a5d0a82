//! The rule that the table in `docs/PARTS.md` has exactly the values of the attribute `part` that
//! the sources set on elements.

use super::sources::{SourceFile, Violation, numbered_lines};
use std::collections::BTreeMap;

const TABLE: &str = "docs/PARTS.md";
/// The folders with the sources of elements that have a `part`.
const SOURCE_FOLDERS: &[&str] = &["src/components/", "web/loader/"];
/// The value of `part` that pages must not use, so that the table does not have it.
const PRIVATE_PART: &str = "root";

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let Some(table) = sources.iter().find(|source| source.path == TABLE) else {
        return Vec::new();
    };
    let mut documented = BTreeMap::new();
    for (line, text) in numbered_lines(&table.text) {
        let cell = text
            .strip_prefix("| ")
            .and_then(|row| row.split('|').next());
        // Every second piece stands between backticks.
        let names = cell.unwrap_or_default().split('`').skip(1).step_by(2);
        documented.extend(names.map(|name| (name, line)));
    }
    let mut violations = Vec::new();
    let mut used = vec![PRIVATE_PART];
    for source in sources.iter().filter(|source| source.is_in(SOURCE_FOLDERS)) {
        for (line, text) in numbered_lines(&source.text) {
            for part in parts_in_line(text) {
                if part != PRIVATE_PART && !documented.contains_key(part) {
                    violations
                        .push(source.violation(line, format!("{TABLE} has no part `{part}`")));
                }
                used.push(part);
            }
        }
    }
    for (part, line) in documented {
        if !used.contains(&part) {
            violations.push(table.violation(line, format!("no element has the part `{part}`")));
        }
    }
    violations
}

/// Returns the values of the attribute `part` that a line sets: `part="send"` in a view, or `part:
/// "send"` in JavaScript.
fn parts_in_line(line: &str) -> impl Iterator<Item = &str> {
    ["part=\"", "part: \""].into_iter().flat_map(|begin| {
        let rests = line.split(begin).skip(1);
        rests.filter_map(|rest| Some(rest.split_once('"')?.0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(table: &str, code: &str) -> Vec<String> {
        let source = |path: &str, text: &str| SourceFile {
            path: path.into(),
            text: text.into(),
        };
        let sources = [
            source(TABLE, table),
            source("src/components/composer.rs", code),
            source(
                "web/loader/element/panel.js",
                "el(\"div\", { part: \"root\" })",
            ),
        ];
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn documented_parts_pass() {
        let table =
            "| part | role |\n|---|---|\n| `send`, `stop` | button `Send` |\n| (in `send`) | |\n";
        let code = "<button part=\"send\"/>\n<Menu part=\"stop\"/>\n";
        assert_eq!(say(table, code), Vec::<String>::new());
    }

    #[test]
    fn differences_are_found_in_both_directions() {
        assert_eq!(say("| `send` | |\n", "").len(), 1);
        assert_eq!(say("", "<button part=\"send\"/>").len(), 1);
        assert_eq!(say("", "el(\"button\", { part: \"send\" })").len(), 1);
    }
}
