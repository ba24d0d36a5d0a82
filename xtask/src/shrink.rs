//! Makes files for the page smaller: WebAssembly by Binaryen, and JavaScript and CSS by esbuild,
//! both from npm.

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Options of Binaryen for the WebAssembly features that it may use: those that rustc uses, and
/// that every supported browser has.
const WASM_FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-mutable-globals",
    "--enable-multivalue",
    "--enable-reference-types",
];

/// Option of Binaryen for the size in bytes up to which a function is inlined into its only caller.
/// Without a limit some functions get 40 kB long, and browsers take a third of a second to optimise
/// one.
const INLINE_INTO_ONE: &str = "--one-caller-inline-max-function-size=100";

/// Option of Binaryen that says that no object is in the first kilobyte of memory, as rustc puts
/// the end of the stack there. An address plus a small number then never wraps, which makes code
/// shorter.
const LOW_MEMORY_UNUSED: &str = "--low-memory-unused";

/// Options of Binaryen that skip two passes of `-Os`, which make a module shorter, but the
/// compressed file longer. The widget is 1,700 bytes smaller without these passes (brotli, November
/// 2026).
const SKIPPED_PASSES: [&str; 2] = ["--skip-pass=local-cse", "--skip-pass=simplify-locals"];

/// Option of Binaryen for the size, in its own measure, up to which a function is inlined into each
/// of its callers. By default it is 2, with which the widget is 380 bytes longer.
const INLINE_EVERYWHERE: &str = "--always-inline-max-function-size=4";

/// Optimises the WebAssembly module in `file` for size, and writes it back. `-Os` makes it shorter
/// than `-Oz` once it is compressed.
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

/// Sorts the functions of the WebAssembly module in `file` by their names, removes the names, and
/// writes the module back. Its code stays as short as [`optimise_wasm`] made it.
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

/// Joins a JavaScript module, and the modules that it imports, into one readable script, `file`.
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

/// Minifies the JavaScript module in `file`, and writes it back.
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

/// Minifies the style sheet that is in a script as the template literal `FRAME`, and writes the
/// script back: minifying the script leaves literals as they are.
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

/// Returns a script in three parts: the text before the style sheet that is the literal `FRAME`,
/// the sheet, and the text behind it.
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
