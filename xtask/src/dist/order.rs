//! The order of the functions in a WebAssembly module, which decides how well it compresses.
//!
//! Functions call each other by number, so that any order will do. Brotli refers to code that it
//! has seen before, and with fewer bits to what it has just seen. Where each function stands behind
//! one that it is alike, the widget has 238,934 bytes and not 246,449, and the renderer 143,759 and
//! not 145,292 (brotli, 26 November 2026).
//!
//! Binaryen reorders functions, by their names. So they get names that sort as they shall stand;
//! nothing else names them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use wasm_encoder::{NameMap, NameSection, Section};
use wasmparser::{Parser, Payload, TypeRef};

/// Number of functions: a piece of code that so many or more of them contain is ignored when
/// likeness is measured.
const COMMON_FROM: usize = 1_000;

/// Returns the module with names for its functions that sort in the wanted order; they must have no
/// names yet. `None` if the module cannot be read.
pub(super) fn name_functions(wasm: &[u8]) -> Option<Vec<u8>> {
    let mut imports = 0;
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        match payload.ok()? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let is_function = matches!(import.ok()?.ty, TypeRef::Func(_));
                    imports += u32::from(is_function);
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    let mut places = BTreeMap::new();
    for (place, function) in order_by_likeness(&bodies).into_iter().enumerate() {
        places.insert(imports + u32::try_from(function).ok()?, place);
    }
    let mut functions = NameMap::new();
    for (function, place) in places {
        functions.append(function, &format!("{place:06}"));
    }
    let mut names = NameSection::new();
    names.functions(&functions);
    let mut named = wasm.to_vec();
    names.append_to(&mut named);
    Some(named)
}

/// Returns the numbers of the functions with these bodies in an order in which likes are
/// neighbours. Each is followed by the one that shares the largest part of its own pieces of code,
/// or by the first one left if none shares any.
fn order_by_likeness(bodies: &[&[u8]]) -> Vec<usize> {
    let pieces: Vec<Vec<&[u8]>> = bodies.iter().map(|body| code_pieces(body)).collect();
    let mut owners: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (function, pieces) in pieces.iter().enumerate() {
        for piece in pieces {
            owners.entry(piece).or_default().push(function);
        }
    }
    owners.retain(|_, owners| owners.len() < COMMON_FROM);
    let mut order = Vec::with_capacity(bodies.len());
    let mut left: BTreeSet<usize> = (0..bodies.len()).collect();
    let mut next = left.first().copied();
    while let Some(function) = next {
        order.push(function);
        left.remove(&function);
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        let own = pieces.get(function).into_iter().flatten();
        let others = own.filter_map(|piece| owners.get(piece)).flatten();
        for other in others.filter(|other| left.contains(other)) {
            *shared.entry(*other).or_default() += 1;
        }
        let share = |(other, count): &(usize, usize)| {
            *count as f64 / pieces.get(*other).map_or(1, Vec::len) as f64
        };
        let alike = shared
            .into_iter()
            .max_by(|one, other| share(one).total_cmp(&share(other)));
        next = alike
            .map(|(other, _)| other)
            .or_else(|| left.first().copied());
    }
    order
}

/// Returns the pieces of code that a function contains: all sequences of four bytes, each once.
fn code_pieces(body: &[u8]) -> Vec<&[u8]> {
    let mut pieces: Vec<&[u8]> = body.windows(4).collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{CodeSection, EntityType, FunctionSection, ImportSection, Module};

    #[test]
    fn each_function_is_followed_by_the_one_that_is_most_alike() {
        let bodies: [&[u8]; 6] = [
            b"abcdefgh",
            b"0123456789",
            b"abcdefghijklmnop",
            b"12345678",
            b"x",
            b"abcdefghi",
        ];
        assert_eq!(order_by_likeness(&bodies), [0, 5, 2, 1, 3, 4]);
        assert_eq!(order_by_likeness(&[]), [0; 0]);
    }

    #[test]
    fn what_too_many_have_in_common_puts_nobody_beside_anybody() {
        let mut bodies = vec![&b"same"[..]; COMMON_FROM - 1];
        bodies.insert(1, b"other");
        assert_eq!(order_by_likeness(&bodies)[..2], [0, COMMON_FROM - 1]);
        bodies.push(b"same");
        assert_eq!(order_by_likeness(&bodies)[..2], [0, 1]);
    }

    /// Builds a module of two imported functions and these.
    fn module(bodies: &[&[u8]]) -> Vec<u8> {
        let mut imports = ImportSection::new();
        let mut functions = FunctionSection::new();
        let mut code = CodeSection::new();
        for name in ["a", "b"] {
            imports.import("m", name, EntityType::Function(0));
        }
        for body in bodies {
            functions.function(0);
            code.raw(body);
        }
        let mut module = Module::new();
        module.section(&imports).section(&functions).section(&code);
        module.finish()
    }

    #[test]
    fn the_names_sort_as_the_functions_shall_stand() {
        let wasm = module(&[b"abcdefgh", b"01234567", b"abcdefghi"]);
        let named = name_functions(&wasm).unwrap();
        assert_eq!(named[..wasm.len()], wasm);
        let expected = [
            &b"\0\x20\x04name\x01\x19\x03"[..],
            b"\x02\x06000000",
            b"\x03\x06000002",
            b"\x04\x06000001",
        ];
        assert_eq!(named[wasm.len()..], expected.concat());
    }

    #[test]
    fn a_module_that_cannot_be_read_has_no_order() {
        let wasm = module(&[b"abcdefgh"]);
        assert!(name_functions(&wasm[..4]).is_none());
        assert!(name_functions(&wasm[..wasm.len() - 1]).is_none());
    }
}
