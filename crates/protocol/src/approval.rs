//! Requests for approval: as they are streamed, as they are stored, and as they are sent back with
//! a decision (specification, Resources and their fields, States and transitions).

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap};

#[cfg(feature = "openapi")]
use crate::openapi;
use crate::{
    BatchId, ExecutionId, FromJson, Json, RawApprovalRequest, Timestamp,
    json::{self, Object},
    wire_type::wire_type,
};

/// What was decided about one call: the values that the specification declares for
/// `ApprovalStatus`, and one for all others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ApprovalStatus {
    /// `PENDING_HUMAN_APPROVAL`: nothing was decided yet.
    #[default]
    Pending,
    /// `APPROVED`: the call was approved.
    Approved,
    /// `DENIED`: the call was denied.
    Denied,
    /// `ABORTED_WITH_FEEDBACK`: the batch was stopped, with feedback instead of decisions.
    /// `ABORTED`, as the integration guidance spells it, is read as this, too.
    Aborted,
    /// A status that the specification does not declare, as it was received.
    Other(String),
}

impl ApprovalStatus {
    /// Returns the status as the service spells it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Pending => "PENDING_HUMAN_APPROVAL",
            Self::Approved => "APPROVED",
            Self::Denied => "DENIED",
            Self::Aborted => "ABORTED_WITH_FEEDBACK",
            Self::Other(text) => text,
        }
    }
}

impl From<&str> for ApprovalStatus {
    fn from(text: &str) -> Self {
        match text {
            "PENDING_HUMAN_APPROVAL" | "" => Self::Pending,
            "APPROVED" => Self::Approved,
            "DENIED" => Self::Denied,
            "ABORTED_WITH_FEEDBACK" | "ABORTED" => Self::Aborted,
            other => Self::Other(other.to_owned()),
        }
    }
}

impl FromJson for ApprovalStatus {
    fn from_json(json: Json<'_>) -> Option<Self> {
        json.as_word().map(|text| Self::from(&*text))
    }
}

impl<'de> Deserialize<'de> for ApprovalStatus {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from).map(|text| Self::from(text.as_str()))
    }
}

impl Serialize for ApprovalStatus {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

wire_type! {
    /// A request for approval of one tool run, as it comes in a stream.
    // For reading; the text to answer with is [`RawApprovalRequest`].
    #[cfg_attr(feature = "openapi", schema(as = ToolApprovalRequest))]
    pub struct ApprovalRequest {
        /// Identifier of the tool.
        pub tool_id: String = "toolId",
        /// Display name of the tool.
        pub tool_name: String = "toolName",
        /// Provider of the tool.
        pub tool_provider: String = "toolProvider",
        /// Category of the tool.
        pub tool_category: String = "toolCategory",
        /// Identifier of this tool run.
        pub tool_execution_id: ExecutionId as String = "toolExecutionId",
        /// Identifier of the batch: the tool runs with the same one are decided in one post.
        pub tool_execution_batch_id: BatchId as String = "toolExecutionBatchId",
        /// Identifier that has to be sent back with the decision.
        pub tool_memory_id: String = "toolMemoryId",
        /// Names and values of the tool's arguments, in order of arrival.
        #[serde(serialize_with = "serialize_arguments")]
        pub tool_arguments: Vec<(String, String)> as BTreeMap<String, String> = "toolArguments",
        /// What was decided about this tool run.
        pub approval_result: ApprovalStatus = "approvalResult",
        /// The reason why a person is asked to decide; left out if there is none to tell.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub reason: String = "reason",
        /// What the tool does to the world, where the policy or the tool's server says it.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub effect: String as String { schema_with = openapi::effect_schema } = "effect",
        /// Who says what the tool does; left out together with `effect`.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub effect_source: String as String { schema_with = openapi::effect_source_schema }
            = "effectSource",
        /// True if the tool is new or was changed since it was last accepted; left out otherwise.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        pub definition_changed: bool = "definitionChanged",
        /// What the tool's server says of a tool that is new or was changed, by names such as
        /// `description` and `inputSchema`; left out otherwise, and if it is too long to be read.
        #[serde(
            serialize_with = "serialize_arguments",
            skip_serializing_if = "Vec::is_empty"
        )]
        pub definition: Vec<(String, String)> as BTreeMap<String, String> = "definition",
        /// What the tool's server said of the tool when it was last accepted, if that is known.
        #[serde(
            serialize_with = "serialize_arguments",
            skip_serializing_if = "Vec::is_empty"
        )]
        pub accepted_definition: Vec<(String, String)> as BTreeMap<String, String>
            = "acceptedDefinition",
        /// Extension `grants`: for what calls of this tool can be allowed beforehand with the decision,
        /// `thread` or `agent`; left out if they cannot.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub grant_scopes: Vec<String> = "grantScopes",
        /// Extension `grants`: the longest time for which they can be allowed, in seconds; left out
        /// together with `grantScopes`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub grant_max_seconds: Option<u64> as u64 = "grantMaxSeconds",
        /// Extension `expiry`: the time from which on no decision is taken any more, and nothing is done;
        /// left out if the request waits for ever.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub expires_at: Option<Timestamp> as String { format = DateTime } = "expiresAt",
        /// Extension `edited-arguments`: JSON pointers to the arguments that a person may change before
        /// approving, such as `/body`; left out if none may be changed.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub editable: Vec<String> = "editable",
        /// Extension `edited-arguments`: JSON schemas of these arguments, by pointer, each as a text; of
        /// those alone for which the tool has one that is not too long.
        #[serde(
            serialize_with = "serialize_arguments",
            skip_serializing_if = "Vec::is_empty"
        )]
        pub editable_schemas: Vec<(String, String)> as BTreeMap<String, String> = "editableSchemas",
    }
}

