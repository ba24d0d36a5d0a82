//! The extension `cancel`: end the answer that is being written.

use axum::{extract::State, http::StatusCode};

use super::{auth::Caller, extract::Id, schema};
use crate::{AppState, Error, Result};

const NO_ANSWER: Error = Error::Conflict("No answer is being written in this conversation.");

/// End the answer that is being written in a session thread.
#[utoipa::path(
    delete,
    path = "/api/assistants/threads/{threadId}/answer",
    operation_id = "cancelAnswer",
    tag = "cancel",
    params(("threadId" = String, Path, description = "The thread's id.")),
    responses(
        (
            status = 202,
            description = "The answer ends once no tool of it runs: what was said is stored with \
                           a note, and its stream ends in order.",
        ),
        (status = 400, description = "The user header has no plain id.", body = schema::Error),
        (
            status = 401,
            description = "A header is missing or the key is unknown.",
            body = schema::Error,
        ),
        (status = 403, description = "A page of another site asks.", body = schema::Error),
        (status = 404, description = "The user has no such thread.", body = schema::Error),
        (
            status = 409,
            description = "No answer is being written; a request for approval goes on waiting.",
            body = schema::Error,
        ),
        (status = 500, description = "The service has an internal problem.", body = schema::Error),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn cancel(
    State(state): State<AppState>,
    caller: Caller,
    Id(thread_id): Id,
) -> Result<StatusCode> {
    let thread = state.store().thread(&caller.user_id, &thread_id).await?;
    if !state.runs().cancel(&thread.id) {
        return Err(NO_ANSWER);
    }
    Ok(StatusCode::ACCEPTED)
}
