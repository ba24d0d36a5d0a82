//! Kinds of values.
#![allow(
    clippy::panic,
    missing_docs,
    reason = "tests may fail loudly and are named by what they show"
)]

mod common;

use assent_inspect::{Finding, ValueKind};
use common::{look, notation};

fn kind(name: &str, value: &str) -> &'static str {
    match look(name, value).kind {
        ValueKind::Empty => "empty",
        ValueKind::Text => "text",
        ValueKind::Lines => "lines",
        ValueKind::Number => "number",
        ValueKind::Amount => "amount",
        ValueKind::Address(_) => "address",
        ValueKind::Email(_) => "email",
        ValueKind::Path => "path",
        ValueKind::Json(_) => "json",
    }
}

fn check(expected: &str, values: &[&str]) {
    for value in values {
        assert_eq!(kind("value", value), expected, "{value:?}");
    }
}

#[test]
fn values_by_their_spelling() {
    check("empty", &[""]);
    check(
        "text",
        &[
            " ",
            "\n",
            "hello",
            "hello\n",
            "a\rb",
            "true",
            "null",
            "\"quoted\"",
            "2026-11-20",
            "10:30",
            "+49 30 1234567",
            "1.2.3",
            "192.168.100.200",
            "10.0.0.1",
            "0x1F",
            "5 %",
            "12 apples",
            "1,2,3,4",
            "1e",
            "e5",
            "-",
            ".",
            "1..2",
            "1 2",
            "and/or",
            "application/json",
            "Note: this",
            "C++",
            "@ann",
            "a@b",
            "@ann@chat.example",
            "ann@bank.example, bob@bank.example",
            "Data: three rows, two columns",
            "JavaScript: The Good Parts",
            "File: report",
            "Blob: a thing",
            "key:value",
            "https://bank.example is down",
            "{not json}",
            "[1, 2",
            "localhost:3000",
            "~ 5",
            "ABC 5",
            "5 and 6",
            "$",
            "EUR",
            "$5 or $6",
            "$5 €",
            "1.234,",
            "data:5",
            "/remind me to call Ann.",
            "\u{A0}{}",
            "Ann <ann>",
            "1\u{200B}00",
        ],
    );
    check(
        "lines",
        &[
            "a\nb",
            "a\r\nb",
            "5\n6",
            "https://bank.example\nhttps://elsewhere.example",
        ],
    );
    check(
        "number",
        &[
            "0",
            "5",
            "-5",
            "+5",
            "\u{2212}5",
            "0.10",
            "1e5",
            "1.5E-7",
            ".5",
            "1,5",
            "1,234",
            "1,234.56",
            "1.234,56",
            "1.234.567",
            "1 234 567,8",
            "1\u{202F}234",
            "1'234'567.00",
            "1_000",
            " 5 ",
            "5\n",
            "00012",
            "12345678901234567890",
        ],
    );
    check(
        "amount",
        &[
            "€5",
            "5 €",
            "5,00\u{A0}€",
            "$1,234.56",
            "-$5",
            "$-5",
            "-5 €",
            "EUR 5",
            "5 EUR",
            "USD 1e3",
            "₹500",
            "500 ₽",
            "R$ 5",
            "CHF 5.-",
            "5 kr",
            "100 zł",
            "1 000 Kč",
            "¥5",
            "0.5 BTC",
        ],
    );
    check(
        "address",
        &[
            "https://bank.example",
            "HTTP://bank.example/a b".trim_end_matches(" b"),
            "https:bank.example",
            "https:\\\\bank.example",
            "ftp://bank.example/x",
            "mailto:ann@bank.example",
            "tel:+4930",
            "javascript:alert(1)",
            "javascript:alert( 1 )",
            "data:text/html,<b>x</b>",
            "data:text/html,a b",
            "file:///etc/passwd",
            "about:blank",
            "custom://thing",
            " https://bank.example ",
            "https://bank.example\n",
        ],
    );
    check(
        "email",
        &[
            "ann@bank.example",
            "ann.b+c@mail.bank.example",
            "Ann B <ann@bank.example>",
            "ann@münchen.de",
            " ann@bank.example\n",
        ],
    );
    check(
        "path",
        &[
            "/",
            "/etc/passwd",
            "./a",
            "../a",
            "~/a",
            "~",
            "..",
            "C:\\Users\\ann",
            "c:/x",
            "\\\\server\\share",
            "/srv/ann/My Letters/a.txt",
        ],
    );
    check("json", &["{}", "[]", " [1]\n", "{\"a\": 1}", "[[]]"]);
}

