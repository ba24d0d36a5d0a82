//! `EDGE_CASES.md` and the tests name the same cases.
#![allow(clippy::unwrap_used, missing_docs, reason = "tests may fail loudly")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn number(text: &str, end: char) -> Option<u32> {
    text.split_once(end)?.0.parse().ok()
}

#[test]
fn every_case_has_a_test_and_every_test_a_case() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = fs::read_to_string(root.join("EDGE_CASES.md")).unwrap();
    let cases = document
        .lines()
        .filter_map(|line| number(line.strip_prefix("- E")?, '.'));
    let cases: Vec<u32> = cases.collect();
    let mut tested = BTreeSet::new();
    for file in fs::read_dir(root.join("tests/behaviour")).unwrap() {
        let source = fs::read_to_string(file.unwrap().path()).unwrap();
        let tests = source
            .lines()
            .filter_map(|line| number(line.strip_prefix("fn e")?, '_'));
        tested.extend(tests);
    }
    assert_eq!(cases.iter().copied().collect::<BTreeSet<_>>(), tested);
    assert!(
        cases.is_sorted_by(|one, next| one < next),
        "each number once, in order"
    );
}
