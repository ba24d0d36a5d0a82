//! The code that may use packages of npm, and whether it names one.

use crate::comments::without_comments;
use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::fs;

/// The folder of these rules.
const RULES: &str = "xtask/src/dependencies/";

/// Returns the files of these folders, as git lists them, in one text without comments. Manifests
/// of npm, documents and these rules name packages without using them.
pub(super) fn sources(
    workspace: &Workspace,
    folders: &[&str],
    is_wanted: impl Fn(&str) -> bool,
) -> Result<String, Error> {
    let mut git = workspace.command("git");
    let listed = process::answer(
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
        if !names_only && !path.starts_with(RULES) {
            // Pictures name nothing.
            let code = fs::read_to_string(file).unwrap_or_default();
            text += &without_comments(&code);
            text.push('\n');
        }
    }
    Ok(text)
}

/// Returns true if code imports a package, gives its name to a function, or has the path of a file
/// of it. A comment or a text may name it without using it.
pub(super) fn is_named(code: &str, name: &str) -> bool {
    ["from \"", "import \"", "(\"", "node_modules/"]
        .iter()
        .any(|before| has_word(code, &format!("{before}{name}")))
}

/// Returns true if the text holds the word and something else behind it.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let behind = text
            .get(at + word.len()..)
            .and_then(|rest| rest.chars().next());
        !behind.is_some_and(|next| next.is_alphanumeric() || next == '-' || next == '_')
    })
}
