//! The rule that the file of a language has all keys and names in braces that English has, no others,
//! and the plural categories of its language, and that the loader uses all its texts. The compiler
//! checks that other modules use theirs.

use super::sources::{SourceFile, Violation};
use crate::locales::{self, Text};

const LOADER: &str = "web/loader/";
/// The generated file with the loader's texts and their keys, which uses none of them.
const TEXTS: &str = "web/loader/texts.js";

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let languages = sources.iter().filter_map(|source| {
        let tag = locales::tag_of(source.path.strip_prefix(locales::FOLDER)?)?;
        Some((tag, source))
    });
    let (mut english, mut violations) = (Vec::new(), Vec::new());
    let mut others = Vec::new();
    for (tag, source) in languages {
        match locales::parse(&source.text) {
            Err(error) => violations.push(source.violation(1, error)),
            Ok(texts) if tag == locales::ENGLISH_TAG => {
                violations.extend(unused_in_loader(sources, source, &texts));
                english = texts;
            }
            Ok(texts) => others.push((tag, source, texts)),
        }
    }
    for (tag, source, texts) in others {
        let errors = locales::compare(tag, &texts, &english).errors.into_iter();
        violations.extend(errors.map(|error| source.violation(1, error)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sources;
    use crate::workspace::Workspace;

    #[test]
    fn a_language_has_all_texts_and_no_others() {
        let workspace = Workspace::locate().unwrap();
        let mut sources = sources::collect_sources(&workspace).unwrap();
        assert_eq!(check(&sources), []);
        let source = sources
            .iter_mut()
            .find(|it| it.path == "crates/i18n/locales/de.toml");
        let source = source.unwrap();
        source.text = source.text.replacen("\nsend = ", "\nsent = ", 1);
        let found: Vec<String> = check(&sources).iter().map(ToString::to_string).collect();
        let file = "crates/i18n/locales/de.toml:1:";
        assert_eq!(
            found,
            [
                format!("{file} `sent` is no key of a text"),
                format!("{file} `send` is missing")
            ]
        );
    }

    #[test]
    fn what_is_no_language_file_is_found() {
        let source = SourceFile {
            path: "crates/i18n/locales/fr.toml".into(),
            text: "actionsFor = 1".into(),
        };
        assert_eq!(check(&[source]).len(), 1);
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