wire_type! {
    /// A request for approval of one tool run, as a stored message has it. Some names differ from
    /// those of the streamed request.
    pub struct StoredToolApproval {
        /// Identifier of the tool.
        pub tool_id: String = "toolId",
        /// Display name of the tool: `toolName` in the streamed request.
        pub name: String = "name",
        /// Provider of the tool: `toolProvider` in the streamed request.
        pub provider: String = "provider",
        /// Category of the tool: `toolCategory` in the streamed request.
        pub category: String = "category",
        /// Identifier of this tool run.
        pub tool_execution_id: ExecutionId as String = "toolExecutionId",
        /// Identifier of the batch: `toolExecutionBatchId` in the streamed request.
        pub execution_batch_id: BatchId as String = "executionBatchId",
        /// Names and values of the tool's arguments, in order of arrival.
        // `None` if the service does not tell them.
        #[serde(
            serialize_with = "serialize_told_arguments",
            skip_serializing_if = "Option::is_none"
        )]
        pub tool_arguments: Option<Vec<(String, String)>>
            as BTreeMap<String, String> { required = true } = "toolArguments",
        /// What was decided about this tool run: `approvalResult` in the streamed request.
        pub status: ApprovalStatus = "status",
        /// Extension `memory-id`: `toolMemoryId` of the streamed request, without which no decision
        /// can be sent for the stored one.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub tool_memory_id: Option<String> as String { required = true } = "toolMemoryId",
        /// The reason why a person is asked to decide; left out if there is none to tell.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub reason: String = "reason",
        /// What the tool does to the world, where the policy or the tool's server says it.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub effect: String as String { schema_with = openapi::effect_schema } = "effect",
        /// Who says what the tool does; left out together with `effect`.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub effect_source: String as String { schema_with = openapi::effect_source_schema }
            = "effectSource",
        /// True if the tool is new or was changed since it was last accepted; left out otherwise.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        pub definition_changed: bool = "definitionChanged",
        /// What the tool's server says of a tool that is new or was changed, by names such as
        /// `description` and `inputSchema`; left out otherwise, and if it is too long to be read.
        #[serde(
            serialize_with = "serialize_arguments",
            skip_serializing_if = "Vec::is_empty"
        )]
        pub definition: Vec<(String, String)> as BTreeMap<String, String> = "definition",
        /// What the tool's server said of the tool when it was last accepted, if that is known.
        #[serde(
            serialize_with = "serialize_arguments",
            skip_serializing_if = "Vec::is_empty"
        )]
        pub accepted_definition: Vec<(String, String)> as BTreeMap<String, String>
            = "acceptedDefinition",
        /// Extension `grants`: for what calls of this tool can be allowed beforehand with the decision,
        /// `thread` or `agent`; left out if they cannot.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub grant_scopes: Vec<String> = "grantScopes",
        /// Extension `grants`: the longest time for which they can be allowed, in seconds; left out
        /// together with `grantScopes`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub grant_max_seconds: Option<u64> as u64 = "grantMaxSeconds",
        /// Extension `expiry`: the time from which on no decision is taken any more, and nothing is done;
        /// left out if the request waits for ever.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub expires_at: Option<Timestamp> as String { format = DateTime } = "expiresAt",
        /// Extension `edited-arguments`: JSON pointers to the arguments that a person may change before
        /// approving, such as `/body`; left out if none may be changed.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub editable: Vec<String> = "editable",
        /// Extension `edited-arguments`: JSON schemas of these arguments, by pointer, each as a text; of
        /// those alone for which the tool has one that is not too long.
        #[serde(
            serialize_with = "serialize_arguments",
            skip_serializing_if = "Vec::is_empty"
        )]
        pub editable_schemas: Vec<(String, String)> as BTreeMap<String, String> = "editableSchemas",
        /// Extension `expiry`: `timeout` if no decision came in time; left out otherwise.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub decided_by: String = "decidedBy",
        /// Extension `edited-arguments`: the arguments that a person approved in place of
        /// `toolArguments`, all of them; left out if nothing was changed.
        #[serde(
            serialize_with = "serialize_arguments",
            skip_serializing_if = "Vec::is_empty"
        )]
        pub edited_arguments: Vec<(String, String)> as BTreeMap<String, String> = "editedArguments",
    }
    read whole
    /// The request in its streamed form, in which the decision is sent; `None` if the stored one
    /// lacks `toolMemoryId` or the arguments. Five members are renamed, and all values are the very
    /// text.
    pub request: Option<RawApprovalRequest> = request_of;
}

