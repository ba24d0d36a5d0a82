//! The rule that the file of a language has only keys, plural categories and names in braces that
//! English has, and that the loader uses all its texts. The compiler checks that other modules use
//! theirs.

use super::sources::{SourceFile, Violation};
use crate::locales::{ENGLISH_TAG, Text, page_strings, parse};
use std::collections::BTreeMap;

const LOADER: &str = "web/loader/";
/// The generated file with the loader's texts and their keys, which uses none of them.
const TEXTS: &str = "web/loader/texts.js";
/// The names of the plural categories that keys of texts may end with (Unicode CLDR).
const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let languages = sources.iter().filter_map(|source| {
        let file = source.path.strip_prefix("crates/i18n/locales/")?;
        Some((file.strip_suffix(".toml")?, source))
    });
    let (mut english, mut violations) = (BTreeMap::new(), Vec::new());
    let mut others = Vec::new();
    for (language, source) in languages {
        match parse(&source.text) {
            Err(error) => violations.push(source.violation(1, error)),
            Ok(texts) if language == ENGLISH_TAG => {
                violations.extend(unused_in_loader(sources, source, &texts));
                english = page_strings(language, &texts).into_iter().collect();
            }
            Ok(texts) => others.push((source, page_strings(language, &texts))),
        }
    }
    for (source, strings) in others {
        for (key, text) in strings {
            // Every form is given the values of the form for any number.
            let of_others = || {
                let (key, category) = key.rsplit_once('.')?;
                let is_category = CATEGORIES.contains(&category);
                english.get(&format!("{key}.other")).filter(|_| is_category)
            };
            let message = match of_others().or_else(|| english.get(&key)) {
                None => format!("`{key}` is no key of a text"),
                Some(english) => {
                    match placeholder_names(&text)
                        .find(|name| !english.contains(&format!("{{{name}}}")))
                    {
                        Some(name) => format!("`{key}` has no value `{name}`"),
                        None => continue,
                    }
                }
            };
            violations.push(source.violation(1, message));
        }
    }
    violations
}

fn unused_in_loader(sources: &[SourceFile], file: &SourceFile, texts: &[Text]) -> Vec<Violation> {
    let loader = sources.iter().filter(|source| {
        source.is_in(&[LOADER]) && source.extension() == "js" && source.path != TEXTS
    });
    let loader: Vec<&SourceFile> = loader.collect();
    let is_used = |key: &str| {
        let quoted = format!("\"{key}\"");
        loader.is_empty() || loader.iter().any(|script| script.text.contains(&quoted))
    };
    let own = texts.iter().filter(|text| text.section == "loader");
    let unused = own.filter(|text| !is_used(&text.key));
    let message = |text: &Text| format!("{LOADER} does not use `{}`", text.key);
    unused
        .map(|text| file.violation(1, message(text)))
        .collect()
}

/// Returns the names that stand in braces in a text, such as `count`.
fn placeholder_names(text: &str) -> impl Iterator<Item = &str> {
    let rests = text.split('{').skip(1);
    rests.filter_map(|rest| Some(rest.split_once('}')?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(french: &str) -> Vec<String> {
        let english = "[widget]\nactionsFor = \"Actions for {name}\"\nsteps.one = \"1 step\"\nsteps.other = \"{count} steps\"\n";
        let source = |path: &str, text: &str| SourceFile {
            path: path.into(),
            text: text.into(),
        };
        let sources = [
            source("crates/i18n/locales/en.toml", english),
            source("crates/i18n/locales/fr.toml", french),
        ];
        check(&sources).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_language_may_leave_out_texts_and_have_other_plural_forms() {
        let french = "[all]\nactionsFor = \"Actions pour {name}\"\nsteps.one = \"{count} étape\"\nsteps.many = \"{count} d’étapes\"\n\"event.ERROR\" = \"Échec\"\n";
        assert_eq!(say(french), Vec::<String>::new());
        assert_eq!(say(""), Vec::<String>::new());
    }

    #[test]
    fn unknown_keys_categories_and_names_are_found() {
        for french in [
            "actionFor = \"Actions\"",
            "steps = \"étapes\"",
            "steps.some = \"étapes\"",
            "actionsFor.one = \"Action\"",
            "actionsFor = \"Actions pour {nom}\"",
            "\"event.OTHER\" = \"Échec\"",
            "actionsFor = 1",
        ] {
            assert_eq!(say(&format!("[all]\n{french}\n")).len(), 1, "{french}");
        }
    }

    #[test]
    fn a_text_that_the_loader_does_not_use_is_found() {
        let say = |code: &str| {
            let source = |path: &str, text: &str| SourceFile {
                path: path.into(),
                text: text.into(),
            };
            let english = "[loader]\nopenChat = \"Open chat\"\n";
            let sources = [
                source("crates/i18n/locales/en.toml", english),
                source("web/loader/element/panel.js", code),
            ];
            check(&sources).len()
        };
        assert_eq!(say("text(\"openChat\")"), 0);
        assert_eq!(say("text(\"closeChat\")"), 1);
    }
}
