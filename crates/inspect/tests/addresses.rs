//! Targets of addresses, and attempts to hide them.
#![allow(
    clippy::panic,
    missing_docs,
    reason = "tests may fail loudly and are named by what they show"
)]

mod common;

use std::cell::Cell;

use assent_inspect::{Finding, ParsedUrl, ValueKind, inspect};
use common::{look, notation, resolve};

fn check(name: &str, value: &str, host: &str, findings: &[Finding]) {
    let seen = look(name, value);
    let ValueKind::Address(address) = seen.kind else {
        panic!("{value}: {:?}", seen.kind)
    };
    assert_eq!(address.host, host, "{value}");
    assert_eq!(seen.findings, findings, "{value}");
}

#[test]
fn the_host_that_is_opened_is_named() {
    use Finding::{
        ActiveScheme, HostIsNumeric, HostLooksLatin, HostMixesScripts, HostWrittenOtherwise,
        Invisible, LookAlike, OtherScheme, UserBeforeHost,
    };
    let cyrillic = LookAlike("Cyrillic");
    let v = "target";
    check(
        v,
        "https://bank.example@tracker.invalid/x",
        "tracker.invalid",
        &[UserBeforeHost],
    );
    check(
        v,
        "https://bank.example:443@tracker.invalid",
        "tracker.invalid",
        &[UserBeforeHost],
    );
    check(
        v,
        "https://bank.example%2F@tracker.invalid",
        "tracker.invalid",
        &[UserBeforeHost],
    );
    check(
        "url",
        "bank.example@tracker.invalid",
        "tracker.invalid",
        &[UserBeforeHost],
    );
    check(v, "https://@bank.example", "bank.example", &[]);
    check(
        v,
        "https://bank.example/@tracker.invalid",
        "bank.example",
        &[],
    );
    check(
        v,
        "https://tracker.invalid\\@bank.example",
        "tracker.invalid",
        &[],
    );
    check(
        v,
        "https://tracker.invalid#@bank.example",
        "tracker.invalid",
        &[],
    );
    // All letters Cyrillic, some, and the Latin host itself.
    check(
        v,
        "https://рау.com",
        "xn--80a5ak.com",
        &[cyrillic, HostLooksLatin],
    );
    check(
        v,
        "https://xn--80ak6aa92e.com",
        "xn--80ak6aa92e.com",
        &[HostLooksLatin],
    );
    check(
        v,
        "https://раypal.com",
        "xn--ypal-43d9g.com",
        &[cyrillic, HostMixesScripts],
    );
    check(
        v,
        "https://xn--ypal-43d9g.com",
        "xn--ypal-43d9g.com",
        &[HostMixesScripts],
    );
    check(
        v,
        "https://pжypal.com",
        "xn--pypal-5we.com",
        &[HostMixesScripts],
    );
    check(
        v,
        "https://gοοgle.com",
        "xn--ggle-0nda.com",
        &[LookAlike("Greek"), HostMixesScripts],
    );
    check(
        v,
        "https://ɡoogle.com",
        "xn--oogle-qmc.com",
        &[LookAlike("Special Latin"), HostMixesScripts],
    );
    check(
        v,
        "https://bank.exampleノlogin.invalid",
        "bank.xn--examplelogin-ki5k.invalid",
        &[HostMixesScripts],
    );
    check(
        v,
        "https://中文русский.com",
        "xn--h1acbxfam8842mh6ub.com",
        &[HostMixesScripts],
    );
    check(
        v,
        "https://カ한.com",
        "xn--lckt370c.com",
        &[HostMixesScripts],
    );
    // Spelled differently from the host that is opened.
    check(
        v,
        "https://ｂａｎｋ.example",
        "bank.example",
        &[HostWrittenOtherwise],
    );
    check(
        v,
        "https://bank%2eexample",
        "bank.example",
        &[HostWrittenOtherwise],
    );
    check(
        v,
        "https://bank。example",
        "bank.example",
        &[HostWrittenOtherwise],
    );
    check(
        v,
        "https://ba\u{AD}nk.example",
        "bank.example",
        &[Invisible, HostWrittenOtherwise],
    );
    check(
        "url",
        "https://ba\tnk.example",
        "bank.example",
        &[HostWrittenOtherwise],
    );
    // Numbers.
    check(
        v,
        "http://192.168.0.1:80/x",
        "192.168.0.1",
        &[HostIsNumeric],
    );
    check(
        v,
        "http://0x7f.1/",
        "127.0.0.1",
        &[HostWrittenOtherwise, HostIsNumeric],
    );
    check(
        v,
        "http://2130706433/",
        "127.0.0.1",
        &[HostWrittenOtherwise, HostIsNumeric],
    );
    check(v, "http://[::1]:8080/", "[::1]", &[HostIsNumeric]);
    // Schemes.
    check(v, "javascript:alert(1)", "", &[ActiveScheme]);
    check(
        v,
        "JavaScript:alert(1)//https://bank.example",
        "",
        &[ActiveScheme],
    );
    check("url", "java\nscript:alert(1)", "", &[ActiveScheme]);
    check(v, "vbscript:x", "", &[ActiveScheme]);
    check(v, "data:text/html,<script>", "", &[ActiveScheme]);
    check(v, "blob:https://bank.example/1", "", &[ActiveScheme]);
    check(v, "file:///etc/passwd", "", &[OtherScheme]);
    check(v, "ftp://bank.example/x", "bank.example", &[OtherScheme]);
    check(v, "s3://Bucket/key", "Bucket", &[OtherScheme]);
}

