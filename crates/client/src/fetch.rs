//! Sending one request through the page's `fetch`, and the request that looks for the reason of a
//! failed one.

use gloo_net::http::{Method, Request, RequestBuilder};
use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, RequestMode, Response, Url};

/// Timeout of the probe that looks for the reason of a failed request, in milliseconds.
const PROBE_TIMEOUT_MS: u32 = 5_000;

#[wasm_bindgen]
extern "C" {
    /// Calls `fetch`, which the page may have replaced with a function that throws or returns
    /// anything.
    #[wasm_bindgen(catch)]
    fn fetch(request: &web_sys::Request) -> Result<JsValue, JsValue>;
}

/// A request that is ready to be sent, or the reason why the browser cannot send it.
pub(super) type BuiltRequest = Result<Request, gloo_net::Error>;

/// Returns a request that tests whether an address can be reached, without reading the response.
pub(super) fn probe_request(address: &str) -> BuiltRequest {
    let timeout = AbortSignal::timeout_with_u32(PROBE_TIMEOUT_MS);
    RequestBuilder::new(address)
        .method(Method::HEAD)
        .mode(RequestMode::NoCors)
        .abort_signal(Some(&timeout))
        .build()
}

/// Sends a request; `None` if there is no response. `Request::send` would panic where `fetch`
/// rejects with something that is no `Error`, and a page may have replaced it.
pub(super) async fn send_request(request: BuiltRequest) -> Option<Response> {
    let response = fetch(&request.ok()?.into()).ok()?;
    let response = JsFuture::from(Promise::resolve(&response)).await;
    response.ok()?.dyn_into().ok()
}

/// Returns true for an address of the page's own origin, such as every relative one.
pub(super) fn is_own_origin(address: &str) -> bool {
    Url::new(address).map_or(true, |url| url.origin() == own_origin())
}

/// Returns the origin of the page.
pub(super) fn own_origin() -> String {
    web_sys::window().map_or_else(String::new, |window| window.origin())
}
