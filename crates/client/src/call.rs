//! One request of an endpoint, before it is sent.

use assent_conversation::FailureKind;
use gloo_net::http::{Headers, RequestBuilder};
use js_sys::Array;
use web_sys::{AbortSignal, RequestCache, RequestCredentials, RequestRedirect};

use super::Credentials;
use super::fetch::BuiltRequest;

const JSON_TYPE: &str = "application/json";
/// The media type of event streams, as the request header `Accept` names it.
pub(super) const EVENT_STREAM_TYPE: &str = "text/event-stream";
/// The media type of images, as the request header `Accept` names it.
pub(super) const IMAGE_TYPES: &str = "image/*";

/// Timeout of a request, in milliseconds: without a whole answer by then the service counts as
/// unreachable. Streams have none.
const REQUEST_TIMEOUT_MS: u32 = 30_000;

/// One request: everything that is different from one endpoint to another.
pub(super) struct ApiRequest<'a> {
    /// The method's constructor, such as `Request::get`.
    pub(super) open: fn(&str) -> RequestBuilder,
    /// The first part of the path below `/api/assistants`, such as `threads` or `uploads`.
    pub(super) of: &'static str,
    /// The thread, the agent whose threads are meant, or the file; empty for the collection itself.
    pub(super) id: &'a str,
    /// The end of the path, after the id; may be empty.
    pub(super) rest: &'static str,
    /// The name and value of the query: which part of a list or of an answer is asked for; `None`:
    /// all of it.
    pub(super) query: Option<(&'static str, &'a str)>,
    /// Media type of the expected response: JSON, [`EVENT_STREAM_TYPE`] or [`IMAGE_TYPES`].
    pub(super) accept: &'static str,
    pub(super) body: Option<String>,
    /// The key by which the service knows a repeated post; `None` for what has none.
    pub(super) key: Option<&'a str>,
    pub(super) signal: Option<&'a AbortSignal>,
}

impl<'a> ApiRequest<'a> {
    pub(super) fn new(open: fn(&str) -> RequestBuilder, id: &'a str, rest: &'static str) -> Self {
        Self {
            open,
            of: "threads",
            id,
            rest,
            query: None,
            accept: JSON_TYPE,
            body: None,
            key: None,
            signal: None,
        }
    }

    pub(super) fn with_body(self, body: String) -> Self {
        Self {
            body: Some(body),
            ..self
        }
    }

    pub(super) fn with_signal(self, signal: Option<&'a AbortSignal>) -> Self {
        Self { signal, ..self }
    }

    /// Returns `/api/assistants/{of}/{id}{rest}` of the service; without an id the collection itself.
    pub(super) fn address(&self, base: &str) -> Result<String, FailureKind> {
        let id = match self.id {
            // Browsers resolve these two in any spelling, so that they would lead to another
            // endpoint.
            "." | ".." => return Err(FailureKind::NotFound),
            "" if self.rest.is_empty() => String::new(),
            id => format!("/{}", String::from(js_sys::encode_uri_component(id))),
        };
        Ok(format!(
            "{base}/api/assistants/{}{id}{}",
            self.of, self.rest
        ))
    }

    /// Builds the request to the address `path`, which `signal` can abort.
    pub(super) fn build_request(
        &self,
        path: &str,
        headers: Headers,
        credentials: Credentials,
        signal: Option<&AbortSignal>,
    ) -> BuiltRequest {
        if let Some(key) = self.key {
            headers.set("Idempotency-Key", key);
        }
        let request = (self.open)(path)
            .query(self.query)
            .headers(headers)
            .credentials(match credentials {
                Credentials::SameOrigin => RequestCredentials::SameOrigin,
                Credentials::Include => RequestCredentials::Include,
                Credentials::Omit => RequestCredentials::Omit,
            })
            .cache(RequestCache::NoStore)
            // A followed redirect would hand message, user and headers to another host; with
            // "error" it could not be told from a broken connection.
            .redirect(RequestRedirect::Manual)
            .abort_signal(signal);
        match self.body.as_deref() {
            Some(body) => request.body(body),
            None => request.build(),
        }
    }

    /// Returns the signal that aborts the request: the caller's, joined, unless it is a stream,
    /// with a timeout that begins now. `None`: nothing aborts it.
    pub(super) fn end_signal(&self) -> Option<AbortSignal> {
        if self.accept == EVENT_STREAM_TYPE {
            return self.signal.cloned();
        }
        let timeout = AbortSignal::timeout_with_u32(REQUEST_TIMEOUT_MS);
        Some(match self.signal {
            Some(signal) => AbortSignal::any(&Array::of2(signal, &timeout)),
            None => timeout,
        })
    }
}
