//! Endpoints 1 to 4: start, list, rename and delete session threads.

use std::future::ready;

use assent_protocol::{CreateThread, Failure, RenameThread, SessionThread};
use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use futures_util::{StreamExt as _, stream};

use super::{
    auth::Caller,
    extract::{Body, PathParameter},
    pages::{self, AskedPage, Cursor, PageOf},
};
use crate::{
    AppState, Error, Result,
    store::{Hint, ThreadKey, ThreadPosition},
};

/// Longest name a thread may be given, in characters.
const MAX_NAME_LENGTH: usize = 200;

/// Greatest length of the time in a place of a list that a client sends, in bytes.
const MAX_TIME_BYTES: usize = 30;

/// The number of threads that are read at once while a whole list is sent.
const THREADS_PER_READ: usize = 200;

pub(super) const NO_AGENT: Error = Error::NotFound("This agent does not exist.");

/// Start a new session thread.
#[utoipa::path(
    post,
    path = "/api/assistants/threads",
    operation_id = "createThread",
    tag = "threads",
    request_body = CreateThread,
    responses(
        Caller,
        Body,
        (
            status = 201,
            description = "The new thread.",
            body = SessionThread,
            links(
                ("listThreads" = (
                    operation_id = "listThreads",
                    parameters(("id" = "$response.body#/agentId")),
                )),
                ("renameThread" = (
                    operation_id = "renameThread",
                    parameters(("id" = "$response.body#/id")),
                )),
                ("deleteThread" = (
                    operation_id = "deleteThread",
                    parameters(("id" = "$response.body#/id")),
                )),
                ("listMessages" = (
                    operation_id = "listMessages",
                    parameters(("threadId" = "$response.body#/id")),
                )),
                ("postMessage" = (
                    operation_id = "postMessage",
                    parameters(("threadId" = "$response.body#/id")),
                )),
                ("cancelAnswer" = (
                    operation_id = "cancelAnswer",
                    parameters(("threadId" = "$response.body#/id")),
                )),
            ),
        ),
        (status = 404, description = "There is no such agent.", body = Failure),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn start(
    State(state): State<AppState>,
    caller: Caller,
    body: Body,
) -> Result<(StatusCode, Json<SessionThread>)> {
    let agent = state.agents().get(body.text("agentId")?).ok_or(NO_AGENT)?;
    let thread = state
        .store()
        .create_thread(&caller.user_id, agent.profile())
        .await?;
    Ok((StatusCode::CREATED, Json(thread.into())))
}

/// List the user's session threads with an agent, newest last message first.
#[utoipa::path(
    get,
    path = "/api/assistants/threads/{id}",
    operation_id = "listThreads",
    tag = "threads",
    params(
        ("id" = String, Path, description = "The agent's id."),
        (
            "limit" = Option<u8>,
            Query,
            minimum = 1,
            maximum = 200,
            description = "Extension `pages`: at most so many threads.",
        ),
        (
            "before" = Option<String>,
            Query,
            pattern = "^[0-9TZ:.-]{1,30},[0-9]{1,18}$",
            description = "Extension `pages`: those after a place that a page has named.",
        ),
    ),
    responses(
        Caller,
        AskedPage<ThreadPosition>,
        (
            status = 200,
            description = "All threads, or a page of them.",
            body = Vec<SessionThread>,
            headers(("Link" = String, description = "Of a page: the newest one as `first`, and the following one as `next`.")),
        ),
        (
            status = 404,
            description = "There is no such agent, and the user has no thread with it.",
            body = Failure,
        ),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    PathParameter(agent_id): PathParameter,
    AskedPage(asked): AskedPage<ThreadPosition>,
) -> Result<Response> {
    let user = &caller.user_id;
    // What was said with an agent that is gone can still be read.
    if state.agents().get(&agent_id).is_none()
        && !state.store().has_threads(user, &agent_id).await?
    {
        return Err(NO_AGENT);
    }
    if let Some(PageOf { limit, before }) = asked {
        let place = before.as_ref();
        let page = state.store().thread_page(user, &agent_id, place, limit);
        let page = page.await?;
        let threads: Vec<SessionThread> = page.threads.into_iter().map(Into::into).collect();
        return Ok(pages::page(&threads, limit, page.next.as_ref(), ""));
    }
    let numbers = state.store().thread_numbers(user, &agent_id).await?;
    let mut parts = numbers.chunks(THREADS_PER_READ).map(<[i64]>::to_vec);
    let first = parts.next().unwrap_or_default();
    let first = state.store().threads_at(user, &agent_id, &first).await?;
    let first: Vec<SessionThread> = first.into_iter().map(Into::into).collect();
    if parts.len() == 0 {
        return Ok(Json(first).into_response());
    }
    let rest = stream::iter(parts.collect::<Vec<_>>()).then(move |numbers| {
        let (state, user) = (state.clone(), caller.user_id.clone());
        let agent_id = agent_id.clone();
        async move {
            let threads = state.store().threads_at(&user, &agent_id, &numbers).await?;
            Ok(threads.into_iter().map(SessionThread::from).collect())
        }
    });
    Ok(pages::list_response(
        stream::once(ready(Ok(first))).chain(rest),
    ))
}

impl Cursor for ThreadPosition {
    fn parse(text: &str) -> Option<Self> {
        let (time, number) = text.split_once(',')?;
        let time = parse_time(time)?;
        pages::parse_row_number(number).map(|number| Self { time, number })
    }

    fn write(&self) -> String {
        format!("{},{}", self.time, self.number)
    }
}

/// Returns the time of a place in a list; `None` for a text that is surely no time.
pub(super) fn parse_time(text: &str) -> Option<String> {
    let is_time = |letter: char| letter.is_ascii_digit() || "TZ:.-".contains(letter);
    let fits = (1..=MAX_TIME_BYTES).contains(&text.len()) && text.chars().all(is_time);
    fits.then(|| text.to_owned())
}

/// Rename a session thread.
#[utoipa::path(
    put,
    path = "/api/assistants/threads/{id}",
    operation_id = "renameThread",
    tag = "threads",
    params(("id" = String, Path, description = "The thread's id.")),
    request_body = RenameThread,
    responses(
        Caller,
        Body,
        (status = 200, description = "The thread with its new name.", body = SessionThread),
        (status = 404, description = "The user has no such thread.", body = Failure),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn rename(
    State(state): State<AppState>,
    caller: Caller,
    PathParameter(id): PathParameter,
    body: Body,
) -> Result<Json<SessionThread>> {
    let name = body.text("threadName")?;
    if name.chars().count() > MAX_NAME_LENGTH {
        return Err(Error::BadRequest(format!(
            "The name is longer than {MAX_NAME_LENGTH} characters."
        )));
    }
    let thread = state
        .store()
        .rename_thread(&caller.user_id, &id, name)
        .await?;
    Ok(Json(thread.into()))
}

/// Delete a session thread with everything in it; an answer being written ends.
#[utoipa::path(
    delete,
    path = "/api/assistants/threads/{id}",
    operation_id = "deleteThread",
    tag = "threads",
    params(("id" = String, Path, description = "The thread's id.")),
    responses(
        Caller,
        (status = 204, description = "The thread is gone."),
        (status = 404, description = "The user has no such thread.", body = Failure),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn delete(
    State(state): State<AppState>,
    caller: Caller,
    PathParameter(id): PathParameter,
) -> Result<StatusCode> {
    let thread = ThreadKey {
        user_id: caller.user_id,
        id,
    };
    state.store().delete_thread(&thread).await?;
    state.runs().thread_deleted(&thread.id);
    state.store().give_hint(Hint::Runs).await;
    // A tool server may take seconds to end; nobody waits for it.
    tokio::spawn(async move { state.agents().thread_deleted(&thread.id).await });
    Ok(StatusCode::NO_CONTENT)
}
