//! Parsing of addresses by the browser.

use assent_inspect::ParsedUrl;
use web_sys::Url;

/// Returns the host that the browser would open; `None` if it could not open the address.
pub(super) fn resolve_host(address: &str) -> Option<ParsedUrl> {
    let url = Url::new(address).ok()?;
    let mut scheme = url.protocol();
    scheme.pop();
    Some(ParsedUrl {
        scheme,
        name: url.hostname(),
        port: url.port().parse().ok(),
        has_user: !url.username().is_empty() || !url.password().is_empty(),
    })
}
