// Copyright 2015 Google Inc. All rights reserved.
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in
// all copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
// THE SOFTWARE.

//! Expansions of HTML5 entities
//!
//! Not the file of the published crate: its table of pairs is larger than the rest of the parser's
//! data. `entities.txt` has the same pairs, and `build.rs` writes them in few bytes.

use crate::CowStr;
use std::sync::LazyLock;

/// The table that `build.rs` describes.
const COMPACT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/entities.bin"));
/// Number of entities in the table: what is allocated for them.
const COUNT: usize = 2125;

/// The entities sorted by their names, decoded when the first one is looked up.
static ENTITIES: LazyLock<Vec<Entity>> = LazyLock::new(|| {
    let mut entities = Vec::with_capacity(COUNT);
    entities.extend(Entities {
        rest: COMPACT,
        previous: 0,
    });
    entities.sort_unstable_by_key(|entity: &Entity| entity.name);
    entities
});

struct Entity {
    name: &'static [u8],
    first: char,
    second: Option<char>,
}

/// Decoder of the compact table.
struct Entities {
    rest: &'static [u8],
    previous: u32,
}

impl Entities {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// Reads a number in LEB128.
    fn number(&mut self) -> Option<u32> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = u32::from(self.byte()?);
            number |= (byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
    }
}

impl Iterator for Entities {
    type Item = Entity;

    fn next(&mut self) -> Option<Entity> {
        self.previous += self.number()?;
        let length = self.rest.iter().position(|byte| *byte < b'0')?;
        let (name, rest) = self.rest.split_at(length);
        self.rest = rest;
        let second = match self.byte()? {
            0 => None,
            _ => char::from_u32(self.number()?),
        };
        Some(Entity {
            name,
            first: char::from_u32(self.previous)?,
            second,
        })
    }
}

pub(crate) fn get_entity(bytes: &[u8]) -> Option<CowStr<'static>> {
    let index = ENTITIES
        .binary_search_by_key(&bytes, |entity| entity.name)
        .ok()?;
    let Entity { first, second, .. } = ENTITIES[index];
    Some(match second {
        None => first.into(),
        Some(second) => String::from_iter([first, second]).into(),
    })
}