#[test]
fn a_host_that_only_begins_like_the_written_one_is_another_one() {
    let answer = |_: &str| {
        Some(ParsedUrl {
            scheme: "https".to_owned(),
            name: "bank".to_owned(),
            ..ParsedUrl::default()
        })
    };
    for (value, findings) in [
        ("https://bank.example", &[Finding::HostWrittenOtherwise][..]),
        ("https://bank:8443", &[]),
    ] {
        assert_eq!(
            inspect("target", value, &answer).findings,
            findings,
            "{value}"
        );
    }
}

#[test]
fn the_host_is_shown_in_unicode_with_what_deceives_in_it() {
    let ValueKind::Address(address) = look("url", "https://xn--ypal-43d9g.com:8443/").kind else {
        panic!()
    };
    assert_eq!(
        address.unicode.as_ref().map(notation).as_deref(),
        Some("<Cyrillic:ра>ypal.com")
    );
    assert_eq!(
        (address.scheme.as_str(), address.port),
        ("https", Some(8443))
    );
}

#[test]
fn a_sign_in_a_host_is_found_and_marked() {
    for (url, sign) in [
        ("https://bank.example\u{2215}pay.evil.example/x", '\u{2215}'),
        ("https://bank.example\u{2044}pay.evil.example", '\u{2044}'),
        ("https://bank.example\u{2236}443.evil.example", '\u{2236}'),
        ("https://bank.example\u{2D0}443.evil.example", '\u{2D0}'),
        ("https://bank\u{2022}example.evil.example", '\u{2022}'),
    ] {
        let seen = look("target", url);
        assert_eq!(seen.findings, [Finding::HostHoldsSign], "{url}");
        let ValueKind::Address(address) = seen.kind else {
            panic!("{url}: {:?}", seen.kind)
        };
        let unicode = address.unicode.as_ref().map(notation).unwrap_or_default();
        assert!(
            unicode.contains("[sign]") && !unicode.contains(sign),
            "{unicode}"
        );
    }
    // Some browsers treat this one as a dot, others do not.
    let seen = look("url", "bank\u{2024}example.evil.example");
    assert_ne!(seen.findings, []);
    let seen = look("to", "ann@bank.example\u{2215}x.evil.example");
    assert_eq!(seen.findings, [Finding::HostHoldsSign]);
    for url in [
        "https://paral·lel.example",
        "https://hawai\u{2BB}i.example",
        "https://می\u{200C}خواهم.example",
    ] {
        assert_eq!(look("url", url).findings, [], "{url}");
    }
}

#[test]
fn what_no_browser_could_open_is_said() {
    for (name, value) in [
        ("target", "https://[bank.example"),
        ("target", "https://"),
        ("target", "https://bank.example:99999"),
        ("url", "bank.example:99999"),
        ("target", "ann@xn--a.example"),
    ] {
        let seen = look(name, value);
        assert_eq!(
            (seen.kind, seen.findings),
            (ValueKind::Text, vec![Finding::Unreadable]),
            "{value}"
        );
    }
}

#[test]
fn the_resolver_is_asked_at_most_once() {
    for (name, value) in [
        ("url", "https://bank.example"),
        ("url", "https://[x"),
        ("url", "ann@bank.example"),
        ("to", "ann@bank.example"),
        ("to", "Ann <ann@xn--a.example>"),
        ("path", "/a/b"),
    ] {
        let asked = Cell::new(0);
        let count = |text: &str| -> Option<ParsedUrl> {
            asked.set(asked.get() + 1);
            resolve(text)
        };
        let seen = inspect(name, value, &count);
        assert!(asked.get() <= 1, "{value}: {seen:?}");
    }
}
