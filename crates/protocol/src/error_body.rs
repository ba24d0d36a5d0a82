//! Bodies of failed responses (specification, Errors).

use serde::{Deserialize, Serialize};

use crate::{BatchId, ExecutionId, lenient, object::objects};

/// Any error body of the service; each part may be missing, and any JSON object can be read as one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ErrorBody {
    /// The sentence for people.
    #[serde(
        default,
        deserialize_with = "lenient::optional_text",
        skip_serializing_if = "Option::is_none"
    )]
    pub message: Option<String>,
    /// The short form.
    #[serde(
        default,
        deserialize_with = "lenient::optional_text",
        skip_serializing_if = "Option::is_none"
    )]
    pub error: Option<String>,
    /// First approval shape: what is wrong with which tool.
    #[serde(
        default,
        deserialize_with = "lenient::or_default",
        skip_serializing_if = "Option::is_none"
    )]
    pub details: Option<ErrorDetails>,
    /// Second approval shape: the batch in conflict.
    #[serde(
        default,
        deserialize_with = "lenient::or_default",
        skip_serializing_if = "Option::is_none"
    )]
    pub batch_id: Option<BatchId>,
    /// Second approval shape, first description: the statuses that do not go together.
    #[serde(
        default,
        deserialize_with = "lenient::list",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub conflicting_states: Vec<String>,
    /// Second approval shape, second description: the status of each tool.
    #[serde(
        default,
        deserialize_with = "lenient::list",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub invalid_states: Vec<InvalidState>,
}

/// `details` of the first approval shape.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ErrorDetails {
    /// The batch that was answered.
    #[serde(default)]
    pub batch_id: BatchId,
    /// One entry for each fault.
    #[serde(default, deserialize_with = "lenient::list")]
    pub issues: Vec<Issue>,
}

/// One fault of an approval answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Issue {
    /// The tool run it is about.
    #[serde(default)]
    pub tool_execution_id: ExecutionId,
    /// What is wrong.
    #[serde(default, deserialize_with = "lenient::text")]
    pub error: String,
}

/// One tool run and the status that was sent for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct InvalidState {
    /// The tool run.
    #[serde(default)]
    pub tool_execution_id: ExecutionId,
    /// Its status in the rejected answer.
    #[serde(default, deserialize_with = "lenient::text")]
    pub state: String,
}

objects!(ErrorBody, ErrorDetails, Issue, InvalidState);

impl ErrorBody {
    /// The sentence to show, where the body holds one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        [&self.message, &self.error]
            .into_iter()
            .flatten()
            .map(|text| text.trim())
            .find(|t| !t.is_empty())
    }
}
