//! What one module writes, the other reads.

use assent_markdown::{decode, encode, parse};
use proptest::prelude::*;

/// Every kind of block and span.
const ALL: &str = "# a\n\nb **c** *d* ~~e~~ `f` [g](https://h.example) ![i](https://j.example/k)  \nl\n\n> m\n\n3. n\n   - [x] o\n   - [ ] p\n\n|q|r|s|\n|:-|:-:|-:|\n|1|2|3|\n\n```rust\nt\n```\n\n---\n";

#[test]
fn every_kind_comes_back() {
    let blocks = parse(ALL);
    assert_eq!(decode(&encode(&blocks)), Some(blocks));
}

#[test]
fn deep_nesting_comes_back() {
    for text in [
        ">".repeat(900) + " a",
        "- ".repeat(900) + "a",
        "*_".repeat(500) + "a",
    ] {
        let blocks = parse(&text);
        assert_eq!(decode(&encode(&blocks)), Some(blocks));
    }
}

#[test]
fn bytes_that_end_early_are_refused() {
    let bytes = encode(&parse(ALL));
    for end in 0..bytes.len() {
        assert_eq!(decode(&bytes[..end]), None, "{end}");
    }
}

#[test]
fn bytes_that_nest_without_end_are_refused() {
    // A quote with one block, again and again.
    let bytes: Vec<u8> = [1, 0, 0, 0, 3].into_iter().cycle().take(500_000).collect();
    assert_eq!(decode(&bytes), None);
}

proptest! {
    #[test]
    fn any_text_comes_back(text in "(?s)[-*_`>#|\\[\\]()!<~=:.0-9 a-c\n\t]{0,200}|.{0,100}") {
        let blocks = parse(&text);
        prop_assert_eq!(decode(&encode(&blocks)), Some(blocks));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Some(blocks) = decode(&bytes) {
            prop_assert_eq!(decode(&encode(&blocks)), Some(blocks));
        }
    }
}
