//! The service's endpoints, one function each (specification, Endpoints). They return data or a
//! [`Failure`].

use std::cell::Cell;

use assent_conversation::{Failure, FailureKind};
use assent_protocol::{
    AgentId, CreateThread, FromJson, PostMessage, RenameThread, SessionThread, StoredMessage,
    ThreadId,
};
use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, RequestCache, RequestCredentials, RequestInit, Response};

use super::access::Access;
use super::clock::now;
use super::presence::is_online;
use super::stream::Body;
use super::{Connection, Credentials, failure, headers};

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

/// Timeout of a request, in milliseconds: without a whole answer by then the service counts as
/// unreachable. Streams have none.
const REQUEST_TIMEOUT: u32 = 30_000;

/// Maximum size of an error body, in bytes. A longer one holds no sentence for people, and is not
/// read to its end, which may be far.
const MAX_ERROR_BYTES: usize = 65_536;

/// Timeout of the probe that looks for the reason of a failed request, in milliseconds.
const PROBE_TIMEOUT: u32 = 5_000;

/// A client of one service for one user.
pub(super) struct Api {
    connection: Connection,
    access: Access,
    /// True once the service answered readably: it allows this page.
    is_allowed: Cell<bool>,
}

impl Api {
    pub(super) fn new(connection: Connection) -> Self {
        Self {
            connection,
            access: Access::default(),
            is_allowed: Cell::new(false),
        }
    }

    /// Endpoint 1: starts a thread with the agent.
    pub(super) async fn create_thread(&self) -> Result<SessionThread, Failure> {
        let body = CreateThread {
            agent_id: self.connection.agent.clone(),
        }
        .to_json();
        let path = self.path("", "")?;
        thread(self.exchange("POST", &path, Some(body), None).await?)
    }

    /// Endpoint 2: the threads of the agent. Entries without an id are left out.
    pub(super) async fn list_threads(
        &self,
        signal: Option<&AbortSignal>,
    ) -> Result<Vec<SessionThread>, Failure> {
        let AgentId(agent) = &self.connection.agent;
        let path = self.path(agent, "")?;
        list(self.exchange("GET", &path, None, signal).await?)
    }

    /// Endpoint 3: renames a thread.
    pub(super) async fn rename_thread(
        &self,
        thread_id: &ThreadId,
        name: String,
    ) -> Result<SessionThread, Failure> {
        let body = RenameThread { thread_name: name }.to_json();
        let path = self.path(thread_id.as_str(), "")?;
        thread(self.exchange("PUT", &path, Some(body), None).await?)
    }

    /// Endpoint 4: deletes a thread. The body of a success is not read.
    pub(super) async fn delete_thread(&self, thread_id: &ThreadId) -> Result<(), Failure> {
        let path = self.path(thread_id.as_str(), "")?;
        self.exchange("DELETE", &path, None, None).await.map(drop)
    }

    /// Endpoint 5: the stored messages of a thread, as the service orders them.
    pub(super) async fn messages(
        &self,
        thread_id: &ThreadId,
        signal: Option<&AbortSignal>,
    ) -> Result<Vec<StoredMessage>, Failure> {
        let path = self.path(thread_id.as_str(), "/messages")?;
        list(self.exchange("GET", &path, None, signal).await?)
    }

    /// Endpoint 6: posts a message. The response is a stream of events, whose body is still to be
    /// read.
    pub(super) async fn post_message(
        &self,
        thread_id: &ThreadId,
        body: &PostMessage,
        signal: Option<&AbortSignal>,
    ) -> Result<Response, Failure> {
        let body = body.to_json();
        let path = self.path(thread_id.as_str(), "/messages")?;
        let response = self.send("POST", &path, EVENTS, Some(body), signal).await?;
        if !response.ok() {
            return Err(refused(&response).await);
        }
        let kind = response.headers().get("content-type").ok().flatten();
        if !kind.is_some_and(|kind| kind.trim_start().to_ascii_lowercase().starts_with(EVENTS)) {
            return Err(failure::unreadable(
                response.status(),
                &beginning(&response).await,
            ));
        }
        Ok(response)
    }

    /// Returns the token and headers that the page provides.
    pub(super) fn access(&self) -> &Access {
        &self.access
    }

    /// Returns the values that must not be disclosed: keys and tokens, which must not be stored
    /// either, and values that identify a user.
    pub(super) fn secrets(&self) -> [JsValue; 2] {
        let [tokens, values] = self.access.secrets();
        let keys: Array = self.connection.api_key.iter().map(JsValue::from).collect();
        let names = Array::of1(&JsValue::from(&self.connection.user_id));
        [keys.concat(tokens).into(), names.concat(values).into()]
    }

