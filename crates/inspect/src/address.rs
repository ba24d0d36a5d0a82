//! Where a URL or an e-mail address in an argument really leads.

use crate::{Finding, Text, among::is_among, finding::Findings, host};

/// A URL as the browser parses it: what the function `resolve` of [`inspect`](crate::inspect)
/// returns.
///
/// The URL standard's `URL` class has all of it: `new URL(text)`, or nothing if that throws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedUrl {
    /// The scheme: `protocol` without its colon, such as `https`.
    pub scheme: String,
    /// The host: `hostname`, in ASCII (punycode), with an IPv6 address in brackets; empty if there
    /// is none.
    pub name: String,
    /// The port, if it is not the scheme's default.
    pub port: Option<u16>,
    /// True if the URL has a user or a password: `username` or `password` is not empty.
    pub has_user: bool,
}

/// Where a URL leads: its scheme, host and port, as the browser would open them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The scheme in lowercase, without the colon.
    pub scheme: String,
    /// The host that is opened, in ASCII; empty if the scheme has none.
    pub host: String,
    /// The host in Unicode; `None` if it has no other spelling than that in ASCII.
    pub unicode: Option<Text>,
    /// The port, if it is not the scheme's default.
    pub port: Option<u16>,
}

/// An e-mail address in an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox {
    /// The part before the `@`.
    pub user: Text,
    /// The domain in ASCII.
    pub host: String,
    /// The domain in Unicode; `None` if it has no other spelling than that in ASCII.
    pub unicode: Option<Text>,
}

