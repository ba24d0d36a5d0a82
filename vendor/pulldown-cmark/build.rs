//! Writes the compact table of entities that `src/entities.rs` reads.
//!
//! Entities are sorted by their characters. Each is the difference between its first character and
//! that of the entity before it, its name, and a byte: `0`, or `1` and a second character. Numbers
//! are in LEB128, and no byte of a name is below `b'0'`.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

const SOURCE: &str = "entities.txt";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed={SOURCE}");
    let text = fs::read_to_string(SOURCE)?;
    let mut entities = text.lines().map(entity).collect::<Result<Vec<_>, _>>()?;
    entities.sort();
    let mut table = Vec::new();
    let mut previous = 0;
    for (first, second, name) in entities {
        write_number(&mut table, first - previous);
        table.extend(name.as_bytes());
        table.push(second.is_some().into());
        if let Some(second) = second {
            write_number(&mut table, second);
        }
        previous = first;
    }
    let folder = env::var("OUT_DIR")?;
    fs::write(Path::new(&folder).join("entities.bin"), table)?;
    Ok(())
}

/// Parses `NAME U+HEX` or `NAME U+HEX U+HEX`.
fn entity(line: &str) -> Result<(u32, Option<u32>, &str), Box<dyn Error>> {
    let mut words = line.split(' ');
    let name = words.next().unwrap_or_default();
    let mut characters = words.map(|word| {
        let digits = word.strip_prefix("U+").unwrap_or_default();
        u32::from_str_radix(digits, 16)
    });
    let (first, second, more) = (characters.next(), characters.next(), characters.next());
    match (first.transpose()?, second.transpose()?, more) {
        (Some(first), second, None) => Ok((first, second, name)),
        _ => Err(format!("{SOURCE}: {line}").into()),
    }
}

fn write_number(table: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        table.push(number as u8 | 0x80);
        number >>= 7;
    }
    table.push(number as u8);
}
