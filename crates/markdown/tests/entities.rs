//! Names of characters (`&AElig;`), whose table in `vendor/pulldown-cmark` is written otherwise than
//! in the published crate.
#![allow(clippy::unwrap_used, reason = "tests")]

use pulldown_cmark::{Event, Parser};
use sha2::{Digest, Sha256};
use std::collections::HashSet;

/// A line `NAME U+HEX` for each name, or `NAME U+HEX U+HEX`.
const NAMES: &str = include_str!("../../../vendor/pulldown-cmark/entities.txt");
/// The hash of these lines as pulldown-cmark 0.13.6 has the names and characters, in its order.
const PUBLISHED: &str = "13ae896268e5a2e77a551738f4ece0219bc3206dfc013128cfcc6a43e62ef0ac";

fn names() -> impl Iterator<Item = (&'static str, String)> {
    NAMES.lines().map(|line| {
        let (name, characters) = line.split_once(" U+").unwrap();
        let character = |hex| char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap();
        (name, characters.split(" U+").map(character).collect())
    })
}

/// Returns the text of a paragraph, in which marks keep blanks.
fn read(text: &str) -> String {
    let marked = format!("x{text}x");
    let events = Parser::new(&marked).filter_map(|event| match event {
        Event::Text(text) => Some(text.to_string()),
        _ => None,
    });
    let read: String = events.collect();
    let inner = read
        .strip_prefix('x')
        .and_then(|rest| rest.strip_suffix('x'));
    inner.unwrap().to_owned()
}

#[test]
fn the_list_of_names_is_that_of_the_published_parser() {
    let hash: String = Sha256::digest(NAMES)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!((NAMES.lines().count(), hash.as_str()), (2125, PUBLISHED));
}

#[test]
fn every_name_is_its_characters() {
    for (name, characters) in names() {
        assert_eq!(read(&format!("&{name};")), characters, "{name}");
    }
}

#[test]
fn what_is_almost_a_name_stays_text() {
    for text in [
        "&nbsp", "&nbsp ;", "&;", "&n;", "&nbs;", "&nbspx;", "&NBSP;", "&0;", "&zzzz;", "& amp;",
        "&ampamp;",
    ] {
        assert_eq!(read(text), text);
    }
    let list: HashSet<&str> = names().map(|(name, _)| name).collect();
    for (name, _) in names() {
        let (shorter, longer) = (&name[..name.len() - 1], format!("{name}0"));
        for other in [shorter, longer.as_str()] {
            let text = format!("&{other};");
            assert_eq!(read(&text) == text, !list.contains(other), "{text}");
        }
    }
}
