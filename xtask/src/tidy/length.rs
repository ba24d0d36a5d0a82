//! The rule that no source file has more than 400 lines; tests and recorded data may have more.

use super::sources::{SourceFile, Violation};

const MAX_LINES: usize = 400;
const EXTENSIONS: [&str; 6] = ["rs", "js", "mjs", "css", "ts", "sql"];

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    sources
        .iter()
        .filter(|source| EXTENSIONS.contains(&source.extension()) && !source.is_test_or_data())
        .filter_map(|source| {
            let lines = source.text.lines().count();
            let message = format!("{lines} lines: split it, {MAX_LINES} are the most");
            (lines > MAX_LINES).then(|| source.violation(MAX_LINES + 1, message))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sources::messages_of;

    #[test]
    fn a_long_file_is_found_and_a_long_test_is_not() {
        let long = "x\n".repeat(401);
        assert_eq!(messages_of(check, "src/components/app.rs", &long).len(), 1);
        assert_eq!(messages_of(check, "style/app.css", &long).len(), 1);
        assert!(messages_of(check, "src/components/app.rs", &"x\n".repeat(400)).is_empty());
        assert!(messages_of(check, "service/tests/stream.rs", &long).is_empty());
        assert!(messages_of(check, "README.md", &long).is_empty());
    }
}
