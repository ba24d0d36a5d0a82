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
pub(super) fn write_package(workspace: &Workspace, dist: &Path) -> Result<(), Error> {
    write(&dist.join("package.json"), package_manifest().as_bytes())?;
    write(&dist.join("README.md"), README.as_bytes())?;
    write(&dist.join(LAST_FILE), &read(&workspace.path("LICENSE"))?)
}

/// Returns the text of `package.json`, with the version and the licence that all crates of the
/// workspace have.
fn package_manifest() -> String {
    MANIFEST
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
        let manifest: Value = serde_json::from_str(&package_manifest()).unwrap();
        let workspace = Workspace::locate().unwrap();
        let cargo = fs::read_to_string(workspace.path("Cargo.toml")).unwrap();
        let cargo: toml::Table = cargo.parse().unwrap();
        for field in ["version", "license"] {
            let expected = cargo["workspace"]["package"][field].as_str().unwrap();
            assert_eq!(manifest[field], expected);
        }
        assert_eq!(manifest["name"], "assent-chat");
        assert!(manifest.get("dependencies").is_none());
    }

    #[test]
    fn dist_becomes_a_package_with_its_licence() {
        let workspace = Workspace::locate().unwrap();
        let dist = workspace.path("target/xtask-tests/dist-package");
        fs::create_dir_all(&dist).unwrap();
        write_package(&workspace, &dist).unwrap();
        let read = |name: &str| fs::read_to_string(dist.join(name)).unwrap();
        assert_eq!(read("package.json"), package_manifest());
        assert!(read("README.md").starts_with("# assent-chat\n"));
        assert!(read("LICENSE").starts_with("MIT License\n"));
    }
}
