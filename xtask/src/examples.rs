//! Prepares `examples/` for the whole-page tests, which build the examples in JavaScript and use
//! each as a person would.

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::process::Command;

/// Installs the npm packages of the examples, `dist/` among them, checks the types of their code,
/// and builds the example in Rust.
pub(crate) fn prepare_examples(workspace: &Workspace) -> Result<(), Error> {
    process::run(npm_command(workspace).args([
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
    ]))?;
    process::run(npm_command(workspace).args(["run", "check"]))?;
    build_leptos(workspace)
}

/// Builds the example in Rust by the two commands of `examples/README.md`.
fn build_leptos(workspace: &Workspace) -> Result<(), Error> {
    process::run(workspace.cargo().args([
        "build",
        "-p",
        "assent-example-leptos",
        "--target",
        "wasm32-unknown-unknown",
    ]))?;
    let module = "wasm32-unknown-unknown/debug/assent_example_leptos.wasm";
    process::run(
        workspace
            .command("wasm-bindgen")
            .args(["--target", "web", "--no-typescript"])
            .args(["--out-dir", "examples/leptos/pkg"])
            .arg(workspace.target_folder().join(module)),
    )
}

fn npm_command(workspace: &Workspace) -> Command {
    let mut command = workspace.command("npm");
    command.current_dir(workspace.path("examples"));
    command
}
