//! The extension `cancel`: end the answer that is being written.

use assent_protocol::Failure;
use axum::{extract::State, http::StatusCode};

use super::{auth::Caller, extract::PathParameter};
use crate::{
    AppState, Error, Result,
    store::{Hint, ThreadKey},
};

const NO_ANSWER: Error = Error::Conflict("No answer is being written in this conversation.");

/// End the answer that is being written in a session thread.
#[utoipa::path(
    delete,
    path = "/api/assistants/threads/{threadId}/answer",
    operation_id = "cancelAnswer",
    tag = "cancel",
    params(("threadId" = String, Path, description = "The thread's id.")),
    responses(
        Caller,
        (
            status = 202,
            description = "The answer ends once no tool of it runs: what was said is stored with \
                           a note, and its stream ends in order.",
        ),
        (status = 404, description = "The user has no such thread.", body = Failure),
        (
            status = 409,
            description = "No answer is being written; a request for approval goes on waiting.",
            body = Failure,
        ),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn cancel(
    State(state): State<AppState>,
    caller: Caller,
    PathParameter(thread_id): PathParameter,
) -> Result<StatusCode> {
    let thread = state.store().thread(&caller.user_id, &thread_id).await?;
    if state.runs().cancel(&thread.id) {
        return Ok(StatusCode::ACCEPTED);
    }
    let thread = ThreadKey {
        user_id: caller.user_id,
        id: thread.id,
    };
    // Another replica may be writing it.
    let store = state.store();
    if !store.is_shared() || !store.want_cancel(&thread).await? {
        return Err(NO_ANSWER);
    }
    store.give_hint(Hint::Runs).await;
    Ok(StatusCode::ACCEPTED)
}
