//! The parts that are cut out of the widget: what draws requests for approval is a module of its own,
//! fetched while the person can type already (`web/loader/assets.js`).
//!
//! `wasm_split` cuts at each function with `#[wasm_split(NAME)]`
//! (`src/components/approval/lazy_card.rs`): what only that function reaches goes into the part,
//! which shares memory and functions with the rest. Its own loader asks the server by itself, under
//! a name that bundlers do not know; here the loader of the page fetches the part as all other
//! modules, and links it by the function `link` of the glue.

use super::{read, write};
use crate::assets::Part;
use crate::error::Error;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use wasm_encoder::{CustomSection, Encode, Section};
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

/// The name of the module with what several parts have in common, and of the custom section of the
/// first part that has this module.
pub(super) const IN_COMMON: &str = "in-common";

/// Cuts `parts` out of the compiled `module` of the crate `package`. Writes their files, and the
/// script that links them, into `stage`. Returns the path of the rest, which wasm-bindgen still has
/// to process.
pub(super) fn split_module(
    stage: &Path,
    module: &Path,
    package: &str,
    parts: &[Part],
) -> Result<PathBuf, Error> {
    let folder = stage.join("split");
    let rest = folder.join(format!("{package}.wasm"));
    let whole = read(module)?;
    let mut options = Options::new(&whole);
    options.output_dir = &folder;
    options.main_out_path = &rest;
    options.link_name = LINKER_SCRIPT;
    let cut = transform(options)
        .map_err(|error| Error::Wrong(format!("{package} cannot be split: {error:#}")))?
        .split_modules;
    let file_of = |part: &Part| folder.join(format!("split_{}.wasm", part.name));
    let (of_parts, in_common): (Vec<PathBuf>, Vec<PathBuf>) = cut
        .into_iter()
        .partition(|file| parts.iter().any(|part| file_of(part) == *file));
    if of_parts.len() != parts.len() || in_common.len() > 1 {
        let message = format!("{package} must have {parts:?}, and has {of_parts:?}, {in_common:?}");
        return Err(Error::Wrong(message));
    }
    let mut shared = BTreeSet::new();
    let mut keep = |from: &Path, to: &str| {
        let content = read(from)?;
        shared.extend(shared_names(&content)?);
        write(&stage.join(to), &content)
    };
    for part in parts {
        keep(&file_of(part), &part.file)?;
    }
    for file in in_common {
        keep(&file, IN_COMMON)?;
    }
    let linker = linker_script(package, parts, &shared);
    write(&stage.join(LINKER_SCRIPT), linker.as_bytes())?;
    Ok(rest)
}

/// Puts the module `in_common`, which several parts need and which has a few hundred bytes, into a
/// section of the first part, so that nobody has to fetch it: the loader fetches the first part
/// before the others.
pub(super) fn add_in_common(part: &mut Vec<u8>, in_common: &[u8]) {
    let section = CustomSection {
        name: IN_COMMON.into(),
        data: in_common.into(),
    };
    part.push(section.id());
    section.encode(part);
}

/// Adds the function `link`, which links a part that was cut out, to the exports of the glue.
///
/// It also changes the form of imports in the glue, one for each part: of `import * as`, bundlers
/// make code that a page breaks if it adds members to all objects.
pub(super) fn export_link(glue: &Path) -> Result<(), Error> {
    let text = String::from_utf8_lossy(&read(glue)?).into_owned();
    let from = format!(" from \"{LINKER_SCRIPT}\"");
    let wrong = || Error::Wrong(format!("the glue must import {LINKER_SCRIPT} as objects"));
    let mut changed = format!("export {{ link }}{from};\n");
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once(&from) {
        let (before, name) = before.rsplit_once("import * as ").ok_or_else(wrong)?;
        if name.contains(char::is_whitespace) {
            return Err(wrong());
        }
        changed += &format!("{before}import {{ loaders as {name} }}{from}");
        rest = after;
    }
    if rest.len() == text.len() {
        return Err(wrong());
    }
    write(glue, (changed + rest).as_bytes())
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

/// Returns the script that links parts with the widget, which take what is `shared` from it. The
/// page's loader fetches a part and hands over the response, which is compiled only when it is
/// whole, because a server may send it with the wrong type.
///
/// The function that `#[wasm_split]` calls to load a part finds it linked already.
fn linker_script(package: &str, parts: &[Part], shared: &BTreeSet<String>) -> String {
    let joined = |text: &dyn Fn(&str) -> String| -> String {
        parts.iter().map(|part| text(&part.name)).collect()
    };
    let imports = joined(&|name| format!(", link_{name}"));
    let linked = joined(&|name| format!("{name}: link_{name}, "));
    let loaders = joined(&|name| {
        format!(
            r#"  __wasm_split_load_{name}(callback, data) {{
    initSync().__indirect_function_table.get(callback)(data, true);
  }},
"#
        )
    });
    let shared: Vec<&str> = shared.iter().map(String::as_str).collect();
    let shared = shared.join(", ");
    format!(
        r#"import {{ initSync{imports} }} from "./{package}.js";

export const link = (part) => async ({{ module_or_path: response }}) => {{
  const code = await WebAssembly.compile(await response.arrayBuffer());
  const {{ {shared} }} = initSync();
  for (const it of [...WebAssembly.Module.customSections(code, "{IN_COMMON}"), code])
    await WebAssembly.instantiate(it, {{ __wasm_split: {{ {shared} }} }});
  ({{ {linked}}})[part]();
}};

export const loaders = {{
{loaders}}};
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
        let named = |name: &str| Part {
            name: name.into(),
            file: format!("assent_{name}_bg.wasm"),
        };
        let shared = names.into_iter().chain(["table".into()]).collect();
        let script = linker_script("assent_widget", &[named("a"), named("b")], &shared);
        assert!(script.contains("import { initSync, link_a, link_b } from"));
        assert!(script.contains("({ a: link_a, b: link_b, })[part]();"));
        assert!(script.contains("__wasm_split_load_b(callback, data)"));
        assert!(script.contains("const { memory, table } = initSync();"));
        assert!(script.contains("{ __wasm_split: { memory, table } }"));
        assert!(script.contains("from \"./assent_widget.js\""));
    }

    #[test]
    fn what_parts_have_in_common_is_a_section_of_the_first_one() {
        let mut first = part("__wasm_split");
        add_in_common(&mut first, b"module");
        let sections: Vec<_> = Parser::new(0)
            .parse_all(&first)
            .filter_map(|payload| match payload.unwrap() {
                Payload::CustomSection(section) => Some((section.name(), section.data())),
                _ => None,
            })
            .collect();
        assert_eq!(sections, [(IN_COMMON, &b"module"[..])]);
        assert_eq!(shared_names(&first).unwrap(), ["memory"]);
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
        write(&glue, [import("a"), import("b")].concat().as_bytes()).unwrap();
        export_link(&glue).unwrap();
        let text = String::from_utf8(read(&glue).unwrap()).unwrap();
        assert!(text.contains("loaders as a }") && text.contains("loaders as b }"));
        for wrong in ["rest();\n".to_owned(), import("a").replace("* as", "")] {
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
