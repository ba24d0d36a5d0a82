//! Generates what the loader and `assent.d.ts` repeat of the English texts. The widget and the
//! renderer read the texts when they are built (`crates/i18n/locales/constants.rs`).

use super::{GeneratedFile, ReadFile, generated_head, js_text, require_file, with_region};
use crate::locales::{Text, parse};
use std::collections::BTreeSet;

const TABLE_FILE: &str = "crates/i18n/locales/en.toml";
const LOADER_FILE: &str = "web/loader/texts.js";
const TYPES_FILE: &str = "web/loader/assent.d.ts";
/// The names of the sections of `en.toml`, one for each module that has texts.
const SECTIONS: [&str; 8] = [
    "shared", "loader", "widget", "answers", "service", "details", "extras", "requests",
];
/// The sections of `en.toml` whose keys begin with a prefix that keys of other sections must not
/// have, each with its prefix.
const KEY_PREFIXES: [(&str, &str); 4] = [
    ("requests", "request."),
    ("service", "service."),
    ("details", "details."),
    ("extras", "extra."),
];

pub(super) fn generated_files(read: ReadFile<'_>) -> Result<Vec<GeneratedFile>, String> {
    let texts = parse(&require_file(read, TABLE_FILE)?)
        .map_err(|error| format!("{TABLE_FILE}: {error}"))?;
    check_texts(&texts)?;
    let types = require_file(read, TYPES_FILE)?;
    let types = with_region(
        &types,
        "texts with plural forms",
        &type_members(&texts, true),
    )?;
    let types = with_region(&types, "texts of one form", &type_members(&texts, false))?;
    let loader = GeneratedFile {
        path: LOADER_FILE,
        text: loader_code(&texts),
    };
    let types = GeneratedFile {
        path: TYPES_FILE,
        text: types,
    };
    Ok(vec![loader, types])
}

fn check_texts(texts: &[Text]) -> Result<(), String> {
    let mut keys = BTreeSet::new();
    for Text {
        section,
        key,
        forms,
    } in texts
    {
        let categories: Vec<&str> = forms
            .iter()
            .map(|(category, _)| category.as_str())
            .collect();
        if !SECTIONS.contains(&section.as_str()) {
            return Err(format!(
                "{TABLE_FILE}: no module has the section `{section}`"
            ));
        }
        if !keys.insert(key) {
            return Err(format!("{TABLE_FILE}: `{key}` is the key of two texts"));
        }
        if categories != [""] && categories != ["one", "other"] {
            return Err(format!(
                "{TABLE_FILE}: `{key}` has other forms than `one` and `other`"
            ));
        }
        for (of, prefix) in KEY_PREFIXES {
            if key.starts_with(prefix) != (section == of) {
                return Err(format!(
                    "{TABLE_FILE}: keys of the section `{of}`, and no others, begin with `{prefix}`: `{key}`"
                ));
            }
        }
    }
    Ok(())
}

/// Returns the loader's script with its English texts.
fn loader_code(texts: &[Text]) -> String {
    let mut code = generated_head(TABLE_FILE);
    code.push_str("/** English texts, by their keys of the property `strings`. */\n");
    code.push_str("export const TEXTS = {\n");
    for text in texts {
        if let ("shared" | "loader", [(_, english)]) =
            (text.section.as_str(), text.forms.as_slice())
        {
            let (key, english) = (&text.key, js_text(english));
            code.push_str(&format!("  {key}: {english},\n"));
        }
    }
    code.push_str("};\n");
    code
}

/// Returns the members of a TypeScript type, `/** English */ key?: string;`, for the texts with
/// plural forms if `has_plurals`, otherwise for the others.
fn type_members(texts: &[Text], has_plurals: bool) -> String {
    let mut members = String::new();
    for text in texts
        .iter()
        .filter(|text| text.has_plurals() == has_plurals)
    {
        let forms: Vec<&str> = text.forms.iter().map(|(_, form)| form.as_str()).collect();
        let english = forms.join(" | ");
        let key = if text.key.contains('.') {
            js_text(&text.key)
        } else {
            text.key.clone()
        };
        // Keys of the former are joined with categories, and never stand alone.
        let optional = if has_plurals { "" } else { "?" };
        members.push_str(&format!("  /** {english} */ {key}{optional}: string;\n"));
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generated(table: &str) -> Result<Vec<String>, String> {
        let types = "// generated: texts with plural forms\n// end of generated\n// generated: texts of one form\n// end of generated\n";
        let read = |path: &str| match path {
            TABLE_FILE => Some(table.to_owned()),
            TYPES_FILE => Some(types.to_owned()),
            _ => None,
        };
        generated_files(&read).map(|all| all.into_iter().map(|output| output.text).collect())
    }

    #[test]
    fn types_have_every_text_and_the_loader_its_own() {
        let table = "[loader]\nopen = \"Open\"\n[widget]\nsteps.one = \"1 step\"\nsteps.other = \"{count} steps\"\n[requests]\n\"request.empty\" = \"empty\"\n";
        let outputs = generated(table).unwrap();
        assert!(outputs[0].ends_with("export const TEXTS = {\n  open: \"Open\",\n};\n"));
        assert!(!outputs[0].contains("step"));
        let types = "// generated: texts with plural forms\n  /** 1 step | {count} steps */ steps: string;\n// end of generated\n// generated: texts of one form\n  /** Open */ open?: string;\n  /** empty */ \"request.empty\"?: string;\n// end of generated\n";
        assert_eq!(outputs[1], types);
    }

    #[test]
    fn a_wrong_table_is_refused() {
        for table in [
            "[elsewhere]\nsend = \"Send\"\n",
            "[loader]\nsend = \"Send\"\n[widget]\nsend = \"Send\"\n",
            "[widget]\nsteps.one = \"1 step\"\n",
            "[widget]\n\"request.empty\" = \"empty\"\n",
            "[requests]\nempty = \"empty\"\n",
            "[service]\nstopped = \"Stopped.\"\n",
        ] {
            assert!(generated(table).is_err(), "{table}");
        }
    }
}
