//! The rule that `ErrorCode` of `assent.d.ts` and the table in `docs/API.md` have exactly the codes
//! of the core's failures and those that the loader uses. TypeScript checks that the loader uses no
//! others.

use super::sources::{SourceFile, Violation};

const TYPES: &str = "web/loader/assent.d.ts";
/// The file whose function `FailureKind::code` has the codes of the core's failures.
const FAILURES_FILE: &str = "crates/conversation/src/failure.rs";
const LOADER: &str = "web/loader/element/lifecycle.js";
const DOCUMENT: &str = "docs/API.md";

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let find = |path: &str| sources.iter().find(|source| source.path == path);
    let (Some(types), Some(failures)) = (find(TYPES), find(FAILURES_FILE)) else {
        return Vec::new();
    };
    let (Some(loader), Some(document)) = (find(LOADER), find(DOCUMENT)) else {
        return Vec::new();
    };
    let typed = text_between(&types.text, "type ErrorCode =", ";");
    let typed: Vec<&str> = typed.split('"').skip(1).step_by(2).collect();
    let arms = text_between(&failures.text, "fn code(self)", "\n    }\n");
    let codes: Vec<&str> = arms.split('"').skip(1).step_by(2).collect();
    let mut violations = Vec::new();
    for code in &codes {
        if !typed.contains(code) {
            violations.push(types.violation(1, format!("`ErrorCode` has no \"{code}\"")));
        }
    }
    let rows = text_between(&document.text, "\n## Errors\n", "\n## ").lines();
    let documented: Vec<&str> = rows
        .filter_map(|row| row.strip_prefix("| `")?.split('`').next())
        .collect();
    for code in documented.iter().filter(|code| !typed.contains(code)) {
        violations.push(document.violation(1, format!("there is no code `{code}`")));
    }
    for code in typed {
        if !documented.contains(&code) {
            let message = format!("the table of errors has no `{code}`");
            violations.push(document.violation(1, message));
        }
        if !codes.contains(&code) && !loader.text.contains(&format!("\"{code}\"")) {
            violations.push(types.violation(1, format!("nothing fails with \"{code}\"")));
        }
    }
    violations
}

fn text_between<'text>(text: &'text str, begin: &str, end: &str) -> &'text str {
    let rest = text.split_once(begin).map_or("", |(_, rest)| rest);
    rest.split_once(end).map_or(rest, |(inside, _)| inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(types: &str) -> Vec<String> {
        say_both(
            types,
            "\n## Errors\n| `busy` | a |\n| `not-loaded` | a |\n\n## Other\n| `c` |\n",
        )
    }

    fn say_both(types: &str, document: &str) -> Vec<String> {
        let source = |path: &str, text: &str| SourceFile {
            path: path.into(),
            text: text.into(),
        };
        let sources = [
            source(TYPES, types),
            source(
                FAILURES_FILE,
                "fn code(self) {\n  Self::Busy => \"busy\",\n    }\n\"other\"\n",
            ),
            source(LOADER, "this.#giveUp(\"failed\", \"not-loaded\");"),
            source(DOCUMENT, document),
        ];
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn codes_of_the_core_and_of_the_loader_pass() {
        let types =
            "export type ErrorCode =\n  | \"busy\"\n  /** a */ | \"not-loaded\";\nlet a = \"b\";";
        assert_eq!(say(types), Vec::<String>::new());
    }

    #[test]
    fn differences_are_found_in_both_directions() {
        // A code that is missing is missing in the documentation's table, too, or there too many.
        assert_eq!(say("type ErrorCode = \"not-loaded\";").len(), 2);
        let other = "type ErrorCode = \"busy\" | \"other\" | \"not-loaded\";";
        assert_eq!(say(other).len(), 2);
        let types = "type ErrorCode = \"busy\" | \"not-loaded\";";
        let document = "\n## Errors\n| `busy` | a |\n| `gone` | a |\n";
        assert_eq!(say_both(types, document).len(), 2);
    }
}
