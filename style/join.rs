//! Joins style sheets into one, without comments and indentation: every visitor downloads them.
//! Part of build scripts.

use std::{env, fs, io, path::Path};

/// Joins these sheets of `folder` into `style.css` in the folder for generated files.
pub(crate) fn join_sheets(folder: &str, sheets: &[&str]) -> io::Result<()> {
    println!("cargo::rerun-if-changed={folder}");
    let mut joined = String::new();
    for sheet in sheets {
        append_squeezed(
            &fs::read_to_string(format!("{folder}/{sheet}.css"))?,
            &mut joined,
        );
    }
    let output = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("no OUT_DIR"))?;
    fs::write(Path::new(&output).join("style.css"), joined)
}

/// Appends `sheet` without comments, line breaks and indentation, and without the space before a
/// block or a value. Nothing else within a line is touched.
fn append_squeezed(sheet: &str, to: &mut String) {
    for part in sheet.split("/*") {
        let code = part.split_once("*/").map_or(part, |(_, code)| code);
        for line in code.lines().map(str::trim).filter(|line| !line.is_empty()) {
            match (line.strip_suffix(" {"), line.split_once(": ")) {
                (Some(selector), _) => to.extend([selector, "{"]),
                (None, Some((name, value))) if is_property(name) => to.extend([name, ":", value]),
                _ => to.push_str(line),
            }
            if !line.ends_with(['{', '}', ';', ',']) {
                to.push(' ');
            }
        }
    }
}

/// Returns true for the name of a property: the line is a declaration, or the beginning of one.
fn is_property(name: &str) -> bool {
    name.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
