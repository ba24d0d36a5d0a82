//! Properties of every text, and linear running time.
#![allow(missing_docs, reason = "tests are named by what they show")]

use std::time::{Duration, Instant};

use assent_inspect::{
    ParsedUrl, Text, ValueKind, difference, inspect,
    invariants::{check_argument, check_difference},
};
use proptest::prelude::*;

/// Letters, joiners, marks and signs that meet each other in every order.
const NASTY: &str = "aAzpo059 \t\n\r.,:/\\@<>-_'\"{}[]%#?~$€\
    аероѕΑοαλօᎪɡß\u{301}\u{20E3}\u{AD}\u{34F}\u{61C}\u{200B}\u{200C}\u{200D}\u{200E}\u{202E}\u{2066}\u{2069}\u{FEFF}\u{A0}\u{3000}\
    \u{FE0F}\u{FE00}\u{E0100}\u{E0067}\u{E0062}\u{E007F}\u{1F3F4}\u{1F469}\u{1F3FD}\u{1F680}\u{1F1E9}\u{1F1EA}❤\u{0}\u{1B}\u{85}\u{2028}\
    بمیשक्षกខᠮ中タ한ᅡ٥५۵⠓\u{2800}\u{10FFFF}\
    \u{E47}\u{338}\u{20E0}＠;𝖺𝟷ꓮᎪ\u{2215}\u{E000}";

fn text() -> impl Strategy<Value = String> {
    let nasty: Vec<char> = NASTY.chars().collect();
    let character = prop_oneof![8 => prop::sample::select(nasty), 1 => any::<char>()];
    prop::collection::vec(character, 0..40).prop_map(|text| text.into_iter().collect())
}

/// JSON in every spelling: spaces, escapes, numbers, repeated names.
fn json() -> impl Strategy<Value = String> {
    let string = "\"([a-c,:{}\\[\\] äא]|\\\\[\"\\\\/bfnrt]|\\\\u00[0-9A-Fa-f]{2}){0,6}\"";
    let number = "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?";
    let leaf = prop_oneof![
        string,
        number,
        Just("true".to_owned()),
        Just("null".to_owned())
    ];
    let value = leaf.prop_recursive(4, 24, 4, move |inner| {
        let member = (string, "[ \t\n]{0,2}", inner.clone())
            .prop_map(|(name, space, value)| [&name, &space, ":", &space, &value].concat());
        let list = |items: Vec<String>, space: &str, ends: [&str; 2]| {
            [
                ends[0],
                space,
                &items.join(&[space, ",", space].concat()),
                space,
                ends[1],
            ]
            .concat()
        };
        prop_oneof![
            (prop::collection::vec(inner, 0..4), "[ \r\n]{0,2}")
                .prop_map(move |(items, space)| list(items, &space, ["[", "]"])),
            (prop::collection::vec(member, 0..4), "[ \t]{0,2}")
                .prop_map(move |(items, space)| list(items, &space, ["{", "}"])),
        ]
    });
    value.prop_map(|value| {
        if value.starts_with(['{', '[']) {
            value
        } else {
            ["[", &value, "]"].concat()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_argument_is_inspected_whole(name in text(), value in text()) {
        prop_assert_eq!(check_argument(&name, &value), Ok(()));
    }

    #[test]
    fn any_name_hint_is_taken(value in text(), hint in prop::sample::select(vec!["url", "path", "amount", "fileName"])) {
        prop_assert_eq!(check_argument(hint, &value), Ok(()));
    }

    #[test]
    fn the_difference_of_any_texts_is_all_of_them(start in text(), one in text(), other in text(), end in text()) {
        prop_assert_eq!(check_difference(&one, &other), Ok(()));
        let (before, after) = ([&*start, &one, &end].concat(), [&*start, &other, &end].concat());
        prop_assert_eq!(check_difference(&before, &after), Ok(()));
    }

    #[test]
    fn any_json_keeps_its_tokens(value in json()) {
        let seen = inspect("value", &value, &|_| None);
        prop_assert!(matches!(seen.kind, ValueKind::Json(_)), "{}", value);
        prop_assert_eq!(check_argument("value", &value), Ok(()));
    }

    #[test]
    fn any_host_is_judged(name in "[a-z0-9-]{0,70}", label in text()) {
        let answer = |_: &str| Some(ParsedUrl { scheme: "https".to_owned(), name: ["xn--", &name, ".", &label].concat(), ..ParsedUrl::default() });
        let seen = inspect("url", &["https://", &label].concat(), &answer);
        prop_assert!(matches!(seen.kind, ValueKind::Address(_)));
    }
}

#[test]
fn long_texts_of_any_make_are_read_at_once() {
    let long = |piece: &str| piece.repeat((1 << 16) / piece.len());
    let deep = long("[") + &long("]");
    let names = ["{", &long("\"a\":1,"), "\"b\":2}"].concat();
    let letters: String = NASTY.chars().collect();
    for text in [
        long("a"),
        long("word "),
        long("ж"),
        long("а"),
        long("aа"),
        long("aο"),
        long("1٥"),
        long("\u{200B}"),
        long("\u{200B}\u{200C}"),
        long("\u{1F1E9}"),
        long("e\u{301}"),
        long("ก"),
        long("a\n"),
        long("1 234"),
        long("../"),
        long("a.b@"),
        long("a@b.c,"),
        long(" "),
        long("  a"),
        long("\u{E47}"),
        long("\u{1F469}\u{200D}"),
        long("\u{1F3F4}\u{E0067}\u{E0062}"),
        ["https://", &long("xn--a.")].concat(),
        ["https://", &long("xn--aaaaaaaaaaaaaaa")].concat(),
        ["[\"", &long("\\\\"), "\"]"].concat(),
        long(&letters),
        deep,
        names,
    ] {
        let answer = |text: &str| {
            Some(ParsedUrl {
                scheme: "https".to_owned(),
                name: text.get(8..)?.to_owned(),
                ..ParsedUrl::default()
            })
        };
        let start = Instant::now();
        let seen = inspect("url", &text, &answer);
        let other = [&*text, "a"].concat();
        assert!(difference(&text, &other).is_some() && difference(&other, &text).is_some());
        let (before, after) = seen.value.cut(text.len() / 2);
        assert!(!before.parts().is_empty() && !after.parts().is_empty());
        let head: String = text.chars().take(12).collect();
        // Most take a fifth of a second without optimisation; a quadratic algorithm takes far
        // longer than this.
        assert!(start.elapsed() < Duration::from_secs(20), "{head:?}");
    }
    assert!(Text::new(&long("\u{200B}")).parts().len() == 1);
}
