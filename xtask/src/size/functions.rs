//! The check that functions of a WebAssembly module stay short. Browsers optimise one function at a
//! time, and a very long one takes a core for a third of a second; see `INLINED` in `shrink.rs`.

use crate::error::Error;

/// Maximum length of a function body, in bytes. The longest one there is has 21,000: the table of
/// symbols of the formulas.
const MAX_FUNCTION_BYTES: usize = 24_000;
/// The section with the function bodies (WebAssembly, Binary Format, Modules).
const CODE_SECTION: u8 = 10;

/// Fails if a function of this module is too long.
pub(super) fn check(file: &str, module: &[u8]) -> Result<(), Error> {
    match longest(module) {
        None => Err(Error::Wrong(format!(
            "the functions of {file} cannot be read"
        ))),
        Some(bytes) if bytes > MAX_FUNCTION_BYTES => Err(Error::Wrong(format!(
            "a function of {file} has {bytes} bytes, and {MAX_FUNCTION_BYTES} are the most: split it, or keep it from being inlined"
        ))),
        Some(_) => Ok(()),
    }
}

/// Returns the length of the longest body; `None` if there is none, or the module cannot be read.
fn longest(module: &[u8]) -> Option<usize> {
    let (_head, mut rest) = module.split_at_checked(8)?;
    loop {
        let (id, after) = rest.split_first()?;
        rest = after;
        let mut section = part(&mut rest)?;
        if *id == CODE_SECTION {
            let count = number(&mut section)?;
            let bodies = (0..count).map(|_| Some(part(&mut section)?.len()));
            return bodies.collect::<Option<Vec<_>>>()?.into_iter().max();
        }
    }
}

/// Takes a part that begins with its length.
fn part<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = number(bytes)?;
    let (part, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(part)
}

/// Takes an unsigned number in LEB128.
fn number(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0;
    for shift in (0..32).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 0x7F) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes a number in LEB128, in as many bytes as the longest one needs.
    fn long(number: usize) -> [u8; 3] {
        let low = |shift: usize| u8::try_from((number >> shift) & 0x7F).unwrap();
        [low(0) | 0x80, low(7) | 0x80, low(14)]
    }

    /// Builds a module with functions of these lengths, behind another section.
    fn module(lengths: &[usize]) -> Vec<u8> {
        let mut code = vec![u8::try_from(lengths.len()).unwrap()];
        for length in lengths {
            code.extend(long(*length));
            code.extend(vec![0; *length]);
        }
        let mut module = b"\0asm\x01\0\0\0\x01\x02\x07\x07".to_vec();
        module.push(CODE_SECTION);
        module.extend(long(code.len()));
        module.extend(code);
        module.extend([11, 1, 0]);
        module
    }

    #[test]
    fn the_longest_function_decides() {
        assert_eq!(longest(&module(&[3, 200, 7])), Some(200));
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
        let without_code = whole.get(..12).unwrap();
        for broken in [&whole[..4], without_code, &whole[..100], &module(&[])] {
            assert!(check("a.wasm", broken).is_err());
        }
    }
}
