//! The files with the texts of languages in `dist/locales/`. They have one hash for all in their
//! names, so that the loader names them in one place, for whatever language.

use super::{content_hash, loader, write};
use crate::error::Error;
use crate::locales::Language;
use std::fs;
use std::path::Path;

/// What stands in the loader for the name of a language's file.
const PLAIN: &str = "${tag}.json`, import.meta.url)";

/// The texts of all languages but English, as the files that a browser fetches.
pub(super) struct LanguageFiles {
    /// The hash that the files have in their names.
    pub(super) hash: String,
    /// The path of each file in `dist/`, with its content.
    pub(super) files: Vec<(String, Vec<u8>)>,
}

impl LanguageFiles {
    pub(super) fn new(languages: &[Language]) -> LanguageFiles {
        let translations = languages.iter().filter(|language| !language.is_english());
        let texts: Vec<(&str, String)> = translations.map(|it| (&*it.tag, it.json())).collect();
        let all: Vec<&str> = texts.iter().map(|(_, json)| json.as_str()).collect();
        let hash = content_hash(all.concat().as_bytes());
        let file =
            |(tag, json): (&str, String)| (format!("locales/{tag}-{hash}.json"), json.into_bytes());
        let files = texts.into_iter().map(file).collect();
        LanguageFiles { hash, files }
    }

    /// Returns the loader's code with the hash in the names of the files.
    pub(super) fn name_in(&self, loader: &str) -> Result<String, Error> {
        let hashed = PLAIN.replace(".json", &format!("-{}.json", self.hash));
        loader::replace_once(loader, PLAIN, &hashed)
    }
}

/// Writes the English texts, which show translators all that there are, to `locales/en.json` in the
/// folder `dist`. No browser fetches them.
pub(super) fn write_english(languages: &[Language], dist: &Path) -> Result<(), Error> {
    let folder = dist.join("locales");
    fs::create_dir_all(&folder).map_err(Error::of_file(&folder))?;
    let mut english = languages.iter().filter(|language| language.is_english());
    english.try_for_each(|it| write(&folder.join("en.json"), it.json().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locales::parse;

    fn language(tag: &str, send: &str) -> Language {
        let texts = parse(&format!("[all]\nsend = \"{send}\"\n")).unwrap();
        let tag = tag.to_owned();
        Language { tag, texts }
    }

    #[test]
    fn all_files_have_one_hash_which_the_loader_knows() {
        let all = [language("en", "Send"), language("fr", "Envoyer")];
        let it = LanguageFiles::new(&all);
        let [(name, content)] = it.files.as_slice() else {
            panic!("one file");
        };
        assert_eq!(*name, format!("locales/fr-{}.json", it.hash));
        assert_eq!(content, b"{\n  \"send\": \"Envoyer\"\n}\n");
        let loader = "new URL(`./locales/${tag}.json`, import.meta.url)";
        let hashed = loader.replace("${tag}", &format!("${{tag}}-{}", it.hash));
        assert_eq!(it.name_in(loader).unwrap(), hashed);
        assert!(it.name_in("").is_err());
        let other = LanguageFiles::new(&[language("fr", "Poster")]);
        assert_ne!(other.hash, it.hash);
    }

    #[test]
    fn english_has_a_plain_name() {
        let dist = std::env::temp_dir().join(format!("assent-english-{}", std::process::id()));
        write_english(&[language("en", "Send"), language("fr", "Envoyer")], &dist).unwrap();
        let files = fs::read_dir(dist.join("locales")).unwrap();
        let names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, ["en.json"]);
        fs::remove_dir_all(&dist).unwrap();
    }
}
