//! Reads the code that may use packages of npm, and finds out whether it uses one.

use crate::comments::without_comments;
use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::fs;

/// The folder of the rules for dependencies, whose code names packages without using them.
const RULES_FOLDER: &str = "xtask/src/dependencies/";

/// Returns the files of these folders for whose path `is_wanted` returns true, in one text without
/// comments. Left out is what names packages without using them: manifests of npm, documents, and
/// these rules.
pub(super) fn read_sources(
    workspace: &Workspace,
    folders: &[&str],
    is_wanted: impl Fn(&str) -> bool,
) -> Result<String, Error> {
    let mut git = workspace.command("git");
    let listed = process::standard_output(
        git.args(["ls-files", "-co", "--exclude-standard"])
            .args(folders),
    )
    .ok_or_else(|| Error::Wrong("git does not list the files".into()))?;
    let mut text = String::new();
    for path in listed.lines().filter(|path| is_wanted(path)) {
        let file = workspace.path(path);
        let names_only = ["package.json", "package-lock.json", ".md"]
            .iter()
            .any(|ending| path.ends_with(ending));
        if !names_only && !path.starts_with(RULES_FOLDER) {
            // Pictures name nothing.
            let code = fs::read_to_string(file).unwrap_or_default();
            text += &without_comments(&code);
            text.push('\n');
        }
    }
    Ok(text)
}

/// Returns true if code uses the package `name`: imports it, gives its name to a function, or has
/// the path of one of its files.
pub(super) fn is_named(code: &str, name: &str) -> bool {
    ["from \"", "import \"", "(\"", "node_modules/"]
        .iter()
        .any(|before| has_word(code, &format!("{before}{name}")))
}

/// Returns true if `text` contains `word` with no letter, digit, hyphen or underscore behind it.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let behind = text
            .get(at + word.len()..)
            .and_then(|rest| rest.chars().next());
        !behind.is_some_and(|next| next.is_alphanumeric() || next == '-' || next == '_')
    })
}
