//! Short names for the functions that a WebAssembly module imports from its glue. wasm-bindgen
//! gives each of them a long name with a hash, which does not compress: in the widget they are
//! 5,500 bytes of brotli (24 November 2026).

use super::split;
use crate::error::Error;
use std::collections::HashMap;
use wasm_encoder::{EntityType, ImportSection, Module, RawSection};
use wasmparser::{ImportSectionReader, Parser, Payload, TypeRef};

/// Returns the module and its glue, in both of which the functions that the module imports have
/// short names.
pub(crate) fn shorten_imports(wasm: &[u8], glue: &str) -> Result<(Vec<u8>, String), Error> {
    let mut names = HashMap::new();
    let wasm = rename_imports(wasm, &mut names)
        .ok_or_else(|| Error::Wrong("a module's imports cannot be read".into()))?;
    let mut glue = glue.to_owned();
    for (long, short) in names {
        let definition = format!(" {long}: function(");
        if glue.matches(&definition).count() != 1 {
            return Err(Error::Wrong(format!(
                "the glue must define the import {long} once"
            )));
        }
        glue = glue.replace(&definition, &format!(" {short}: function("));
    }
    Ok((wasm, glue))
}

/// Returns the module with its imports renamed, and puts the old name of each with its new one into
/// `names`; `None` if the module cannot be read, or imports anything but functions.
fn rename_imports(wasm: &[u8], names: &mut HashMap<String, String>) -> Option<Vec<u8>> {
    let mut renamed = Module::new();
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload.ok()?;
        if let Payload::ImportSection(imports) = payload {
            renamed.section(&rename_each(imports, names)?);
        } else if let Some((id, range)) = payload.as_section() {
            let [start, end] = [range.start, range.end].map(|it| usize::try_from(it).ok());
            let data = wasm.get(start?..end?)?;
            renamed.section(&RawSection { id, data });
        }
    }
    Some(renamed.finish())
}

fn rename_each(
    imports: ImportSectionReader<'_>,
    names: &mut HashMap<String, String>,
) -> Option<ImportSection> {
    let mut renamed = ImportSection::new();
    for import in imports.into_imports() {
        let import = import.ok()?;
        let TypeRef::Func(signature) = import.ty else {
            return None;
        };
        if import.module == split::LINKER_SCRIPT {
            renamed.import(import.module, import.name, EntityType::Function(signature));
            continue;
        }
        let next = short_name(names.len());
        let name = names.entry(import.name.to_owned()).or_insert(next);
        renamed.import(import.module, name, EntityType::Function(signature));
    }
    Some(renamed)
}

/// Returns the short name with this number: `a`, `b` … `z`, `aa`, `ba` …. In JavaScript these need
/// no quotes as keys of an object.
fn short_name(mut number: usize) -> String {
    let mut name = String::new();
    loop {
        let letter = u8::try_from(number % 26).unwrap_or_default();
        name.push(char::from(b'a' + letter));
        number /= 26;
        if number == 0 {
            return name;
        }
        number -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{GlobalType, ValType};

    const GLUE: &str = "const import0 = {\n    __wbg_log_0123: function(a) {\n        // Says it.\n        console.log(a);\n    },\n    __wbg_now_4567: function() {\n        return Date.now();\n    },\n};\n";

    /// Builds a module that imports these, with a section before and one after.
    fn module(imports: &[&str], kind: EntityType) -> Vec<u8> {
        let mut section = ImportSection::new();
        for name in imports {
            section.import("./glue.js", name, kind);
        }
        let mut module = Module::new();
        let types = RawSection { id: 1, data: &[0] };
        let tables = RawSection { id: 4, data: &[0] };
        module.section(&types).section(&section).section(&tables);
        module.finish()
    }

    #[test]
    fn imports_get_the_same_short_names_on_both_sides() {
        let long = module(
            &["__wbg_log_0123", "__wbg_now_4567"],
            EntityType::Function(3),
        );
        let (wasm, glue) = shorten_imports(&long, GLUE).unwrap();
        assert_eq!(wasm, module(&["a", "b"], EntityType::Function(3)));
        let short = GLUE
            .replace("__wbg_log_0123", "a")
            .replace("__wbg_now_4567", "b");
        assert_eq!(glue, short);
    }

    #[test]
    fn an_import_that_the_glue_does_not_define_is_an_error() {
        let long = module(
            &["__wbg_log_0123", "__wbg_other_89ab"],
            EntityType::Function(3),
        );
        let error = shorten_imports(&long, GLUE).unwrap_err().to_string();
        assert!(error.contains("__wbg_other_89ab once"), "{error}");
    }

    #[test]
    fn modules_that_cannot_be_read_are_errors() {
        const GLOBAL_IMPORT: EntityType = EntityType::Global(GlobalType {
            val_type: ValType::I32,
            mutable: false,
            shared: false,
        });
        let long = module(
            &["__wbg_log_0123", "__wbg_now_4567"],
            EntityType::Function(3),
        );
        for broken in [&long[..4], &long[..long.len() - 1], &long[..20]] {
            assert!(shorten_imports(broken, GLUE).is_err());
        }
        assert!(shorten_imports(&module(&["__wbg_log_0123"], GLOBAL_IMPORT), GLUE).is_err());
    }

    #[test]
    fn short_names_are_all_different() {
        let names: std::collections::HashSet<_> = (0..2000).map(short_name).collect();
        assert_eq!(names.len(), 2000);
        assert_eq!([0, 25, 26, 27].map(short_name), ["a", "z", "aa", "ba"]);
    }
}
