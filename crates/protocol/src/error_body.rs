//! Bodies of failed responses (specification, Errors).

use crate::{BatchId, ExecutionId, wire_type::wire_type};

wire_type! {
    /// Any error body of the service; each part may be missing, and any JSON object can be read as
    /// one.
    pub struct ErrorBody {
        /// The message for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub message: Option<String> = "message",
        /// The short form.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub error: Option<String> = "error",
        /// First approval shape: the error of each tool.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub details: Option<ErrorDetails> = "details",
        /// Second approval shape: the batch in conflict.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub batch_id: Option<BatchId> = "batchId",
        /// Second approval shape, first description: the statuses in conflict.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub conflicting_states: Vec<String> = "conflictingStates",
        /// Second approval shape, second description: the status of each tool.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub invalid_states: Vec<InvalidState> = "invalidStates",
    }
}

wire_type! {
    /// `details` of the first approval shape.
    pub struct ErrorDetails {
        /// The batch that was answered.
        pub batch_id: BatchId = "batchId",
        /// One entry for each error.
        pub issues: Vec<Issue> = "issues",
    }
}

wire_type! {
    /// One error of an approval answer.
    pub struct Issue {
        /// The tool run concerned.
        pub tool_execution_id: ExecutionId = "toolExecutionId",
        /// The error.
        pub error: String = "error",
    }
}

wire_type! {
    /// One tool run and the status that was sent for it.
    pub struct InvalidState {
        /// The tool run.
        pub tool_execution_id: ExecutionId = "toolExecutionId",
        /// Its status in the rejected answer.
        pub state: String = "state",
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
