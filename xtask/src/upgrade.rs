//! `cargo xtask upgrade REVISION`: the tests of the service of another revision, on PostgreSQL with
//! the tables of this one. That is what happens while replicas are updated one after the other: the
//! tables are new, and some replicas are not.

use crate::checkout::Checkout;
use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;

/// Runs the tests of the service of `revision`.
pub(crate) fn run(workspace: &Workspace, revision: &str) -> Result<(), Error> {
    let build = ["build", "-p", "assent-service"];
    process::run(workspace.cargo().args(build))?;
    let newer = workspace.target_folder().join("debug/assent-service");
    let checkout = Checkout::new(workspace, "upgraded", revision)?;
    let mut tests = workspace.cargo();
    tests
        .current_dir(checkout.folder())
        .env(
            "CARGO_TARGET_DIR",
            workspace.target_folder().join("upgrade"),
        )
        .env("ASSENT_TEST_DATABASE", "postgres")
        .env("ASSENT_TEST_NEWER", newer)
        .args(["test", "-p", "assent-service", "--test", "integration"]);
    process::run(&mut tests)
}
