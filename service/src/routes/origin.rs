//! Requests that pages of other sites let a browser send: refused unless they only read.
//!
//! A proxy that knows its visitors by a session turns every request of their browsers into one with
//! a key, whoever's page it came from. Browsers say where: in `Sec-Fetch-Site`, and where the address
//! has no TLS, in `Origin` alone. Other programs send neither.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, header},
    middleware::Next,
    response::Response,
};

use crate::{AppState, Error, Result, settings::Origins};

const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// Refuses what changes something and comes from a page of another origin that is not allowed.
pub(super) async fn check(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Result<Response> {
    let headers = request.headers();
    let is_allowed = request.method().is_safe()
        || is_listed(headers, &state.settings().allowed_origins)
        || is_own(headers);
    if is_allowed {
        Ok(next.run(request).await)
    } else {
        Err(Error::OtherSite)
    }
}

fn is_listed(headers: &HeaderMap, allowed: &Origins) -> bool {
    match allowed {
        Origins::Any => true,
        Origins::Listed(list) => headers
            .get(header::ORIGIN)
            .is_some_and(|origin| list.contains(origin)),
    }
}

/// Returns true for a page of the service's own origin, for a person who typed the address, and for
/// a program that is no browser.
fn is_own(headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get(SEC_FETCH_SITE) {
        return site == "same-origin" || site == "none";
    }
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    // The scheme is not known behind a proxy with TLS; browsers that leave out Sec-Fetch-Site there
    // are old ones.
    let host = headers.get(header::HOST).map(|host| host.as_bytes());
    let scheme = [&b"http://"[..], b"https://"];
    let mut authorities = scheme
        .iter()
        .filter_map(|s| origin.as_bytes().strip_prefix(*s));
    authorities.any(|authority| Some(authority) == host)
}
