//! `sbom.cdx.json` of `dist/`: what is in it that others wrote, with versions and licences, in the
//! form of CycloneDX. The parts are those of `NOTICE`. There is no time and no serial number, so that
//! equal builds have equal bytes.

use super::linked::{linked_crates, output_of};
use super::npm;
use crate::error::Error;
use crate::workspace::Workspace;
use serde_json::{Value, json};

/// Returns the text of `sbom.cdx.json`.
pub(crate) fn sbom_json(workspace: &Workspace) -> Result<String, Error> {
    let mut components: Vec<Value> = linked_crates(workspace)?
        .iter()
        .map(crate_component)
        .collect();
    components.push(standard_library(&output_of(
        workspace.command("rustc").arg("--version"),
    )?));
    for (name, package) in &npm::bundled_packages(workspace)? {
        let field = |name: &str| package[name].as_str().unwrap_or_default();
        components.push(component("npm", name, field("version"), field("license")));
    }
    Ok(format!("{:#}\n", document(&components)))
}

/// Returns the whole document: the npm package of `dist/`, and its parts.
fn document(components: &[Value]) -> Value {
    let package = &component(
        "npm",
        npm::OWN_PACKAGE,
        env!("CARGO_PKG_VERSION"),
        env!("CARGO_PKG_LICENSE"),
    );
    let references: Vec<&Value> = components.iter().map(|part| &part["bom-ref"]).collect();
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "dependencies": [{ "ref": package["bom-ref"], "dependsOn": references }],
        "metadata": { "component": package },
        "components": components,
    })
}

/// Returns the component for a crate, from what Cargo says of it.
fn crate_component(package: &Value) -> Value {
    let field = |name: &str| package[name].as_str().unwrap_or_default();
    let mut component = component("cargo", field("name"), field("version"), field("license"));
    // Cargo names no source for a crate in a folder of the repository.
    if let (true, Some(fields)) = (package["source"].is_null(), component.as_object_mut()) {
        let notes = json!({ "notes": "A changed copy in the folder vendor/." });
        fields.insert("pedigree".to_owned(), notes);
    }
    component
}

/// Returns the component for the standard library, which is compiled with the modules. `rustc` is
/// what the compiler says of its version.
fn standard_library(rustc: &str) -> Value {
    let version = rustc.split_whitespace().nth(1).unwrap_or_default();
    component("generic", "rust-std", version, "MIT OR Apache-2.0")
}

/// Returns the component for a package of the kind `kind`, such as `npm`. In expressions of old
/// crates `/` stands for OR.
fn component(kind: &str, name: &str, version: &str, licence: &str) -> Value {
    let address = |text: &str| text.replace('@', "%40").replace('+', "%2B");
    let purl = format!("pkg:{kind}/{}@{}", address(name), address(version));
    json!({
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "licenses": [{ "expression": licence.replace('/', " OR ") }],
        "purl": purl,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_component_has_an_address_and_an_expression_of_licences() {
        let part = component("npm", "@a/b", "1.0.0+c", "Apache-2.0/MIT");
        assert_eq!(part["purl"], "pkg:npm/%40a/b@1.0.0%2Bc");
        assert_eq!(part["bom-ref"], part["purl"]);
        assert_eq!(part["licenses"][0]["expression"], "Apache-2.0 OR MIT");
        let library = standard_library("rustc 1.95.0 (59807616e 2026-04-14)\n");
        assert_eq!(library["purl"], "pkg:generic/rust-std@1.95.0");
    }

    #[test]
    fn a_crate_that_was_changed_says_so() {
        let published = json!({ "name": "a", "version": "1.0.0", "license": "MIT", "source": "x" });
        assert!(crate_component(&published).get("pedigree").is_none());
        let changed = json!({ "name": "a", "version": "1.0.0", "license": "MIT", "source": null });
        assert!(crate_component(&changed).get("pedigree").is_some());
    }

    #[test]
    fn the_parts_are_those_that_notice_names() {
        let workspace = Workspace::locate().unwrap();
        let text = sbom_json(&workspace).unwrap();
        assert_eq!(text, sbom_json(&workspace).unwrap());
        let document: Value = serde_json::from_str(&text).unwrap();
        let parts = document["components"].as_array().unwrap();
        let notice = std::fs::read_to_string(workspace.path("NOTICE")).unwrap();
        let named = |part: &&Value| {
            let [name, version] = ["name", "version"].map(|field| part[field].as_str().unwrap());
            name == "rust-std" || notice.contains(&format!("\n{name} {version}\n"))
        };
        assert!(parts.iter().all(|part| named(&part)));
        for name in ["leptos", "pulldown-cmark", "highlight.js", "rust-std"] {
            assert!(parts.iter().any(|part| part["name"] == name), "{name}");
        }
        let references = document["dependencies"][0]["dependsOn"].as_array().unwrap();
        assert_eq!(references.len(), parts.len());
    }
}
