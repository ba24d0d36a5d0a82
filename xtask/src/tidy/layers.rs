//! Allowed references between parts of the code, read from the sources: the widget's layers, the
//! purity of the core, and the directions of the service.

use super::sources::{Source, Violation, line_of};
use crate::comments::without_comments;

/// Names that must not occur in the files under a folder: `crate::…` paths and other words.
struct Layer {
    folder: &'static str,
    /// Top-level modules of the same crate.
    modules: &'static [&'static str],
    /// Crates and paths.
    words: &'static [&'static str],
}

const LAYERS: &[Layer] = &[
    Layer {
        folder: "src/store/",
        modules: &["components", "host"],
        words: &["assent_client", "web_sys", "wasm_bindgen_futures"],
    },
    Layer {
        folder: "src/components/",
        modules: &["host"],
        words: &[
            "assent_client",
            "assent_protocol",
            "assent_sse",
            "web_sys::window",
            "web_sys::Storage",
            "local_storage",
            "session_storage",
        ],
    },
    Layer {
        folder: "crates/characters/src/",
        modules: &[],
        words: PURE,
    },
    Layer {
        folder: "crates/conversation/src/",
        modules: &[],
        words: PURE,
    },
    Layer {
        folder: "crates/inspect/src/",
        modules: &[],
        words: PURE,
    },
    Layer {
        folder: "crates/markdown/src/",
        modules: &[],
        words: PURE,
    },
    Layer {
        folder: "crates/protocol/src/",
        modules: &[],
        words: PURE,
    },
    Layer {
        folder: "service/src/agents/",
        modules: &[
            "answer", "config", "routes", "run", "serve", "state", "store", "stream",
        ],
        words: &["axum", "sqlx"],
    },
    Layer {
        folder: "service/src/store/",
        modules: &[
            "agents", "answer", "config", "routes", "run", "serve", "state", "stream",
        ],
        words: &["axum"],
    },
];

const PURE: &[&str] = &[
    "SystemTime",
    "Instant",
    "std::fs",
    "std::net",
    "std::env",
    "std::thread",
    "RandomState",
    "rand",
    "web_sys",
    "wasm_bindgen",
    "leptos",
];

pub(crate) fn check(sources: &[Source]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in sources.iter().filter(|source| source.extension() == "rs") {
        for layer in LAYERS.iter().filter(|layer| source.is_in(&[layer.folder])) {
            let code = without_comments(&source.text);
            for (position, module) in module_paths(&source.path, &code) {
                if layer.modules.contains(&module) {
                    let message = format!("{} must not use crate::{module}", layer.folder);
                    violations.push(source.violation(line_of(&code, position), message));
                }
            }
            for word in layer.words {
                for position in occurrences(&code, word) {
                    let message = format!("{} must not use {word}", layer.folder);
                    violations.push(source.violation(line_of(&code, position), message));
                }
            }
        }
    }
    violations
}

/// Returns the top-level modules that the code names, by `crate::name`, `crate::{name, …}` or
/// enough `super::`.
fn module_paths<'code>(path: &str, code: &'code str) -> Vec<(usize, &'code str)> {
    // A file `components/app.rs` of a crate's `src` is two `super::` away from the root.
    let within = path.rsplit_once("src/").map_or(path, |(_, within)| within);
    let depth = within.trim_end_matches("/mod.rs").split('/').count();
    let to_root = "super::".repeat(depth);
    let mut found = Vec::new();
    for root in ["crate::", &to_root] {
        for position in occurrences(code, root) {
            let tail = code.get(position + root.len()..).unwrap_or_default();
            match tail.strip_prefix('{') {
                Some(group) => found.extend(group_heads(group).map(|name| (position, name))),
                None => found.push((position, head(tail))),
            }
        }
    }
    found
}

