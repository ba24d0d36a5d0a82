//! Requests that pages of other sites let a browser send: refused unless they only read.
//!
//! A proxy that knows its visitors by a session turns every request of their browsers into one with
//! a key, whoever's page it came from. Browsers say where: in `Sec-Fetch-Site`, and where the address
//! has no TLS, in `Origin` alone. Other programs send neither.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, header},
    middleware::Next,
    response::Response,
};

use crate::{
    AppState, Error, Result,
    settings::{Origins, origin_fault},
};

const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// The greatest number of origins that the log names, and the greatest length of one in bytes:
/// anybody may send any.
const MAX_NAMED_ORIGINS: usize = 20;
const MAX_ORIGIN_LENGTH: usize = 200;

/// The origins that the log has named.
#[derive(Clone, Default)]
pub(super) struct NamedOrigins(Arc<Mutex<HashSet<HeaderValue>>>);

/// Warns in the log, once for each origin that is not allowed, that browsers keep responses from
/// its pages. Such a page itself learns no more than that the request failed.
pub(super) async fn warn_of_origin(
    State((state, told)): State<(AppState, NamedOrigins)>,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    if let Some(origin) = headers.get(header::ORIGIN)
        && !is_listed(headers, &state.settings().allowed_origins)
        && !is_own(headers)
        && told.is_new(origin)
        && let Some(advice) = advice(origin.to_str().unwrap_or_default())
    {
        tracing::warn!("{advice}");
    }
    next.run(request).await
}

impl NamedOrigins {
    fn is_new(&self, origin: &HeaderValue) -> bool {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        origin.len() <= MAX_ORIGIN_LENGTH
            && told.len() < MAX_NAMED_ORIGINS
            && told.insert(origin.clone())
    }
}

/// Returns what an operator can do about pages of this origin; `None` if it is no origin.
fn advice(origin: &str) -> Option<String> {
    // RFC 6454, 7.1: the origin of a file, and of a frame in a sandbox.
    if origin == "null" {
        let advice = "A page that is a file, or in a sandbox, is not allowed to use the service: \
                      serve it from an address, and allow that one.";
        return Some(advice.to_owned());
    }
    origin_fault(origin).is_none().then(|| {
        format!(
            "Pages of {origin} are not allowed to use the service. If they should be, start it \
             with --allow-origin {origin}"
        )
    })
}

/// Refuses a request that changes something and comes from a page of another origin that is not
/// allowed.
pub(super) async fn check_origin(
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

/// Returns true for a request from a page of the service's own origin, from a person who typed the
/// address, or from a program that is no browser.
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
