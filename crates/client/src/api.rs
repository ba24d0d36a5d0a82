//! The service's endpoints, one function each (specification, Endpoints). They return data or a
//! [`Failure`].

use std::cell::Cell;

use assent_conversation::{Failure, FailureKind};
use assent_protocol::{
    AgentId, CreateThread, FromJson, PostMessage, RenameThread, SessionThread, StoredMessage,
    ThreadId,
};
use gloo_net::http::{Headers, Request, RequestBuilder};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, RequestCache, RequestCredentials, RequestRedirect, Response};

use super::access::Access;
use super::body::Body;
use super::clock::now;
use super::extensions::Extensions;
use super::fetch::{Built, fetched, is_own_origin, own_origin, probe};
use super::presence::is_online;
use super::{Connection, Credentials, failure, headers, setup, warn};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// Timeout of a request, in milliseconds: without a whole answer by then the service counts as
/// unreachable. Streams have none.
const REQUEST_TIMEOUT: u32 = 30_000;

/// Maximum size of an error body, in bytes. A longer one holds no sentence for people, and is not
/// read to its end, which may be far.
const MAX_ERROR_BYTES: usize = 65_536;

/// A client of one service for one user.
pub(super) struct Api {
    connection: Connection,
    access: Access,
    /// True once the service answered readably: it allows this page.
    is_allowed: Cell<bool>,
    /// True once an answer had the shape that the specification gives it.
    is_known: Cell<bool>,
    extensions: Extensions,
}

/// One request: everything that is different from one endpoint to another.
struct Call<'a> {
    /// The method's constructor, such as `Request::get`.
    open: fn(&str) -> RequestBuilder,
    /// The thread, or the agent whose threads are meant; empty for the collection itself.
    id: &'a str,
    /// The path below it.
    rest: &'static str,
    /// Type of the expected answer: [`JSON`] or [`EVENTS`].
    accept: &'static str,
    body: Option<String>,
    signal: Option<&'a AbortSignal>,
}

impl Api {
    pub(super) fn new(connection: Connection) -> Self {
        Self {
            connection,
            access: Access::default(),
            is_allowed: Cell::new(false),
            is_known: Cell::new(false),
            extensions: Extensions::default(),
        }
    }

    /// Endpoint 1: starts a thread with the agent.
    pub(super) async fn create_thread(&self) -> Result<SessionThread, Failure> {
        let body = CreateThread {
            agent_id: self.connection.agent.clone(),
        }
        .to_json();
        let call = Call::new(Request::post, "", "").with_body(body);
        self.read(call).await
    }

    /// Endpoint 2: the threads of the agent. Entries without an id are left out.
    pub(super) async fn list_threads(
        &self,
        signal: Option<&AbortSignal>,
    ) -> Result<Vec<SessionThread>, Failure> {
        let AgentId(agent) = &self.connection.agent;
        let call = Call::new(Request::get, agent, "").with_signal(signal);
        self.read(call).await
    }

    /// Endpoint 3: renames a thread.
    pub(super) async fn rename_thread(
        &self,
        thread_id: &ThreadId,
        name: String,
    ) -> Result<SessionThread, Failure> {
        let body = RenameThread { thread_name: name }.to_json();
        let call = Call::new(Request::put, thread_id.as_str(), "").with_body(body);
        self.read(call).await
    }

    /// Endpoint 4: deletes a thread. The body of a success is not read.
    pub(super) async fn delete_thread(&self, thread_id: &ThreadId) -> Result<(), Failure> {
        let call = Call::new(Request::delete, thread_id.as_str(), "");
        self.exchange(&call).await.map(drop)
    }

    /// The extension `cancel`: ends the answer that is being written in a thread.
    pub(super) async fn cancel_answer(&self, thread_id: &ThreadId) -> Result<(), Failure> {
        let call = Call::new(Request::delete, thread_id.as_str(), "/answer");
        self.exchange(&call).await.map(drop)
    }

    /// Endpoint 5: the stored messages of a thread, as the service orders them.
    pub(super) async fn messages(
        &self,
        thread_id: &ThreadId,
        signal: Option<&AbortSignal>,
    ) -> Result<Vec<StoredMessage>, Failure> {
        let call = Call::new(Request::get, thread_id.as_str(), "/messages").with_signal(signal);
        self.read(call).await
    }

