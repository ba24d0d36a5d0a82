//! Writes the files that make `dist/` a package of npm, so that `npm pack` and `npm publish` work
//! there.

use super::{read, write};
use crate::error::Error;
use crate::workspace::Workspace;
use std::path::Path;

const MANIFEST: &str = include_str!("package.json");
const README: &str = include_str!("README.md");

/// The file of `dist/` that is written last: if it exists, the folder is complete.
pub(super) const LAST_FILE: &str = "LICENSE";

/// Writes `package.json`, the npm package's README, and the licence into the folder `dist`.
/// `languages` is the hash in the names of the files with the texts of languages.
pub(super) fn write_package(
    workspace: &Workspace,
    dist: &Path,
    languages: &str,
) -> Result<(), Error> {
    write(
        &dist.join("package.json"),
        package_manifest(languages).as_bytes(),
    )?;
    write(&dist.join("README.md"), README.as_bytes())?;
    write(&dist.join(LAST_FILE), &read(&workspace.path("LICENSE"))?)
}

/// Returns the text of `package.json`, with the version and the licence that all crates of the
/// workspace have, and the hash in the names of languages.
fn package_manifest(languages: &str) -> String {
    MANIFEST
        .replace("{languages}", languages)
        .replace("{version}", env!("CARGO_PKG_VERSION"))
        .replace("{license}", env!("CARGO_PKG_LICENSE"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::fs;

    #[test]
    fn the_package_has_the_version_and_licence_of_the_workspace() {
        let manifest: Value = serde_json::from_str(&package_manifest("0123abcd")).unwrap();
        let workspace = Workspace::locate().unwrap();
        let cargo = fs::read_to_string(workspace.path("Cargo.toml")).unwrap();
        let cargo: toml::Table = cargo.parse().unwrap();
        for field in ["version", "license"] {
            let expected = cargo["workspace"]["package"][field].as_str().unwrap();
            assert_eq!(manifest[field], expected);
        }
        assert_eq!(manifest["name"], "assent-chat");
        assert!(manifest.get("dependencies").is_none());
        let languages = &manifest["exports"]["./locales/*.json"];
        assert_eq!(languages, "./locales/*-0123abcd.json");
    }

    #[test]
    fn dist_becomes_a_package_with_its_licence() {
        let workspace = Workspace::locate().unwrap();
        let dist = workspace.path("target/xtask-tests/dist-package");
        fs::create_dir_all(&dist).unwrap();
        write_package(&workspace, &dist, "0123abcd").unwrap();
        let read = |name: &str| fs::read_to_string(dist.join(name)).unwrap();
        assert_eq!(read("package.json"), package_manifest("0123abcd"));
        assert!(read("README.md").starts_with("# assent-chat\n"));
        assert!(read("LICENSE").starts_with("MIT License\n"));
    }
}
