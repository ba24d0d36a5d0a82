//! A text that grows gives in the end what the whole text gives.

use assent_markdown::invariants::check_pieces;
use proptest::prelude::*;

#[path = "spec/examples.rs"]
#[allow(dead_code, reason = "another test compares what the examples give")]
mod examples;

#[test]
fn every_example_grows_by_characters() {
    for example in examples::all() {
        check_pieces(&example.markdown, &vec![1; example.markdown.len()]);
    }
}

#[test]
fn every_example_grows_by_lines() {
    for example in examples::all() {
        let lines: Vec<usize> = example
            .markdown
            .split_inclusive('\n')
            .map(|line| line.chars().count())
            .collect();
        check_pieces(&example.markdown, &lines);
        check_pieces(&example.markdown, &[]);
    }
}

#[test]
fn examples_grow_after_each_other() {
    let examples = examples::all();
    for (place, first) in examples.iter().enumerate() {
        for step in [1, 7, 61, 211] {
            let Some(second) = examples.get((place * step + step) % examples.len()) else {
                continue;
            };
            for between in ["", "\n"] {
                let text = format!("{}{between}{}", first.markdown, second.markdown);
                check_pieces(&text, &vec![1; text.len()]);
                check_pieces(&text, &vec![3 + step; text.len()]);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_grows(
        text in "(?s)([-*_`>#|\\[\\]()!<~=:.$^0-9 a-c\n\t]|\r\n|\r|\0|\n\n|\n    |\n- |\n1. |\n> |```|~~~|\\[a\\]: /u\n|\\[a\\]|\\[\\^b\\]: c\n|\\[\\^b\\]|\\|a\\|b\\|\n\\|-\\|-\\|\n|<div>|<!--|-->|\\$\\$|https://a\\.example){0,40}",
        lengths in prop::collection::vec(1_usize..9, 0..60),
    ) {
        check_pieces(&text, &lengths);
        check_pieces(&text, &vec![1; text.len()]);
    }
}
