//! The build of a package to a WebAssembly module and its glue, as short as they get.

use super::{imports, order, read, write};
use crate::error::Error;
use crate::process;
use crate::shrink;
use crate::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};

/// Vite makes a smaller file a part of the bundle, as an address of `data:`, and strict policies
/// refuse scripts from there. So a script that would be as small stays long.
const INLINED_BELOW: usize = 4_096;

/// The standard library is compiled with the module, for size: all three modules together are 28 kB
/// smaller so (brotli, with the immediate abort).
const STANDARD_LIBRARY: [&str; 2] = [
    "-Zbuild-std=std,panic_abort",
    "-Zbuild-std-features=optimize_for_size",
];

/// Compiles the package `name` to `name.js` and `name_bg.wasm`.
pub(super) fn compile(workspace: &Workspace, stage: &Path, name: &str) -> Result<(), Error> {
    let module = rustc(workspace, name)?;
    refuse_inert_elements(&module, name)?;
    bind(workspace, stage, &module, name)?;
    join_snippets(workspace, stage, name)?;
    let (wasm, glue) = files(stage, name);
    let text = String::from_utf8_lossy(&read(&glue)?).into_owned();
    let (short_wasm, short_glue) = imports::shorten(&read(&wasm)?, &text)?;
    write(&wasm, &short_wasm)?;
    write(&glue, short_glue.as_bytes())
}

/// Makes the files that [`compile`] wrote as short as they get.
pub(super) fn shorten(workspace: &Workspace, stage: &Path, name: &str) -> Result<(), Error> {
    let (wasm, glue) = files(stage, name);
    let long_glue = read(&glue)?;
    shrink::wasm(workspace, &wasm)?;
    let named = order::name_functions(&read(&wasm)?)
        .ok_or_else(|| Error::Wrong(format!("the functions of {name} cannot be read")))?;
    write(&wasm, &named)?;
    shrink::sort_functions(workspace, &wasm)?;
    shrink::script(workspace, &glue)?;
    if read(&glue)?.len() < INLINED_BELOW {
        write(&glue, &long_glue)?;
    }
    Ok(())
}

/// Returns the paths of a module and its glue.
fn files(stage: &Path, name: &str) -> (PathBuf, PathBuf) {
    let wasm = stage.join(format!("{name}_bg.wasm"));
    (wasm, stage.join(format!("{name}.js")))
}

fn rustc(workspace: &Workspace, name: &str) -> Result<PathBuf, Error> {
    // One crate type: cargo leaves link-time optimisation out when a library is built as an rlib,
    // too.
    let mut cargo = workspace.cargo();
    cargo
        .args(["rustc", "-p", name, "--lib", "--crate-type", "cdylib"])
        .args([
            "--target",
            "wasm32-unknown-unknown",
            "--profile",
            "wasm-release",
        ])
        // These options are no stable ones; the compiler is the pinned one all the same.
        .env("RUSTC_BOOTSTRAP", "1")
        .args(STANDARD_LIBRARY)
        .arg("--config")
        .arg(format!(
            "target.wasm32-unknown-unknown.rustflags={:?}",
            [
                "-Zunstable-options",
                // A panic is a trap, without a message: the loader notices it, and nobody in a page
                // reads messages.
                "-Cpanic=immediate-abort",
                "-Zlocation-detail=none",
                // Only what is smaller inlined is inlined.
                "-Cllvm-args=-inline-threshold=0",
                &hide_registry_folder(),
            ]
        ));
    process::run(&mut cargo)?;
    let module = format!("wasm32-unknown-unknown/wasm-release/{name}.wasm");
    Ok(workspace.target().join(module))
}

fn bind(workspace: &Workspace, stage: &Path, module: &Path, name: &str) -> Result<(), Error> {
    process::run(
        workspace
            .command("wasm-bindgen")
            .args([
                "--target",
                "web",
                "--no-typescript",
                "--remove-name-section",
                "--remove-producers-section",
                // The loader passes the address of the module; a default one would name a file that
                // is not there.
                "--omit-default-module-path",
                "--out-name",
                name,
                "--out-dir",
            ])
            .arg(stage)
            .arg(module),
    )
}

/// Joins the JavaScript files of the sources, which wasm-bindgen puts beside the glue, into the
/// glue.
fn join_snippets(workspace: &Workspace, stage: &Path, name: &str) -> Result<(), Error> {
    let snippets = stage.join("snippets");
    if !snippets.exists() {
        return Ok(());
    }
    let (glue, joined) = (stage.join(format!("{name}.js")), stage.join("joined.js"));
    shrink::bundle(workspace, &glue, &joined)?;
    fs::remove_dir_all(&snippets).map_err(Error::file(&snippets))?;
    fs::rename(&joined, &glue).map_err(Error::file(&joined))
}

/// Fails if a view has an inert element. Leptos writes `innerHTML` for an element of a `view!` in
/// which nothing is dynamic, which pages that enforce Trusted Types refuse. The function that does
/// it, tachys' `create_element_from_html`, is in the module only then.
fn refuse_inert_elements(module: &Path, name: &str) -> Result<(), Error> {
    if String::from_utf8_lossy(&read(module)?).contains("element_from_html") {
        return Err(Error::Wrong(format!(
            "{name} writes innerHTML: a `view!` has an element, other than its root, in which nothing is dynamic; \
             make it the root of a component of its own"
        )));
    }
    Ok(())
}

/// Returns the compiler option that maps source paths. Panic messages name the source files of
/// dependencies: the same names on every machine, so that the same sources give the same bytes.
fn hide_registry_folder() -> String {
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")))
        .unwrap_or_default();
    format!("--remap-path-prefix={home}/registry/src=registry")
}
