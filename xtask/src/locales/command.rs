//! `cargo xtask locales`: what translators have to do, and the files of the page in development.

use super::{ENGLISH_TAG, FOLDER, Language, compare, read_languages};
use crate::dist::brotli_length;
use crate::error::Error;
use crate::size;
use crate::workspace::Workspace;
use std::fs;
use std::path::Path;

/// Runs the command with the words that follow its name.
pub(crate) fn run(workspace: &Workspace, words: &[&str]) -> Result<(), Error> {
    let languages = read_languages(workspace)?;
    match words {
        ["--write", folder] => write_plain(&languages, Path::new(folder)),
        [] => tell(&languages, |_| true),
        [tag] => {
            if !languages.iter().any(|language| language.tag == *tag) {
                return Err(Error::Wrong(format!(
                    "there is no {FOLDER}{tag}.toml: copy {FOLDER}{ENGLISH_TAG}.toml, and translate"
                )));
            }
            tell(&languages, |other| other == *tag)
        }
        _ => Err(Error::Usage(
            "Usage: cargo xtask locales [LANGUAGE | --write FOLDER]".into(),
        )),
    }
}

/// Writes the texts of each language to `LANGUAGE.json` in a folder: the names that the loader
/// knows them by where names have no hashes.
fn write_plain(languages: &[Language], folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(Error::of_file(folder))?;
    languages.iter().try_for_each(|language| {
        let file = folder.join(format!("{}.json", language.tag));
        fs::write(&file, language.json()).map_err(Error::of_file(&file))
    })
}

/// Prints what is wrong with languages, and what may be too long; fails if something is wrong.
fn tell(languages: &[Language], is_meant: impl Fn(&str) -> bool) -> Result<(), Error> {
    let english = languages.iter().find(|language| language.is_english());
    let english = english.map_or(&[][..], |language| &language.texts);
    let mut is_right = true;
    for language in languages {
        if language.is_english() || !is_meant(&language.tag) {
            continue;
        }
        let mut findings = compare(&language.tag, &language.texts, english);
        let bytes = brotli_length(language.json().as_bytes())?;
        findings.errors.extend(size::language_error(bytes));
        println!(
            "{}: {} texts, {bytes} bytes, {} to mend, {} that may be too long",
            language.tag,
            language.texts.len(),
            findings.errors.len(),
            findings.long.len()
        );
        for error in &findings.errors {
            println!("  {error}");
        }
        for text in &findings.long {
            println!("  long: {text}");
        }
        is_right &= findings.errors.is_empty();
    }
    match is_right {
        true => Ok(()),
        false => Err(Error::Wrong("there are texts to mend".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn every_language_is_written_as_a_page_sets_it() {
        let workspace = Workspace::locate().unwrap();
        let folder = workspace.path("target/xtask-tests/locales");
        run(&workspace, &["--write", &folder.to_string_lossy()]).unwrap();
        let english = fs::read(folder.join("en.json")).unwrap();
        let english: Value = serde_json::from_slice(&english).unwrap();
        assert_eq!(english["send"], "Send");
        assert_eq!(english["newMessages.other"], "{count} new messages");
        assert_eq!(english["event.MESSAGE_RECEIVED"], "Message received");
        let is_flat = |text: &Value| text.is_string();
        assert!(english.as_object().unwrap().values().all(is_flat));
    }

    #[test]
    fn the_languages_of_the_repository_have_nothing_to_mend() {
        let workspace = Workspace::locate().unwrap();
        run(&workspace, &[]).unwrap();
        let missing = run(&workspace, &["xx"]).unwrap_err().to_string();
        assert!(missing.contains("crates/i18n/locales/xx.toml"), "{missing}");
        assert!(run(&workspace, &["fr", "de"]).is_err());
    }
}
