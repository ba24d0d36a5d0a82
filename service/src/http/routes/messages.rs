//! Endpoints 5 and 6: read the messages of a thread, and post one whose answer is streamed back.

use std::future::ready;

use assent_protocol::{BadPost, Failure, PostMessage, StoredMessage, openapi::StreamedEvent};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse as _, Response},
};
use futures_util::{StreamExt as _, stream};
use tracing::Instrument as _;

use super::{
    auth::Caller,
    extract::{Body, IdempotencyKey, PathParameter},
    pages::{self, AskedPage, Cursor, PageOf},
    resume::{self, answer_header},
    threads::NO_AGENT,
};
use crate::{
    AppState, Error, Result,
    answers::run::Job,
    rules::approval::read_answer,
    rules::content::read_post,
    store::{Acceptance, Hint, MessageNumber, Position, PostKey, Run, ThreadKey, ValidPost},
};

/// Read the messages of a session thread, oldest first.
#[utoipa::path(
    get,
    path = "/api/assistants/threads/{threadId}/messages",
    operation_id = "listMessages",
    tag = "messages",
    params(
        ("threadId" = String, Path, description = "The thread's id."),
        (
            "limit" = Option<u8>,
            Query,
            minimum = 1,
            maximum = 200,
            description = "Extension `pages`: at most so many of the latest messages.",
        ),
        (
            "before" = Option<String>,
            Query,
            pattern = "^[0-9]{1,18}$",
            description = "Extension `pages`: those before a place that a page has named.",
        ),
    ),
    responses(
        Caller,
        AskedPage<Position>,
        (
            status = 200,
            description = "All messages, or a page of them; what is being said is not among them, \
                           what was said to its end is.",
            body = Vec<StoredMessage>,
            headers(
                ("Link" = String, description = "Of a page: the latest one as `first`, and the one before it as `next`."),
                ("Assent-Answer" = String, description = "Extension `resume`, while an answer is being written: the id of the last event whose text is among the messages."),
            ),
        ),
        (status = 404, description = "The user has no such thread.", body = Failure),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    PathParameter(thread_id): PathParameter,
    AskedPage(asked): AskedPage<MessageNumber>,
) -> Result<Response> {
    let thread = state.store().thread(&caller.user_id, &thread_id).await?;
    let thread = ThreadKey {
        user_id: caller.user_id,
        id: thread.id,
    };
    if let Some(PageOf { limit, before }) = asked {
        let page = state
            .store()
            .earlier_messages(&thread, before, limit)
            .await?;
        let response = pages::page(&page.messages, limit, page.earlier.as_ref(), "");
        return Ok(with_answer(response, page.running.as_ref()));
    }
    let first = state.store().page(&thread, None).await?;
    let running = first.running;
    if first.next.is_none() {
        return Ok(with_answer(
            Json(first.messages).into_response(),
            running.as_ref(),
        ));
    }
    let rest = stream::try_unfold(first.next, move |from| {
        let (state, thread) = (state.clone(), thread.clone());
        async move {
            let Some(from) = from else { return Ok(None) };
            let part = state.store().page(&thread, Some(from)).await;
            let part = part.inspect_err(|error| {
                tracing::warn!(%error, "a thread was not read to its end");
            })?;
            Ok(Some((part.messages, part.next)))
        }
    });
    let first = stream::once(ready(Ok(first.messages)));
    let response = pages::list_response(first.chain(rest));
    Ok(with_answer(response, running.as_ref()))
}

/// Names the answer that is being written, if one is.
fn with_answer(mut response: Response, running: Option<&Run>) -> Response {
    response
        .headers_mut()
        .extend(running.and_then(answer_header));
    response
}

impl Cursor for MessageNumber {
    fn parse(text: &str) -> Option<Self> {
        pages::parse_row_number(text).map(Self)
    }

    fn write(&self) -> String {
        self.0.to_string()
    }
}

/// Post a message; the answer is streamed back.
#[utoipa::path(
    post,
    path = "/api/assistants/threads/{threadId}/messages",
    operation_id = "postMessage",
    tag = "messages",
    params(
        ("threadId" = String, Path, description = "The thread's id."),
        (
            "Idempotency-Key" = Option<String>,
            Header,
            max_length = 255,
            description = "Extension `idempotency-key`: the post is accepted once with this key, \
                           and answered each time with the same stream, from its first event.",
        ),
    ),
    request_body = PostMessage,
    responses(
        Caller,
        Body,
        (
            status = 200,
            description = "Server-sent events; each data line holds one event.",
            content_type = "text/event-stream",
            body = StreamedEvent,
        ),
        (
            status = 400,
            description = "The body is not as described, or the thread waits for something else.",
            body = BadPost,
        ),
        (
            status = 404,
            description = "The user has no such thread, or its agent is gone.",
            body = Failure,
        ),
        (
            status = 410,
            description = "The post with this key was answered some time ago: read the messages.",
            body = Failure,
        ),
        (status = 422, description = "Another post had this key.", body = Failure),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn post(
    State(state): State<AppState>,
    caller: Caller,
    PathParameter(thread_id): PathParameter,
    IdempotencyKey(key): IdempotencyKey,
    body: Body,
) -> Result<Response> {
    let thread = state.store().thread(&caller.user_id, &thread_id).await?;
    let key = key.map(|key| PostKey::new(key, &body.0.to_string()));
    if let Some(key) = &key {
        // Before all limits: it is no more work.
        let of_thread = ThreadKey {
            user_id: caller.user_id.clone(),
            id: thread.id.clone(),
        };
        if let Some(run) = state.store().repeated_post(&of_thread, key).await? {
            return resume::stream_again(&state, &of_thread, &run).await;
        }
    }
    let agent = state
        .agents()
        .into_agent(&thread.agent_id)
        .ok_or(NO_AGENT)?;
    let post = read_post(&body.0)?;
    let foreign = state
        .store()
        .foreign_upload(&caller.user_id, &post.content)
        .await?;
    if let Some(id) = foreign {
        return Err(Error::BadRequest(format!("There is no file {id}.")));
    }
    let answer = read_answer(&post.results)
        .map_err(|body| Error::RejectedApproval(Box::new(BadPost::Form(body))))?;
    let place = state.rates().hold_answer()?;
    let thread = ThreadKey {
        user_id: caller.user_id,
        id: thread.id,
    };
    // A task of its own: a client that goes away between acceptance and start must not leave the
    // thread waiting.
    let accepting = async move {
        let valid = ValidPost {
            thread: &thread,
            handle: &agent.profile().handle,
            content: &post.content,
            answer: &answer,
            key: key.as_ref(),
            state: agent.state_scope(),
            judge: &|id, call| state.agents().get(id)?.refusal(call),
        };
        let accepted = match state.store().accept(valid).await? {
            Acceptance::New(accepted) => accepted,
            Acceptance::Repeated(run) => return resume::stream_again(&state, &thread, &run).await,
            Acceptance::HandedOn(run) => {
                state.store().give_hint(Hint::Runs).await;
                return resume::stream_again(&state, &thread, &run).await;
            }
        };
        let (run, before) = (accepted.run.id.clone(), accepted.first_event - 1);
        let job = Job {
            content: post.content,
            accepted,
            resumed: false,
        };
        state.runs().start(agent, place, job);
        Ok(state.read_log(&thread, &run, before).into_response())
    };
    let accepting = tokio::spawn(accepting.in_current_span());
    accepting.await.map_err(|_| Error::Panicked)?
}
