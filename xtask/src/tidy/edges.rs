//! The rule that crates have only allowed dependencies in their manifests. What a crate uses in
//! tests alone is not checked.

use super::sources::{SourceFile, Violation, line_of};

/// Which dependencies a crate may have, apart from those of its tests.
enum AllowedEdges {
    /// The crate may depend on these names and no others.
    Only(&'static [&'static str]),
    /// The crate may depend on anything but these names.
    Never(&'static [&'static str]),
}

const PAGE_CRATES: &[&str] = &[
    "assent_widget",
    "assent-client",
    "assent-conversation",
    "assent-inspect",
    "assent-markdown",
    "assent-i18n",
    "leptos",
    "wasm-bindgen",
    "web-sys",
    "js-sys",
];

/// Crates that a manifest has as build dependencies only to give them certain features, so that
/// different builds share what was compiled.
const FEATURE_CRATES: [&str; 2] = ["proc-macro2", "syn"];

const RULES: &[(&str, AllowedEdges)] = &[
    ("crates/sse/Cargo.toml", AllowedEdges::Only(&[])),
    ("crates/allocator/Cargo.toml", AllowedEdges::Only(&["rlsf"])),
    ("crates/characters/Cargo.toml", AllowedEdges::Only(&[])),
    (
        "crates/protocol/Cargo.toml",
        // `utoipa` behind the feature `openapi`, which no page has.
        AllowedEdges::Only(&["serde", "serde_json", "thiserror", "utoipa"]),
    ),
    (
        "crates/conversation/Cargo.toml",
        AllowedEdges::Only(&["assent-protocol", "serde", "serde_json", "thiserror"]),
    ),
    (
        "crates/markdown/Cargo.toml",
        AllowedEdges::Only(&[
            "assent-characters",
            "pulldown-cmark",
            "thiserror",
            "unicase",
        ]),
    ),
    (
        "crates/inspect/Cargo.toml",
        AllowedEdges::Only(&["assent-characters", "serde", "serde_json"]),
    ),
    (
        "crates/i18n/Cargo.toml",
        AllowedEdges::Only(&["js-sys", "wasm-bindgen"]),
    ),
    (
        "crates/client/Cargo.toml",
        AllowedEdges::Only(&[
            "assent-conversation",
            "assent-protocol",
            "assent-sse",
            "gloo-net",
            "js-sys",
            "wasm-bindgen",
            "wasm-bindgen-futures",
            "web-sys",
        ]),
    ),
    (
        "crates/renderer/Cargo.toml",
        AllowedEdges::Only(&[
            "assent-allocator",
            "assent-inspect",
            "assent-markdown",
            "assent-i18n",
            "js-sys",
            "wasm-bindgen",
            "wasm-bindgen-futures",
            // Of the build script, which reads the texts.
            "toml",
            "web-sys",
            FEATURE_CRATES[0],
            FEATURE_CRATES[1],
        ]),
    ),
    (
        "crates/math/Cargo.toml",
        AllowedEdges::Only(&[
            "math-core",
            "wasm-bindgen",
            FEATURE_CRATES[0],
            FEATURE_CRATES[1],
        ]),
    ),
    (
        "examples/leptos/Cargo.toml",
        AllowedEdges::Only(&[
            "js-sys",
            "leptos",
            "wasm-bindgen",
            "wasm-bindgen-futures",
            "web-sys",
        ]),
    ),
    ("service/Cargo.toml", AllowedEdges::Never(PAGE_CRATES)),
    (
        "Cargo.toml",
        // Parser and inspection are in the renderer's module, which comes after the widget.
        AllowedEdges::Never(&[
            "axum",
            "tokio",
            "sqlx",
            "assent-inspect",
            "assent-markdown",
            "assent-service",
            "gloo-storage",
        ]),
    ),
];

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for source in sources
        .iter()
        .filter(|source| source.path.ends_with("Cargo.toml"))
    {
        let Ok(manifest) = source.text.parse::<toml::Table>() else {
            violations.push(source.violation(1, "this manifest cannot be read"));
            continue;
        };
        let edges = RULES
            .iter()
            .find(|(path, _)| *path == source.path)
            .map(|(_, edges)| edges);
        for name in shipped_dependencies(&manifest) {
            let is_allowed = match edges {
                Some(AllowedEdges::Only(allowed)) => allowed.contains(&name.as_str()),
                Some(AllowedEdges::Never(forbidden)) => !forbidden.contains(&name.as_str()),
                None => true,
            };
            if !is_allowed || name == "xtask" {
                let line = source
                    .text
                    .find(&name)
                    .map_or(1, |byte| line_of(&source.text, byte));
                violations.push(source.violation(line, format!("this crate must not use {name}")));
            }
        }
    }
    violations
}

/// Returns the names of the crates in a manifest's `[dependencies]`, `[build-dependencies]` and
/// their `[target.…]` forms.
fn shipped_dependencies(manifest: &toml::Table) -> Vec<String> {
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let tables = targets
        .into_iter()
        .flat_map(|targets| targets.values())
        .filter_map(|v| v.as_table());
    std::iter::once(manifest)
        .chain(tables)
        .flat_map(|table| ["dependencies", "build-dependencies"].map(|kind| table.get(kind)))
        .flatten()
        .filter_map(toml::Value::as_table)
        .flat_map(|dependencies| dependencies.keys().cloned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sources::messages_of;

    #[test]
    fn a_forbidden_dependency_is_found() {
        for (path, text) in [
            ("crates/sse/Cargo.toml", "[dependencies]\nmemchr = \"2\"\n"),
            (
                "crates/renderer/Cargo.toml",
                "[dependencies]\nleptos = \"0.8\"\n",
            ),
            (
                "Cargo.toml",
                "[dependencies]\nassent-markdown.workspace = true\n",
            ),
            (
                "crates/conversation/Cargo.toml",
                "[dependencies]\nassent-sse.workspace = true\n",
            ),
            (
                "crates/conversation/Cargo.toml",
                "[target.'cfg(unix)'.dependencies]\nrand = \"1\"\n",
            ),
            (
                "crates/markdown/Cargo.toml",
                "[dependencies]\nassent-protocol.workspace = true\n",
            ),
            (
                "crates/inspect/Cargo.toml",
                "[dependencies]\nassent-conversation.workspace = true\n",
            ),
            (
                "service/Cargo.toml",
                "[dependencies]\nleptos.workspace = true\n",
            ),
            (
                "examples/leptos/Cargo.toml",
                "[dependencies]\nassent-protocol.workspace = true\n",
            ),
            (
                "fuzz/Cargo.toml",
                "[dependencies]\nxtask.workspace = true\n",
            ),
            (
                "Cargo.toml",
                "[target.'cfg(target_arch = \"wasm32\")'.dependencies]\ntokio = \"1\"\n",
            ),
        ] {
            assert_eq!(messages_of(check, path, text).len(), 1, "{path}: {text}");
        }
    }

    #[test]
    fn allowed_edges_and_test_dependencies_pass() {
        let text = "[dependencies]\nassent-protocol.workspace = true\n[dev-dependencies]\nassent-sse.workspace = true\n";
        assert!(messages_of(check, "crates/conversation/Cargo.toml", text).is_empty());
    }
}
