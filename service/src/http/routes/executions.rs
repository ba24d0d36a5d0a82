//! The extension `executions`: what became of one run of a tool, for whoever asks later.

use assent_protocol::{Failure, ToolExecution};
use axum::{Json, extract::State};

use super::{auth::Caller, extract::PathParameter};
use crate::{AppState, Error, Result};

const NO_EXECUTION: Error = Error::NotFound("There is no such run of a tool.");

/// Read what became of one run of a tool: each step with its time, its hash, and who or what decided.
#[utoipa::path(
    get,
    path = "/api/assistants/executions/{toolExecutionId}",
    operation_id = "readExecution",
    tag = "executions",
    params(("toolExecutionId" = String, Path, description = "The id of the tool run.")),
    responses(
        Caller,
        (status = 200, description = "The tool run.", body = ToolExecution),
        (
            status = 404,
            description = "The user has no such tool run, or has deleted its thread.",
            body = Failure,
        ),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn read(
    State(state): State<AppState>,
    caller: Caller,
    PathParameter(id): PathParameter,
) -> Result<Json<ToolExecution>> {
    let known = state.store().execution(&caller.user_id, &id).await?;
    let known = known.ok_or(NO_EXECUTION)?;
    Ok(Json(ToolExecution {
        steps: known.steps(),
        tool_execution_id: known.id.as_str().into(),
        tool_id: known.tool,
        thread_id: known.thread_id.as_str().into(),
        agent_id: known.agent_id.as_str().into(),
    }))
}
