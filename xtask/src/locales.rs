//! The texts of the languages in `crates/i18n/locales/`, in the form in which a page sets a
//! language by the property `strings`: a flat object of keys and texts.

#[path = "../../crates/i18n/locales/parse.rs"]
mod parse;

pub(crate) use parse::{Text, parse};

use assent_protocol::EVENT_TYPES;

/// The tag of the widget's own language. Its file has the keys of all texts except those of event
/// types.
pub(crate) const ENGLISH_TAG: &str = "en";

/// Returns the keys and texts of a language in the form for the property `strings`. The English
/// texts of event types are added from the table `EVENT_TYPES`.
pub(crate) fn page_strings(language: &str, texts: &[Text]) -> Vec<(String, String)> {
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
    if language == ENGLISH_TAG {
        let events = EVENT_TYPES.iter();
        strings.extend(events.map(|event| (event_key(event.name), event.text.to_owned())));
    }
    strings
}

/// Returns the key of the text for the event type of this name.
fn event_key(name: &str) -> String {
    format!("event.{name}")
}

/// Returns keys and texts as JSON, in their order.
pub(crate) fn to_json(strings: &[(String, String)]) -> String {
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
        let strings = page_strings("pl", &parse(file).unwrap());
        let expected = "{\n  \"send\": \"Los\",\n  \"steps.one\": \"1\",\n  \"steps.few\": \"{count}\",\n  \"request.empty\": \"\\\"\"\n}\n";
        assert_eq!(to_json(&strings), expected);
    }

    #[test]
    fn english_has_the_texts_of_event_types() {
        let strings = page_strings(ENGLISH_TAG, &[]);
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
