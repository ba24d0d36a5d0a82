//! Makes Rust of the English texts: a table, and a constant for each text that is named after its
//! key. Part of build scripts, beside `parse.rs`.

use std::{env, fs, io, path::Path};

use crate::parse::{Text, parse};

/// Reads the texts of `en.toml` in the folder `locales`.
pub(crate) fn read_texts(locales: &str) -> io::Result<Vec<Text>> {
    println!("cargo::rerun-if-changed={locales}/en.toml");
    let file = fs::read_to_string(format!("{locales}/en.toml"))?;
    parse(&file).map_err(|error| io::Error::other(format!("{locales}/en.toml: {error}")))
}

/// Writes `code` to `texts.rs` in the folder for generated files.
pub(crate) fn write_texts_file(code: &str) -> io::Result<()> {
    let output = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("no OUT_DIR"))?;
    fs::write(Path::new(&output).join("texts.rs"), code)
}

/// Returns Rust code with a table of the texts of these sections and a constant for each text.
pub(crate) fn constants_code(texts: &[Text], sections: &[&str]) -> String {
    let (mut written, mut constants) = (String::new(), String::new());
    let own = texts
        .iter()
        .filter(|text| sections.contains(&text.section.as_str()));
    for (row, text) in own.enumerate() {
        let english = |category: &str| {
            let form = text.forms.iter().find(|(it, _)| it == category);
            form.map_or("", |(_, english)| english)
        };
        let (kind, one) = if text.has_plurals() {
            ("Plural", "one")
        } else {
            ("Text", "")
        };
        written.push_str(&[&text.key, english(one), english("other"), ""].join("\n"));
        let name = constant_name(&text.key);
        constants.push_str(&format!(
            "pub(crate) const {name}: assent_i18n::{kind} = assent_i18n::{kind}(ENGLISH.row({row}));\n"
        ));
    }
    format!(
        "pub(crate) static ENGLISH: assent_i18n::Table = assent_i18n::Table::new({written:?});\n{constants}"
    )
}

/// Returns the name of the constant for a key: `NEW_MESSAGES` for `newMessages`. What is before a
/// dot is left out.
pub(crate) fn constant_name(key: &str) -> String {
    let (_, key) = key.rsplit_once('.').unwrap_or(("", key));
    let mut name = String::new();
    for letter in key.chars() {
        if letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}
