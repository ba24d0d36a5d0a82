//! The check that functions of a WebAssembly module stay short. Browsers optimise one function at a
//! time, and a very long one takes a core for a third of a second; see `INLINE_INTO_ONE` in
//! `shrink.rs`.

use crate::error::Error;
use wasmparser::{Parser, Payload};

/// Maximum length in bytes of a function's code in the WebAssembly modules. The longest one has
/// 21,000, the table of symbols in formulas.
const MAX_FUNCTION_BYTES: usize = 24_000;

/// Fails if a function of the WebAssembly module `module`, which is in the file `file`, is too
/// long.
pub(super) fn check(file: &str, module: &[u8]) -> Result<(), Error> {
    match longest_function(module) {
        None => Err(Error::Wrong(format!(
            "the functions of {file} cannot be read"
        ))),
        Some(bytes) if bytes > MAX_FUNCTION_BYTES => Err(Error::Wrong(format!(
            "a function of {file} has {bytes} bytes, and {MAX_FUNCTION_BYTES} are the most: split it, or keep it from being inlined"
        ))),
        Some(_) => Ok(()),
    }
}

/// Returns the length in bytes of the longest function's code in a module; `None` if the module has
/// no function or cannot be read.
fn longest_function(module: &[u8]) -> Option<usize> {
    let mut longest = None;
    for payload in Parser::new(0).parse_all(module) {
        if let Payload::CodeSectionEntry(body) = payload.ok()? {
            longest = longest.max(Some(body.as_bytes().len()));
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{CodeSection, FunctionSection, Module};

    /// Builds a module with functions of these lengths, behind another section.
    fn module(lengths: &[usize]) -> Vec<u8> {
        let mut functions = FunctionSection::new();
        let mut code = CodeSection::new();
        for length in lengths {
            functions.function(0);
            code.raw(&vec![0; *length]);
        }
        let mut module = Module::new();
        module.section(&functions).section(&code);
        module.finish()
    }

    #[test]
    fn the_longest_function_decides() {
        assert_eq!(longest_function(&module(&[3, 200, 7])), Some(200));
        check("a.wasm", &module(&[1, MAX_FUNCTION_BYTES])).unwrap();
        let error = check("a.wasm", &module(&[MAX_FUNCTION_BYTES + 1, 1])).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains("a.wasm") && error.contains("24001"),
            "{error}"
        );
    }

    #[test]
    fn a_module_that_cannot_be_read_is_no_good_one() {
        let whole = module(&[200]);
        for broken in [&whole[..4], &whole[..12], &whole[..100], &module(&[])] {
            assert!(check("a.wasm", broken).is_err());
        }
    }
}
