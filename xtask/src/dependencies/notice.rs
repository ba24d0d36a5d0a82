//! `NOTICE`: who wrote what in `dist/`, and under which licence. It has every crate that is linked
//! into a WebAssembly module, whether or not code of it is left there, the standard library, and
//! the npm packages that are bundled.

use super::licence::choose_licences;
use super::linked::{array_member, linked_crates, output_of};
use super::npm;
use crate::error::Error;
use crate::tools;
use crate::workspace::Workspace;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const NOTICE_FILE: &str = "NOTICE";
const NOTICE_HEAD: &str = "\
Assent is under the licence in LICENSE. What it ships, the files of dist/ and the npm package of
them, contains code of others; who wrote it and under which licence is below. (The service is
shipped as its source code alone.) `cargo xtask notice` writes this file.
";
const RULE_LINE: &str =
    "\n--------------------------------------------------------------------------------\n";
/// The licences to choose from, the preferred ones first, each with a word in its files' names.
const LICENCES: [(&str, &str); 8] = [
    ("MIT", "mit"),
    ("ISC", "isc"),
    ("BSD-2-Clause", "bsd"),
    ("BSD-3-Clause", "bsd"),
    ("Zlib", "zlib"),
    ("BSL-1.0", "boost"),
    ("Unicode-3.0", "unicode"),
    ("Apache-2.0", "apache"),
];
/// The text of the MIT licence, for packages that are under it and do not contain its text.
const MIT: &str = include_str!("mit.txt");

/// A package or another part of `dist/` that others wrote.
#[derive(Debug, PartialEq)]
struct NoticeEntry {
    /// The name and the version of the part.
    name: String,
    /// The texts of the part's licences.
    texts: Vec<String>,
}

/// Writes the file `NOTICE`.
pub(crate) fn write(workspace: &Workspace) -> Result<(), Error> {
    let file = workspace.path(NOTICE_FILE);
    fs::write(&file, notice_text(workspace)?).map_err(Error::of_file(&file))
}

/// Fails unless the file `NOTICE` is as [`write`] would write it.
pub(super) fn check(workspace: &Workspace) -> Result<(), Error> {
    let file = workspace.path(NOTICE_FILE);
    let is = fs::read_to_string(&file).map_err(Error::of_file(&file))?;
    require_equal(&is, &notice_text(workspace)?)
}

fn require_equal(is: &str, wanted: &str) -> Result<(), Error> {
    if is == wanted {
        return Ok(());
    }
    let advice = "NOTICE does not fit what dist/ is made of: run `cargo xtask notice`";
    Err(Error::Wrong(advice.into()))
}

