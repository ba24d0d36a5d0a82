//! Addresses: where a URL or an e-mail leads.

use crate::{Finding, Text, host};

/// How a browser reads a URL: what the caller of [`inspect`](crate::inspect) answers.
///
/// The URL standard's `URL` class has all of it: `new URL(text)`, or nothing where that throws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Host {
    /// `protocol` without its colon, such as `https`.
    pub scheme: String,
    /// `hostname`: in ASCII (punycode), an IPv6 address in brackets, or empty.
    pub name: String,
    /// `port`, where it is not the scheme's own.
    pub port: Option<u16>,
    /// Whether `username` or `password` are not empty.
    pub has_user: bool,
}

/// Where a URL leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The scheme in small letters, without the colon.
    pub scheme: String,
    /// The host that is opened, in ASCII; empty where the scheme has none.
    pub host: String,
    /// The host in Unicode, where that is another spelling.
    pub unicode: Option<Text>,
    /// The port, where it is not the scheme's own.
    pub port: Option<u16>,
}

/// Where an e-mail leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    /// What stands before the `@`.
    pub user: Text,
    /// The domain in ASCII.
    pub host: String,
    /// The domain in Unicode, where that is another spelling.
    pub unicode: Option<Text>,
}

impl Address {
    /// Reads a value without the space around it. `is_named`: the argument's name says that it is an address.
    pub(crate) fn new(
        value: &str,
        is_named: bool,
        resolve: &dyn Fn(&str) -> Option<Host>,
        findings: &mut Vec<Finding>,
    ) -> Option<Self> {
        let read = if is_named {
            as_read(value)
        } else {
            value.to_owned()
        };
        let (scheme, rest) = split_scheme(&read).unwrap_or_default();
        let has_space = value.contains(char::is_whitespace);
        let (written, resolved) = if is_address(scheme, rest, has_space, is_named) {
            let written = value.split_once(':').map(|(_, rest)| rest);
            (written.unwrap_or_default(), resolve(value))
        } else if is_named && !has_space && is_domain(value) {
            let slashes = if value.starts_with("//") { "" } else { "//" };
            (value, resolve(&["https:", slashes, value].concat()))
        } else {
            return None;
        };
        let Some(resolved) = resolved else {
            findings.push(Finding::Unreadable);
            return None;
        };
        match resolved.scheme.as_str() {
            "http" | "https" | "mailto" | "tel" => {}
            scheme if is_active(scheme) => findings.push(Finding::ActiveScheme),
            _ => findings.push(Finding::OtherScheme),
        }
        if resolved.has_user {
            findings.push(Finding::UserBeforeHost);
        }
        let unicode = if resolved.name.is_empty() {
            None
        } else {
            host::inspect(written_host(written), &resolved.name, findings)
        };
        Some(Self {
            scheme: resolved.scheme,
            host: resolved.name,
            unicode,
            port: resolved.port,
        })
    }
}

impl Mailbox {
    /// Reads `user@domain` or `Name <user@domain>`.
    pub(crate) fn new(
        value: &str,
        resolve: &dyn Fn(&str) -> Option<Host>,
        findings: &mut Vec<Finding>,
    ) -> Option<Self> {
        let (name, address) = match value
            .strip_suffix('>')
            .and_then(|value| value.rsplit_once('<'))
        {
            Some((name, address)) => (name, address),
            None => ("", value),
        };
        let (user, domain) = address.split_once('@')?;
        let is_odd =
            |character: char| character.is_whitespace() || "@/\\?#:%<>()[],;\"".contains(character);
        if user.is_empty()
            || user.contains(is_odd)
            || domain.contains(is_odd)
            || !is_domain(domain)
            || name.contains('\n')
        {
            return None;
        }
        let Some(resolved) = resolve(&["https://", domain].concat()) else {
            findings.push(Finding::Unreadable);
            return None;
        };
        if name.contains('@') && !name.contains(address) {
            findings.push(Finding::AddressInName);
        }
        let unicode = host::inspect(domain, &resolved.name, findings);
        Some(Self {
            user: Text::new(user),
            host: resolved.name,
            unicode,
        })
    }
}

/// What a browser drops before it reads an address: tabs and line breaks, and controls at its ends.
fn as_read(value: &str) -> String {
    let value = value.trim_matches(|end: char| end <= ' ');
    value.replace(['\t', '\n', '\r'], "")
}

/// The scheme in front of a colon, if it is one: two ASCII letters or more, which no drive has.
fn split_scheme(value: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = value.split_once(':')?;
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some((scheme, rest))
}

/// Whether a scheme with what follows it is an address, and no sentence such as `Data: three rows`.
fn is_address(scheme: &str, rest: &str, has_space: bool, is_named: bool) -> bool {
    let scheme = scheme.to_ascii_lowercase();
    let is_begun = !rest.starts_with(char::is_whitespace) && !rest.is_empty();
    match scheme.as_str() {
        "" => false,
        _ if is_named && rest.starts_with("//") => true,
        "javascript" | "vbscript" => is_named || is_begun,
        "data" => is_named || (is_begun && rest.contains(',')),
        "http" | "https" | "blob" | "file" | "ftp" | "ws" | "wss" | "mailto" | "tel" | "about" => {
            is_named || (is_begun && !has_space)
        }
        _ => rest.starts_with("//") && !has_space,
    }
}

/// Schemes whose address is itself what is shown or run.
fn is_active(scheme: &str) -> bool {
    matches!(scheme, "javascript" | "vbscript" | "data" | "blob")
}

/// Whether it begins like a host with a dot between two labels.
fn is_domain(value: &str) -> bool {
    let host = value
        .strip_prefix("//")
        .unwrap_or(value)
        .split(['/', '?', '#', '\\'])
        .next()
        .unwrap_or_default();
    let mut labels = host.split('.');
    let has_two = labels.next().is_some_and(|label| !label.is_empty())
        && labels.next().is_some_and(|label| !label.is_empty());
    has_two && !host.ends_with('.')
}

/// The host as it is spelled in what follows the scheme's colon.
fn written_host(rest: &str) -> &str {
    let authority = rest.trim_start_matches(['/', '\\']);
    let authority = authority
        .split(['/', '\\', '?', '#'])
        .next()
        .unwrap_or_default();
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}
