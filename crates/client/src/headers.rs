//! Request headers (specification, Authentication). The only place that puts a key or a token into
//! anything.

use assent_protocol::is_user_id;
use gloo_net::http::Headers;

use super::Connection;

/// Returns the headers of a request that expects `accept` and, if `has_body`, carries JSON. The
/// page's own headers, `more`, come first, so that they cannot replace the others.
pub(super) fn request_headers(
    connection: &Connection,
    token: Option<&str>,
    more: &[(String, String)],
    accept: &str,
    has_body: bool,
) -> Headers {
    let headers = Headers::new();
    for (name, value) in more {
        headers.set(name, value);
    }
    headers.set("Accept", accept);
    if has_body {
        headers.set("Content-Type", "application/json");
    }
    // The browser throws at invalid ones. Attributes are checked before they get here, with a
    // warning.
    let (name, user) = (&connection.user_id_header, &connection.user_id);
    if is_header_name(name) && is_user_id(user) {
        headers.set(name, &byte_string(user));
    }
    let key = token.or(connection.api_key.as_deref());
    if let Some(key) = key.filter(|key| is_header_value(key)) {
        headers.set("Authorization", &format!("Bearer {}", byte_string(key)));
    }
    headers
}

/// Returns the UTF-8 of a text in the form that `fetch` takes: a character for each byte.
fn byte_string(text: &str) -> String {
    text.bytes().map(char::from).collect()
}

/// Returns true for a `token` of HTTP (RFC 9110, section 5.6.2), the form of a header's name.
#[must_use]
pub fn is_header_name(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_token)
}

/// Returns true if `fetch` accepts this as a header's value: one byte for each character, no
/// control characters.
#[must_use]
pub fn is_header_value(value: &str) -> bool {
    !value.is_empty()
        && value
            .chars()
            .all(|c| u32::from(c) <= 0xFF && !c.is_control())
}
