//! The rule that the code of tests uses each crate that a manifest declares for tests alone. `cargo
//! machete` does not check these.

use crate::comments::without_comments;
use crate::error::Error;
use crate::tidy::sources::SourceFile;
use toml::{Table, Value};

const MANIFEST: &str = "Cargo.toml";

/// Returns a sentence for each development dependency in the manifests among `sources` that no code
/// of the manifest's crate uses.
pub(super) fn unused_dependencies(sources: &[SourceFile]) -> Result<Vec<String>, Error> {
    let manifests = || {
        sources
            .iter()
            .filter(|source| manifest_folder(&source.path).is_some())
    };
    let mut unused = Vec::new();
    for manifest in manifests() {
        // The nearest manifest above a file is the one of its crate.
        let is_own = |file: &&SourceFile| {
            let above = manifests().filter_map(|it| manifest_folder(&it.path));
            let above = above.filter(|it| file.path.starts_with(it));
            file.extension() == "rs"
                && above.max_by_key(|it| it.len()) == manifest_folder(&manifest.path)
        };
        let code = sources.iter().filter(is_own);
        let code: Vec<String> = code.map(|file| without_comments(&file.text)).collect();
        for name in development_dependencies(manifest)? {
            let word = name.replace('-', "_");
            if !code.iter().any(|code| is_named(code, &word)) {
                unused.push(format!("{}: `{name}` is not used", manifest.path));
            }
        }
    }
    Ok(unused)
}

/// Returns the folder of the manifest `path`, with a slash at its end unless it is the root; `None`
/// if the file is no manifest.
fn manifest_folder(path: &str) -> Option<&str> {
    let folder = path.strip_suffix(MANIFEST)?;
    (folder.is_empty() || folder.ends_with('/')).then_some(folder)
}

fn development_dependencies(manifest: &SourceFile) -> Result<Vec<String>, Error> {
    let table: Table = manifest
        .text
        .parse()
        .map_err(|error| Error::Wrong(format!("{}: {error}", manifest.path)))?;
    let targets = table.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flat_map(Table::values);
    let tables = [&table]
        .into_iter()
        .chain(targets.filter_map(Value::as_table));
    let wanted = tables.filter_map(|it| it.get("dev-dependencies")?.as_table());
    Ok(wanted.flat_map(Table::keys).cloned().collect())
}

/// Returns true if `code` has a path into the crate `name`, such as `name::item`, or imports the
/// whole crate.
fn is_named(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let (before, behind) = code.split_at(at);
        let behind = behind.strip_prefix(name).unwrap_or_default();
        let is_start = !before.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        let is_whole = behind.starts_with([';', ' ']) && before.ends_with("use ");
        is_start && (behind.starts_with("::") || is_whole)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> SourceFile {
        SourceFile {
            path: path.into(),
            text: text.into(),
        }
    }

    #[test]
    fn a_crate_of_tests_is_named_by_code_of_the_manifest_that_declares_it() {
        let manifest = "[dependencies]\nmachete = \"1\"\n[dev-dependencies]\n\
            a-path = \"1\"\npath = \"1\"\nwhole.workspace = true\nbelow = \"1\"\nword = \"1\"\n\
            commented = \"1\"\nlonger = \"1\"\n\
            [target.'cfg(unix)'.dev-dependencies]\nof-a-system = \"1\"\n";
        let sources = [
            source("Cargo.toml", manifest),
            source("crates/a/Cargo.toml", "[dev-dependencies]\nbelow = \"1\"\n"),
            source("crates/a/tests/a.rs", "use below::A;\n"),
            source(
                "tests/a.rs",
                "use whole;\nconst A: &str = \"word\"; // commented::A\n\
                 fn a() { a_path::a(); longer_than::a() }\n",
            ),
            source("notes/Cargo.toml.md", "not a manifest"),
        ];
        let of_root = [
            "path",
            "below",
            "word",
            "commented",
            "longer",
            "of-a-system",
        ];
        let wanted = of_root.map(|name| format!("Cargo.toml: `{name}` is not used"));
        assert_eq!(unused_dependencies(&sources).unwrap(), wanted);
    }

    #[test]
    fn a_manifest_that_cannot_be_read_is_an_error() {
        assert!(unused_dependencies(&[source("a/Cargo.toml", "[dev")]).is_err());
    }
}
