//! The rule that the type `ErrorCode` has the codes of failures, and those of the loader. That the
//! loader uses no others is checked by TypeScript.

use super::sources::{Source, Violation};

const TYPES: &str = "web/loader/assent.d.ts";
/// The core's codes: the arms of `FailureKind::code`.
const FAILURES: &str = "crates/conversation/src/failure.rs";
const LOADER: &str = "web/loader/element.js";

pub(crate) fn check(sources: &[Source]) -> Vec<Violation> {
    let find = |path: &str| sources.iter().find(|source| source.path == path);
    let (Some(types), Some(failures), Some(loader)) = (find(TYPES), find(FAILURES), find(LOADER))
    else {
        return Vec::new();
    };
    let typed = between(&types.text, "type ErrorCode =", ";");
    let typed: Vec<&str> = typed.split('"').skip(1).step_by(2).collect();
    let arms = between(&failures.text, "fn code(self)", "\n    }\n");
    let codes: Vec<&str> = arms.split('"').skip(1).step_by(2).collect();
    let mut violations = Vec::new();
    for code in &codes {
        if !typed.contains(code) {
            violations.push(types.violation(1, format!("`ErrorCode` has no \"{code}\"")));
        }
    }
    for code in typed {
        if !codes.contains(&code) && !loader.text.contains(&format!("\"{code}\"")) {
            violations.push(types.violation(1, format!("nothing fails with \"{code}\"")));
        }
    }
    violations
}

fn between<'text>(text: &'text str, begin: &str, end: &str) -> &'text str {
    let rest = text.split_once(begin).map_or("", |(_, rest)| rest);
    rest.split_once(end).map_or(rest, |(inside, _)| inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(types: &str) -> Vec<String> {
        let source = |path: &str, text: &str| Source {
            path: path.into(),
            text: text.into(),
        };
        let sources = [
            source(TYPES, types),
            source(
                FAILURES,
                "fn code(self) {\n  Self::Busy => \"busy\",\n    }\n\"other\"\n",
            ),
            source(LOADER, "this.#giveUp(\"failed\", \"not-loaded\");"),
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
        assert_eq!(say("type ErrorCode = \"not-loaded\";").len(), 1);
        assert_eq!(say("type ErrorCode = \"busy\" | \"other\";").len(), 1);
    }
}