    /// Endpoint 6: posts a message. The response is a stream of events, whose body is still to be
    /// read.
    pub(super) async fn post_message(
        &self,
        thread_id: &ThreadId,
        body: &PostMessage,
        signal: Option<&AbortSignal>,
    ) -> Result<Response, Failure> {
        let call = Call {
            accept: EVENTS,
            ..Call::new(Request::post, thread_id.as_str(), "/messages")
                .with_body(body.to_json())
                .with_signal(signal)
        };
        let response = self.accepted(&call).await?;
        let kind = response.headers().get("content-type").ok().flatten();
        if !kind.is_some_and(|kind| kind.trim_start().to_ascii_lowercase().starts_with(EVENTS)) {
            let body = beginning(&response).await;
            return Err(self.tell(&call, failure::unreadable(response.status(), &body)));
        }
        self.is_known.set(true);
        Ok(response)
    }

    /// Returns the token and headers that the page provides.
    pub(super) fn access(&self) -> &Access {
        &self.access
    }

    /// Returns the extensions that the service has.
    pub(super) fn extensions(&self) -> &Extensions {
        &self.extensions
    }

    /// Returns the values that must not be disclosed: keys and tokens, which must not be stored
    /// either, and values that identify a user. `None` if there is no new one since the last call.
    pub(super) fn new_secrets(&self) -> Option<[JsValue; 2]> {
        let [tokens, values] = self.access.new_secrets()?;
        let keys: Array = self.connection.api_key.iter().map(JsValue::from).collect();
        let names = Array::of1(&JsValue::from(&self.connection.user_id));
        Some([keys.concat(tokens).into(), names.concat(values).into()])
    }

    /// Sends one request and parses its JSON answer. Of a list the readable entries are enough: one
    /// broken entry must not hide the others.
    async fn read<T: FromJson>(&self, call: Call<'_>) -> Result<T, Failure> {
        let (status, body) = self.exchange(&call).await?;
        let value = assent_protocol::read(&body);
        self.is_known.set(self.is_known.get() || value.is_some());
        value.ok_or_else(|| self.tell(&call, failure::unreadable(status, &body)))
    }

    /// Sends one request and returns its whole answer as text.
    async fn exchange(&self, call: &Call<'_>) -> Result<(u16, String), Failure> {
        let response = self.accepted(call).await?;
        Ok((response.status(), whole(&response).await?))
    }

    /// Sends one request and returns the response, if it is a success.
    async fn accepted(&self, call: &Call<'_>) -> Result<Response, Failure> {
        let failure = match self.send(call).await {
            Ok(response) if response.ok() => return Ok(response),
            Ok(response) => refused(&response).await,
            Err(kind) => Failure::of(kind),
        };
        Err(self.tell(call, failure))
    }

    /// Tells the page's developer why a request failed, with the address that was asked, until the
    /// service has answered as one: then it is set up right, and the browser lists the rest.
    fn tell(&self, call: &Call<'_>, failure: Failure) -> Failure {
        let is_ended = call.signal.is_some_and(AbortSignal::aborted);
        let base = &self.connection.base_url;
        if !self.is_known.get()
            && !is_ended
            && let Ok(path) = call.path(base)
            && let Some(reason) = setup::fault(&failure, base, &own_origin())
        {
            warn(&["assent-chat: ", &path, ": ", &reason].concat());
        }
        failure
    }

    /// Sends a request. One that was refused because of its token was not accepted: it is sent once
    /// more with a new token.
    async fn send(&self, call: &Call<'_>) -> Result<Response, FailureKind> {
        let path = call.path(&self.connection.base_url)?;
        let mut is_first = true;
        loop {
            let token = self.access.token().await?;
            let more = self.access.headers().await?;
            let headers = headers::request_headers(
                &self.connection,
                token.as_deref(),
                &more,
                call.accept,
                call.body.is_some(),
            );
            // The page may have taken its time for token and headers: the request's begins here.
            let signal = call.signal();
            let request =
                call.request(&path, headers, self.connection.credentials, signal.as_ref());
            let was_online = is_online();
            let Some(response) = fetched(request).await else {
                return Err(match signal {
                    // Offline before and after: nothing was sent.
                    _ if !was_online && !is_online() => FailureKind::Offline,
                    // The request was aborted or timed out.
                    Some(signal) if signal.aborted() => FailureKind::Unreachable,
                    _ if self.is_blocked().await => FailureKind::Blocked,
                    _ => FailureKind::Unreachable,
                });
            };
            // Only a redirect that was not followed has no status.
            if response.status() == 0 {
                return Err(FailureKind::Redirected);
            }
            self.is_allowed.set(true);
            self.extensions.note(&response);
            match token {
                Some(token) if is_first && response.status() == 401 => self.access.refused(&token),
                _ => return Ok(response),
            }
            is_first = false;
        }
    }

