//! Parses a language file: the `LANGUAGE.toml` beside this file. Part of build scripts and of
//! xtask.

use toml::{Table, Value};

/// A text of a language.
#[derive(Clone)]
pub(crate) struct Text {
    /// The section of the file, which in `en.toml` says what module carries the text.
    pub(crate) section: String,
    /// The key of the text in the property `strings`.
    pub(crate) key: String,
    /// The forms of the text, each with its plural category before it. A text of one form has a
    /// single one, with an empty category.
    pub(crate) forms: Vec<(String, String)>,
}

impl Text {
    /// Returns true for a text with plural forms.
    pub(crate) fn has_plurals(&self) -> bool {
        self.forms.iter().any(|(category, _)| !category.is_empty())
    }
}

/// Parses the content of a language file. An error says what is wrong in it.
pub(crate) fn parse(file: &str) -> Result<Vec<Text>, String> {
    let sections: Table = file.parse().map_err(|error| format!("{error}"))?;
    let mut texts = Vec::new();
    for (section, rows) in sections {
        let Value::Table(rows) = rows else {
            return Err(format!("`{section}` stands in no section"));
        };
        for (key, value) in rows {
            let forms = match value {
                Value::Table(forms) => forms.into_iter().map(parse_form).collect(),
                text => parse_form((String::new(), text)).map(|form| vec![form]),
            };
            texts.push(Text {
                forms: forms.map_err(|form| format!("`{key}` {form}"))?,
                section: section.clone(),
                key,
            });
        }
    }
    Ok(texts)
}

fn parse_form((category, value): (String, Value)) -> Result<(String, String), &'static str> {
    match value {
        Value::String(text) if text.contains('\n') => Err("has a line break"),
        Value::String(text) => Ok((category, text)),
        _ => Err("is no text"),
    }
}
