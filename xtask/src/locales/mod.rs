//! The texts of the languages in `crates/i18n/locales/`, in the form in which the widget fetches
//! them and a page sets them by the property `strings`: a flat object of keys and texts.

mod categories;
mod command;
mod findings;
#[path = "../../../crates/i18n/locales/parse.rs"]
mod parse;

pub(crate) use command::run;
pub(crate) use findings::compare;
pub(crate) use parse::{Text, parse};

use crate::error::Error;
use crate::workspace::Workspace;
use assent_protocol::EVENT_TYPES;
use std::fs;

/// The folder of the language files.
pub(crate) const FOLDER: &str = "crates/i18n/locales/";

/// The tag of the widget's own language. Its file has the keys of all texts except those of event
/// types.
pub(crate) const ENGLISH_TAG: &str = "en";

/// A language file of the repository.
pub(crate) struct Language {
    /// The tag of the language, which is the name of its file.
    pub(crate) tag: String,
    pub(crate) texts: Vec<Text>,
}

impl Language {
    pub(crate) fn is_english(&self) -> bool {
        self.tag == ENGLISH_TAG
    }

    /// Returns the texts as JSON, in the form for the property `strings`.
    pub(crate) fn json(&self) -> String {
        if self.is_english() {
            return to_json(&page_strings(&english_texts(&self.texts)));
        }
        to_json(&page_strings(&self.texts))
    }
}

/// Reads the languages of the repository, in the order of their tags.
pub(crate) fn read_languages(workspace: &Workspace) -> Result<Vec<Language>, Error> {
    let folder = workspace.path(FOLDER);
    let mut languages = Vec::new();
    for file in fs::read_dir(&folder).map_err(Error::of_file(&folder))? {
        let path = file.map_err(Error::of_file(&folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(tag) = tag_of(&name) else { continue };
        let file = fs::read_to_string(&path).map_err(Error::of_file(&path))?;
        let texts =
            parse(&file).map_err(|error| Error::Wrong(format!("{}: {error}", path.display())))?;
        let tag = tag.to_owned();
        languages.push(Language { tag, texts });
    }
    languages.sort_by(|one, other| one.tag.cmp(&other.tag));
    Ok(languages)
}

/// Returns the tag of the language that a file in [`FOLDER`] has the texts of; `None` for the other
/// files there.
pub(crate) fn tag_of(file_name: &str) -> Option<&str> {
    file_name.strip_suffix(".toml")
}

/// Returns the texts of `en.toml`, and the English ones of event types, which are in the table
/// `EVENT_TYPES`.
fn english_texts(texts: &[Text]) -> Vec<Text> {
    let events = EVENT_TYPES.iter().map(|event| Text {
        section: "events".to_owned(),
        key: format!("event.{}", event.name),
        forms: vec![(String::new(), event.text.to_owned())],
    });
    texts.iter().cloned().chain(events).collect()
}

/// Returns keys and texts in the form for the property `strings`.
fn page_strings(texts: &[Text]) -> Vec<(String, String)> {
    let mut strings = Vec::new();
    for text in texts {
        for (category, form) in &text.forms {
            let key = match category.as_str() {
                "" => text.key.clone(),
                category => format!("{}.{category}", text.key),
            };
            strings.push((key, form.clone()));
        }
    }
    strings
}

/// Returns keys and texts as JSON, in their order.
fn to_json(strings: &[(String, String)]) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let members = strings
        .iter()
        .map(|(key, text)| format!("  {}: {}", quoted(key), quoted(text)));
    format!("{{\n{}\n}}\n", members.collect::<Vec<_>>().join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_a_flat_object_with_a_key_for_each_plural_form() {
        let file = "[widget]\nsend = \"Los\"\nsteps.one = \"1\"\nsteps.few = \"{count}\"\n[requests]\n\"request.empty\" = \"\\\"\"\n";
        let strings = page_strings(&parse(file).unwrap());
        let expected = "{\n  \"send\": \"Los\",\n  \"steps.one\": \"1\",\n  \"steps.few\": \"{count}\",\n  \"request.empty\": \"\\\"\"\n}\n";
        assert_eq!(to_json(&strings), expected);
    }

    #[test]
    fn english_has_the_texts_of_event_types() {
        let strings = page_strings(&english_texts(&[]));
        assert_eq!(strings.len(), EVENT_TYPES.len());
        assert_eq!(
            strings[0],
            ("event.CONNECTION_ESTABLISHED".into(), "Connected".into())
        );
    }

    #[test]
    fn what_is_no_language_file_is_refused() {
        for file in [
            "send = \"Los\"",
            "[widget]\nsend = 1",
            "[widget]\nsend = \"a\\nb\"",
            "[widget",
        ] {
            assert!(parse(file).is_err(), "{file}");
        }
    }
}
