//! The extension `grants`: what a person has allowed beforehand, to look at and to take back. It is
//! given with an approval, in the answer to the request.

use assent_protocol::{Failure, Grant, Timestamp};
use axum::{Json, extract::State, http::StatusCode};

use super::{auth::Caller, extract::PathParameter};
use crate::{AppState, Error, Result, store::OwnedGrant};

const NO_GRANT: Error = Error::NotFound("Nothing is allowed under this id any more.");

/// List what the user has allowed beforehand.
#[utoipa::path(
    get,
    path = "/api/assistants/grants",
    operation_id = "listGrants",
    tag = "grants",
    responses(
        Caller,
        (status = 200, description = "What is allowed now, newest first.", body = Vec<Grant>),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<Vec<Grant>>> {
    let grants = state.store().grants_of_user(&caller.user_id).await?;
    let told = |grant| tell(&state, grant);
    Ok(Json(grants.into_iter().map(told).collect()))
}

/// Stop allowing calls. Those that run go on; none begins any more.
#[utoipa::path(
    delete,
    path = "/api/assistants/grants/{id}",
    operation_id = "endGrant",
    tag = "grants",
    params(("id" = String, Path, description = "The grant's id.")),
    responses(
        Caller,
        (status = 204, description = "A person is asked about such calls again."),
        (
            status = 404,
            description = "The user has no such grant, or it has ended.",
            body = Failure,
        ),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn end(
    State(state): State<AppState>,
    caller: Caller,
    PathParameter(id): PathParameter,
) -> Result<StatusCode> {
    match state.store().end_grant(&caller.user_id, &id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(NO_GRANT),
    }
}

fn tell(state: &AppState, grant: OwnedGrant) -> Grant {
    let agents = state.agents();
    let agent = agents.get(&grant.agent_id);
    Grant {
        id: grant.id,
        agent_name: agent.map_or_else(String::new, |it| it.profile().name.clone()),
        agent_id: grant.agent_id.as_str().into(),
        tool_id: grant.tool,
        scope: match grant.thread_id {
            Some(_) => "thread",
            None => "agent",
        }
        .to_owned(),
        thread_id: grant.thread_id.map(|it| it.as_str().into()),
        until: grant.until.map(Timestamp),
        when: grant.arguments.into(),
        granted_at: Timestamp(grant.granted_at),
        uses: u64::try_from(grant.uses).unwrap_or_default(),
    }
}
