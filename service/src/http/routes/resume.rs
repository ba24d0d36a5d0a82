//! The extension `resume`: read on in the answer that is being written, or was until a moment ago.

use assent_protocol::{Failure, openapi::StreamedEvent};
use axum::{
    extract::{FromRequestParts, Query, State},
    http::{HeaderName, HeaderValue, StatusCode, request::Parts},
    response::{IntoResponse as _, Response},
};
use serde::Deserialize;

use super::{auth::Caller, extract::PathParameter, pages::parse_row_number};
use crate::{
    AppState, Error, Result,
    store::{Run, ThreadKey},
};

/// The header of a list of messages that names the last event whose text is among them, while an
/// answer is being written.
pub(super) const ANSWER: HeaderName = HeaderName::from_static("assent-answer");

/// The header that browsers' own readers of streams send.
const LAST_EVENT_ID: &str = "last-event-id";

/// The event after which a client reads on.
#[derive(Debug)]
pub(crate) struct AfterEvent {
    run: String,
    number: i64,
}

/// The event that a client names, if it names one.
#[derive(Debug)]
pub(crate) struct NamedEvent(Option<AfterEvent>);

#[derive(Deserialize)]
struct FollowQuery {
    after: Option<String>,
}

impl<S: Send + Sync> FromRequestParts<S> for NamedEvent {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let Query(FollowQuery { after }) = Query::from_request_parts(parts, state)
            .await
            .map_err(|_| Error::BadRequest("The query cannot be read.".to_owned()))?;
        let last = parts.headers.get(LAST_EVENT_ID);
        let last = || last.map(|last| String::from_utf8_lossy(last.as_bytes()).into_owned());
        let Some(named) = after.or_else(last).filter(|id| !id.is_empty()) else {
            return Ok(Self(None));
        };
        // No event has an id of another form.
        let (run, number) = named.rsplit_once('/').ok_or(Error::Gone)?;
        Ok(Self(Some(AfterEvent {
            run: run.to_owned(),
            number: parse_row_number(number).ok_or(Error::Gone)?,
        })))
    }
}

/// Returns the value of the header [`ANSWER`] while `run` writes an answer.
pub(super) fn answer_header(run: &Run) -> Option<(HeaderName, HeaderValue)> {
    let id = format!("{}/{}", run.id, run.stored_event);
    let value = HeaderValue::try_from(id).ok()?;
    Some((ANSWER, value))
}

/// Streams the answer to a post that was accepted before, from its first event.
pub(super) async fn stream_again(
    state: &AppState,
    thread: &ThreadKey,
    run: &str,
) -> Result<Response> {
    let found = state.store().run(thread, run).await?.ok_or(Error::Gone)?;
    let before = found.first_event - 1;
    let entries = state.store().entries_after(&thread.user_id, run, before);
    if !found.is_running && entries.await?.is_empty() {
        return Err(Error::Gone);
    }
    Ok(state.read_log(thread, run, before).into_response())
}

/// Read on in an answer: what was streamed after an event, and then what is streamed live.
#[utoipa::path(
    get,
    path = "/api/assistants/threads/{threadId}/messages/stream",
    operation_id = "resumeAnswer",
    tag = "resume",
    params(
        ("threadId" = String, Path, description = "The thread's id."),
        (
            "after" = Option<String>,
            Query,
            description = "The id of the last event that the client has. Without one, the answer \
                           that is being written is streamed from its first event.",
        ),
        (
            "Last-Event-ID" = Option<String>,
            Header,
            description = "The same as `after`, which counts more.",
        ),
    ),
    responses(
        Caller,
        (
            status = 200,
            description = "Server-sent events up to the end of the answer. Pieces of text that \
                           were streamed before may come as one, with the id of the last.",
            content_type = "text/event-stream",
            body = StreamedEvent,
        ),
        (
            status = 204,
            description = "The answer ended with that event; without one, nothing is being written.",
        ),
        (status = 400, description = "The query cannot be read.", body = Failure),
        (status = 404, description = "The user has no such thread.", body = Failure),
        (
            status = 410,
            description = "What follows the event is not there, or not any more: read the messages.",
            body = Failure,
        ),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn follow(
    State(state): State<AppState>,
    caller: Caller,
    PathParameter(thread_id): PathParameter,
    NamedEvent(after): NamedEvent,
) -> Result<Response> {
    let thread = state.store().thread(&caller.user_id, &thread_id).await?;
    let thread = ThreadKey {
        user_id: caller.user_id,
        id: thread.id,
    };
    let store = state.store();
    let (run, number) = match after {
        Some(AfterEvent { run, number }) => {
            let found = store.run(&thread, &run).await?.ok_or(Error::Gone)?;
            let log = state.log().get(&run);
            let is_known = log.is_none_or(|log| number <= log.logged());
            if number + 1 < found.first_event || !is_known {
                return Err(Error::Gone);
            }
            let entries = store.entries_after(&thread.user_id, &run, number).await?;
            if !found.is_running && entries.is_empty() {
                return Ok(StatusCode::NO_CONTENT.into_response());
            }
            (run, number)
        }
        None => match store.running(&thread).await? {
            Some(run) => (run.id, run.first_event - 1),
            None => return Ok(StatusCode::NO_CONTENT.into_response()),
        },
    };
    Ok(state.read_log(&thread, &run, number).into_response())
}
