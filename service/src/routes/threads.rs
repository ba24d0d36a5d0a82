//! Endpoints 1 to 4: start, list, rename and delete session threads.

use assent_protocol::SessionThread;
use axum::{Json, extract::State, http::StatusCode};

use super::extract::{Body, Id};
use crate::{AppState, Error, Result, auth::Caller};

/// Longest name a thread may be given, in characters.
const LONGEST_NAME: usize = 200;

pub(super) const NO_AGENT: Error = Error::NotFound("This agent does not exist.");

/// Endpoint 1.
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

/// Endpoint 2.
pub(crate) async fn list(
    State(state): State<AppState>,
    caller: Caller,
    Id(agent_id): Id,
) -> Result<Json<Vec<SessionThread>>> {
    state.agents().get(&agent_id).ok_or(NO_AGENT)?;
    let threads = state.store().threads(&caller.user_id, &agent_id).await?;
    Ok(Json(threads.into_iter().map(Into::into).collect()))
}

/// Endpoint 3.
pub(crate) async fn rename(
    State(state): State<AppState>,
    caller: Caller,
    Id(id): Id,
    body: Body,
) -> Result<Json<SessionThread>> {
    let name = body.text("threadName")?;
    if name.chars().count() > LONGEST_NAME {
        return Err(Error::BadRequest(format!(
            "The name is longer than {LONGEST_NAME} characters."
        )));
    }
    let thread = state
        .store()
        .rename_thread(&caller.user_id, &id, name)
        .await?;
    Ok(Json(thread.into()))
}

/// Endpoint 4.
pub(crate) async fn delete(
    State(state): State<AppState>,
    caller: Caller,
    Id(id): Id,
) -> Result<StatusCode> {
    state.store().delete_thread(&caller.user_id, &id).await?;
    state.runs().thread_deleted(&id);
    Ok(StatusCode::NO_CONTENT)
}
