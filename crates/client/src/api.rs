//! The service's endpoints, one function each (specification, Endpoints). They return data or a
//! [`Failure`].

use std::cell::Cell;

use assent_conversation::{Failure, FailureKind, Millis};
use assent_protocol::{
    AgentId, CreateThread, FromJson, RenameThread, SessionThread, StoredMessage, ThreadId,
    read_waiting,
};
use gloo_net::http::{Request, RequestBuilder};
use js_sys::{Array, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::spawn_local;
use web_sys::{AbortSignal, Response};

use super::access::Access;
use super::body::{read_error_text, read_whole};
use super::call::{ApiRequest, EVENT_STREAM_TYPE, IMAGE_TYPES};
use super::clock::{now, sleep};
use super::extensions::{self, Extensions};
use super::fetch::{is_own_origin, own_origin, probe_request, send_request};
use super::presence::is_online;
use super::{Connection, ScopedStorage, failure, headers, setup, warn};

/// The number of entries that are requested as the latest part of a list: most lists are no longer.
const LATEST_COUNT: &str = "100";

/// The number of batches that are requested of those that wait: the most that a service returns at
/// once, and more than anybody lets wait.
const WAITING_COUNT: &str = "200";

/// The delay of a warning about a failed request, in milliseconds. A page that is being left ends
/// its requests, and is gone before the warning.
const FAILURE_WARNING_DELAY: Millis = Millis(100);

/// The entries of a list that the service returned.
pub(super) enum ReceivedList<T> {
    /// All entries of the list; of messages also the event after which the answer goes on that is
    /// being written, empty if none is.
    Whole(Vec<T>, String),
    /// The latest entries of the list. There may be more.
    Latest(Vec<T>),
}

/// A client of one service for one user.
pub(super) struct Api {
    connection: Connection,
    access: Access,
    /// True once a response of the service could be read: the service allows this page (CORS).
    is_allowed: Cell<bool>,
    /// True once a response had the form that the specification gives it.
    is_known: Cell<bool>,
    extensions: Extensions,
}

impl Api {
    /// Creates a client. It remembers in `storage` whether the service gives lists in pages, for
    /// the first request of a later page.
    pub(super) fn new(connection: Connection, storage: ScopedStorage) -> Self {
        Self {
            connection,
            access: Access::default(),
            is_allowed: Cell::new(false),
            is_known: Cell::new(false),
            extensions: Extensions::new(storage),
        }
    }

    /// Endpoint 1: starts a thread with the agent.
    pub(super) async fn create_thread(&self) -> Result<SessionThread, Failure> {
        let body = CreateThread {
            agent_id: self.connection.agent.clone(),
        }
        .to_json();
        let call = ApiRequest::new(Request::post, "", "").with_body(body);
        self.request_json(call).await
    }

    /// Endpoint 2: returns the threads of the agent; with `latest_first` only the newest, if the
    /// service gives lists in pages. Entries without an id are left out.
    pub(super) async fn list_threads(
        &self,
        latest_first: bool,
        signal: Option<&AbortSignal>,
    ) -> Result<ReceivedList<SessionThread>, Failure> {
        let AgentId(agent) = &self.connection.agent;
        let call = ApiRequest::new(Request::get, agent, "").with_signal(signal);
        let listed = self.request_list(call, latest_first).await?;
        self.parse_list(&listed)
    }

    /// Endpoint 3: renames a thread.
    pub(super) async fn rename_thread(
        &self,
        thread_id: &ThreadId,
        name: String,
    ) -> Result<SessionThread, Failure> {
        let body = RenameThread { thread_name: name }.to_json();
        let call = ApiRequest::new(Request::put, thread_id.as_str(), "").with_body(body);
        self.request_json(call).await
    }

    /// Endpoint 4: deletes a thread. The body of a success is not read.
    pub(super) async fn delete_thread(&self, thread_id: &ThreadId) -> Result<(), Failure> {
        let call = ApiRequest::new(Request::delete, thread_id.as_str(), "");
        self.request_text(&call).await.map(drop)
    }

    /// The extension `cancel`: ends the answer that is being written in a thread.
    pub(super) async fn cancel_answer(&self, thread_id: &ThreadId) -> Result<(), Failure> {
        let call = ApiRequest::new(Request::delete, thread_id.as_str(), "/answer");
        self.request_text(&call).await.map(drop)
    }

    /// The extension `inbox`: returns the threads with the agent in which tool runs wait for the
    /// user, newest first, each with the number of these; `None` if that could not be read.
    pub(super) async fn list_waiting(&self) -> Option<Vec<(ThreadId, usize)>> {
        let call = ApiRequest {
            of: "approvals",
            query: Some(("limit", WAITING_COUNT)),
            ..ApiRequest::new(Request::get, "", "")
        };
        let (_, body) = self.request_text(&call).await.ok()?;
        read_waiting(&body, &self.connection.agent)
    }

    /// Requests an image that the service keeps, by an extension of the service. Returns a promise
    /// of a `Blob`.
    pub(super) async fn fetch_image(&self, id: &str) -> Result<Promise, Failure> {
        let call = ApiRequest {
            of: "uploads",
            accept: IMAGE_TYPES,
            ..ApiRequest::new(Request::get, id, "")
        };
        let response = self.send_for_success(&call).await?;
        let blob = response.blob();
        blob.map_err(|_| Failure::of(FailureKind::Unreachable))
    }

    /// Endpoint 5: returns the stored messages of a thread, as the service orders them; with
    /// `latest_first` only the latest, if the service gives lists in pages.
    pub(super) async fn list_messages(
        &self,
        thread_id: &ThreadId,
        latest_first: bool,
        signal: Option<&AbortSignal>,
    ) -> Result<ReceivedList<StoredMessage>, Failure> {
        let call =
            ApiRequest::new(Request::get, thread_id.as_str(), "/messages").with_signal(signal);
        let listed = self.request_list(call, latest_first).await?;
        self.parse_list(&listed)
    }

    /// Returns a stream of events, whose body is still to be read. With a `body`, that of a message,
    /// it is endpoint 6, with this `key` if it has one. Otherwise it is the extension `resume`: what follows the event `after`, and
    /// `None` if nothing does.
    pub(super) async fn open_stream(
        &self,
        thread_id: &ThreadId,
        body: Option<String>,
        key: Option<&str>,
        after: &str,
        signal: Option<&AbortSignal>,
    ) -> Result<Option<Response>, Failure> {
        let is_post = body.is_some();
        let (open, rest): (fn(&str) -> RequestBuilder, _) = match is_post {
            true => (Request::post, "/messages"),
            false => (Request::get, "/messages/stream"),
        };
        let call = ApiRequest {
            accept: EVENT_STREAM_TYPE,
            query: (!is_post).then_some(("after", after)),
            body,
            key: key.filter(|_| is_post),
            ..ApiRequest::new(open, thread_id.as_str(), rest).with_signal(signal)
        };
        let response = self.send_for_success(&call).await?;
        if !is_post && response.status() == 204 {
            return Ok(None);
        }
        let kind = response.headers().get("content-type").ok().flatten();
        if !kind.is_some_and(|kind| {
            kind.trim_start()
                .to_ascii_lowercase()
                .starts_with(EVENT_STREAM_TYPE)
        }) {
            let body = read_error_text(&response).await;
            return Err(self.warn_of_failure(
                &call,
                failure::failure_of_unreadable(response.status(), &body),
            ));
        }
        self.is_known.set(true);
        Ok(Some(response))
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

    /// Sends one request and parses the JSON of its response.
    async fn request_json<T: FromJson>(&self, call: ApiRequest<'_>) -> Result<T, Failure> {
        let (response, body) = self.request_text(&call).await?;
        self.parse(&call, &response, &body)
    }

    /// Requests a list; with `latest_first` only its latest part, if the service gives lists in pages.
    /// If the service rejects the request for a part, the whole list is requested.
    async fn request_list<'a>(
        &self,
        mut call: ApiRequest<'a>,
        latest_first: bool,
    ) -> Result<(ApiRequest<'a>, Response, String), Failure> {
        if latest_first && self.extensions.has_pages() {
            call.query = Some(("limit", LATEST_COUNT));
        }
        let mut exchanged = self.request_text(&call).await;
        let is_refused = |failure: &Failure| {
            matches!(failure.kind, FailureKind::Rejected | FailureKind::NotFound)
        };
        if call.query.is_some() && exchanged.as_ref().is_err_and(is_refused) {
            call.query = None;
            exchanged = self.request_text(&call).await;
        }
        let (response, body) = exchanged?;
        Ok((call, response, body))
    }

    /// Parses a list that was requested with `call`.
    fn parse_list<T: FromJson>(
        &self,
        (call, response, body): &(ApiRequest<'_>, Response, String),
    ) -> Result<ReceivedList<T>, Failure> {
        let entries = self.parse(call, response, body)?;
        if call.query.is_some() && !extensions::is_only_page(response) {
            return Ok(ReceivedList::Latest(entries));
        }
        let after = match self.extensions.has_resume() {
            true => extensions::running_answer(response),
            false => String::new(),
        };
        Ok(ReceivedList::Whole(entries, after))
    }

    /// Parses the body of a JSON response. Unreadable entries of a list are left out: one broken
    /// entry must not hide the others.
    fn parse<T: FromJson>(
        &self,
        call: &ApiRequest<'_>,
        response: &Response,
        body: &str,
    ) -> Result<T, Failure> {
        let value = assent_protocol::read(body);
        self.is_known.set(self.is_known.get() || value.is_some());
        value.ok_or_else(|| {
            self.warn_of_failure(
                call,
                failure::failure_of_unreadable(response.status(), body),
            )
        })
    }

    /// Sends one request. Returns the response, if it is a success, and its whole body as text.
    async fn request_text(&self, call: &ApiRequest<'_>) -> Result<(Response, String), Failure> {
        let response = self.send_for_success(call).await?;
        let body = read_whole(&response).await?;
        Ok((response, body))
    }

    /// Sends one request and returns the response, if it is a success.
    async fn send_for_success(&self, call: &ApiRequest<'_>) -> Result<Response, Failure> {
        let failure = match self.send(call).await {
            Ok(response) if response.ok() => return Ok(response),
            Ok(response) => read_refusal(&response).await,
            Err(kind) => Failure::of(kind),
        };
        Err(self.warn_of_failure(call, failure))
    }

    /// Warns the page's developer why a request failed, with the address of the request, and
    /// returns the failure. Once a response had the specified form, nothing is said: the set-up is
    /// right, and the browser lists failed requests.
    fn warn_of_failure(&self, call: &ApiRequest<'_>, failure: Failure) -> Failure {
        let is_ended = call.signal.is_some_and(AbortSignal::aborted);
        let base = &self.connection.base_url;
        if !self.is_known.get()
            && !is_ended
            && let Ok(path) = call.address(base)
            && let Some(reason) = setup::likely_setup_fault(&failure, base, &own_origin())
        {
            let sentence = ["assent-chat: ", &path, ": ", &reason].concat();
            // A page that is being left ends its requests, and has no time left to complain.
            spawn_local(async move {
                sleep(FAILURE_WARNING_DELAY).await;
                warn(&sentence);
            });
        }
        failure
    }

    /// Sends a request and returns the response, whatever its status. If the service refuses the
    /// token, the request was not accepted: it is sent once more with a new token.
    async fn send(&self, call: &ApiRequest<'_>) -> Result<Response, FailureKind> {
        let path = call.address(&self.connection.base_url)?;
        let mut is_first = true;
        loop {
            let token = self.access.token().await?;
            let more = self.access.page_headers().await?;
            let headers = headers::request_headers(
                &self.connection,
                token.as_deref(),
                &more,
                call.accept,
                call.body.is_some(),
            );
            // The page may have taken its time for token and headers: the request's begins here.
            let signal = call.end_signal();
            let request =
                call.build_request(&path, headers, self.connection.credentials, signal.as_ref());
            let was_online = is_online();
            let Some(response) = send_request(request).await else {
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
            self.extensions.read_names(&response);
            match token {
                Some(token) if is_first && response.status() == 401 => {
                    self.access.mark_refused(&token);
                }
                _ => return Ok(response),
            }
            is_first = false;
        }
    }

    /// Returns true if the service can be reached, but its responses cannot be read (CORS): the
    /// browser reports this like a service that is out of reach. If a response was read before, the
    /// reason is another one: a server in front of the service may have failed, whose pages allow
    /// no origin.
    async fn is_blocked(&self) -> bool {
        let base = &self.connection.base_url;
        if self.is_allowed.get() || is_own_origin(base) {
            return false;
        }
        send_request(probe_request(base)).await.is_some()
    }
}

/// Converts a response that is no success into a failure.
async fn read_refusal(response: &Response) -> Failure {
    let after = response.headers().get("retry-after").ok().flatten();
    let mut failure =
        failure::failure_of_refusal(response.status(), &read_error_text(response).await);
    failure.retry_at = after.and_then(|after| failure::retry_at(&after, now()));
    failure
}
