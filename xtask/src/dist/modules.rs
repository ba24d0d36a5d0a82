//! The build of a crate to a WebAssembly module and its glue, both as short as possible.

use super::{imports, order, read, split, write};
use crate::assets::Part;
use crate::error::Error;
use crate::process;
use crate::shrink;
use crate::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};

/// Length in bytes below which the bundler Vite turns a script into an address of `data:`, which
/// strict policies refuse. A script that would become so short is not minified.
const INLINED_BELOW: usize = 4_096;

/// Options of Cargo by which the standard library is compiled for size, together with the module.
/// It makes all three modules together 28 kB smaller (brotli, with the immediate abort).
const STANDARD_LIBRARY_OPTIONS: [&str; 2] = [
    "-Zbuild-std=std,panic_abort",
    "-Zbuild-std-features=optimize_for_size",
];

/// Options of the Rust compiler for the WebAssembly modules.
const RUSTC_FLAGS: [&str; 4] = [
    "-Zunstable-options",
    // A panic is a trap, without a message: the loader notices it, and nobody in a page reads
    // messages.
    "-Cpanic=immediate-abort",
    "-Zlocation-detail=none",
    // Only what is smaller inlined is inlined.
    "-Cllvm-args=-inline-threshold=0",
];

/// Compiles the crate `name` to `name.js` and `name_bg.wasm` in the folder `stage`, with
/// `parts` of the module cut out into files of their own.
pub(super) fn compile_package(
    workspace: &Workspace,
    stage: &Path,
    name: &str,
    parts: &[Part],
) -> Result<(), Error> {
    let module = compile_wasm(workspace, name, !parts.is_empty())?;
    refuse_inert_elements(&module, name)?;
    let (wasm, glue) = module_files(stage, name);
    if !parts.is_empty() {
        let rest = split::split_module(stage, &module, name, parts)?;
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

/// Makes the module and the glue that [`compile_package`] wrote for the crate `name` as short as
/// possible.
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

/// Makes the modules of `parts` as short as possible, with what they have in common in the first one.
pub(super) fn shorten_parts(
    workspace: &Workspace,
    stage: &Path,
    parts: &[Part],
) -> Result<(), Error> {
    for part in parts {
        shorten_module(workspace, &stage.join(&part.file))?;
    }
    let in_common = stage.join(split::IN_COMMON);
    if let (Some(first), true) = (parts.first(), in_common.exists()) {
        shorten_module(workspace, &in_common)?;
        let file = stage.join(&first.file);
        let mut content = read(&file)?;
        split::add_in_common(&mut content, &read(&in_common)?);
        write(&file, &content)?;
    }
    Ok(())
}

/// Makes the WebAssembly module in the file `wasm` as short as possible, and sorts its functions so
/// that it compresses better.
fn shorten_module(workspace: &Workspace, wasm: &Path) -> Result<(), Error> {
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

/// Returns the paths in `stage` of the WebAssembly module of the crate `name`, and of its glue.
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

/// Puts the JavaScript files that the glue imports into the glue: those from the Rust sources,
/// which wasm-bindgen puts beside it, and the script that links a part of the module.
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

/// Fails if a `view!` has an element in which nothing is dynamic: Leptos writes `innerHTML` for it,
/// which Trusted Types refuse. Only then the module contains tachys' function
/// `create_element_from_html`.
fn refuse_inert_elements(module: &Path, name: &str) -> Result<(), Error> {
    if String::from_utf8_lossy(&read(module)?).contains("element_from_html") {
        return Err(Error::Wrong(format!(
            "{name} writes innerHTML: a `view!` has an element, other than its root, in which nothing is dynamic; \
             make it the root of a component of its own"
        )));
    }
    Ok(())
}

/// Returns the compiler option that gives the folder of downloaded crates the same name on every
/// machine. Panic messages name source files, and the same sources have to give the same bytes.
fn hide_registry_folder() -> String {
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")))
        .unwrap_or_default();
    format!("--remap-path-prefix={home}/registry/src=registry")
}