fn request_of(stored: &Object<'_>) -> Option<RawApprovalRequest> {
    stored.optional_text("toolMemoryId")?;
    stored.optional_text("toolArguments")?;
    let mut text = String::new();
    for (name, value) in stored.clone().members() {
        text.push(if text.is_empty() { '{' } else { ',' });
        text.push_str(&json::quote(match &*name {
            "name" => "toolName",
            "provider" => "toolProvider",
            "category" => "toolCategory",
            "executionBatchId" => "toolExecutionBatchId",
            "status" => "approvalResult",
            same => same,
        }));
        text.push(':');
        text.push_str(value.as_str());
    }
    text.push('}');
    Some(RawApprovalRequest(text))
}

/// Reads the arguments of a tool: an object whose order is kept, and whose values should be strings
/// but may be anything. What is no object becomes one argument without a name.
impl FromJson for Vec<(String, String)> {
    fn from_json(json: Json<'_>) -> Option<Self> {
        let Some(object) = json.object() else {
            return json.text().map(|whole| vec![(String::new(), whole)]);
        };
        let text_of = |json: Json<'_>| json.string().unwrap_or_else(|| json.as_str().to_owned());
        let members = object.members().into_iter();
        Some(
            members
                .map(|(name, value)| (name.into_owned(), text_of(value)))
                .collect(),
        )
    }
}

pub(crate) fn serialize_told_arguments<S: Serializer>(
    arguments: &Option<Vec<(String, String)>>,
    to: S,
) -> Result<S::Ok, S::Error> {
    serialize_arguments(arguments.as_deref().unwrap_or_default(), to)
}

fn serialize_arguments<S: Serializer>(
    arguments: &[(String, String)],
    to: S,
) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(arguments.len()))?;
    for (name, value) in arguments {
        map.serialize_entry(name, value)?;
    }
    map.end()
}
