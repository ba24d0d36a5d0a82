//! The crates of others that are linked into the WebAssembly modules of `dist/`, whether or not code
//! of them is left there.

use crate::assets::{self, Asset};
use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use serde_json::Value;
use std::collections::BTreeSet;

const TARGET: &str = "wasm32-unknown-unknown";

/// Returns the crates written by others that are linked into the WebAssembly modules, as
/// Cargo describes them.
pub(super) fn linked_crates(workspace: &Workspace) -> Result<Vec<Value>, Error> {
    let mut cargo = workspace.cargo();
    cargo.args([
        "metadata",
        "--format-version",
        "1",
        "--filter-platform",
        TARGET,
    ]);
    let metadata = output_of(&mut cargo)?;
    let metadata: Value = serde_json::from_str(&metadata)
        .map_err(|error| Error::Wrong(format!("cargo metadata: {error}")))?;
    // The tree knows which features, and so which dependencies, the modules have.
    let mut cargo = workspace.cargo();
    cargo.args([
        "tree",
        "--target",
        TARGET,
        "--edges",
        "normal,no-proc-macro",
    ]);
    cargo.args(["--prefix", "none", "--format", "{p}"]);
    for package in assets::read_assets(workspace)?
        .iter()
        .filter_map(Asset::package)
    {
        cargo.args(["--package", &package]);
    }
    let linked = parse_tree(&output_of(&mut cargo)?);
    let packages = array_member(&metadata, "packages");
    Ok(packages
        .filter(|package| is_of_others(&metadata, package))
        .filter(|package| {
            let field = |name: &str| package[name].as_str().unwrap_or_default();
            linked.contains(&format!("{} {}", field("name"), field("version")))
        })
        .cloned()
        .collect())
}

/// Returns true unless the package is a member of the workspace; the one in `vendor/` is none.
fn is_of_others(metadata: &Value, package: &Value) -> bool {
    !array_member(metadata, "workspace_members").any(|member| *member == package["id"])
}

pub(super) fn array_member<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    value[name].as_array().into_iter().flatten()
}

/// Returns `name VERSION` for each line `name vVERSION …` of what `cargo tree` prints.
fn parse_tree(tree: &str) -> BTreeSet<String> {
    let words = tree.lines().map(str::split_whitespace);
    words
        .filter_map(|mut words| {
            let (name, version) = (words.next()?, words.next()?);
            Some(format!("{name} {}", version.strip_prefix('v')?))
        })
        .collect()
}

/// Returns what a program writes to standard output; an error if it fails.
pub(super) fn output_of(command: &mut std::process::Command) -> Result<String, Error> {
    let line = process::command_line(command);
    process::standard_output(command).ok_or(Error::Failed(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_are_no_members_are_of_others_wherever_they_lie() {
        let metadata = serde_json::json!({
            "workspace_members": ["path+file:///w/a#1.0.0"],
            "packages": [
                { "id": "path+file:///w/a#1.0.0", "source": null },
                { "id": "path+file:///w/vendor/b#1.0.0", "source": null },
                { "id": "registry+https://c#1.0.0", "source": "registry+https://c" },
            ],
        });
        let packages = array_member(&metadata, "packages");
        let of_others: Vec<bool> = packages.map(|it| is_of_others(&metadata, it)).collect();
        assert_eq!(of_others, [false, true, true]);
    }

    #[test]
    fn a_tree_is_read_as_names_and_versions() {
        let tree = "a v1.0.0\nb v2.0.0+x (/folder/b)\nb v2.0.0+x (/folder/b) (*)\n\n";
        assert_eq!(
            parse_tree(tree).into_iter().collect::<Vec<_>>(),
            ["a 1.0.0", "b 2.0.0+x"]
        );
    }
}
