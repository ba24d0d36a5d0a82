//! Bodies of failed responses (specification, Errors): one type that reads any of them, and one for
//! each shape that is sent.

use serde::Serialize;

#[cfg(feature = "openapi")]
use crate::ApprovalStatus;
use crate::{BatchId, ExecutionId, wire_type::wire_type};

wire_type! {
    /// Any error body of the service, as it is read; each part may be missing, and any JSON object
    /// can be read as one.
    pub struct ErrorBody {
        /// The message for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub message: Option<String> = "message",
        /// A short form of the message.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub error: Option<String> = "error",
        /// Faults of an approval answer, first shape: the error of each tool.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub details: Option<ErrorDetails> = "details",
        /// Faults of an approval answer, second shape: the batch in conflict.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub batch_id: Option<BatchId> as Option<String> = "batchId",
        /// Faults of an approval answer, second shape as it is described first: the statuses in
        /// conflict.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub conflicting_states: Vec<String> = "conflictingStates",
        /// Faults of an approval answer, second shape as it is described second: the status of each
        /// tool.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub invalid_states: Vec<InvalidState> = "invalidStates",
    }
}

wire_type! {
    /// The faults of an approval answer.
    #[cfg_attr(feature = "openapi", schema(as = RejectedDetails))]
    pub struct ErrorDetails {
        /// The batch that was answered.
        pub batch_id: BatchId as String = "batchId",
        /// One entry for each error.
        pub issues: Vec<Issue> = "issues",
    }
}

wire_type! {
    /// One error of an approval answer.
    pub struct Issue {
        /// The tool run concerned.
        pub tool_execution_id: ExecutionId as String = "toolExecutionId",
        /// The error.
        pub error: String = "error",
    }
}

wire_type! {
    /// One tool run, and the status that was sent for it.
    pub struct InvalidState {
        /// The tool run.
        pub tool_execution_id: ExecutionId as String = "toolExecutionId",
        /// The status of the tool run in the rejected answer.
        pub state: String as ApprovalStatus = "state",
    }
}

wire_type! {
    /// A failed request.
    #[cfg_attr(feature = "openapi", schema(as = Error))]
    #[cfg_attr(feature = "openapi", serde(deny_unknown_fields))]
    pub struct Failure {
        /// A sentence for people.
        pub message: String = "message",
        /// A short form of the message.
        pub error: String = "error",
    }
}

wire_type! {
    /// An approval answer that cannot be read or does not fit the requests.
    pub struct RejectedForm {
        /// A sentence for people.
        pub message: String = "message",
        /// The same in short.
        pub error: String = "error",
        /// The error of each tool.
        pub details: ErrorDetails = "details",
    }
}

wire_type! {
    /// An approval answer that stops some tools of a batch and decides about others.
    pub struct RejectedMix {
        /// A sentence for people.
        pub message: String = "message",
        /// The same in short.
        pub error: String = "error",
        /// The batch that was answered.
        pub batch_id: BatchId as String = "batchId",
        /// The statuses in conflict, each once.
        pub conflicting_states: Vec<String> as Vec<ApprovalStatus> = "conflictingStates",
        /// The status of each tool.
        pub invalid_states: Vec<InvalidState> = "invalidStates",
    }
}

/// The body of a refused post.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum BadPost {
    /// The form of an approval answer is wrong, or it does not fit the request.
    Form(RejectedForm),
    /// Some tools of a batch are stopped, others are not.
    Mix(RejectedMix),
    /// Any other reason.
    Other(Failure),
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
