//! Writes `dist/locales/`: for each language in `crates/i18n/locales/` a JSON file whose content a
//! page gives to the property `strings`. The English one shows translators all texts that there
//! are.

use super::{read, write};
use crate::error::Error;
use crate::locales::{page_strings, parse, to_json};
use crate::workspace::Workspace;
use std::fs;
use std::path::Path;

/// Writes the texts of each language to `locales/LANGUAGE.json` in the folder `dist`.
pub(super) fn write_languages(workspace: &Workspace, dist: &Path) -> Result<(), Error> {
    let (from, to) = (workspace.path("crates/i18n/locales"), dist.join("locales"));
    fs::create_dir_all(&to).map_err(Error::of_file(&to))?;
    for file in fs::read_dir(&from).map_err(Error::of_file(&from))? {
        let file = file.map_err(Error::of_file(&from))?.path();
        let language = file.file_stem().unwrap_or_default().to_string_lossy();
        if file.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let texts = parse(&String::from_utf8_lossy(&read(&file)?))
            .map_err(|error| Error::Wrong(format!("{}: {error}", file.display())))?;
        let strings = to_json(&page_strings(&language, &texts));
        write(&to.join(format!("{language}.json")), strings.as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn every_language_is_there_as_a_page_sets_it() {
        let workspace = Workspace::locate().unwrap();
        let dist = workspace.path("target/xtask-tests/dist-languages");
        write_languages(&workspace, &dist).unwrap();
        let english = fs::read(dist.join("locales/en.json")).unwrap();
        let english: Value = serde_json::from_slice(&english).unwrap();
        assert_eq!(english["send"], "Send");
        assert_eq!(english["newMessages.other"], "{count} new messages");
        assert_eq!(english["event.MESSAGE_RECEIVED"], "Message received");
        let is_flat = |text: &Value| text.is_string();
        assert!(english.as_object().unwrap().values().all(is_flat));
    }
}
