//! Endpoints 5 and 6: read the messages of a thread, and post one whose answer is streamed back.

use assent_protocol::StoredMessage;
use axum::{
    Json,
    body::{Body as Answer, Bytes},
    extract::State,
    http::{HeaderValue, header},
    response::{IntoResponse as _, Response},
};
use futures_util::stream;
use tracing::Instrument as _;

use super::{
    auth::Caller,
    extract::{Body, Id},
    schema,
    threads::NO_AGENT,
};
use crate::{
    AppState, Error, Result,
    approval::read_answer,
    content::read_post,
    run::Job,
    store::{Page, ValidPost},
    stream::{EventReceiver, channel},
};

/// Read the messages of a session thread, oldest first.
#[utoipa::path(
    get,
    path = "/api/assistants/threads/{threadId}/messages",
    operation_id = "listMessages",
    tag = "messages",
    params(("threadId" = String, Path, description = "The thread's id.")),
    responses(
        (
            status = 200,
            description = "All messages; what is being said is not among them, what was said to \
                           its end is.",
            body = Vec<schema::StoredMessage>,
        ),
        (status = 400, description = "The user header has no plain id.", body = schema::Error),
        (
            status = 401,
            description = "A header is missing or the key is unknown.",
            body = schema::Error,
        ),
        (status = 404, description = "The user has no such thread.", body = schema::Error),
        (status = 500, description = "The service has an internal problem.", body = schema::Error),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    Id(thread_id): Id,
) -> Result<Response> {
    let thread = state.store().thread(&caller.user_id, &thread_id).await?;
    let first = state.store().page(&thread.id, None).await?;
    if first.next.is_none() {
        return Ok(Json(first.messages).into_response());
    }
    // A part at a time: neither the whole thread nor a connection of the database is held while the
    // client reads.
    let reading = Reading {
        state,
        thread_id: thread.id,
        begun: false,
        part: Some(first),
    };
    let body = Answer::from_stream(stream::try_unfold(reading, Reading::next));
    let json = HeaderValue::from_static("application/json");
    Ok(([(header::CONTENT_TYPE, json)], body).into_response())
}

/// The messages of a thread while they are sent as one JSON array.
struct Reading {
    state: AppState,
    thread_id: String,
    /// True once the array was opened.
    begun: bool,
    /// The part to be sent next; `None` at the end.
    part: Option<Page>,
}

impl Reading {
    /// Returns the text of the next part. After an error the array has no end, and the connection is
    /// broken.
    async fn next(mut self) -> Result<Option<(Bytes, Self)>> {
        let Some(part) = self.part.take() else {
            return Ok(None);
        };
        let text = self.text(&part.messages, part.next.is_none())?;
        if let Some(next) = part.next {
            let following = self.state.store().page(&self.thread_id, Some(next)).await;
            let following = following.inspect_err(|error| {
                tracing::warn!(%error, "a thread was not read to its end");
            });
            self.part = Some(following?);
        }
        Ok(Some((text.into(), self)))
    }

    fn text(&mut self, messages: &[StoredMessage], last: bool) -> Result<String> {
        let mut text = String::new();
        for message in messages {
            text.push(if self.begun { ',' } else { '[' });
            self.begun = true;
            text.push_str(&serde_json::to_string(message)?);
        }
        if last {
            text.push(']');
        }
        Ok(text)
    }
}

/// Post a message; the answer is streamed back.
#[utoipa::path(
    post,
    path = "/api/assistants/threads/{threadId}/messages",
    operation_id = "postMessage",
    tag = "messages",
    params(("threadId" = String, Path, description = "The thread's id.")),
    request_body = schema::PostMessage,
    responses(
        (
            status = 200,
            description = "Server-sent events; each data line holds one event.",
            content_type = "text/event-stream",
            body = schema::StreamedEvent,
        ),
        (
            status = 400,
            description = "The body is not as described, or the thread waits for something else.",
            body = schema::BadPost,
        ),
        (
            status = 401,
            description = "A header is missing or the key is unknown.",
            body = schema::Error,
        ),
        (status = 403, description = "A page of another site asks.", body = schema::Error),
        (
            status = 404,
            description = "The user has no such thread, or its agent is gone.",
            body = schema::Error,
        ),
        (status = 408, description = "The body was not sent in time.", body = schema::Error),
        (status = 413, description = "The body is too long.", body = schema::Error),
        (status = 415, description = "The body is not declared as JSON.", body = schema::Error),
        (status = 500, description = "The service has an internal problem.", body = schema::Error),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn post(
    State(state): State<AppState>,
    caller: Caller,
    Id(thread_id): Id,
    body: Body,
) -> Result<EventReceiver> {
    let thread = state.store().thread(&caller.user_id, &thread_id).await?;
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
    let answer = read_answer(&post.results).map_err(Error::RejectedApproval)?;
    let place = state.rates().answer(&caller.user_id)?;
    // A task of its own: a client that goes away between acceptance and start must not leave the
    // thread waiting.
    let accepting = async move {
        let valid = ValidPost {
            thread_id: &thread.id,
            handle: &agent.profile().handle,
            content: &post.content,
            answer: &answer,
        };
        let accepted = state.store().accept(valid).await?;
        let (sender, receiver) = channel(state.settings(), state.metrics());
        let job = Job {
            user_id: caller.user_id,
            thread_id: thread.id,
            content: post.content,
            accepted,
            resumed: false,
        };
        state.runs().start(agent, place, job, sender);
        Ok(receiver)
    };
    let accepting = tokio::spawn(accepting.in_current_span());
    accepting.await.map_err(|_| Error::Panicked)?
}