    /// Returns true if the service can be reached, but its answers cannot be read (CORS): for a
    /// browser both are the same network error. If an answer was read before, the reason is another
    /// one: a server in front of the service may have failed, whose pages allow no origin.
    async fn is_blocked(&self) -> bool {
        let base = &self.connection.base_url;
        if self.is_allowed.get() || is_own_origin(base) {
            return false;
        }
        fetched(probe(base)).await.is_some()
    }
}

impl<'a> Call<'a> {
    fn new(open: fn(&str) -> RequestBuilder, id: &'a str, rest: &'static str) -> Self {
        Self {
            open,
            id,
            rest,
            accept: JSON,
            body: None,
            signal: None,
        }
    }

    fn with_body(self, body: String) -> Self {
        Self {
            body: Some(body),
            ..self
        }
    }

    fn with_signal(self, signal: Option<&'a AbortSignal>) -> Self {
        Self { signal, ..self }
    }

    /// Returns `/api/assistants/threads/{id}{rest}` of the service; without an id the collection
    /// itself.
    fn path(&self, base: &str) -> Result<String, FailureKind> {
        let id = match self.id {
            // Browsers resolve these two in any spelling, so that they would lead to another
            // endpoint.
            "." | ".." => return Err(FailureKind::NotFound),
            "" if self.rest.is_empty() => String::new(),
            id => format!("/{}", String::from(js_sys::encode_uri_component(id))),
        };
        Ok(format!("{base}/api/assistants/threads{id}{}", self.rest))
    }

    /// Builds the request.
    fn request(
        &self,
        path: &str,
        headers: Headers,
        credentials: Credentials,
        signal: Option<&AbortSignal>,
    ) -> Built {
        let request = (self.open)(path)
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

    /// Returns the signal that ends the request: the caller's, and, unless it is a stream, a
    /// timeout that begins now.
    fn signal(&self) -> Option<AbortSignal> {
        if self.accept == EVENTS {
            return self.signal.cloned();
        }
        let timeout = AbortSignal::timeout_with_u32(REQUEST_TIMEOUT);
        Some(match self.signal {
            Some(signal) => AbortSignal::any(&Array::of2(signal, &timeout)),
            None => timeout,
        })
    }
}

/// Converts a response that is no success into a failure.
async fn refused(response: &Response) -> Failure {
    let after = response.headers().get("retry-after").ok().flatten();
    let mut failure = failure::refused(response.status(), &beginning(response).await);
    failure.retry_at = after.and_then(|after| failure::retry_at(&after, now()));
    failure
}

/// Returns the whole body as text; empty if a page that replaced `fetch` has read it itself. A
/// connection that breaks in the middle of it counts as unreachable.
async fn whole(response: &Response) -> Result<String, Failure> {
    if response.body_used() {
        return Ok(String::new());
    }
    let unreachable = |_| Failure::of(FailureKind::Unreachable);
    // At once and not piece by piece, and not as a JavaScript string, which the browser would make
    // first.
    let reading = response.array_buffer().map_err(unreachable)?;
    let bytes = JsFuture::from(reading).await.map_err(unreachable)?;
    Ok(text(Uint8Array::new(&bytes).to_vec()))
}

/// Returns the body of a failure up to [`MAX_ERROR_BYTES`]. Empty if it is longer, of which no more
/// is read, or if the connection breaks.
async fn beginning(response: &Response) -> String {
    match Body::of(response) {
        Some(body) => text(body.up_to(MAX_ERROR_BYTES).await),
        None => String::new(),
    }
}

fn text(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned());
    match text.strip_prefix('\u{feff}') {
        Some(marked) => marked.to_owned(),
        None => text,
    }
}
