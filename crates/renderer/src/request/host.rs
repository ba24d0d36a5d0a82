//! Parsing of addresses by the browser, so that the host that is shown is the one that it would
//! open.

use assent_inspect::ParsedUrl;
use web_sys::Url;

/// Returns scheme, host and port that the browser would open for an address, and whether the
/// address has a user or password; `None` if the browser could not open it.
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
