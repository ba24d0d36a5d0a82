//! The rule that the manifest of each crate says what the crate is for, under which licence it is,
//! and whether it may be published: Cargo takes a missing word for yes.

use super::sources::{SourceFile, Violation};
use toml::{Table, Value};

const FIELDS: [&str; 3] = ["description", "license", "publish"];

pub(crate) fn check(sources: &[SourceFile]) -> Vec<Violation> {
    let manifests = sources
        .iter()
        .filter(|source| source.path.rsplit('/').next() == Some("Cargo.toml"));
    manifests.flat_map(check_manifest).collect()
}

fn check_manifest(source: &SourceFile) -> Vec<Violation> {
    let Ok(manifest) = source.text.parse::<Table>() else {
        return vec![source.violation(1, "this is no TOML")];
    };
    // The root of a workspace may be no crate.
    let Some(package) = manifest.get("package").and_then(Value::as_table) else {
        return Vec::new();
    };
    FIELDS
        .into_iter()
        .filter(|field| package.get(*field).is_none_or(is_empty))
        .map(|field| source.violation(1, format!("`{field}` is missing in `[package]`")))
        .collect()
}

fn is_empty(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sources::messages_of;

    #[test]
    fn a_manifest_says_what_a_crate_is_its_licence_and_whether_it_is_published() {
        let whole = "[package]\ndescription = \"A\"\nlicense.workspace = true\npublish = false\n";
        assert!(messages_of(check, "a/Cargo.toml", whole).is_empty());
        assert!(messages_of(check, "Cargo.toml", "[workspace]\n").is_empty());
        for field in FIELDS {
            let lines = whole.lines().filter(|line| !line.starts_with(field));
            let without = lines.collect::<Vec<_>>().join("\n");
            let [message] = &messages_of(check, "a/Cargo.toml", &without)[..] else {
                panic!("{without}");
            };
            assert!(message.contains(&format!("`{field}`")), "{message}");
        }
        let empty = whole.replace("\"A\"", "\" \"");
        assert_eq!(messages_of(check, "a/Cargo.toml", &empty).len(), 1);
    }
}
