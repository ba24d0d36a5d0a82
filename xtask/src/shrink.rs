//! Smaller files for the page: WebAssembly through Binaryen, JavaScript through esbuild, both from
//! npm.

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Options for the WebAssembly features that rustc uses and every supported browser has. Binaryen
/// may use no others.
const WASM_FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
];

/// Option for the size in bytes up to which a function is inlined into its only caller. Without a
/// limit the parser of Markdown and the core become single functions of 40 kB, and browsers take a
/// third of a second of another core to optimise such a one.
const INLINE_INTO_ONE: &str = "--one-caller-inline-max-function-size=100";

/// Option that says that no object is in the first kilobyte: rustc puts the stack below all data,
/// and its last kilobyte is there. So an address of an object plus a small number never wraps, and
/// the number becomes part of the load or the store.
const LOW_MEMORY_UNUSED: &str = "--low-memory-unused";

/// Options that skip passes of `-Os` which make a module shorter and its compressed file longer.
/// Brotli shortens what is spelled alike; local variables that replace it are numbered differently
/// in each function. The widget is 1,700 bytes smaller without them (brotli, November 2026).
const SKIPPED_PASSES: [&str; 2] = ["--skip-pass=local-cse", "--skip-pass=simplify-locals"];

/// Option for the size up to which a function is inlined into each of its callers, in Binaryen's
/// measure. The usual 2 leaves out the shortest getters: 380 bytes of the widget.
const INLINE_EVERYWHERE: &str = "--always-inline-max-function-size=4";

/// Optimises a module in its place. `-Os` and not `-Oz`: it is longer, but shorter once compressed.
pub(crate) fn optimise_wasm(workspace: &Workspace, file: &Path) -> Result<(), Error> {
    process::run(
        tool_command(workspace, "wasm-opt")
            .args([
                "-Os",
                "--converge",
                INLINE_INTO_ONE,
                INLINE_EVERYWHERE,
                LOW_MEMORY_UNUSED,
            ])
            .args(SKIPPED_PASSES)
            // The producers and target features: nothing in the page reads them.
            .args(["--strip-producers", "--strip-target-features"])
            .args(WASM_FEATURES)
            .arg(file)
            .arg("-o")
            .arg(file),
    )
}

/// Sorts the functions of a module in its place by their names, and removes the names. The level
/// makes Binaryen write code as short as [`optimise_wasm`] did.
pub(crate) fn sort_functions(workspace: &Workspace, file: &Path) -> Result<(), Error> {
    process::run(
        tool_command(workspace, "wasm-opt")
            .args([
                "--optimize-level=2",
                "--shrink-level=1",
                "--optimize-stack-ir",
            ])
            .arg("--reorder-functions-by-name")
            .args(WASM_FEATURES)
            .arg(file)
            .arg("-o")
            .arg(file),
    )
}

/// Joins a JavaScript module, and the modules that it imports by name, into one readable file.
pub(crate) fn bundle_modules(
    workspace: &Workspace,
    module: &Path,
    file: &Path,
) -> Result<(), Error> {
    process::run(
        tool_command(workspace, "esbuild")
            .args([
                "--bundle",
                "--format=esm",
                "--target=es2022",
                "--log-level=warning",
            ])
            .arg(module)
            .arg(format!("--outfile={}", file.display())),
    )
}

/// Shortens a JavaScript module in its place.
pub(crate) fn minify_script(workspace: &Workspace, file: &Path) -> Result<(), Error> {
    process::run(
        tool_command(workspace, "esbuild")
            .args([
                "--minify",
                "--format=esm",
                "--target=es2022",
                "--log-level=warning",
                "--allow-overwrite",
            ])
            .arg(file)
            .arg(format!("--outfile={}", file.display())),
    )
}

/// Minifies the style sheet that a script holds as the template literal `FRAME`: minifying the
/// script leaves literals alone.
pub(crate) fn minify_embedded_css(workspace: &Workspace, script: &Path) -> Result<(), Error> {
    let text = fs::read_to_string(script).map_err(Error::of_file(script))?;
    let (before, sheet, after) = split_at_sheet(&text)?;
    let file = script.with_extension("css");
    fs::write(&file, sheet).map_err(Error::of_file(&file))?;
    process::run(
        tool_command(workspace, "esbuild")
            .args(["--minify", "--log-level=warning", "--allow-overwrite"])
            .arg(&file)
            .arg(format!("--outfile={}", file.display())),
    )?;
    let short = fs::read_to_string(&file).map_err(Error::of_file(&file))?;
    let joined = [before, short.trim_end(), after].concat();
    fs::write(script, joined).map_err(Error::of_file(script))
}

/// Returns the text of a script before the style sheet in its literal, the sheet, and the text
/// behind it.
fn split_at_sheet(script: &str) -> Result<(&str, &str, &str), Error> {
    const SHEET_START: &str = "FRAME = `";
    let wrong = || Error::Wrong(format!("a script must hold one plain {SHEET_START}…`"));
    let start = script.find(SHEET_START).ok_or_else(wrong)? + SHEET_START.len();
    let (before, rest) = script.split_at(start);
    let (sheet, after) = rest.split_at(rest.find('`').ok_or_else(wrong)?);
    // Characters that a literal escapes and a sheet does not would have to be escaped again.
    if sheet.contains(['\\', '$']) || after.contains(SHEET_START) {
        return Err(wrong());
    }
    Ok((before, sheet, after))
}

fn tool_command(workspace: &Workspace, name: &str) -> Command {
    let file = workspace.path("web/node_modules/.bin").join(name);
    workspace.command(&file.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sheet_of_a_script_is_found() {
        let script = "var FRAME = `.a { color: red; }`;\nuse(FRAME);";
        let (before, sheet, after) = split_at_sheet(script).unwrap();
        assert_eq!(before, "var FRAME = `");
        assert_eq!(sheet, ".a { color: red; }");
        assert_eq!(after, "`;\nuse(FRAME);");
    }

    #[test]
    fn a_script_without_one_plain_sheet_is_refused() {
        for script in [
            "FRAME = 1",
            "FRAME = `",
            "FRAME = `${a}`",
            "FRAME = `\\n`",
            "FRAME = ``, FRAME = ``",
        ] {
            assert!(split_at_sheet(script).is_err(), "{script}");
        }
    }
}
