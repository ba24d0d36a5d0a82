//! The widget, cut in two: what draws requests for approval is a module of its own, which is
//! fetched while the person can type already (`web/loader/assets.js`).
//!
//! `wasm_split` cuts at each function with `#[wasm_split(NAME)]`
//! (`src/components/approval/lazy_card.rs`): what only that function reaches goes into the part,
//! which shares memory and functions with the rest. Its own loader asks the server by itself, under
//! a name that bundlers do not know; here the loader of the page fetches the part as all other
//! modules, and links it by the function `link` of the glue.

use super::{read, write};
use crate::error::Error;
use std::path::{Path, PathBuf};
use wasm_split_cli_support::{Options, transform};
use wasmparser::{Parser, Payload};

/// The name of the script beside the glue from which the widget imports the functions that load its
/// parts, as wasm-bindgen and `wasm_split` spell it.
pub(super) const LINKER_SCRIPT: &str = "./__wasm_split.js";

/// Option of wasm-bindgen that keeps what the linker exports: a part that was cut out uses the
/// widget's table of functions.
pub(super) const KEEP_EXPORTS: &str = "--keep-lld-exports";

/// Option of the linker that keeps the list of where each function and address is used;
/// `wasm_split` needs it to cut the widget.
pub(super) const EMIT_RELOCATIONS: &str = "-Clink-args=--emit-relocs";

/// Cuts the compiled `module` of the crate `package` in two. Writes the part that is cut out as
/// `part`, and the script that links it, into `stage`. Returns the path of the rest, which
/// wasm-bindgen still has to process.
pub(super) fn split_module(
    stage: &Path,
    module: &Path,
    package: &str,
    part: &str,
) -> Result<PathBuf, Error> {
    let folder = stage.join("split");
    let rest = folder.join(format!("{package}.wasm"));
    let whole = read(module)?;
    let mut options = Options::new(&whole);
    options.output_dir = &folder;
    options.main_out_path = &rest;
    options.link_name = LINKER_SCRIPT;
    let parts = transform(options)
        .map_err(|error| Error::Wrong(format!("{package} cannot be split: {error:#}")))?
        .split_modules;
    let [cut] = parts.as_slice() else {
        let message = format!("{package} must have one part, and has {}", parts.len());
        return Err(Error::Wrong(message));
    };
    let content = read(cut)?;
    let linker = linker_script(package, &shared_names(&content)?);
    write(&stage.join(part), &content)?;
    write(&stage.join(LINKER_SCRIPT), linker.as_bytes())?;
    Ok(rest)
}

/// Adds the function `link`, which links the part that was cut out, to the exports of the glue.
///
/// It also changes the form of an import in the glue: of `import * as`, bundlers make code that a
/// page breaks if it adds members to all objects.
pub(super) fn export_link(glue: &Path) -> Result<(), Error> {
    let text = String::from_utf8_lossy(&read(glue)?).into_owned();
    let end = format!(" from \"{LINKER_SCRIPT}\"");
    let wrong = || {
        Error::Wrong(format!(
            "the glue must import {LINKER_SCRIPT} once, as one object"
        ))
    };
    let (before, after) = text.split_once(&end).ok_or_else(wrong)?;
    let (before, name) = before.rsplit_once("import * as ").ok_or_else(wrong)?;
    if name.contains(char::is_whitespace) || after.contains(&end) {
        return Err(wrong());
    }
    let import = format!("export {{ link }}{end};\nimport {{ loaders as {name} }}{end}");
    write(glue, [before, &import, after].concat().as_bytes())
}

/// Returns the names of the functions and tables that a part imports from the rest of the widget.
fn shared_names(part: &[u8]) -> Result<Vec<String>, Error> {
    let wrong = || Error::Wrong("the imports of a part cannot be read".into());
    let mut names = Vec::new();
    for payload in Parser::new(0).parse_all(part) {
        if let Payload::ImportSection(imports) = payload.map_err(|_| wrong())? {
            for import in imports.into_imports() {
                let import = import.map_err(|_| wrong())?;
                if import.module != "__wasm_split" {
                    return Err(wrong());
                }
                names.push(import.name.to_owned());
            }
        }
    }
    Ok(names)
}

/// Returns the script that links a part with the widget. The page's loader fetches the part and
/// hands over the response, which is compiled only when it is whole, because a server may send it
/// with the wrong type.
///
/// The function that `#[wasm_split]` calls to load the part finds it linked already.
fn linker_script(package: &str, shared: &[String]) -> String {
    let shared = shared.join(", ");
    format!(
        r#"import {{ initSync, link_cards }} from "./{package}.js";

export const link = async ({{ module_or_path: response }}) => {{
  const code = await response.arrayBuffer();
  const {{ {shared} }} = initSync();
  await WebAssembly.instantiate(code, {{ __wasm_split: {{ {shared} }} }});
  link_cards();
}};

export const loaders = {{
  __wasm_split_load_approval(callback, data) {{
    initSync().__indirect_function_table.get(callback)(data, true);
  }},
}};
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;
    use wasm_encoder::{EntityType, ImportSection, MemoryType, Module};

    fn part(module: &str) -> Vec<u8> {
        let mut imports = ImportSection::new();
        let memory = EntityType::Memory(MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        imports.import(module, "memory", memory);
        let mut part = Module::new();
        part.section(&imports);
        part.finish()
    }

    #[test]
    fn the_linker_hands_a_part_what_it_takes_from_the_rest() {
        let names = shared_names(&part("__wasm_split")).unwrap();
        assert_eq!(names, ["memory"]);
        let script = linker_script("assent_widget", &[names, vec!["table".into()]].concat());
        assert!(script.contains("const { memory, table } = initSync();"));
        assert!(script.contains("{ __wasm_split: { memory, table } }"));
        assert!(script.contains("from \"./assent_widget.js\""));
    }

    #[test]
    fn the_glue_exports_how_a_part_is_linked_and_imports_no_object_of_a_module() {
        let folder = Workspace::locate()
            .unwrap()
            .path("target/xtask-tests/split-glue");
        std::fs::create_dir_all(&folder).unwrap();
        let glue = folder.join("glue.js");
        let import =
            |name: &str| format!("import * as {name} from \"{LINKER_SCRIPT}\";\nrest();\n");
        write(&glue, import("import1").as_bytes()).unwrap();
        export_link(&glue).unwrap();
        let text = String::from_utf8(read(&glue).unwrap()).unwrap();
        let expected = "export { link } from \"./__wasm_split.js\";\n\
            import { loaders as import1 } from \"./__wasm_split.js\";\nrest();\n";
        assert_eq!(text, expected);
        for wrong in ["rest();\n".to_owned(), import("a").repeat(2)] {
            write(&glue, wrong.as_bytes()).unwrap();
            assert!(export_link(&glue).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_part_that_takes_something_from_elsewhere_is_refused() {
        assert!(shared_names(&part("env")).is_err());
        assert!(shared_names(&part("__wasm_split")[..12]).is_err());
    }
}
