//! The service of another revision, to be measured in turn with this one.

use crate::checkout::Checkout;
use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::fs;
use std::path::PathBuf;

/// Builds the service of a revision in a folder of its own, and returns the program.
pub(super) fn build_service(workspace: &Workspace, revision: &str) -> Result<PathBuf, Error> {
    let target = workspace.target_folder();
    let checkout = Checkout::new(workspace, "before", revision)?;
    // What both have in common is compiled once.
    let mut cargo = workspace.cargo();
    cargo.current_dir(checkout.folder());
    cargo.args(["build", "--release", "-p", "assent-service", "--target-dir"]);
    process::run(cargo.arg(&target))?;
    // The next build puts its own program there.
    let (built, kept) = (
        target.join("release/assent-service"),
        target.join("release/assent-service-before"),
    );
    fs::copy(&built, &kept).map_err(Error::of_file(&built))?;
    Ok(kept)
}
