//! The outermost layer of a WebAssembly module: its sections, and the numbers and texts in them
//! (WebAssembly, Binary Format).

/// The section of custom data; its name comes first.
pub(super) const CUSTOM_SECTION: u8 = 0;
/// The section that lists the imports.
pub(super) const IMPORT_SECTION: u8 = 2;
/// The section with the code of the functions.
pub(super) const CODE_SECTION: u8 = 10;

/// Returns the sections in order, each with its id; `None` if they cannot be read.
pub(super) fn sections(wasm: &[u8]) -> Option<Vec<(u8, &[u8])>> {
    let mut sections = Vec::new();
    let (_magic_and_version, mut rest) = wasm.split_at_checked(8)?;
    while let Some((id, after)) = rest.split_first() {
        let (section, next) = sized(after)?;
        sections.push((*id, section));
        rest = next;
    }
    Some(sections)
}

/// Appends a section.
pub(super) fn put_section(id: u8, section: &[u8], to: &mut Vec<u8>) {
    to.push(id);
    put_sized(section, to);
}

/// Reads bytes that their number precedes, and returns the rest.
pub(super) fn sized(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, after) = number(bytes)?;
    after.split_at_checked(length)
}

/// Appends bytes with their number before them.
pub(super) fn put_sized(bytes: &[u8], to: &mut Vec<u8>) {
    put_number(bytes.len(), to);
    to.extend(bytes);
}

/// Reads a text, and returns the rest.
pub(super) fn text(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (text, after) = sized(bytes)?;
    Some((std::str::from_utf8(text).ok()?, after))
}

/// Reads an unsigned number in LEB128, and returns the rest.
pub(super) fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut number = 0;
    for (place, byte) in bytes.iter().take(5).enumerate() {
        number |= usize::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            return Some((number, bytes.get(place + 1..)?));
        }
    }
    None
}

/// Appends an unsigned number in LEB128.
pub(super) fn put_number(mut number: usize, to: &mut Vec<u8>) {
    loop {
        let low = u8::try_from(number & 0x7F).unwrap_or_default();
        number >>= 7;
        if number == 0 {
            return to.push(low);
        }
        to.push(low | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for value in [0, 1, 127, 128, 300, 16_384, 2_000_000] {
            let mut bytes = Vec::new();
            put_number(value, &mut bytes);
            bytes.push(42);
            assert_eq!(number(&bytes), Some((value, &[42][..])));
        }
        assert_eq!(number(&[0x80; 6]), None);
    }

    #[test]
    fn sections_are_read_as_they_are_written() {
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        let long = [7; 300];
        put_section(1, &long, &mut module);
        put_section(CODE_SECTION, &[], &mut module);
        assert_eq!(
            sections(&module),
            Some(vec![(1, &long[..]), (CODE_SECTION, &[])])
        );
        assert_eq!(sections(&module[..100]), None);
        assert_eq!(sections(&module[..4]), None);
    }
}
