//! What is wrong with the texts of a language, beside the English ones.

use super::categories::plural_categories;
use super::{Text, english_texts};
use std::collections::{BTreeMap, BTreeSet};

/// The plural categories in which a text may say its number as a word, or not at all.
const CATEGORIES_OF_ONE_NUMBER: [&str; 3] = ["zero", "one", "two"];

/// What is wrong with the texts of a language, each as a sentence for the translator.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// What the repository does not take.
    pub(crate) errors: Vec<String>,
    /// Texts that may be too long for their place: more than twice as long as the English one, and
    /// by more than 14 characters.
    pub(crate) long: Vec<String>,
}

/// Compares the texts of the language `tag` with those of `en.toml`, `english`.
pub(crate) fn compare(tag: &str, texts: &[Text], english: &[Text]) -> Findings {
    let mut findings = Findings::default();
    let Some(categories) = plural_categories(tag) else {
        findings.errors.push(format!(
            "the plural categories of `{tag}` are missing in xtask/src/locales/categories.rs"
        ));
        return findings;
    };
    let english = english_texts(english);
    let known: BTreeSet<&str> = english.iter().map(|text| text.key.as_str()).collect();
    let unknown = texts
        .iter()
        .filter(|text| !known.contains(text.key.as_str()));
    let unknown = unknown.map(|text| format!("`{}` is no key of a text", text.key));
    findings.errors.extend(unknown);
    let texts: BTreeMap<&str, &Text> = texts.iter().map(|text| (text.key.as_str(), text)).collect();
    for english in &english {
        match texts.get(english.key.as_str()) {
            None => findings
                .errors
                .push(format!("`{}` is missing", english.key)),
            Some(text) => findings.compare_text(text, english, categories),
        }
    }
    findings
}

impl Findings {
    fn compare_text(&mut self, text: &Text, english: &Text, categories: &[&str]) {
        let key = &text.key;
        let expected: &[&str] = match english.has_plurals() {
            true => categories,
            false => &[""],
        };
        let named = |category: &str| match category {
            "" => format!("`{key}`"),
            category => format!("`{key}.{category}`"),
        };
        for category in expected {
            if !text.forms.iter().any(|(known, _)| known == category) {
                self.errors.push(format!("{} is missing", named(category)));
            }
        }
        // Every form is given the values of the form for any number.
        let Some((_, model)) = english.forms.last() else {
            return;
        };
        for (category, form) in &text.forms {
            let named = named(category);
            if !expected.contains(&category.as_str()) {
                self.errors
                    .push(format!("{named} is no form of a text in this language"));
                continue;
            }
            let (names, values) = (placeholder_names(form), placeholder_names(model));
            for name in names.difference(&values) {
                self.errors.push(format!("{named} has no value `{name}`"));
            }
            for name in values.difference(&names) {
                let is_of_one_number = CATEGORIES_OF_ONE_NUMBER.contains(&category.as_str());
                if *name != "count" || !is_of_one_number {
                    self.errors.push(format!("{named} leaves out `{{{name}}}`"));
                }
            }
            if form.trim().is_empty() {
                self.errors.push(format!("{named} is empty"));
            }
            let (length, most) = (form.chars().count(), model.chars().count());
            if length > (2 * most).max(most + 14) {
                self.long
                    .push(format!("{named}: {form}\n    English: {model}"));
            }
        }
    }
}

/// Returns the names that stand in braces in a text, such as `count`.
fn placeholder_names(text: &str) -> BTreeSet<&str> {
    let rests = text.split('{').skip(1);
    let names = rests.filter_map(|rest| Some(rest.split_once('}')?.0));
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locales::parse;
    use assent_protocol::EVENT_TYPES;

    const ENGLISH: &str = "[widget]\nsend = \"Send\"\nactionsFor = \"Actions for {name}\"\nsteps.one = \"1 step\"\nsteps.other = \"{count} steps of {name}\"\n";

    fn compare_files(tag: &str, file: &str) -> Findings {
        let mut file = parse(file).unwrap();
        let events = EVENT_TYPES.iter().map(|event| Text {
            section: "events".into(),
            key: format!("event.{}", event.name),
            forms: vec![(String::new(), "x".into())],
        });
        file.extend(events);
        compare(tag, &file, &parse(ENGLISH).unwrap())
    }

    const FRENCH: &str = "[all]\nsend = \"Envoyer\"\nactionsFor = \"Actions pour {name}\"\nsteps.one = \"une étape de {name}\"\nsteps.many = \"{count} d’étapes de {name}\"\nsteps.other = \"{count} étapes de {name}\"\n";

    #[test]
    fn a_whole_language_has_nothing_wrong() {
        let findings = compare_files("fr", FRENCH);
        assert_eq!((findings.errors, findings.long), (vec![], vec![]));
    }

    #[test]
    fn what_is_missing_unknown_or_filled_wrongly_is_found() {
        for (from, to, expected) in [
            ("send = \"Envoyer\"\n", "", "`send` is missing"),
            ("send =", "sent =", "`send` is missing"),
            (
                "send =",
                "sent = \"\"\nsend =",
                "`sent` is no key of a text",
            ),
            ("\"Envoyer\"", "\" \"", "`send` is empty"),
            ("send =", "send.one =", "`send` is missing"),
            (
                "send =",
                "send.one =",
                "`send.one` is no form of a text in this language",
            ),
            ("steps.many =", "steps.few =", "`steps.many` is missing"),
            (
                "steps.many =",
                "steps.few =",
                "`steps.few` is no form of a text in this language",
            ),
            (
                "pour {name}",
                "pour {nom}",
                "`actionsFor` has no value `nom`",
            ),
            ("pour {name}", "pour", "`actionsFor` leaves out `{name}`"),
            (
                "{count} étapes",
                "étapes",
                "`steps.other` leaves out `{count}`",
            ),
            (
                "une étape de {name}",
                "une étape",
                "`steps.one` leaves out `{name}`",
            ),
        ] {
            let file = FRENCH.replace(from, to);
            let errors = compare_files("fr", &file).errors;
            assert!(errors.iter().any(|it| it == expected), "{file}: {errors:?}");
        }
        let missing = compare("fr", &[], &parse(ENGLISH).unwrap()).errors;
        assert_eq!(missing.len(), 3 + EVENT_TYPES.len());
    }

    #[test]
    fn a_language_without_plural_categories_is_found() {
        assert_eq!(compare_files("xx", FRENCH).errors.len(), 1);
    }

    #[test]
    fn long_texts_are_named() {
        let say = |text: &str| {
            let long = compare_files("fr", &FRENCH.replace("Envoyer", text)).long;
            long.len()
        };
        assert_eq!(say(&"x".repeat(18)), 0);
        assert_eq!(say(&"x".repeat(19)), 1);
    }
}
