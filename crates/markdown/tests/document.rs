//! A growing text ends with the same blocks as the whole text.

use assent_markdown::invariants::check_pieces;
use proptest::prelude::*;

/// Generator of a text of about a given length.
type Shape = fn(usize) -> String;

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

#[test]
fn texts_grow_that_fuzzing_found() {
    for text in [
        // A definition that the parser counts as part of a list, followed by more indentation than
        // elsewhere.
        "-\n[o]:a\n    ]",
        "- a\n- b\n-\n[o]:a\n    ] [o]\n\n[c]",
        "- a\n- b [c]\n-\n[o]:a\n    # ] [o]\n\n[c]: d\n",
        "-\n[o]:a\n\t- ]\n\n    code\n\n1. e",
        // Such a definition followed by what cannot interrupt a paragraph.
        "11. ```\n\n[a]: /u\n- ",
        "11. ```\n\n[a]: /u\n-\nb",
        "11. ```\n\n[a]: /u\n2) c\n\nb",
        // A table up to its last line, which turns it into a definition.
        "[| a |\n|---|\n^a]: b\n\n[| c |\n|---|\n| d |\n\n[| a | ^a]",
        "[a]: b 'c |\n|---|\nd'\n\n[a]",
        // Formulas with line breaks and other formulas in them.
        "> \\(\n<br>\n  \\)",
        "$$\n\\[\n  \\]|a|b|\n|-|-|\n- \\(\n$$",
    ] {
        check_pieces(text, &[]);
        check_pieces(text, &vec![1; text.len()]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_grows(
        text in "(?s)([-*_`>#|\\[\\]()!<~=:.$^0-9 a-c\n\t]|\r\n|\r|\0|\n\n|\n    |\n- |\n1. |\n> |```|~~~|\\[a\\]: /u\n|\\[a\\]|\\[\\^b\\]: c\n|\\[\\^b\\]|\\|a\\|b\\|\n\\|-\\|-\\|\n|<div>|<!--|-->|\\$\\$|https://a\\.example){0,40}",
        lengths in prop::collection::vec(1_usize..9, 0..60),
    ) {
        check_pieces(&text, &lengths);
        check_pieces(&text, &vec![1; text.len()]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_with_formulas_grows(
        text in "(?s)([-+*_`>#|()~=:.$1 ab\n]|\n\n|\n  |\n    |- |1\\. |\n> |```|\\|a\\|b\\|\n\\|-\\|-\\|\n|\\\\\\(|\\\\\\)|\n\\\\\\[|\\\\\\[|\\\\\\]|\\$\\$|\n\\$\\$|\\\\\\\\|\\\\begin\\{align\\}|\\\\end\\{align\\}|<br>|\n<br>|<div>|<!--|\\[\\^b\\]|\\[\\^b\\]: c\n|\\[a\\]: /u\n|\\[a\\]|\\*\\*|~~|今|：|「|」|> \\[!NOTE\\]|https://a\\.example){0,40}",
        lengths in prop::collection::vec(1_usize..9, 0..60),
    ) {
        check_pieces(&text, &lengths);
        check_pieces(&text, &vec![1; text.len()]);
    }
}

/// Parses chunks of twelve characters, as they come over the network.
fn parsed(text: &str) -> u64 {
    check_pieces(text, &vec![12; text.len() / 12])
}

#[test]
fn what_is_parsed_for_a_long_block_is_linear() {
    let shapes: [(&str, Shape); 10] = [
        ("code", |size| {
            format!("```\n{}", "let value = 1;\n".repeat(size / 15))
        }),
        ("table", |size| {
            format!("|a|b|\n|-|-|\n{}", "|one cell|another|\n".repeat(size / 19))
        }),
        ("list", |size| "- an *item* of a list\n".repeat(size / 22)),
        ("brackets", |size| "*[".repeat(size / 2)),
        ("quote", |size| "> a line of a quote\n".repeat(size / 20)),
        ("definitions", |size| "[a]: /b\n".repeat(size / 8)),
        ("formulas", |size| "\\[\na\n- b\n\\]\n".repeat(size / 14)),
        ("open formulas", |size| "- \\[ a $b\n".repeat(size / 10)),
        ("emphasis", |size| "**「一」**二".repeat(size / 16)),
        ("waiting", |size| {
            "[a] [b] [^c]\n\n".repeat(size / 14)
                + "[a]: /b\n\nSome text that comes after it.\n\nAnd more.\n"
        }),
    ];
    for (name, shape) in shapes {
        let (half, whole) = (parsed(&shape(30_000)), parsed(&shape(60_000)));
        assert!(
            whole as f64 <= 2.3 * half as f64,
            "{name}: {half} for half, {whole} for all"
        );
    }
}
