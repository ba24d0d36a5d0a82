//! The rule that no module, file or folder has a name that says nothing about what is in it, such
//! as `utils`.

use super::sources::{SourceFile, Violation, numbered_lines};

const EMPTY_NAMES: [&str; 6] = ["util", "utils", "helper", "helpers", "manager", "misc"];

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in sources.iter().filter(|source| is_code(source)) {
        let mut names = source
            .path
            .split('/')
            .map(|part| part.split('.').next().unwrap_or(part));
        if let Some(name) = names.find(|name| EMPTY_NAMES.contains(name)) {
            violations.push(source.violation(1, refusal(name)));
        }
        for (number, line) in numbered_lines(&source.text) {
            let declared = line
                .trim_start()
                .trim_start_matches("pub ")
                .trim_start_matches("pub(crate) ");
            let name = declared
                .strip_prefix("mod ")
                .map(|rest| rest.trim_end_matches([' ', '{', ';']));
            if let Some(name) = name.filter(|name| EMPTY_NAMES.contains(name)) {
                violations.push(source.violation(number, refusal(name)));
            }
        }
    }
    violations
}

fn is_code(source: &SourceFile) -> bool {
    ["rs", "js", "mjs", "ts", "css"].contains(&source.extension())
}

fn refusal(name: &str) -> String {
    format!("`{name}` says nothing: name the module after its main item")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sources::messages_of;

    #[test]
    fn empty_names_are_found_in_paths_and_declarations() {
        assert_eq!(
            messages_of(check, "crates/client/src/utils.rs", "").len(),
            1
        );
        assert_eq!(messages_of(check, "e2e/helpers/click.js", "").len(), 1);
        assert_eq!(
            messages_of(check, "src/lib.rs", "pub(crate) mod misc;\n").len(),
            1
        );
        assert_eq!(
            messages_of(check, "src/lib.rs", "mod manager {\n}\n").len(),
            1
        );
        assert!(messages_of(check, "crates/client/src/stream.rs", "mod store;\n").is_empty());
    }
}
