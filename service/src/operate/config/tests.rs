//! Tests of the command line.

use clap::Parser as _;

use super::Options;
use crate::{Error, settings::Origins};

fn options(arguments: &[&str]) -> Options {
    Options::parse_from([&["assent-service"], arguments].concat())
}

#[test]
fn without_any_key_the_sentence_says_what_to_do() {
    let error = options(&[]).keys("").unwrap_err();
    assert!(matches!(error, Error::NoApiKey));
    assert!(error.to_string().contains("--api-key"));
}

#[test]
fn keys_come_from_option_file_and_environment_together() {
    let file = std::env::temp_dir().join(format!("assent-keys-{}", uuid::Uuid::new_v4()));
    crate::settings::key_file::write(&file, "# comment\n\nfrom-file\n");
    let path = file.to_str().unwrap();
    let keys = options(&["--api-key", "typed", "--api-key-file", path]).keys("one, two");
    std::fs::remove_file(&file).unwrap();
    assert_eq!(format!("{:?}", keys.unwrap()), "ApiKeys(4 hidden)");
}

#[test]
fn an_origin_that_no_browser_sends_is_refused() {
    let parse = |origin| super::origins(&[String::from(origin)]);
    for origin in [
        "https://shop.example/",
        "https://shop.example?",
        "https://shop.example#",
        "https://me@shop.example",
        "https://shop.example:443",
        "http://shop.example:80",
        "http://shop.example:",
        "http://shop.example:port",
        "http://shop.example:070",
        "https://Shop.example",
        "HTTPS://shop.example",
        "https://bücher.example",
        "https://",
        "://shop.example",
        "shop.example",
        "null",
    ] {
        let error = parse(origin).unwrap_err().to_string();
        assert!(
            error.contains("--allow-origin") && error.contains(origin),
            "{error}"
        );
    }
    for origin in [
        "http://127.0.0.1:8080",
        "https://shop.example",
        "http://[::1]",
        "http://[::1]:3000",
    ] {
        assert!(
            matches!(parse(origin), Ok(Origins::Listed(list)) if list.len() == 1),
            "{origin}"
        );
    }
    assert!(matches!(parse("*"), Ok(Origins::Any)));
}

#[test]
fn credentials_are_not_allowed_to_every_page() {
    let settings = |origin| {
        let allow = [
            "--allow-credentials",
            "--allow-origin",
            origin,
            "--api-key",
            "k",
        ];
        options(&allow).settings()
    };
    let error = settings("*").unwrap_err().to_string();
    assert!(error.contains("--allow-credentials"), "{error}");
    assert!(settings("https://shop.example").is_ok());
}

#[test]
fn what_pages_may_send_is_what_the_options_say() {
    let settings = |more: &[&str]| options(&[&["--api-key", "k"], more].concat()).settings();
    let none = settings(&[]).unwrap();
    assert!(none.allowed_headers.is_empty() && !none.allow_credentials);
    let allow = ["--allow-header", "X-Csrf", "--allow-header", "x-trace"];
    let some = settings(&[&allow[..], &["--allow-credentials"]].concat()).unwrap();
    assert_eq!(some.allowed_headers, ["x-csrf", "x-trace"]);
    assert!(some.allow_credentials);
}

#[test]
fn a_header_with_another_meaning_cannot_name_the_user() {
    for name in ["authorization", "Content-Type", "two words", ""] {
        let error = options(&["--api-key", "k", "--user-id-header", name])
            .settings()
            .unwrap_err();
        assert!(error.to_string().contains("--user-id-header"), "{error}");
    }
}

#[test]
fn printed_options_do_not_show_the_keys() {
    let printed = format!("{:?}", options(&["--api-key", "alpha"]));
    assert!(!printed.contains("alpha"), "{printed}");
}

#[test]
fn limits_of_connections_out_of_range_are_refused() {
    for name in [
        "--max-connections",
        "--header-timeout",
        "--body-idle-timeout",
        "--body-timeout",
    ] {
        let error = options(&["--api-key", "k", name, "0"])
            .settings()
            .unwrap_err();
        assert!(error.to_string().contains(name), "{error}");
    }
    let longest = options(&["--api-key", "k", "--header-timeout", "86400"]);
    assert!(longest.settings().is_ok());
}

#[test]
fn a_pace_out_of_range_is_refused() {
    assert!(
        options(&["--pace=-1", "--api-key", "k"])
            .settings()
            .is_err()
    );
    assert!(
        options(&["--pace=NaN", "--api-key", "k"])
            .settings()
            .is_err()
    );
    assert!(options(&["--pace=0", "--api-key", "k"]).settings().is_ok());
}
