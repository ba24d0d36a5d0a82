//! The rule that no file names a folder of the machine that it was written on.

use super::sources::{SourceFile, Violation, numbered_lines};

/// The folders that no file may name, each spelled in halves, so that this file passes its own
/// rule.
const FOLDERS: [(&str, &str); 5] = [
    ("/ho", "me/"),
    ("/ro", "ot/"),
    ("/wo", "rk/"),
    ("/Us", "ers/"),
    ("/tm", "p/"),
];

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in sources {
        for (number, line) in numbered_lines(&source.text) {
            for (first, second) in FOLDERS {
                let folder = [first, second].concat();
                if names_absolute(line, &folder) {
                    let message = format!("a path of one machine (`{folder}…`)");
                    violations.push(source.violation(number, message));
                }
            }
        }
    }
    violations
}

/// Returns true if a path in the line begins with `folder`; a path or an address that contains it
/// further inside does not count.
fn names_absolute(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(position, _)| {
        let before = line
            .get(..position)
            .and_then(|head| head.chars().next_back());
        before.is_none_or(|character| {
            !character.is_alphanumeric() && !"./~$}_-*>".contains(character)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sources::messages_of;

    #[test]
    fn absolute_paths_are_found_and_relative_ones_are_not() {
        for (first, second) in FOLDERS {
            let folder = [first, second].concat();
            assert_eq!(
                messages_of(check, "a.md", &format!("see {folder}x\n")).len(),
                1
            );
            assert_eq!(
                messages_of(check, "a.toml", &format!("x = \"{folder}x\"\n")).len(),
                1
            );
            assert!(messages_of(check, "a.md", &format!("see target{folder}x\n")).is_empty());
            assert!(
                messages_of(check, "a.md", &format!("https://a.example{folder}x\n")).is_empty()
            );
        }
    }
}