fn notice_text(workspace: &Workspace) -> Result<String, Error> {
    let mut parts = Vec::new();
    for package in linked_crates(workspace)? {
        parts.push(crate_entry(&package)?);
    }
    parts.push(unicode_entry(&parts)?);
    parts.extend(standard_library_entries(workspace)?);
    for (name, package) in npm::bundled_packages(workspace)? {
        let folder = workspace.path("web/node_modules").join(&name);
        let field = |name: &str| {
            package
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let (version, licence) = (field("version"), field("license"));
        parts.push(package_entry(
            &format!("{name} {version}"),
            licence,
            &folder,
            "",
        )?);
    }
    Ok(assemble_notice(parts))
}

/// Returns the entry for a crate, from what Cargo says of it.
fn crate_entry(package: &Value) -> Result<NoticeEntry, Error> {
    let field = |name: &str| package[name].as_str().unwrap_or_default();
    let name = format!("{} {}", field("name"), field("version"));
    let folder = Path::new(field("manifest_path")).parent();
    let authors: Vec<&str> = array_member(package, "authors")
        .filter_map(Value::as_str)
        .collect();
    let folder = folder.unwrap_or(Path::new(""));
    package_entry(&name, field("license"), folder, &authors.join(", "))
}

/// Returns the entry for the tables of characters, which come from Unicode. The licence is taken
/// from one of `crates` that has tables, too.
fn unicode_entry(crates: &[NoticeEntry]) -> Result<NoticeEntry, Error> {
    let mut texts = crates.iter().flat_map(|part| &part.texts);
    let text = texts.find(|text| text.starts_with("UNICODE LICENSE V3"));
    let text = text.ok_or_else(|| Error::Wrong("no crate brings Unicode's licence".into()))?;
    Ok(NoticeEntry {
        name: "the tables of the Unicode Character Database in crates/characters".to_owned(),
        texts: vec![text.clone()],
    })
}

/// Returns the entries for the standard library, which is compiled with the modules.
fn standard_library_entries(workspace: &Workspace) -> Result<[NoticeEntry; 2], Error> {
    tools::ensure_rust_src(workspace)?;
    let sysroot = output_of(workspace.command("rustc").args(["--print", "sysroot"]))?;
    let library = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library");
    let builtins = library.join("compiler-builtins/LICENSE.txt");
    let text = fs::read_to_string(&builtins).map_err(Error::of_file(&builtins))?;
    let part = |name: &str, text: String| NoticeEntry {
        name: name.to_owned(),
        texts: vec![text],
    };
    let authors = "The Rust Project Contributors";
    Ok([
        part("the standard library of Rust", mit_text(authors)),
        part("compiler_builtins of Rust", text),
    ])
}

/// Returns the entry for a package, with the texts of its licences from the package's folder.
fn package_entry(
    name: &str,
    licence: &str,
    folder: &Path,
    authors: &str,
) -> Result<NoticeEntry, Error> {
    let wrong = |why: &str| Error::Wrong(format!("NOTICE: {name}: {why}"));
    let ids = LICENCES.map(|(id, _)| id);
    let ids = choose_licences(licence, &ids).ok_or_else(|| wrong("its licence is not known"))?;
    let files = fs::read_dir(folder).map_err(Error::of_file(folder))?;
    let files = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut files: Vec<String> = files.filter(|file| is_licence(file)).collect();
    files.sort();
    let mut texts = Vec::new();
    for id in ids {
        let file = files.iter().find(|file| has_word_of(file, id));
        // One file without the name of a licence is that of the only one.
        let plain = || {
            files
                .iter()
                .find(|file| !LICENCES.iter().any(|(id, _)| has_word_of(file, id)))
        };
        match file.or_else(plain) {
            Some(file) => {
                let file = folder.join(file);
                texts.push(fs::read_to_string(&file).map_err(Error::of_file(&file))?);
            }
            None if id == "MIT" && !authors.is_empty() => texts.push(mit_text(authors)),
            None if id == "MIT" => texts.push(mit_text(&format!("The authors of {name}"))),
            None => return Err(wrong("it brings no text of its licence")),
        }
    }
    Ok(NoticeEntry {
        name: name.to_owned(),
        texts,
    })
}

fn is_licence(file: &str) -> bool {
    let file = file.to_lowercase();
    ["licence", "license", "copying"]
        .iter()
        .any(|start| file.starts_with(start))
}

fn has_word_of(file: &str, licence: &str) -> bool {
    let word = LICENCES.iter().find(|(id, _)| *id == licence);
    word.is_some_and(|(_, word)| file.to_lowercase().contains(word))
}

fn mit_text(authors: &str) -> String {
    MIT.replace("{authors}", authors)
}

/// Returns the text of `NOTICE`: each licence once, below names and copyright lines of its parts.
fn assemble_notice(parts: Vec<NoticeEntry>) -> String {
    // By the words of the licence: its lines are broken in many ways.
    let mut licences: BTreeMap<String, (String, BTreeMap<String, Vec<String>>)> = BTreeMap::new();
    for NoticeEntry { name, texts } in parts {
        for text in texts {
            let (copyright, licence) = split_copyright(&text);
            let words = licence.split_whitespace().collect::<Vec<_>>().join(" ");
            let (_, packages) = licences.entry(words).or_insert((licence, BTreeMap::new()));
            packages.insert(name.clone(), copyright);
        }
    }
    let mut written = NOTICE_HEAD.to_owned();
    let mut licences: Vec<_> = licences.into_values().collect();
    licences.sort_by(|(_, one), (_, other)| one.keys().cmp(other.keys()));
    for (licence, packages) in licences {
        written += RULE_LINE;
        for (name, copyright) in packages {
            written += &format!("\n{name}\n");
            for line in copyright {
                written += &format!("    {line}\n");
            }
        }
        written += &format!("\n{licence}\n");
    }
    written
}

/// Returns the copyright lines at the beginning of a licence's text, and the text without them.
fn split_copyright(text: &str) -> (Vec<String>, String) {
    /// Number of lines at the beginning of the text in which a line about copyright names an
    /// author.
    const COPYRIGHT_LINES: usize = 8;
    let (mut copyright, mut rest) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        let line = line.trim_end();
        let said = line.trim_start();
        let is_of_somebody = ["Copyright (", "Copyright ©", "Copyright 1", "Copyright 2"]
            .iter()
            .any(|start| said.starts_with(start));
        if number < COPYRIGHT_LINES && is_of_somebody {
            copyright.push(said.to_owned());
        } else if !(line.is_empty() && rest.last().is_none_or(|last: &&str| last.is_empty())) {
            rest.push(line);
        }
    }
    (copyright, rest.join("\n").trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str, files: &[(&str, &str)]) -> std::path::PathBuf {
        let workspace = Workspace::locate().unwrap();
        let folder = workspace.path("target/xtask-tests").join(name);
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(&folder).unwrap();
        for (file, text) in files {
            fs::write(folder.join(file), text).unwrap();
        }
        folder
    }

    #[test]
    fn the_text_of_the_chosen_licence_is_taken() {
        let files = [("LICENSE-APACHE", "apache"), ("LICENSE_MIT", "mit")];
        let both = folder("notice-both", &files);
        let taken = |licence: &str| package_entry("a 1", licence, &both, "").unwrap().texts;
        assert_eq!(taken("Apache-2.0/MIT"), ["mit"]);
        assert_eq!(taken("MIT AND Apache-2.0"), ["mit", "apache"]);
        let one = folder("notice-one", &[("COPYING", "zlib"), ("README.md", "no")]);
        assert_eq!(
            package_entry("a 1", "Zlib", &one, "").unwrap().texts,
            ["zlib"]
        );
    }

    #[test]
    fn a_package_without_a_text_has_that_of_mit_or_is_refused() {
        let none = folder("notice-none", &[("README.md", "no")]);
        let text = &package_entry("a 1", "MIT", &none, "Ada, Bob")
            .unwrap()
            .texts[0];
        assert!(text.contains("\nCopyright (c) Ada, Bob\n"), "{text}");
        assert!(package_entry("a 1", "Zlib", &none, "Ada").is_err());
        assert!(package_entry("a 1", "GPL-3.0", &none, "Ada").is_err());
    }

    #[test]
    fn a_notice_is_what_it_has_to_be_to_the_letter() {
        assert!(require_equal("a 1\n", "a 1\n").is_ok());
        for stale in ["", "a 0\n", "a 1", "a 1\nb 1\n"] {
            let refused = require_equal(stale, "a 1\n").unwrap_err().to_string();
            assert!(refused.contains("run `cargo xtask notice`"), "{refused}");
        }
    }

    #[test]
    fn our_tables_of_characters_are_under_the_licence_of_unicode() {
        let of = |text: &str| NoticeEntry {
            name: "a 1".to_owned(),
            texts: vec!["MIT".to_owned(), text.to_owned()],
        };
        let licence = "UNICODE LICENSE V3\n\nDo it.";
        assert_eq!(unicode_entry(&[of(licence)]).unwrap().texts, [licence]);
        assert!(unicode_entry(&[of("Unicode, Inc.")]).is_err());
    }

    #[test]
    fn a_licence_is_there_once_below_all_that_are_under_it() {
        let part = |name: &str, text: &str| NoticeEntry {
            name: name.to_owned(),
            texts: vec![text.to_owned()],
        };
        let notice = assemble_notice(vec![
            part("b 2", "The MIT\n\nCopyright (c) Bob\n\nDo\nit.\n"),
            part("a 1", "The MIT\n\nCopyright 2015 Ada\n\nDo it.\n"),
            part("c 3", "Another one."),
        ]);
        let expected = format!(
            "{NOTICE_HEAD}{RULE_LINE}\na 1\n    Copyright 2015 Ada\n\nb 2\n    Copyright (c) Bob\n\nThe MIT\n\nDo\nit.\n{RULE_LINE}\nc 3\n\nAnother one.\n"
        );
        assert_eq!(notice, expected);
    }
}