    /// Returns `/api/assistants/threads/{id}{rest}`; without an id the collection itself.
    fn path(&self, id: &str, rest: &str) -> Result<String, Failure> {
        let base = &self.connection.base_url;
        let id = match id {
            // Browsers resolve these two in any spelling, so that they would lead to another
            // endpoint.
            "." | ".." => return Err(Failure::of(FailureKind::NotFound)),
            "" if rest.is_empty() => String::new(),
            id => format!("/{}", String::from(js_sys::encode_uri_component(id))),
        };
        Ok(format!("{base}/api/assistants/threads{id}{rest}"))
    }

    /// Sends one request and returns its whole JSON answer as text.
    async fn exchange(
        &self,
        method: &'static str,
        path: &str,
        body: Option<String>,
        signal: Option<&AbortSignal>,
    ) -> Result<(u16, String), Failure> {
        let timeout = AbortSignal::timeout_with_u32(REQUEST_TIMEOUT);
        let signal = match signal {
            Some(signal) => AbortSignal::any(&js_sys::Array::of2(signal, &timeout)),
            None => timeout,
        };
        let response = self.send(method, path, JSON, body, Some(&signal)).await?;
        match response.ok() {
            true => Ok((response.status(), whole(&response).await?)),
            false => Err(refused(&response).await),
        }
    }

    /// Sends a request. One that was refused because of its token was not accepted: it is sent once
    /// more with a new token.
    async fn send(
        &self,
        method: &'static str,
        path: &str,
        accept: &str,
        body: Option<String>,
        signal: Option<&AbortSignal>,
    ) -> Result<Response, Failure> {
        let token = self.access.token().await?;
        let body = body.as_deref();
        let response = self
            .send_with(token.as_deref(), method, path, accept, body, signal)
            .await?;
        match token {
            Some(refused) if response.status() == 401 => {
                self.access.refused(&refused);
                let token = self.access.token().await?;
                self.send_with(token.as_deref(), method, path, accept, body, signal)
                    .await
            }
            _ => Ok(response),
        }
    }

    async fn send_with(
        &self,
        token: Option<&str>,
        method: &'static str,
        path: &str,
        accept: &str,
        body: Option<&str>,
        signal: Option<&AbortSignal>,
    ) -> Result<Response, Failure> {
        let unreachable = || Failure::of(FailureKind::Unreachable);
        let more = self.access.headers().await?;
        let headers =
            headers::request_headers(&self.connection, token, &more, accept, body.is_some())
                .map_err(|_| unreachable())?;
        let request = RequestInit::new();
        request.set_method(method);
        request.set_headers_headers(&headers);
        request.set_credentials(credentials(self.connection.credentials));
        request.set_cache(RequestCache::NoStore);
        request.set_signal(signal);
        if body.is_some() {
            request.set_body_opt_str(body);
        }
        let window = web_sys::window().ok_or_else(unreachable)?;
        let was_online = is_online();
        let response = JsFuture::from(window.fetch_with_str_and_init(path, &request)).await;
        match response.ok().and_then(|response| response.dyn_into().ok()) {
            Some(response) => {
                self.is_allowed.set(true);
                Ok(response)
            }
            // Offline before and after: nothing was sent.
            None if !was_online && !is_online() => Err(Failure::of(FailureKind::Offline)),
            // The request was aborted or timed out.
            None if signal.is_some_and(AbortSignal::aborted) => Err(unreachable()),
            None if self.is_blocked().await => Err(Failure::of(FailureKind::Blocked)),
            None => Err(unreachable()),
        }
    }

    /// Returns true if the service can be reached, but its answers cannot be read (CORS): for a
    /// browser both are the same network error. If an answer was read before, the reason is another
    /// one: a server in front of the service may have failed, whose pages allow no origin.
    async fn is_blocked(&self) -> bool {
        let Some(window) = web_sys::window().filter(|_| !self.is_allowed.get()) else {
            return false;
        };
        let base = &self.connection.base_url;
        let own = window.location().origin().unwrap_or_default();
        if base.is_empty() || base.starts_with(&own) {
            return false;
        }
        let request = RequestInit::new();
        request.set_method("HEAD");
        Reflect::set(&request, &"mode".into(), &"no-cors".into()).ok();
        request.set_signal(Some(&AbortSignal::timeout_with_u32(PROBE_TIMEOUT)));
        JsFuture::from(window.fetch_with_str_and_init(base, &request))
            .await
            .is_ok()
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

fn thread((status, body): (u16, String)) -> Result<SessionThread, Failure> {
    assent_protocol::read(&body).ok_or_else(|| failure::unreadable(status, &body))
}

/// Parses the readable entries: one broken entry must not hide the others.
fn list<T: FromJson>((status, body): (u16, String)) -> Result<Vec<T>, Failure> {
    assent_protocol::read_list(&body).ok_or_else(|| failure::unreadable(status, &body))
}

fn credentials(credentials: Credentials) -> RequestCredentials {
    match credentials {
        Credentials::SameOrigin => RequestCredentials::SameOrigin,
        Credentials::Include => RequestCredentials::Include,
        Credentials::Omit => RequestCredentials::Omit,
    }
}
