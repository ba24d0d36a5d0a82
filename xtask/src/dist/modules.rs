//! The build of a package to a WebAssembly module and its glue, as short as they get.

use super::{imports, order, read, split, write};
use crate::error::Error;
use crate::process;
use crate::shrink;
use crate::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};

/// Length in bytes below which Vite makes a file a part of the bundle, as an address of `data:`,
/// and strict policies refuse scripts from there. So a script that would become as small is not
/// shortened.
const INLINED_BELOW: usize = 4_096;

/// Options of Cargo by which the standard library is compiled with the module, for size: all three
/// modules together are 28 kB smaller so (brotli, with the immediate abort).
const STANDARD_LIBRARY_OPTIONS: [&str; 2] = [
    "-Zbuild-std=std,panic_abort",
    "-Zbuild-std-features=optimize_for_size",
];

/// Options of the compiler for the modules.
const RUSTC_FLAGS: [&str; 4] = [
    "-Zunstable-options",
    // A panic is a trap, without a message: the loader notices it, and nobody in a page reads
    // messages.
    "-Cpanic=immediate-abort",
    "-Zlocation-detail=none",
    // Only what is smaller inlined is inlined.
    "-Cllvm-args=-inline-threshold=0",
];

/// Compiles the package `name` to `name.js` and `name_bg.wasm` in `stage`, and the part that is cut
/// out of it, if there is one, to the file `part`.
pub(super) fn compile_package(
    workspace: &Workspace,
    stage: &Path,
    name: &str,
    part: Option<&str>,
) -> Result<(), Error> {
    let module = compile_wasm(workspace, name, part.is_some())?;
    refuse_inert_elements(&module, name)?;
    let (wasm, glue) = module_files(stage, name);
    if let Some(part) = part {
        let rest = split::split_module(stage, &module, name, part)?;
        run_wasm_bindgen(workspace, stage, &rest, name, &[split::KEEP_EXPORTS])?;
        split::export_link(&glue)?;
    } else {
        run_wasm_bindgen(workspace, stage, &module, name, &[])?;
    }
    join_scripts(workspace, stage, &glue)?;
    let text = String::from_utf8_lossy(&read(&glue)?).into_owned();
    let (short_wasm, short_glue) = imports::shorten_imports(&read(&wasm)?, &text)?;
    write(&wasm, &short_wasm)?;
    write(&glue, short_glue.as_bytes())
}

/// Makes the files that [`compile_package`] wrote for the package `name` as short as they get.
pub(super) fn shorten_package(
    workspace: &Workspace,
    stage: &Path,
    name: &str,
) -> Result<(), Error> {
    let (wasm, glue) = module_files(stage, name);
    let long_glue = read(&glue)?;
    shorten_module(workspace, &wasm)?;
    shrink::minify_script(workspace, &glue)?;
    if read(&glue)?.len() < INLINED_BELOW {
        write(&glue, &long_glue)?;
    }
    Ok(())
}

/// Makes a module as short as it gets.
pub(super) fn shorten_module(workspace: &Workspace, wasm: &Path) -> Result<(), Error> {
    shrink::optimise_wasm(workspace, wasm)?;
    let wrong = || {
        Error::Wrong(format!(
            "the functions of {} cannot be read",
            wasm.display()
        ))
    };
    let named = order::name_functions(&read(wasm)?).ok_or_else(wrong)?;
    write(wasm, &named)?;
    shrink::sort_functions(workspace, wasm)
}

/// Returns the paths of the module of a package, and of its glue.
fn module_files(stage: &Path, name: &str) -> (PathBuf, PathBuf) {
    let wasm = stage.join(format!("{name}_bg.wasm"));
    (wasm, stage.join(format!("{name}.js")))
}

fn compile_wasm(workspace: &Workspace, name: &str, is_split: bool) -> Result<PathBuf, Error> {
    // One crate type: cargo leaves link-time optimisation out when a library is built as an rlib,
    // too.
    let mut cargo = workspace.cargo();
    let features: &[&str] = if is_split {
        &["--features", "split"]
    } else {
        &[]
    };
    let mut flags = RUSTC_FLAGS.map(str::to_owned).to_vec();
    flags.push(hide_registry_folder());
    flags.extend(is_split.then(|| split::EMIT_RELOCATIONS.to_owned()));
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
        .args(STANDARD_LIBRARY_OPTIONS)
        .args(features)
        .arg("--config")
        .arg(format!("target.wasm32-unknown-unknown.rustflags={flags:?}"));
    process::run(&mut cargo)?;
    let module = format!("wasm32-unknown-unknown/wasm-release/{name}.wasm");
    Ok(workspace.target_folder().join(module))
}

fn run_wasm_bindgen(
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
                // The loader passes the address of the module; a default one would name a file that
                // is not there.
                "--omit-default-module-path",
                "--out-name",
                name,
                "--out-dir",
            ])
            .arg(stage)
            .args(options)
            .arg(module),
    )
}

/// Joins the JavaScript files that the glue imports into the glue: those of the sources, which
/// wasm-bindgen puts beside it, and the one that links a part.
fn join_scripts(workspace: &Workspace, stage: &Path, glue: &Path) -> Result<(), Error> {
    let snippets = stage.join("snippets");
    if snippets.exists() {
        let joined = stage.join("joined.js");
        shrink::bundle_modules(workspace, glue, &joined)?;
        fs::remove_dir_all(&snippets).map_err(Error::of_file(&snippets))?;
        fs::rename(&joined, glue).map_err(Error::of_file(&joined))?;
    }
    Ok(())
}

/// Fails if a view has an inert element. Leptos writes `innerHTML` for an element of a `view!` in
/// which nothing is dynamic, which pages that enforce Trusted Types refuse. The function for that,
/// tachys' `create_element_from_html`, is in the module only then.
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
