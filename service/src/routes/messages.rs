//! Endpoints 5 and 6: read the messages of a thread, and post one whose answer is streamed back.

use assent_protocol::StoredMessage;
use axum::{Json, extract::State};

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
    store::Offer,
    stream::{Inlet, channel},
};

/// Read the messages of a session thread, oldest first.
#[utoipa::path(
    get,
    path = "/api/assistants/threads/{threadId}/messages",
    tag = "messages",
    params(("threadId" = String, Path, description = "The thread's id.")),
    responses(
        (
            status = 200,
            description = "All messages; what is being said is not among them, what was said to \
                           its end is.",
            body = Vec<schema::StoredMessage>,
        ),
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
) -> Result<Json<Vec<StoredMessage>>> {
    let thread = state.store().thread(&caller.user_id, &thread_id).await?;
    Ok(Json(state.store().messages(&thread.id).await?))
}

/// Post a message; the answer is streamed back.
#[utoipa::path(
    post,
    path = "/api/assistants/threads/{threadId}/messages",
    tag = "messages",
    params(("threadId" = String, Path, description = "The thread's id.")),
    request_body = schema::PostMessage,
    responses(
        (
            status = 200,
            description = "Server-sent events; each data line holds one event.",
            content_type = "text/event-stream",
            body = schema::SseEvent,
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
        (
            status = 404,
            description = "The user has no such thread, or its agent is gone.",
            body = schema::Error,
        ),
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
) -> Result<Inlet> {
    let thread = state.store().thread(&caller.user_id, &thread_id).await?;
    let agent = state.agents().get(&thread.agent_id).ok_or(NO_AGENT)?;
    let post = read_post(&body.0)?;
    let foreign = state
        .store()
        .foreign_upload(&caller.user_id, &post.content)
        .await?;
    if let Some(id) = foreign {
        return Err(Error::BadRequest(format!("There is no file {id}.")));
    }
    let answer = read_answer(&post.results).map_err(Error::RejectedApproval)?;
    // A task of its own: a client that goes away between acceptance and start must not leave the
    // thread waiting.
    let accepting = tokio::spawn(async move {
        let offer = Offer {
            thread_id: &thread.id,
            handle: &agent.profile().handle,
            content: &post.content,
            answer: &answer,
        };
        let accepted = state.store().accept(offer).await?;
        let (outlet, inlet) = channel(state.settings());
        let job = Job {
            thread_id: thread.id,
            content: post.content,
            accepted,
        };
        state.runs().start(agent, job, outlet);
        Ok(inlet)
    });
    accepting.await.map_err(|_| Error::Panicked)?
}
