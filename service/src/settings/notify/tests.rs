use std::{path::PathBuf, time::Duration};

use super::{LinkTemplate, NotifySettings};
use crate::settings::key_file;

const KEY: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=";

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("assent-notify-{}", uuid::Uuid::new_v4()));
    std::fs::create_dir_all(&folder).unwrap();
    key_file::write(&folder.join("key"), KEY);
    key_file::write(&folder.join("short"), "whsec_MDEyMw==");
    key_file::write(&folder.join("odd"), "no base64!");
    folder
}

const URL: &str = "url = \"https://hooks.example/canary\"\n";
const SECRET: &str = "secret = { file = \"key\" }\n";

fn parse(lines: &str) -> Result<NotifySettings, String> {
    let folder = folder();
    let read = NotifySettings::parse(&format!("[notify]\n{lines}"), &folder);
    std::fs::remove_dir_all(folder).unwrap();
    read
}

#[test]
fn two_lines_are_enough_and_nothing_secret_is_printed() {
    let settings = parse(&format!("{URL}{SECRET}")).unwrap();
    assert_eq!(settings.delay, Duration::from_secs(30));
    assert!(!settings.tells_arguments && settings.link.is_none());
    assert_eq!(settings.key.0, b"0123456789abcdefghijklmnopqrstuv");
    let printed = format!("{settings:?}");
    assert_eq!(printed, "NotifySettings(https://hooks.example)");
}

#[test]
fn all_lines_are_read() {
    let more = "delay = \"2m\"\ninclude = \"arguments\"\nprivate_hosts = [\"hooks.internal\"]\n\
                link = \"https://shop.example/?u={user}&a={agent}#{thread}\"\n";
    let settings = parse(&format!("{URL}{SECRET}{more}")).unwrap();
    assert_eq!(settings.delay, Duration::from_secs(120));
    assert!(settings.tells_arguments);
    let named = "url = \"https://10.0.0.1/\"\nprivate_hosts = [\"10.0.0.1\"]\n";
    parse(&format!("{named}{SECRET}")).unwrap();
    let link = settings.link.unwrap().fill(["a&b", "{thread}", "c/d"]);
    assert_eq!(link, "https://shop.example/?u=a%26b&a=%7Bthread%7D#c%2Fd");
}

#[test]
fn addresses_are_of_tls_or_of_this_machine() {
    for good in [
        "https://hooks.example:8443/a?b=c",
        "https://8.8.8.8/a",
        "http://127.0.0.1:8080/a",
        "http://[::1]:8080",
        "http://localhost/a",
    ] {
        parse(&format!("url = {good:?}\n{SECRET}")).unwrap();
    }
    for bad in [
        "hooks.example",
        "http://hooks.example",
        "http://10.0.0.1",
        "https://10.0.0.1/a",
        "https://[::ffff:169.254.169.254]/a",
        "http://127.0.0.1.example",
        "http://2130706433.example",
        "https://me@hooks.example",
        "https://me:canary@hooks.example",
        "file:///etc/passwd",
    ] {
        let fault = parse(&format!("url = {bad:?}\n{SECRET}")).unwrap_err();
        assert!(fault.starts_with("line 2: notify.url: "), "{fault}");
        assert!(!fault.contains("canary"), "{fault}");
    }
}

#[test]
fn what_cannot_be_used_is_said_with_its_line() {
    for (lines, said) in [
        (format!("{URL}secret = \"canary\"\n"), "line 3: "),
        (
            format!("{URL}secret = {{ file = \"short\" }}\n"),
            "line 3: notify.secret: the key has fewer than 24 bytes",
        ),
        (
            format!("{URL}secret = {{ file = \"odd\" }}\n"),
            "line 3: notify.secret: the key is not in base64",
        ),
        (
            format!("{URL}{SECRET}delay = \"25h\"\n"),
            "line 4: notify.delay: \"25h\" is no time",
        ),
        (
            format!("{URL}{SECRET}delay = \"-1s\"\n"),
            "line 4: notify.delay: \"-1s\" is no time",
        ),
        (
            format!("{URL}{SECRET}link = \"https://shop.example/{{batch}}\"\n"),
            "line 4: notify.link: {batch} is none of",
        ),
        (
            format!("{URL}{SECRET}link = \"javascript:alert(1)\"\n"),
            "line 4: notify.link: it is the address of a page",
        ),
        (format!("{URL}{SECRET}include = \"all\"\n"), "line 4: "),
        (format!("{URL}{SECRET}retries = 3\n"), "line 4: "),
        (SECRET.to_owned(), "line 1: "),
    ] {
        let fault = parse(&lines).unwrap_err();
        assert!(fault.starts_with(said), "{fault}");
        assert!(!fault.contains("canary"), "{fault}");
    }
}

#[test]
fn a_link_needs_no_name() {
    let link = LinkTemplate::new("https://shop.example/inbox".to_owned()).unwrap();
    assert_eq!(link.fill(["a", "b", "c"]), "https://shop.example/inbox");
}
