//! Generates what the loader, the diagnostic log, the playground and the documentation repeat of
//! `web/attributes.toml`, the table of the element's attributes.

use super::{
    GeneratedFile, ReadFile, generated_head, js_array, js_text, require_file, with_region,
};
use crate::locales::{self, Text};
use serde::Deserialize;

const TABLE_FILE: &str = "web/attributes.toml";
const LOADER_FILE: &str = "web/loader/attributes.js";
const LOG_FILE: &str = "web/history/attributes.js";
const PLAYGROUND_FILE: &str = "public/demo/playground/attributes.js";
const DOCUMENTATION_FILE: &str = "docs/ATTRIBUTES.md";
const ENGLISH_FILE: &str = "crates/i18n/locales/en.toml";

/// The table of the attributes of `<assent-chat>`, as `web/attributes.toml` has it; that file
/// describes the fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AttributeTable {
    group: Vec<AttributeGroup>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AttributeGroup {
    title: String,
    attribute: Vec<Attribute>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attribute {
    name: String,
    r#use: AttributeUse,
    #[serde(default)]
    values: Vec<String>,
    default: Option<String>,
    takes: Option<String>,
    #[serde(default)]
    logged: bool,
    meaning: String,
    hint: String,
    #[serde(default)]
    suggestions: Vec<String>,
    #[serde(default)]
    flag: bool,
    #[serde(default)]
    shown: bool,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum AttributeUse {
    Restart,
    Live,
    Frame,
}

pub(super) fn outputs(read: ReadFile<'_>) -> Result<Vec<GeneratedFile>, String> {
    let table = require_file(read, TABLE_FILE)?;
    let mut table: AttributeTable =
        toml::from_str(&table).map_err(|error| format!("{TABLE_FILE}: {error}"))?;
    let texts = locales::parse(&require_file(read, ENGLISH_FILE)?)?;
    for attribute in table
        .group
        .iter_mut()
        .flat_map(|group| &mut group.attribute)
    {
        attribute.default = attribute
            .default
            .take()
            .map(|text| with_texts(&text, &texts));
        if attribute.values.is_empty() == attribute.default.is_none() {
            let name = &attribute.name;
            return Err(format!(
                "{TABLE_FILE}: `{name}` needs either `values` or `default`"
            ));
        }
    }
    let all: Vec<&Attribute> = table
        .group
        .iter()
        .flat_map(|group| &group.attribute)
        .collect();
    let documentation = require_file(read, DOCUMENTATION_FILE)?;
    let connection = table_rows(&all, |attribute| attribute.r#use == AttributeUse::Restart);
    let behaviour = table_rows(&all, |attribute| attribute.r#use != AttributeUse::Restart);
    let documentation = with_region(&documentation, "connection", &connection)?;
    let documentation = with_region(&documentation, "appearance and behaviour", &behaviour)?;
    let output = |path, text| GeneratedFile { path, text };
    Ok(vec![
        output(LOADER_FILE, loader_code(&all)),
        output(LOG_FILE, log_code(&all)),
        output(PLAYGROUND_FILE, playground_code(&table.group)),
        output(DOCUMENTATION_FILE, documentation),
    ])
}

/// Returns `written` with each key in braces, such as `{heading}`, replaced by the English text
/// that has this key.
fn with_texts(written: &str, texts: &[Text]) -> String {
    let mut written = written.to_owned();
    for text in texts {
        if let [(_, english)] = text.forms.as_slice() {
            written = written.replace(&format!("{{{}}}", text.key), english);
        }
    }
    written
}

fn loader_code(all: &[&Attribute]) -> String {
    let used = |by: AttributeUse, is_choice: bool| {
        let used = all.iter().filter(move |it| it.r#use == by);
        used.filter(move |it| by != AttributeUse::Frame || it.values.is_empty() != is_choice)
    };
    let names = |by, is_choice| js_array(used(by, is_choice).map(|it| &it.name));
    let choices = used(AttributeUse::Frame, true);
    let choices = choices.map(|it| format!("{}: {}", it.name, js_array(it.values.iter())));
    let choices: Vec<String> = choices.collect();
    format!(
        "{}/** Of the frame: attributes with a closed set of values, the default first. @type {{Record<string, string[]>}} */\n\
         export const CHOICES = {{ {} }};\n\
         /** Of the frame: the others. */\n\
         export const FLAGS = {};\n\
         /** Who talks to whom: a change starts over. */\n\
         export const IDENTITY = {};\n\
         /** The running application follows these. */\n\
         export const LIVE = {};\n",
        generated_head(TABLE_FILE),
        choices.join(", "),
        names(AttributeUse::Frame, false),
        names(AttributeUse::Restart, false),
        names(AttributeUse::Live, false),
    )
}

fn log_code(all: &[&Attribute]) -> String {
    let logged = all.iter().filter(|attribute| attribute.logged);
    format!(
        "{}/** The attributes that say how the chat is set up. Keys, texts and people are not among them. */\n\
         export const OPTIONS = {};\n",
        generated_head(TABLE_FILE),
        js_array(logged.map(|attribute| &attribute.name))
    )
}

fn playground_code(groups: &[AttributeGroup]) -> String {
    let mut code = generated_head(TABLE_FILE);
    code.push_str("/** @import { Attribute } from \"./field.js\" */\n\n");
    code.push_str(
        "/** @type {{title: string, attributes: Attribute[]}[]} */\nexport const GROUPS = [\n",
    );
    for AttributeGroup { title, attribute } in groups {
        let title = js_text(title);
        code.push_str(&format!("  {{\n    title: {title},\n    attributes: [\n"));
        for attribute in attribute {
            code.push_str(&format!(
                "      {{ {} }},\n",
                field_members(attribute).join(", ")
            ));
        }
        code.push_str("    ],\n  },\n");
    }
    code.push_str("];\n");
    code
}

/// Returns the code of the members of an attribute's object in the playground's script, such as
/// `name: "mode"`.
fn field_members(attribute: &Attribute) -> Vec<String> {
    let mut fields = vec![format!("name: {}", js_text(&attribute.name))];
    if !attribute.values.is_empty() {
        fields.push(format!("values: {}", js_array(attribute.values.iter())));
    }
    if attribute.flag {
        fields.push("flag: true".into());
    }
    if !attribute.suggestions.is_empty() {
        fields.push(format!(
            "suggestions: {}",
            js_array(attribute.suggestions.iter())
        ));
    }
    if attribute.shown {
        fields.push("shown: true".into());
    }
    if let (Some(default), false) = (&attribute.default, attribute.flag) {
        fields.push(format!("unset: {}", js_text(&default.replace('`', ""))));
    }
    fields.push(format!("hint: {}", js_text(&attribute.hint)));
    fields
}

/// Returns a table of the documentation, in Markdown, with a row for each attribute for which
/// `is_in` returns true.
fn table_rows(all: &[&Attribute], is_in: fn(&Attribute) -> bool) -> String {
    let mut rows =
        String::from("\n| attribute | values, default first | meaning |\n|---|---|---|\n");
    for attribute in all.iter().filter(|attribute| is_in(attribute)) {
        let mut values: Vec<String> = attribute
            .values
            .iter()
            .map(|it| format!("`{it}`"))
            .collect();
        values.extend(attribute.default.clone());
        values.extend(attribute.takes.clone());
        let (name, values, meaning) = (&attribute.name, values.join(", "), &attribute.meaning);
        rows.push_str(&format!("| `{name}` | {values} | {meaning} |\n"));
    }
    rows.push('\n');
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generated(attributes: &str) -> Result<Vec<String>, String> {
        let table = format!("[[group]]\ntitle = \"All\"\n{attributes}");
        let documentation = "<!-- generated: connection -->\n<!-- end of generated -->\n<!-- generated: appearance and behaviour -->\n<!-- end of generated -->\n";
        let read = |path: &str| match path {
            TABLE_FILE => Some(table.clone()),
            DOCUMENTATION_FILE => Some(documentation.to_owned()),
            ENGLISH_FILE => Some("[shared]\nheading = \"Assistant\"\n".to_owned()),
            _ => None,
        };
        outputs(&read).map(|all| all.into_iter().map(|output| output.text).collect())
    }

    const TWO: &str = "[[group.attribute]]\nname = \"mode\"\nuse = \"frame\"\nvalues = [\"a\", \"b\"]\nmeaning = \"m\"\nhint = \"h\"\n\
        [[group.attribute]]\nname = \"heading\"\nuse = \"live\"\ndefault = \"`{heading}`\"\ntakes = \"text\"\nlogged = true\nmeaning = \"m\"\nhint = \"h\"\n";

    #[test]
    fn every_reader_gets_what_it_uses() {
        let [loader, log, playground, documentation] = generated(TWO).unwrap().try_into().unwrap();
        assert!(
            loader.contains("CHOICES = { mode: [\"a\", \"b\"] };\n"),
            "{loader}"
        );
        assert!(loader.contains("FLAGS = [];\n") && loader.contains("LIVE = [\"heading\"];\n"));
        assert!(log.ends_with("OPTIONS = [\"heading\"];\n"), "{log}");
        let field = "{ name: \"heading\", unset: \"Assistant\", hint: \"h\" },";
        assert!(playground.contains(field), "{playground}");
        assert!(documentation.contains("| `mode` | `a`, `b` | m |\n"));
        assert!(documentation.contains("| `heading` | `Assistant`, text | m |\n"));
    }

    #[test]
    fn a_wrong_row_is_refused() {
        for (from, to) in [
            ("values = [\"a\", \"b\"]\n", ""),
            ("takes", "takse"),
            ("\"live\"", "\"alive\""),
        ] {
            assert!(generated(&TWO.replace(from, to)).is_err(), "{to}");
        }
    }
}
