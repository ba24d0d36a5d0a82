//! From a package to its module of WebAssembly and the glue, as short as they get.

use super::{read, write};
use crate::error::Error;
use crate::imports::shorten;
use crate::process;
use crate::shrink;
use crate::split;
use crate::workspace::Workspace;
use std::path::{Path, PathBuf};

/// Vite makes a smaller file a part of the bundle, as an address of `data:`, and strict policies refuse scripts from there.
/// So a script that would be as small stays long.
const INLINED_BELOW: usize = 4_096;

/// The module of the package `name` in one file: `name.js` and `name_bg.wasm`.
pub(super) fn compile(workspace: &Workspace, stage: &Path, name: &str) -> Result<(), Error> {
    let module = rustc(workspace, name, &[], &[])?;
    bind(workspace, stage, &module, name, &[])?;
    shorten_names(stage, name)?;
    finish(workspace, stage, name)
}

/// A module in two files: `late` is the second, and `name.js` knows how it gets to the first.
pub(super) fn compile_split(
    workspace: &Workspace,
    stage: &Path,
    name: &str,
    late: &str,
) -> Result<(), Error> {
    let module = rustc(workspace, name, &split::CARGO, &split::RUSTC)?;
    let late = stage.join(late);
    let first = split::split(&read(&module)?, &stage.join("split"), name, &late)?;
    bind(workspace, stage, &first, name, &split::BINDGEN)?;
    shorten_names(stage, name)?;
    split::join(workspace, stage, name)?;
    finish(workspace, stage, name)?;
    shrink::wasm(workspace, &late)
}

fn rustc(
    workspace: &Workspace,
    name: &str,
    options: &[&str],
    of_rustc: &[&str],
) -> Result<PathBuf, Error> {
    // One crate type: cargo leaves link-time optimisation out when a library is built as an rlib, too.
    process::run(
        workspace
            .cargo()
            .args([
                "rustc",
                "-p",
                name,
                "--lib",
                "--crate-type",
                "cdylib",
                "--target",
                "wasm32-unknown-unknown",
                "--profile",
                "wasm-release",
                "--config",
                &format!(
                    "target.wasm32-unknown-unknown.rustflags={:?}",
                    [hide_registry_folder()]
                ),
            ])
            .args(options)
            .arg("--")
            .args(of_rustc),
    )?;
    let module = format!("wasm32-unknown-unknown/wasm-release/{name}.wasm");
    Ok(workspace.target().join(module))
}

fn bind(
    workspace: &Workspace,
    stage: &Path,
    module: &Path,
    name: &str,
    options: &[&str],
) -> Result<(), Error> {
    process::run(
        workspace
            .command("wasm-bindgen")
            .args([
                "--target",
                "web",
                "--no-typescript",
                "--remove-name-section",
                "--remove-producers-section",
                // The loader passes the address of the module; a default one would name a file that is not there.
                "--omit-default-module-path",
            ])
            .args(options)
            .args(["--out-name", name, "--out-dir"])
            .arg(stage)
            .arg(module),
    )
}

fn shorten_names(stage: &Path, name: &str) -> Result<(), Error> {
    let (wasm, glue) = files(stage, name);
    let text = String::from_utf8_lossy(&read(&glue)?).into_owned();
    let (short_wasm, short_glue) = shorten(&read(&wasm)?, &text)?;
    write(&wasm, &short_wasm)?;
    write(&glue, short_glue.as_bytes())
}

fn finish(workspace: &Workspace, stage: &Path, name: &str) -> Result<(), Error> {
    let (wasm, glue) = files(stage, name);
    let long_glue = read(&glue)?;
    shrink::wasm(workspace, &wasm)?;
    shrink::script(workspace, &glue)?;
    if read(&glue)?.len() < INLINED_BELOW {
        write(&glue, &long_glue)?;
    }
    Ok(())
}

fn files(stage: &Path, name: &str) -> (PathBuf, PathBuf) {
    (
        stage.join(format!("{name}_bg.wasm")),
        stage.join(format!("{name}.js")),
    )
}

/// Panic messages name the source files of dependencies: the same names on every machine, so that the same sources give the same bytes.
fn hide_registry_folder() -> String {
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")))
        .unwrap_or_default();
    format!("--remap-path-prefix={home}/registry/src=registry")
}
