//! Origins of pages that may call the service.

use axum::http::HeaderValue;

/// Origins of the pages whose scripts may call the service (CORS).
#[derive(Clone, Debug)]
pub enum Origins {
    /// Pages of these origins may call the service; no page may if the list is empty.
    Listed(Vec<HeaderValue>),
    /// Pages of any origin may call the service.
    Any,
}

/// The end of the sentence that refuses a text which is no origin at all.
pub(crate) const NO_ORIGIN: &str =
    "is no origin: give scheme and host without a path, such as https://shop.example, or *.";

/// Returns the reason why no browser would ever send this origin, which is compared letter by
/// letter; `None` if one may send it.
pub(crate) fn origin_fault(origin: &str) -> Option<&'static str> {
    let Some((scheme, rest)) = origin.split_once("://") else {
        return Some(NO_ORIGIN);
    };
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (rest, None),
    };
    let odd = |c: char| !c.is_ascii_graphic() || "/?#@\\,\"".contains(c);
    if scheme.is_empty() || host.is_empty() || origin.replacen("://", "", 1).contains(odd) {
        return Some(NO_ORIGIN);
    }
    if origin.contains(|c: char| c.is_ascii_uppercase()) {
        return Some("would never match: browsers send origins in lower case.");
    }
    match (scheme, port) {
        ("http", Some("80")) | ("https", Some("443")) => {
            Some("would never match: browsers leave the port out where it is the scheme's own.")
        }
        (_, Some(port)) if port.starts_with('0') || port.parse::<u16>().is_err() => Some(NO_ORIGIN),
        _ => None,
    }
}
