//! Recipients of e-mails, and attempts to hide them.
#![allow(
    clippy::panic,
    missing_docs,
    reason = "tests may fail loudly and are named by what they show"
)]

mod common;

use std::cell::Cell;

use assent_inspect::{Finding, Mailbox, ParsedUrl, ValueKind, inspect};
use common::{look, notation, resolve};

fn mailbox(value: &str) -> (Mailbox, Vec<Finding>) {
    let seen = look("to", value);
    let ValueKind::Email(mailbox) = seen.kind else {
        panic!("{value}: {:?}", seen.kind)
    };
    (mailbox, seen.findings)
}

#[test]
fn the_domain_of_an_email_is_read_like_a_host() {
    use Finding::{
        AddressInName, HostLooksLatin, HostMixesScripts, HostWrittenOtherwise, Invisible, LookAlike,
    };
    let cyrillic = LookAlike("Cyrillic");
    for (value, user, host, findings) in [
        ("ann@bank.example", "ann", "bank.example", &[][..]),
        ("Ann@Bank.Example", "Ann", "bank.example", &[]),
        ("ann@münchen.de", "ann", "xn--mnchen-3ya.de", &[]),
        (
            "ann@раypal.com",
            "ann",
            "xn--ypal-43d9g.com",
            &[cyrillic, HostMixesScripts],
        ),
        (
            "ann@xn--80ak6aa92e.com",
            "ann",
            "xn--80ak6aa92e.com",
            &[HostLooksLatin],
        ),
        (
            "ann@ba\u{AD}nk.example",
            "ann",
            "bank.example",
            &[Invisible, HostWrittenOtherwise],
        ),
        (
            "аnn@bank.example",
            "<Cyrillic:а>nn",
            "bank.example",
            &[cyrillic],
        ),
        ("Ann <ann@bank.example>", "ann", "bank.example", &[]),
        (
            "ann@bank.example <ann@bank.example>",
            "ann",
            "bank.example",
            &[],
        ),
        (
            "ann@bank.example <x@elsewhere.example>",
            "x",
            "elsewhere.example",
            &[AddressInName],
        ),
        (
            "\"boss@bank.example\" <x@elsewhere.example>",
            "x",
            "elsewhere.example",
            &[AddressInName],
        ),
        (
            "boss＠bank.example <x@elsewhere.example>",
            "x",
            "elsewhere.example",
            &[AddressInName],
        ),
        (
            "boss﹫bank.example <x@elsewhere.example>",
            "x",
            "elsewhere.example",
            &[AddressInName],
        ),
        (
            "\"boss@bank.example\"@elsewhere.example",
            "\"boss@bank.example\"",
            "elsewhere.example",
            &[AddressInName],
        ),
        (
            "boss@bank.example@elsewhere.example",
            "boss@bank.example",
            "elsewhere.example",
            &[AddressInName],
        ),
        (
            "\"the boss\"@bank.example",
            "\"the boss\"",
            "bank.example",
            &[],
        ),
        (
            "<boss@bank.example> <x@elsewhere.example>",
            "x",
            "elsewhere.example",
            &[AddressInName],
        ),
    ] {
        let (mailbox, found) = mailbox(value);
        assert_eq!(
            (notation(&mailbox.user).as_str(), mailbox.host.as_str()),
            (user, host),
            "{value}"
        );
        assert_eq!(found, findings, "{value}");
    }
}

#[test]
fn several_addresses_are_said_and_each_is_read() {
    use Finding::{AddressInName, HostMixesScripts, LookAlike, SeveralAddresses};
    let asked = Cell::new(0);
    let count = |text: &str| -> Option<ParsedUrl> {
        asked.set(asked.get() + 1);
        resolve(text)
    };
    let seen = inspect(
        "to",
        "a@b.example, c@evil.example; Doe, Ann <d@e.example>",
        &count,
    );
    assert_eq!(
        (seen.kind, seen.findings),
        (ValueKind::Text, vec![SeveralAddresses])
    );
    assert_eq!(asked.get(), 3);
    for (value, findings) in [
        (
            "a@b.example,b@раypal.com",
            &[LookAlike("Cyrillic"), HostMixesScripts, SeveralAddresses][..],
        ),
        (
            "a@b.example, boss@bank.example <c@d.example>",
            &[AddressInName, SeveralAddresses],
        ),
        ("Write to a@b.example, or ask", &[]),
        ("\"Doe, Ann\" <a@b.example>", &[]),
        ("Doe, Ann <a@b.example>", &[]),
    ] {
        assert_eq!(look("to", value).findings, findings, "{value}");
    }
}
