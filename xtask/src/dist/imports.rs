//! Short names for the imports of the module from the glue. wasm-bindgen gives each of more than
//! two hundred imports a long name with a hash, once in the module and once in the glue. Hashes do
//! not compress: for the widget they are 5,500 bytes of brotli (24 November 2026).

use super::wasm_format::{IMPORT_SECTION, number, put_number, put_section, sections, text};
use crate::error::Error;
use std::collections::HashMap;

/// The kind of an import that is a function.
const FUNCTION: u8 = 0;

/// Returns module and glue with short names for every import.
pub(crate) fn shorten(wasm: &[u8], glue: &str) -> Result<(Vec<u8>, String), Error> {
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

/// Returns the module with its imports renamed; `names` gets the new name of each. `None` if it
/// cannot be read, or imports something else than functions.
fn rename_imports(wasm: &[u8], names: &mut HashMap<String, String>) -> Option<Vec<u8>> {
    let mut renamed = wasm.get(..8)?.to_vec();
    for (id, section) in sections(wasm)? {
        if id == IMPORT_SECTION {
            put_section(id, &rename_each(section, names)?, &mut renamed);
        } else {
            put_section(id, section, &mut renamed);
        }
    }
    Some(renamed)
}

fn rename_each(section: &[u8], names: &mut HashMap<String, String>) -> Option<Vec<u8>> {
    let (count, mut rest) = number(section)?;
    let mut renamed = Vec::with_capacity(section.len());
    put_number(count, &mut renamed);
    for _ in 0..count {
        let (module, after) = text(rest)?;
        let (name, after) = text(after)?;
        let (FUNCTION, after) = after.split_first().map(|(kind, after)| (*kind, after))? else {
            return None;
        };
        let (signature, after) = number(after)?;
        let next = short_name(names.len());
        let name = names.entry(name.to_owned()).or_insert(next);
        for part in [module, name] {
            put_number(part.len(), &mut renamed);
            renamed.extend(part.as_bytes());
        }
        renamed.push(FUNCTION);
        put_number(signature, &mut renamed);
        rest = after;
    }
    Some(renamed)
}

/// Returns `a`, `b` … `z`, `aa`, `ba` …: names that need no quotes as keys of an object.
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

    const GLUE: &str = "const import0 = {\n    __wbg_log_0123: function(a) {\n        // Says it.\n        console.log(a);\n    },\n    __wbg_now_4567: function() {\n        return Date.now();\n    },\n};\n";

    /// Builds a module that imports these functions, with a section before and one after.
    fn module(imports: &[&str], kind: u8) -> Vec<u8> {
        let mut section = Vec::new();
        put_number(imports.len(), &mut section);
        for name in imports {
            for part in ["./glue.js", name] {
                put_number(part.len(), &mut section);
                section.extend(part.as_bytes());
            }
            section.extend([kind, 3]);
        }
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        put_section(1, &[7, 7], &mut module);
        put_section(IMPORT_SECTION, &section, &mut module);
        put_section(10, &[9], &mut module);
        module
    }

    #[test]
    fn imports_get_the_same_short_names_on_both_sides() {
        let long = module(&["__wbg_log_0123", "__wbg_now_4567"], FUNCTION);
        let (wasm, glue) = shorten(&long, GLUE).unwrap();
        assert_eq!(wasm, module(&["a", "b"], FUNCTION));
        let short = GLUE
            .replace("__wbg_log_0123", "a")
            .replace("__wbg_now_4567", "b");
        assert_eq!(glue, short);
    }

    #[test]
    fn an_import_that_the_glue_does_not_define_is_an_error() {
        let long = module(&["__wbg_log_0123", "__wbg_other_89ab"], FUNCTION);
        let error = shorten(&long, GLUE).unwrap_err().to_string();
        assert!(error.contains("__wbg_other_89ab once"), "{error}");
    }

    #[test]
    fn modules_that_cannot_be_read_are_errors() {
        let long = module(&["__wbg_log_0123", "__wbg_now_4567"], FUNCTION);
        for broken in [&long[..4], &long[..long.len() - 1], &long[..20]] {
            assert!(shorten(broken, GLUE).is_err());
        }
        assert!(shorten(&module(&["__wbg_log_0123"], 2), GLUE).is_err());
    }

    #[test]
    fn short_names_are_all_different() {
        let names: std::collections::HashSet<_> = (0..2000).map(short_name).collect();
        assert_eq!(names.len(), 2000);
        assert_eq!([0, 25, 26, 27].map(short_name), ["a", "z", "aa", "ba"]);
    }
}
