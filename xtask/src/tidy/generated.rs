//! The rule that generated files are as `cargo xtask generate` would write them.

use super::sources::{SourceFile, Violation};
use crate::generate;
use crate::locales;

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let find = |path: &str| sources.iter().find(|source| source.path == path);
    let read = |path: &str| find(path).map(|source| source.text.clone());
    let violation = |path: &str, message: String| Violation {
        path: path.to_owned(),
        line: 1,
        message,
    };
    let files = sources
        .iter()
        .filter_map(|it| it.path.strip_prefix(locales::FOLDER));
    let tags: Vec<&str> = files.filter_map(locales::tag_of).collect();
    let outputs = match generate::generated_files(&read, &tags) {
        Ok(outputs) => outputs,
        Err(message) => return vec![violation("xtask/src/generate/mod.rs", message)],
    };
    let different = outputs
        .iter()
        .filter(|output| read(output.path).as_ref() != Some(&output.text));
    let message = "differs from its table: run `cargo xtask generate`";
    different
        .map(|output| violation(output.path, message.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sources;
    use crate::workspace::Workspace;

    #[test]
    fn a_changed_table_is_noticed_in_every_file_that_repeats_it() {
        let mut sources = sources::collect_sources(&Workspace::locate().unwrap()).unwrap();
        let mut change = |path: &str, from: &str, to: &str| {
            let source = sources.iter_mut().find(|source| source.path == path);
            let source = source.unwrap();
            assert!(source.text.contains(from), "{from}");
            source.text = source.text.replace(from, to);
        };
        change(
            "crates/i18n/locales/en.toml",
            "\"Open chat\"",
            "\"Open the chat\"",
        );
        change(
            "web/attributes.toml",
            "\"user-id-header\"",
            "\"user-header\"",
        );
        sources.retain(|source| source.path != "crates/i18n/locales/de.toml");
        let paths: Vec<String> = check(&sources).into_iter().map(|it| it.path).collect();
        let expected = [
            "web/loader/texts.js",
            "web/loader/assent.d.ts",
            "web/loader/attributes.js",
            "web/history/attributes.js",
            "public/demo/playground/attributes.js",
            "docs/ATTRIBUTES.md",
            "web/languages/tags.js",
        ];
        assert_eq!(paths, expected);
    }
}
