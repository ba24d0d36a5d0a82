//! The rule that files of some folders do not name certain modules and crates: the widget's store
//! and components, crates that must not use a clock, network or browser, the parts of the core, and
//! the service's agents and store.

use super::imports::{module_paths, occurrences};
use super::sources::{SourceFile, Violation, line_of};
use crate::comments::without_comments;

/// A folder, and the modules, crates and paths that its files must not name.
struct Layer {
    folder: &'static str,
    /// Top-level modules of the same crate that the files must not name.
    modules: &'static [&'static str],
    /// Crates and paths that the files must not name.
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
        words: NOT_IN_PURE_CODE,
    },
    Layer {
        folder: "crates/conversation/src/",
        modules: &[],
        words: NOT_IN_PURE_CODE,
    },
    Layer {
        folder: "crates/inspect/src/",
        modules: &[],
        words: NOT_IN_PURE_CODE,
    },
    Layer {
        folder: "crates/markdown/src/",
        modules: &[],
        words: NOT_IN_PURE_CODE,
    },
    Layer {
        folder: "crates/protocol/src/",
        modules: &[],
        words: NOT_IN_PURE_CODE,
    },
    Layer {
        folder: "service/src/agents/",
        modules: &[],
        // The store itself: an answer gives its agent the handles that it may use.
        words: &["axum", "sqlx", "Store"],
    },
    Layer {
        folder: "service/src/store/",
        modules: &[],
        words: &["axum"],
    },
];

const NOT_IN_PURE_CODE: &[&str] = &[
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

/// The folders of the core; none but `step` may name another one.
const PARTS: [&str; 8] = [
    "approval",
    "history",
    "outbox",
    "page",
    "reconcile",
    "step",
    "stream",
    "threads",
];

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in sources.iter().filter(|source| source.extension() == "rs") {
        violations.extend(check_parts(source));
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

/// Returns a violation for each place where a part of the core names another part.
fn check_parts(source: &SourceFile) -> Vec<Violation> {
    let path = source.path.strip_prefix("crates/conversation/src/");
    let part = path.and_then(|it| it.split('/').next());
    let Some(part) = part.filter(|it| PARTS.contains(it) && *it != "step") else {
        return Vec::new();
    };
    let code = without_comments(&source.text);
    let names = module_paths(&source.path, &code).into_iter();
    let others = names.filter(|(_, it)| PARTS.contains(it) && *it != part);
    let violation = |(position, other)| {
        let message = format!("the part {part} of the core must not use crate::{other}");
        source.violation(line_of(&code, position), message)
    };
    others.map(violation).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sources::messages_of;

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
            (
                "crates/conversation/src/stream/ending.rs",
                "use crate::{Message, outbox::parts};\n",
            ),
            ("crates/conversation/src/page/mod.rs", "crate::step::x();\n"),
            ("service/src/agents/mod.rs", "use sqlx::SqlitePool;\n"),
            ("service/src/agents/mod.rs", "use crate::store::Store;\n"),
            ("service/src/store/mod.rs", "use axum::http::StatusCode;\n"),
        ] {
            assert_eq!(messages_of(check, path, text).len(), 1, "{path}: {text}");
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
                "service/src/http/routes/threads.rs",
                "use axum::Json;\nuse crate::{AppState, agents, store};\n",
            ),
        ] {
            assert_eq!(
                messages_of(check, path, text),
                Vec::<String>::new(),
                "{path}: {text}"
            );
        }
    }
}
