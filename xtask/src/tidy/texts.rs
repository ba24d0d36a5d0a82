//! The rule that `assent.d.ts` lists every text that a page may give, with its English; the tables
//! and the loader have no others.

use super::sources::{Source, Violation};
use std::collections::BTreeMap;

const TYPES: &str = "web/loader/assent.d.ts";
const LOADER: &str = "web/loader/element.js";
/// The files of the tables. The loader's texts are written beside their uses.
const TABLES: &[&str] = &[
    "src/components/strings",
    "crates/renderer/src/request/texts.rs",
];

pub(crate) fn check(sources: &[Source]) -> Vec<Violation> {
    let find = |path: &str| sources.iter().find(|source| source.path == path);
    let (Some(types), Some(loader)) = (find(TYPES), find(LOADER)) else {
        return Vec::new();
    };
    let typed = typed(&types.text);
    let tables = sources
        .iter()
        .filter(|source| TABLES.iter().any(|path| source.path.starts_with(path)));
    let mut known = BTreeMap::new();
    let mut violations = Vec::new();
    for (source, line, key, english) in tables.flat_map(rows) {
        if typed.get(key) != Some(&english.as_str()) {
            let message = format!("`{key}` is not in {TYPES} with this English");
            violations.push(source.violation(line, message));
        }
        if known.insert(key, line).is_some() {
            let message = format!("`{key}` is the key of another text, too");
            violations.push(source.violation(line, message));
        }
    }
    for (key, english) in typed {
        let is_used = loader.text.contains(&format!("\"{key}\", \"{english}\""));
        if !known.contains_key(key) && !is_used {
            violations.push(types.violation(1, format!("nothing says `{key}` in this English")));
        }
    }
    violations
}

/// Parses the rows of a table: `NAME, "key", "English";`, with two forms of English for plurals.
fn rows(source: &Source) -> Vec<(&Source, usize, &str, String)> {
    let lines = source.text.lines().enumerate();
    let rows = lines.filter_map(|(place, line)| {
        let inside = line.strip_suffix("\";")?;
        let (name, inside) = inside.split_once(", \"")?;
        let is_name = |letter: char| letter.is_ascii_uppercase() || letter == '_';
        let is_row = name.trim_start().chars().all(is_name);
        let (key, english) = inside.split_once("\", \"")?;
        is_row.then(|| (source, place + 1, key, english.replace("\", \"", " | ")))
    });
    rows.collect()
}

/// Parses the members of the types: `/** English */ key?: string;`.
fn typed(types: &str) -> BTreeMap<&str, &str> {
    let members = types.lines().filter_map(|line| {
        let (english, member) = line.trim_start().strip_prefix("/** ")?.split_once(" */ ")?;
        let key = member.strip_suffix(": string;")?;
        Some((key.trim_end_matches('?').trim_matches('"'), english))
    });
    members.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(table: &str, loader: &str, types: &str) -> Vec<String> {
        let source = |path: &str, text: &str| Source {
            path: path.into(),
            text: text.into(),
        };
        let sources = [
            source("src/components/strings/some.rs", table),
            source(LOADER, loader),
            source(TYPES, types),
        ];
        check(&sources).iter().map(ToString::to_string).collect()
    }

    const SEND: &str = "    SEND, \"send\", \"Send\";\n";

    #[test]
    fn what_is_typed_and_said_passes() {
        let table = [SEND, "    NEW, \"new\", \"1 new\", \"{count} new\";\n"].concat();
        let types = "/** Send */ send?: string;\n  /** 1 new | {count} new */ new: string;\n/** Open */ open?: string;";
        let loader = "this.#text(\"open\", \"Open\")";
        assert_eq!(say(&table, loader, types), Vec::<String>::new());
    }

    #[test]
    fn what_is_not_typed_or_with_other_words_is_found() {
        assert_eq!(say(SEND, "", "").len(), 1);
        // The English of the types is used nowhere, and the used one is not in the types.
        assert_eq!(say(SEND, "", "/** Go */ send?: string;").len(), 1);
    }

    #[test]
    fn what_nobody_says_is_found() {
        assert_eq!(say("", "", "/** Send */ send?: string;").len(), 1);
        let loader = "this.#text(\"send\", \"Go\")";
        assert_eq!(say("", loader, "/** Send */ send?: string;").len(), 1);
    }

    #[test]
    fn a_key_of_two_texts_is_found() {
        let types = "/** Send */ send?: string;";
        assert_eq!(say(&[SEND, SEND].concat(), "", types).len(), 1);
    }
}
