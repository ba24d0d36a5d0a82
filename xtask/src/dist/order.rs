//! The order of a module's functions.
//!
//! Functions call each other by number, so that any order will do. Brotli refers to code that it has
//! seen before, and with fewer bits to what it has just seen: where each function stands behind one
//! that it is alike, the widget has 238,934 bytes and not 246,449, and the renderer 143,759 and not
//! 145,292 (brotli, 26 November 2026).
//!
//! Binaryen reorders functions, by their names. So they get names that sort as they shall stand;
//! nothing else names them.

use super::wasm_format::{
    CODE_SECTION, CUSTOM_SECTION, IMPORT_SECTION, number, put_number, put_section, put_sized,
    sections, sized,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The subsection of the section `name` with the names of functions (WebAssembly, Appendix, Name
/// Section).
const FUNCTION_NAMES: u8 = 1;

/// Number of functions from which on what they have in common says nothing.
const COMMON: usize = 1_000;

/// Returns the module with names for its functions, which must have none yet. `None` if it cannot be
/// read. It may import nothing but functions.
pub(super) fn name_functions(wasm: &[u8]) -> Option<Vec<u8>> {
    let sections = sections(wasm)?;
    let find = |wanted| sections.iter().find(|(id, _)| *id == wanted);
    let imports = find(IMPORT_SECTION).map_or(Some(0), |(_, it)| Some(number(it)?.0))?;
    let mut places = BTreeMap::new();
    for (place, function) in chain(&bodies(find(CODE_SECTION)?.1)?)
        .into_iter()
        .enumerate()
    {
        places.insert(imports + function, place);
    }
    let mut names = Vec::new();
    put_number(places.len(), &mut names);
    for (function, place) in places {
        put_number(function, &mut names);
        put_sized(format!("{place:06}").as_bytes(), &mut names);
    }
    let mut section = Vec::new();
    put_sized(b"name", &mut section);
    put_section(FUNCTION_NAMES, &names, &mut section);
    let mut named = wasm.to_vec();
    put_section(CUSTOM_SECTION, &section, &mut named);
    Some(named)
}

/// Returns the code of each function.
fn bodies(section: &[u8]) -> Option<Vec<&[u8]>> {
    let (count, mut rest) = number(section)?;
    let mut bodies = Vec::with_capacity(count);
    for _ in 0..count {
        let (body, next) = sized(rest)?;
        bodies.push(body);
        rest = next;
    }
    Some(bodies)
}

/// Returns the numbers of the functions in such an order that each is followed by the one of which
/// it has the largest share; by the first one that is left where it has nothing of any.
fn chain(bodies: &[&[u8]]) -> Vec<usize> {
    let pieces: Vec<Vec<&[u8]>> = bodies.iter().map(|body| pieces(body)).collect();
    let mut owners: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (function, pieces) in pieces.iter().enumerate() {
        for piece in pieces {
            owners.entry(piece).or_default().push(function);
        }
    }
    owners.retain(|_, owners| owners.len() < COMMON);
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

/// Returns what code consists of: its runs of four bytes, each once.
fn pieces(body: &[u8]) -> Vec<&[u8]> {
    let mut pieces: Vec<&[u8]> = body.windows(4).collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(chain(&bodies), [0, 5, 2, 1, 3, 4]);
        assert_eq!(chain(&[]), [0; 0]);
    }

    #[test]
    fn what_too_many_have_in_common_puts_nobody_beside_anybody() {
        let mut bodies = vec![&b"same"[..]; COMMON - 1];
        bodies.insert(1, b"other");
        assert_eq!(chain(&bodies)[..2], [0, COMMON - 1]);
        bodies.push(b"same");
        assert_eq!(chain(&bodies)[..2], [0, 1]);
    }

    #[test]
    fn the_names_sort_as_the_functions_shall_stand() {
        let mut wasm = b"\0asm\x01\0\0\0".to_vec();
        put_section(IMPORT_SECTION, &[2], &mut wasm);
        let mut code = vec![3];
        for body in [&b"abcdefgh"[..], b"01234567", b"abcdefghi"] {
            put_sized(body, &mut code);
        }
        put_section(CODE_SECTION, &code, &mut wasm);
        let named = name_functions(&wasm).unwrap();
        let (id, names) = *sections(&named).unwrap().last().unwrap();
        assert_eq!(id, CUSTOM_SECTION);
        let expected = [
            &b"\x04name\x01\x19\x03"[..],
            b"\x02\x06000000",
            b"\x03\x06000002",
            b"\x04\x06000001",
        ];
        assert_eq!(names, expected.concat());
        assert_eq!(named[..wasm.len()], wasm);
    }

    #[test]
    fn a_module_that_cannot_be_read_has_no_order() {
        let mut wasm = b"\0asm\x01\0\0\0".to_vec();
        assert!(name_functions(&wasm).is_none());
        put_section(CODE_SECTION, &[2, 1, 7, 9], &mut wasm);
        assert!(name_functions(&wasm).is_none());
    }
}
