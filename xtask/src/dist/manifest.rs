//! `manifest.json`: the files of `dist/`, and where they come from: the revision of the source, and the
//! versions of the programs that the bytes depend on. There is no time and no name of a machine, so
//! that the same revision gives the same bytes.

use super::{ManifestEntry, write};
use crate::dependencies;
use crate::error::Error;
use crate::process;
use crate::tools;
use crate::workspace::Workspace;
use serde_json::{Value, json};
use std::path::Path;

/// Writes `manifest.json` into the folder `dist`.
pub(super) fn write_manifest(
    workspace: &Workspace,
    dist: &Path,
    entries: &[ManifestEntry],
) -> Result<(), Error> {
    let manifest = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "source": source(workspace),
        "tools": tool_versions(workspace)?,
        "files": entries.iter().map(file_entry).collect::<Vec<_>>(),
    });
    write(
        &dist.join("manifest.json"),
        format!("{manifest:#}\n").as_bytes(),
    )
}

fn file_entry(entry: &ManifestEntry) -> Value {
    json!({
        "file": entry.file,
        "bytes": entry.bytes,
        "brotli": entry.brotli,
        "integrity": entry.integrity,
    })
}

/// Returns the revision of the repository, and whether its files are those of this revision; `null`
/// if the source is no repository, as one from an archive.
fn source(workspace: &Workspace) -> Value {
    let git =
        |arguments: &[&str]| process::standard_output(workspace.command("git").args(arguments));
    let revision = git(&["rev-parse", "--show-prefix", "HEAD"]);
    let revision = revision.as_deref().and_then(own_revision);
    let changes = git(&["status", "--porcelain"]);
    match (revision, changes) {
        (Some(revision), Some(changes)) => {
            json!({ "revision": revision, "clean": changes.is_empty() })
        }
        _ => Value::Null,
    }
}

/// Returns the revision in what git prints of a folder's place in its repository and the revision;
/// `None` if the folder is inside of a repository that is another one.
fn own_revision(printed: &str) -> Option<&str> {
    let (prefix, revision) = printed.split_once('\n')?;
    prefix.is_empty().then(|| revision.trim())
}

/// Returns the versions of the programs that made the files.
fn tool_versions(workspace: &Workspace) -> Result<Value, Error> {
    let rustc = process::standard_output(workspace.command("rustc").arg("--version"));
    let rustc = rustc.ok_or_else(|| Error::Failed("rustc --version".into()))?;
    Ok(json!({
        "rustc": rustc.trim(),
        "wasm-bindgen": tools::WASM_BINDGEN_VERSION,
        "binaryen": dependencies::locked_version(workspace, "binaryen")?,
        "esbuild": dependencies::locked_version(workspace, "esbuild")?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_names_its_source_its_tools_and_its_files() {
        let workspace = Workspace::locate().unwrap();
        let dist = workspace.path("target/xtask-tests/dist-manifest");
        std::fs::create_dir_all(&dist).unwrap();
        let entry = ManifestEntry::describe("a.js", b"abc", None).unwrap();
        write_manifest(&workspace, &dist, &[entry]).unwrap();
        let text = std::fs::read_to_string(dist.join("manifest.json")).unwrap();
        let manifest: Value = serde_json::from_str(&text).unwrap();
        let integrity = manifest["files"][0]["integrity"].as_str().unwrap();
        assert!(integrity.starts_with("sha384-"));
        assert_eq!(
            manifest["tools"]["wasm-bindgen"],
            tools::WASM_BINDGEN_VERSION
        );
        let rustc = manifest["tools"]["rustc"].as_str().unwrap();
        assert!(rustc.starts_with("rustc 1."));
        let revision = manifest["source"]["revision"].as_str().unwrap();
        assert!(revision.len() >= 40 && revision.chars().all(|it| it.is_ascii_hexdigit()));
        assert!(manifest["source"]["clean"].is_boolean());
    }

    #[test]
    fn the_revision_of_a_repository_around_is_not_that_of_the_source() {
        assert_eq!(own_revision("\nabc\n"), Some("abc"));
        assert_eq!(own_revision("vendor/assent/\nabc\n"), None);
        assert_eq!(own_revision(""), None);
    }
}
