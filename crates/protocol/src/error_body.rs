//! Bodies of failed responses (specification, Errors).

use serde::Serialize;

use crate::{BatchId, ExecutionId, FromJson, Json, json::deserialize_from_json};

/// Any error body of the service; each part may be missing, and any JSON object can be read as one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// The message for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The short form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// First approval shape: the error of each tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<ErrorDetails>,
    /// Second approval shape: the batch in conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_id: Option<BatchId>,
    /// Second approval shape, first description: the statuses in conflict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicting_states: Vec<String>,
    /// Second approval shape, second description: the status of each tool.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invalid_states: Vec<InvalidState>,
}

/// `details` of the first approval shape.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetails {
    /// The batch that was answered.
    pub batch_id: BatchId,
    /// One entry for each error.
    pub issues: Vec<Issue>,
}

/// One error of an approval answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Issue {
    /// The tool run concerned.
    pub tool_execution_id: ExecutionId,
    /// The error.
    pub error: String,
}

/// One tool run and the status that was sent for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InvalidState {
    /// The tool run.
    pub tool_execution_id: ExecutionId,
    /// Its status in the rejected answer.
    pub state: String,
}

deserialize_from_json!(ErrorBody);

impl FromJson for ErrorBody {
    fn from_json(json: Json<'_>) -> Option<Self> {
        let object = json.object()?;
        Some(Self {
            message: object.optional_text("message"),
            error: object.optional_text("error"),
            details: object.value("details"),
            batch_id: object.optional_text("batchId").map(BatchId),
            conflicting_states: object.list("conflictingStates"),
            invalid_states: object.list("invalidStates"),
        })
    }
}

impl FromJson for ErrorDetails {
    fn from_json(json: Json<'_>) -> Option<Self> {
        let object = json.object()?;
        Some(Self {
            batch_id: BatchId(object.text("batchId")),
            issues: object.list("issues"),
        })
    }
}

impl FromJson for Issue {
    fn from_json(json: Json<'_>) -> Option<Self> {
        let object = json.object()?;
        Some(Self {
            tool_execution_id: ExecutionId(object.text("toolExecutionId")),
            error: object.text("error"),
        })
    }
}

impl FromJson for InvalidState {
    fn from_json(json: Json<'_>) -> Option<Self> {
        let object = json.object()?;
        Some(Self {
            tool_execution_id: ExecutionId(object.text("toolExecutionId")),
            state: object.text("state"),
        })
    }
}

impl ErrorBody {
    /// Returns the message to show, if the body has one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        [&self.message, &self.error]
            .into_iter()
            .flatten()
            .map(|text| text.trim())
            .find(|t| !t.is_empty())
    }
}