#[test]
fn the_last_word_of_the_name_decides_what_the_spelling_leaves_open() {
    for (name, value, expected) in [
        ("amount", "0.10", "amount"),
        ("totalAmount", "5", "amount"),
        ("unit_price", "5", "amount"),
        ("amounts", "5", "number"),
        ("amount", "five", "text"),
        ("url", "bank.example/a", "address"),
        ("targetURL", "bank.example:8080", "address"),
        ("host", "//bank.example/", "address"),
        ("webhook-url", "https://bank.example/a b", "address"),
        ("link", "java\tscript:alert(1)", "address"),
        ("url", "\u{1} javascript:alert(1)", "address"),
        ("url", "/docs/v1.2/page", "path"),
        ("url", "none", "text"),
        ("path", "a/b.txt", "path"),
        ("fileName", "a.txt", "path"),
        ("profile", "default", "text"),
        ("filename", "a\nb", "lines"),
        ("", "a.txt", "text"),
        ("CURL", "bank.example", "text"),
    ] {
        assert_eq!(kind(name, value), expected, "{name}: {value:?}");
    }
}

fn paths(value: &str, expected: &[Finding]) {
    let seen = look("path", value);
    assert_eq!(seen.kind, ValueKind::Path, "{value:?}");
    assert_eq!(seen.findings, expected, "{value:?}");
}

#[test]
fn what_is_worth_a_look_in_a_path() {
    use Finding::{DisguisedProgram, HiddenFile, HomeFolder, ParentFolder, TrailingDotOrSpace};
    for plain in [
        "/srv/files/report.pdf",
        "archive.tar.gz",
        "setup.exe",
        "jquery.min.js",
        "a.b.c",
        "./a",
        "Report 1.2.pdf",
        "~a/..b".trim_start_matches('~'),
    ] {
        let expected: &[Finding] = if plain == "a/..b" { &[HiddenFile] } else { &[] };
        paths(plain, expected);
    }
    paths("../../etc/passwd", &[ParentFolder]);
    paths("a\\..\\b", &[ParentFolder]);
    paths("~/.ssh/id_rsa", &[HomeFolder, HiddenFile]);
    paths("/srv/ann/.env", &[HiddenFile]);
    paths("report.pdf.", &[TrailingDotOrSpace]);
    paths("a /b", &[TrailingDotOrSpace]);
    paths("a.exe\u{A0}", &[TrailingDotOrSpace]);
    paths("invoice.pdf.exe", &[DisguisedProgram]);
    paths("C:\\x\\Photo.JPG.Scr", &[DisguisedProgram]);
    paths("invoice.pdf     .exe", &[DisguisedProgram]);
    paths(".pdf.exe", &[HiddenFile]);
    // Part of the attack: the drawn text ends with .pdf.
    let seen = look("path", "invoice\u{202E}fdp.exe");
    assert_eq!(seen.findings, [Finding::Reordering]);
}

fn json(value: &str, expected: &str) {
    let ValueKind::Json(pretty) = look("value", value).kind else {
        panic!("{value}")
    };
    assert_eq!(notation(&pretty), expected);
}

#[test]
fn json_is_indented_and_otherwise_left_alone() {
    json("{}", "{}");
    json(" [ ] ", "[]");
    json("[1,2.50,-0,1E+2]", "[\n  1,\n  2.50,\n  -0,\n  1E+2\n]");
    json(
        r#"{"b":0.10,"a":[{},[],{"x":null}],"b":"\u00e4\"\\"}"#,
        "{\n  \"b\": 0.10,\n  \"a\": [\n    {},\n    [],\n    {\n      \"x\": null\n    }\n  ],\n  \"b\": \"\\u00e4\\\"\\\\\"\n}",
    );
    json(
        "[\"a , b : { [ \\\" ] }\"]",
        "[\n  \"a , b : { [ \\\" ] }\"\n]",
    );
    json(
        "[\"\u{202E}раypal\"]",
        "[\n  \"[right-to-left override]<Cyrillic:ра>ypal\"\n]",
    );
}

#[test]
fn what_is_deeper_than_eight_levels_stands_on_one_line() {
    let nested = |depth: usize| ["[".repeat(depth), "1, 2".to_owned(), "]".repeat(depth)].concat();
    let ValueKind::Json(pretty) = look("value", &nested(11)).kind else {
        panic!()
    };
    let innermost = ["\n", &" ".repeat(16), "[[[1,2]]]\n"].concat();
    assert!(notation(&pretty).contains(&innermost));
}

#[test]
fn a_member_that_is_named_twice_is_found() {
    for (value, found) in [
        (r#"{"a":1,"a":2}"#, true),
        (r#"{"a":1,"\u0061":2}"#, true),
        (r#"[{"x":{"a":1,"b":2,"a":3}}]"#, true),
        (r#"{"a":1,"b":{"a":2}}"#, false),
        (r#"[{"a":1},{"a":2}]"#, false),
        (r#"{"a":"b","b":"a"}"#, false),
        (r#"{"a":["a","a","a"]}"#, false),
    ] {
        let expected: &[Finding] = if found {
            &[Finding::RepeatedMember]
        } else {
            &[]
        };
        assert_eq!(look("value", value).findings, expected, "{value}");
    }
}
