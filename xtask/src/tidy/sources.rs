//! The files that the rules of tidy read, and the violations that they report.

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;

/// The folder with code of others, which is not checked by the rules.
const VENDORED_FOLDER: &str = "vendor/pulldown-cmark/";

/// One text file of the repository.
pub(crate) struct SourceFile {
    /// The path of the file relative to the root, with forward slashes.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl SourceFile {
    /// Returns the part of the path after its last dot, such as `rs`.
    pub(crate) fn extension(&self) -> &str {
        self.path
            .rsplit_once('.')
            .map_or("", |(_, extension)| extension)
    }

    /// Returns true for tests, recorded data and TypeScript declarations, which some rules do not
    /// check.
    pub(crate) fn is_test_or_data(&self) -> bool {
        let folders = ["tests", "test_data", "transcripts", "e2e"];
        self.path.ends_with(".d.ts") || self.path.split('/').any(|folder| folders.contains(&folder))
    }

    /// Returns true if the file's path begins with one of `folders`, which end with a slash.
    pub(crate) fn is_in(&self, folders: &[&str]) -> bool {
        folders.iter().any(|folder| self.path.starts_with(folder))
    }

    /// Returns a violation in this file, at a line counted from 1, with a message for the author.
    pub(crate) fn violation(&self, line: usize, message: impl Into<String>) -> Violation {
        Violation {
            path: self.path.clone(),
            line,
            message: message.into(),
        }
    }
}

/// A line of a file that breaks a rule, and a message that says which.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Violation {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// Returns every text file of the repository that git tracks or would add, except code of others.
pub(crate) fn collect_sources(workspace: &Workspace) -> Result<Vec<SourceFile>, Error> {
    let list = process::standard_output(workspace.command("git").args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
        "--deduplicate",
    ]))
    .ok_or_else(|| Error::Wrong("tidy reads the list of files from git, which failed".into()))?;
    // Pictures are no text, and a file that was just deleted is still in git's list: both are
    // skipped.
    let read = |path: &str| std::fs::read_to_string(workspace.path(path)).ok();
    let paths = list.split('\0');
    let paths = paths.filter(|path| !path.is_empty() && !path.starts_with(VENDORED_FOLDER));
    Ok(paths
        .filter_map(|path| {
            Some(SourceFile {
                path: path.to_owned(),
                text: read(path)?,
            })
        })
        .collect())
}

/// Returns the lines of a text, each with its number, counted from 1.
pub(crate) fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line))
}

/// Returns the number, counted from 1, of the line that contains the byte position `byte`.
pub(crate) fn line_of(text: &str, byte: usize) -> usize {
    1 + text
        .bytes()
        .take(byte)
        .filter(|byte| *byte == b'\n')
        .count()
}

/// Returns the messages of a rule about one made-up file, for the tests of the rules.
#[cfg(test)]
pub(crate) fn messages_of(
    rule: fn(&[SourceFile]) -> Vec<Violation>,
    path: &str,
    text: &str,
) -> Vec<String> {
    let sources = [SourceFile {
        path: path.to_owned(),
        text: text.to_owned(),
    }];
    rule(&sources).iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_read_and_tests_are_told_from_code() {
        let sources = collect_sources(&Workspace::locate().unwrap()).unwrap();
        let find = |path| sources.iter().find(|source| source.path == path).unwrap();
        assert!(!find("crates/sse/src/decoder.rs").is_test_or_data());
        assert!(find("crates/sse/tests/standard.rs").is_test_or_data());
        assert!(find("web/loader/assent.d.ts").is_test_or_data());
        assert!(
            !sources
                .iter()
                .any(|source| source.is_in(&[VENDORED_FOLDER]))
        );
    }

    #[test]
    fn lines_count_from_one() {
        assert_eq!(line_of("a\nb", 0), 1);
        assert_eq!(line_of("a\nb", 2), 2);
    }
}