impl Address {
    /// Parses a value without space around it, and adds findings; `None` if it is no address.
    /// `is_named` is true if the argument has a name such as `url`, so that a host alone is an
    /// address, too.
    pub(crate) fn new(
        value: &str,
        is_named: bool,
        resolve: &dyn Fn(&str) -> Option<ParsedUrl>,
        findings: &mut Findings,
    ) -> Option<Self> {
        let (scheme, rest) = split_scheme(value, is_named).unwrap_or_default();
        let bare = value.strip_prefix("//").unwrap_or(value);
        let (written, resolved) = if is_address(&scheme, rest, is_named) {
            (rest, resolve(value))
        } else if is_named && !has_space(value) && is_domain(bare) {
            (bare, resolve(&with_scheme(bare)))
        } else {
            return None;
        };
        let Some(resolved) = resolved else {
            findings.add(Finding::Unreadable);
            return None;
        };
        if is_among(ACTIVE_SCHEMES, &resolved.scheme) {
            findings.add(Finding::ActiveScheme);
        } else if !is_among("http https mailto tel", &resolved.scheme) {
            findings.add(Finding::OtherScheme);
        }
        if resolved.has_user {
            findings.add(Finding::UserBeforeHost);
        }
        let unicode = if resolved.name.is_empty() {
            None
        } else {
            host::inspect_host(written_host(written), &resolved.name, findings)
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
    /// Parses `user@domain` or `Name <user@domain>`, and adds findings; `None` if the value is
    /// anything else. Several addresses with commas or semicolons between them are `None`, too, but
    /// each adds its findings.
    pub(crate) fn new(
        value: &str,
        resolve: &dyn Fn(&str) -> Option<ParsedUrl>,
        findings: &mut Findings,
    ) -> Option<Self> {
        let (mut last, mut is_list) = (None, false);
        for list in value.split(',') {
            for piece in list.split(';').map(str::trim) {
                if split_mailbox(piece).is_some()
                    && let Some(piece) = last.replace(piece)
                {
                    is_list = true;
                    Self::new(piece, resolve, findings);
                }
            }
        }
        if is_list {
            findings.add(Finding::SeveralAddresses);
            Self::new(last?, resolve, findings);
            return None;
        }
        let (name, address) = split_mailbox(value)?;
        let (user, domain) = split_last(address, b'@')?;
        let Some(resolved) = resolve(&with_scheme(domain)) else {
            findings.add(Finding::Unreadable);
            return None;
        };
        let mut is_other = has_at(user);
        for word in name.split(' ').flat_map(|words| words.split('"')) {
            // The address may be its own display name.
            is_other |= has_at(word) && word != address;
        }
        if is_other {
            findings.add(Finding::AddressInName);
        }
        let unicode = host::inspect_host(domain, &resolved.name, findings);
        Some(Self {
            user: Text::new(user),
            host: resolved.name,
            unicode,
        })
    }
}

fn has_at(text: &str) -> bool {
    text.chars().any(|one| matches!(one, '@' | '＠' | '﹫'))
}

/// Returns the text before and the text after the last `byte`, an ASCII character; `None` if the
/// text does not contain it.
fn split_last(text: &str, byte: u8) -> Option<(&str, &str)> {
    let at = text.bytes().rposition(|other| other == byte)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Splits a value into a display name and one e-mail address; `None` if it is something else.
fn split_mailbox(value: &str) -> Option<(&str, &str)> {
    let (name, address) = match value.strip_suffix('>') {
        Some(whole) => split_last(whole, b'<')?,
        None => ("", value),
    };
    let (user, domain) = split_last(address, b'@')?;
    let is_odd = |one: char| {
        one.is_whitespace()
            || matches!(one, '!'..='#' | '%' | '('..=')' | ',' | '/' | ':'..='?' | '['..=']')
    };
    // A quoted user name may contain anything; `@ann@chat.example` is no e-mail address.
    let is_quoted = user.len() > 1 && user.starts_with('"') && user.ends_with('"');
    let checked = if is_quoted { "" } else { user };
    let is_odd = user.is_empty()
        || checked.starts_with('@')
        || checked.chars().chain(domain.chars()).any(is_odd);
    (!is_odd && is_domain(domain)).then_some((name, address))
}

fn has_space(text: &str) -> bool {
    text.chars().any(char::is_whitespace)
}

fn with_scheme(host: &str) -> String {
    let mut url = String::from("https://");
    url.push_str(host);
    url
}

/// Schemes of addresses that contain what the browser shows or runs, instead of naming where it is.
const ACTIVE_SCHEMES: &str = "javascript vbscript data blob";

/// Returns the scheme in lowercase, of at least two letters, and the text behind its colon; `None`
/// if there is none. If `is_read`, tabs, line breaks and leading controls are ignored, as a browser
/// ignores them.
fn split_scheme(value: &str, is_read: bool) -> Option<(String, &str)> {
    let (written, rest) = value.split_once(':')?;
    let mut scheme = String::new();
    for byte in written.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => scheme.push(byte.to_ascii_lowercase().into()),
            b'0'..=b'9' | b'+' | b'-' | b'.' if !scheme.is_empty() => scheme.push(byte.into()),
            b'\t' | b'\n' | b'\r' if is_read => {}
            ..=b' ' if is_read && scheme.is_empty() => {}
            _ => return None,
        }
    }
    (scheme.len() > 1).then_some((scheme, rest))
}

/// Returns true if a scheme and the text behind its colon are an address, and not a sentence such
/// as `Data: three rows`.
fn is_address(scheme: &str, rest: &str, is_named: bool) -> bool {
    // A browser runs these with spaces, too.
    let is_run =
        is_among("javascript vbscript", scheme) || (scheme == "data" && rest.contains(','));
    let is_known = is_among(
        "http https blob file ftp ws wss mailto tel about data",
        scheme,
    );
    if is_named {
        rest.starts_with("//") || is_run || is_known
    } else if is_run {
        rest.chars()
            .next()
            .is_some_and(|first| !first.is_whitespace())
    } else {
        !has_space(rest)
            && (rest.starts_with("//") || (is_known && scheme != "data" && !rest.is_empty()))
    }
}

/// Returns true if the value begins with something like a host: two or more parts with dots between
/// them.
fn is_domain(value: &str) -> bool {
    let mut labels = 0;
    for label in authority(value).split('.') {
        if label.is_empty() {
            return false;
        }
        labels += 1;
    }
    labels > 1
}

/// Returns the part of an address before its path, query or fragment: the host, maybe with user and
/// port.
fn authority(value: &str) -> &str {
    let is_end = |byte: u8| b"/\\?#".contains(&byte);
    let end = value.bytes().position(is_end);
    value.get(..end.unwrap_or(value.len())).unwrap_or_default()
}

/// Returns the host and the port as they are written, from the text behind the scheme's colon.
fn written_host(rest: &str) -> &str {
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    let slashes = rest.bytes().take_while(is_slash).count();
    let mut host = "";
    for piece in authority(rest.get(slashes..).unwrap_or_default()).split('@') {
        host = piece;
    }
    host
}
