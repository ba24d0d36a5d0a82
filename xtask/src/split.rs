//! The widget's module in two files (feature `split`): the second has what nobody needs to type, `src/components/late.rs`.
//!
//! What is reachable from the second file's one function and from nothing else leaves the first. The second takes memory,
//! table and stack from the first, calls what stays there through the table, and puts its own functions into its part of
//! the table and its data into its part of the memory.

use crate::error::Error;
use crate::shrink;
use crate::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};

/// Marks the functions of the second file.
pub(crate) const CARGO: [&str; 2] = ["--features", "split"];
/// Without these records nobody can tell a number in the code from a place.
pub(crate) const RUSTC: [&str; 2] = ["-C", "link-arg=--emit-relocs"];
/// The table, which the second file needs, stays an export.
pub(crate) const BINDGEN: [&str; 1] = ["--keep-lld-exports"];

/// What the first file asks to fetch the second, by the name that it imports it from.
pub(crate) const LINK: &str = "./link.js";

/// Takes `late` out of a module that the linker made, and returns the file with the rest, as wasm-bindgen takes it.
pub(crate) fn split(
    module: &[u8],
    folder: &Path,
    name: &str,
    late: &Path,
) -> Result<PathBuf, Error> {
    fs::create_dir_all(folder).map_err(Error::file(folder))?;
    let first = folder.join(format!("{name}.wasm"));
    let mut options = wasm_split_cli_support::Options::new(module);
    options.output_dir = folder;
    options.main_out_path = &first;
    options.link_name = LINK;
    let made = wasm_split_cli_support::transform(options)
        .map_err(|error| Error::Wrong(format!("the module cannot be split: {error:#}")))?;
    let [second] = made.split_modules.as_slice() else {
        let count = made.split_modules.len();
        return Err(Error::Wrong(format!(
            "the module must be split in two, not in 1 + {count}"
        )));
    };
    fs::rename(second, late).map_err(Error::file(second))?;
    Ok(first)
}

/// Makes `split/link.js`, and what else the glue of the first file imports, a part of it, and exports `finish`.
pub(crate) fn join(workspace: &Workspace, stage: &Path, name: &str) -> Result<(), Error> {
    let (glue, joined) = (stage.join(format!("{name}.js")), stage.join("joined.js"));
    let source = workspace.path("split/link.js");
    fs::copy(&source, stage.join(LINK)).map_err(Error::file(&source))?;
    let mut text = fs::read_to_string(&glue).map_err(Error::file(&glue))?;
    text.push_str(&format!("export {{ finish }} from \"{LINK}\";\n"));
    fs::write(&glue, text).map_err(Error::file(&glue))?;
    shrink::bundle(workspace, &glue, &joined)?;
    // What `src` has in JavaScript is a part of it now, too.
    let snippets = stage.join("snippets");
    fs::remove_dir_all(&snippets).map_err(Error::file(&snippets))?;
    fs::rename(&joined, &glue).map_err(Error::file(&joined))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_without_the_linkers_records_is_refused() {
        let workspace = Workspace::locate().unwrap();
        let folder = workspace.path("target/xtask-tests/split");
        let late = folder.join("late.wasm");
        let error = split(b"\0asm\x01\0\0\0", &folder, "first", &late).unwrap_err();
        assert!(error.to_string().contains("cannot be split"), "{error}");
        assert!(!late.exists());
    }
}
