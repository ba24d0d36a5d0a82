//! Joins the sheets of `style/` into one, without comments and indentation: every visitor downloads it.

use std::{env, fs, io, path::Path};

/// What is shared first.
const SHEETS: [&str; 14] = [
    "tokens",
    "app",
    "header",
    "thread_list",
    "transcript",
    "message",
    "answer",
    "code",
    "activity",
    "approval",
    "argument",
    "feedback",
    "composer",
    "dialog",
];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=style");
    let mut joined = String::new();
    for sheet in SHEETS {
        squeeze(
            &fs::read_to_string(format!("style/{sheet}.css"))?,
            &mut joined,
        );
    }
    let folder = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("no OUT_DIR"))?;
    fs::write(Path::new(&folder).join("style.css"), joined)
}

/// Appends `sheet` without comments, line breaks and indentation. Nothing within a line is touched.
fn squeeze(sheet: &str, to: &mut String) {
    for part in sheet.split("/*") {
        let code = part.split_once("*/").map_or(part, |(_, code)| code);
        for line in code.lines().map(str::trim).filter(|line| !line.is_empty()) {
            to.push_str(line);
            if !line.ends_with(['{', '}', ';', ',']) {
                to.push(' ');
            }
        }
    }
}
