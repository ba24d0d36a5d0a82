//! `cargo xtask dependencies`: what is used is declared and nothing else, licences and sources are
//! allowed, and `NOTICE` has the licence of everything that `dist/` is made of, as its `sbom.cdx.json`. `cargo xtask
//! advisories` asks for known faults, which needs databases that no test can rely on.

mod code;
mod crates;
mod licence;
mod linked;
mod notice;
mod npm;
mod sbom;

use crate::error::Error;
use crate::process;
use crate::tidy::sources;
use crate::tools;
use crate::web;
use crate::workspace::Workspace;

pub(crate) use notice::write as write_notice;
pub(crate) use npm::locked_version;
pub(crate) use sbom::sbom_json;

/// The manifests of the repository's Cargo workspaces.
const WORKSPACE_MANIFESTS: [&str; 3] = [
    "Cargo.toml",
    "fuzz/Cargo.toml",
    "service/models/lease/Cargo.toml",
];
/// The folders with npm packages, each with its lock file.
const LOCK_FOLDERS: [&str; 6] = [
    "web",
    "e2e",
    "examples",
    "service/peers",
    "site",
    "xtask/demo",
];

/// Checks that the crates and npm packages are used and have allowed licences and sources, and that
/// `NOTICE` is up to date.
pub(crate) fn check(workspace: &Workspace) -> Result<(), Error> {
    tools::ensure_cargo_machete(workspace)?;
    tools::ensure_cargo_deny(workspace)?;
    web::install_packages(workspace)?;
    // It finds every manifest below the root.
    // Under `cargo xtask` it takes itself for a program that is being developed.
    process::run(
        workspace
            .cargo()
            .env_remove("CARGO_PKG_NAME")
            .arg("machete"),
    )?;
    for manifest in WORKSPACE_MANIFESTS {
        run_cargo_deny(workspace, manifest, &["bans", "licenses", "sources"])?;
    }
    let mut wrong = crates::unused_dependencies(&sources::collect_sources(workspace)?)?;
    wrong.extend(npm::check(workspace, &LOCK_FOLDERS)?);
    if !wrong.is_empty() {
        return Err(Error::Wrong(wrong.join("\n")));
    }
    notice::check(workspace)
}

/// Looks up known faults of crates and npm packages in the databases of advisories; needs git and
/// the network.
pub(crate) fn check_advisories(workspace: &Workspace) -> Result<(), Error> {
    tools::ensure_cargo_deny(workspace)?;
    for manifest in WORKSPACE_MANIFESTS {
        run_cargo_deny(workspace, manifest, &["advisories"])?;
    }
    for folder in LOCK_FOLDERS {
        let mut npm = workspace.command("npm");
        process::run(npm.arg("audit").current_dir(workspace.path(folder)))?;
    }
    Ok(())
}

fn run_cargo_deny(workspace: &Workspace, manifest: &str, checks: &[&str]) -> Result<(), Error> {
    let mut cargo = workspace.cargo();
    // Crates that are there in two versions are a warning, of which there are pages.
    cargo.args(["deny", "--log-level", "error", "--config", "deny.toml"]);
    process::run(
        cargo
            .args(["--manifest-path", manifest, "check"])
            .args(checks),
    )
}
