//! Bodies of the responses to requests that failed (specification, Errors): one type that the
//! widget reads all of them as, and one for each shape that the service sends.

use serde::Serialize;

#[cfg(feature = "openapi")]
use crate::ApprovalStatus;
use crate::{BatchId, ExecutionId, wire_type::wire_type};

wire_type! {
    /// The body of any response to a request that failed, as the widget reads it. Each part may be
    /// missing, so that any JSON object can be read as one.
    pub struct ErrorBody {
        /// What went wrong, as a sentence for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub message: Option<String> = "message",
        /// A short form of `message`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub error: Option<String> = "error",
        /// Of an answer to a batch that was refused, first shape: what is wrong with each tool run.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub details: Option<ErrorDetails> = "details",
        /// Of an answer to a batch that was refused, second shape: the batch.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub batch_id: Option<BatchId> as Option<String> = "batchId",
        /// Of an answer to a batch that was refused, second shape as it is described first: the
        /// statuses that cannot be sent together.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub conflicting_states: Vec<String> = "conflictingStates",
        /// Of an answer to a batch that was refused, second shape as it is described second: the
        /// status that was sent for each tool run.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub invalid_states: Vec<InvalidState> = "invalidStates",
    }
}

wire_type! {
    /// What is wrong with an answer to a batch that was refused.
    #[cfg_attr(feature = "openapi", schema(as = RejectedDetails))]
    pub struct ErrorDetails {
        /// The batch that the refused answer decides about.
        pub batch_id: BatchId as String = "batchId",
        /// One entry for each thing that is wrong.
        pub issues: Vec<Issue> = "issues",
    }
}

wire_type! {
    /// What is wrong with the decision about one tool run.
    pub struct Issue {
        /// The tool run that the decision is about.
        pub tool_execution_id: ExecutionId as String = "toolExecutionId",
        /// What is wrong, as a sentence or a code.
        pub error: String = "error",
    }
}

wire_type! {
    /// One tool run, and the status that was sent for it.
    pub struct InvalidState {
        /// Identifier of the tool run.
        pub tool_execution_id: ExecutionId as String = "toolExecutionId",
        /// The status of the tool run in the rejected answer.
        pub state: String as ApprovalStatus = "state",
    }
}

wire_type! {
    /// The body of the response to a request that failed for any other reason.
    #[cfg_attr(feature = "openapi", schema(as = Error))]
    #[cfg_attr(feature = "openapi", serde(deny_unknown_fields))]
    pub struct Failure {
        /// What went wrong, as a sentence for people.
        pub message: String = "message",
        /// A short form of `message`.
        pub error: String = "error",
    }
}

wire_type! {
    /// The body of the response to an answer to a batch that cannot be read or does not fit the
    /// requests.
    pub struct RejectedForm {
        /// What went wrong, as a sentence for people.
        pub message: String = "message",
        /// A short form of `message`.
        pub error: String = "error",
        /// What is wrong with the decision about each tool run.
        pub details: ErrorDetails = "details",
    }
}

wire_type! {
    /// The body of the response to an answer to a batch that stops some tool runs with feedback and
    /// decides about others.
    pub struct RejectedMix {
        /// What went wrong, as a sentence for people.
        pub message: String = "message",
        /// A short form of `message`.
        pub error: String = "error",
        /// The batch that the refused answer decides about.
        pub batch_id: BatchId as String = "batchId",
        /// The statuses that cannot be sent together, each once.
        pub conflicting_states: Vec<String> as Vec<ApprovalStatus> = "conflictingStates",
        /// The status that was sent for each tool run.
        pub invalid_states: Vec<InvalidState> = "invalidStates",
    }
}

/// The body of the response to a post that was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum BadPost {
    /// The form of an answer to a batch is wrong, or it does not fit the requests.
    Form(RejectedForm),
    /// Some tool runs of a batch are stopped, others are not.
    Mix(RejectedMix),
    /// The post was refused for any other reason.
    Other(Failure),
}

impl ErrorBody {
    /// Returns the message to show to a person; `None` if the body has none.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        [&self.message, &self.error]
            .into_iter()
            .flatten()
            .map(|text| text.trim())
            .find(|t| !t.is_empty())
    }
}
