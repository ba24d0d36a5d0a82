//! Addresses and the hosts that they lead to.

use crate::Text;

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