/// Returns the first name of each entry of a `use` group: `a::b, c::{d, e}}` starts with `a` and
/// `c`.
fn group_heads(group: &str) -> impl Iterator<Item = &str> {
    let mut depth = 1_i32;
    let mut is_start = true;
    group
        .char_indices()
        .map_while(move |(position, character)| {
            depth += i32::from(character == '{') - i32::from(character == '}');
            let starts = is_start && depth == 1 && (character.is_alphabetic() || character == '_');
            if starts || (depth == 1 && character == ',') {
                is_start = !starts;
            }
            (depth > 0).then_some(starts.then_some(position))
        })
        .flatten()
        .filter_map(|position| group.get(position..))
        .map(head)
}

fn head(text: &str) -> &str {
    text.split(|character: char| !is_word(character))
        .next()
        .unwrap_or_default()
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Returns the positions of the word as a whole word.
fn occurrences(code: &str, word: &str) -> Vec<usize> {
    code.match_indices(word)
        .filter(|(position, _)| {
            let before = code
                .get(..*position)
                .and_then(|head| head.chars().next_back());
            let after = code
                .get(position + word.len()..)
                .and_then(|tail| tail.chars().next());
            let ends = word.ends_with(':') || after.is_none_or(|character| !is_word(character));
            before.is_none_or(|character| !is_word(character)) && ends
        })
        .map(|(position, _)| position)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sources::say;

    #[test]
    fn forbidden_layers_are_found_in_every_spelling() {
        for (path, text) in [
            ("src/components/app.rs", "use crate::host::mount;\n"),
            (
                "src/components/app.rs",
                "use crate::{store::Store, host};\n",
            ),
            (
                "src/components/app.rs",
                "use crate::{\n    store::{Row, Store},\n    host::{a, b},\n};\n",
            ),
            ("src/components/app.rs", "use super::super::host::mount;\n"),
            ("src/components/app.rs", "let x = crate::host::mount();\n"),
            ("src/components/app.rs", "use assent_protocol::Event;\n"),
            ("src/components/app.rs", "web_sys::window();\n"),
            ("src/components/app.rs", "use assent_client::Runtime;\n"),
            ("src/store/store.rs", "use assent_client::warn;\n"),
            ("src/store/store.rs", "use crate::components::app;\n"),
            ("src/store/store.rs", "use web_sys::Element;\n"),
            (
                "crates/conversation/src/step.rs",
                "std::time::Instant::now();\n",
            ),
            ("service/src/agents/echo.rs", "use crate::store::Store;\n"),
            (
                "service/src/agents/echo.rs",
                "use super::super::{profile::Profile, run::Runs};\n",
            ),
            ("service/src/agents/mod.rs", "use super::state::AppState;\n"),
            ("service/src/agents/mod.rs", "use sqlx::SqlitePool;\n"),
            (
                "service/src/store/threads.rs",
                "use crate::agents::Agents;\n",
            ),
            (
                "service/src/store/threads.rs",
                "use crate::{\n    Error,\n    answer::AnswerWriter,\n};\n",
            ),
            ("service/src/store/mod.rs", "use axum::http::StatusCode;\n"),
        ] {
            assert_eq!(say(check, path, text).len(), 1, "{path}: {text}");
        }
    }

    #[test]
    fn allowed_names_pass() {
        for (path, text) in [
            (
                "src/components/app.rs",
                "use crate::store::Store; // not crate::host\n",
            ),
            (
                "src/components/app.rs",
                "use crate::{store::{host_row, Store}, components::message};\n",
            ),
            ("src/components/app.rs", "use super::message;\n"),
            ("src/host/mount.rs", "use crate::{store, components};\n"),
            (
                "crates/conversation/src/step.rs",
                "let operand = instant;\n",
            ),
            (
                "service/src/agents/echo.rs",
                "use super::agent::{Answer, Turn};\nuse crate::{Result, profile::Profile};\n",
            ),
            (
                "service/src/store/mod.rs",
                "use sqlx::SqlitePool;\nuse crate::{Error, approval::decide};\n",
            ),
            (
                "service/src/routes/threads.rs",
                "use axum::Json;\nuse crate::{AppState, agents, store};\n",
            ),
        ] {
            assert_eq!(
                say(check, path, text),
                Vec::<String>::new(),
                "{path}: {text}"
            );
        }
    }
}
