//! Requests for approval: as they are streamed, as they are stored, and as they are sent back with
//! a decision (specification, Resources and their fields, States and transitions).

use std::ops::Range;

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap};
use serde_json::value::RawValue;

#[cfg(feature = "openapi")]
use crate::openapi;
use crate::{
    BatchId, ExecutionId, FromJson, Json, Timestamp,
    json::{self, Object},
    wire_type::{deserialize_from_json, wire_type},
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
    }
}

/// One request for approval, kept as the JSON text in which it arrived.
///
/// The decision is sent as the same text with one field changed, unknown fields included
/// (specification, `ToolApprovalResponse`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawApprovalRequest(String);

impl RawApprovalRequest {
    /// Returns the JSON text of the request.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the fields of the request; `None` if the text is no object, or names no tool run or
    /// no batch.
    ///
    /// The last of repeated fields counts.
    #[must_use]
    pub fn read(&self) -> Option<ApprovalRequest> {
        let request: ApprovalRequest = json::read(&self.0)?;
        let named = !request.tool_execution_id.as_str().is_empty()
            && !request.tool_execution_batch_id.as_str().is_empty();
        named.then_some(request)
    }

    /// Returns the request with `approvalResult` set to `result`, the decision, and every other
    /// byte unchanged.
    ///
    /// A request without that field gets it as its last one; text that is no object is returned as
    /// it is.
    #[must_use]
    pub fn answered(&self, result: &ApprovalStatus) -> Self {
        self.with_member("approvalResult", &json::quote(result.as_str()))
    }

    /// Returns the request with `acceptDefinition` of the extension set to `definition`: true if
    /// the person accepts the tool as it is defined now, false if this call alone is approved.
    #[must_use]
    pub fn with_acceptance(&self, definition: bool) -> Self {
        self.with_member("acceptDefinition", &definition.to_string())
    }

    /// Returns the request with `grant` of the extension `grants` set to this JSON: what the person
    /// allows beforehand.
    #[must_use]
    pub fn with_grant(&self, grant: &str) -> Self {
        self.with_member("grant", grant)
    }

    /// Returns the request with its member `name` set to `value`, which is JSON; a missing member
    /// is added.
    fn with_member(&self, name: &str, value: &str) -> Self {
        let Some(members) = self.members() else {
            return self.clone();
        };
        let mut text = self.0.clone();
        let spans: Vec<_> = members
            .iter()
            .filter(|(key, _)| key == name)
            .map(|(_, span)| span.clone())
            .collect();
        for span in spans.iter().rev() {
            text.replace_range(span.clone(), value);
        }
        if spans.is_empty() {
            let end = text.rfind('}').unwrap_or(text.len());
            let comma = if members.is_empty() { "" } else { "," };
            text.insert_str(end, &[comma, "\"", name, "\":", value].concat());
        }
        Self(text)
    }

    /// Returns the members of the object in order, each with the byte range of its value; `None` if
    /// the text is no object.
    ///
    /// The text itself is edited: serializing it anew would lose number spelling, escapes and
    /// repeated members.
    pub(crate) fn members(&self) -> Option<Vec<(String, Range<usize>)>> {
        let start = self.0.as_ptr() as usize;
        let range = |value: Json<'_>| {
            let at = value.as_str().as_ptr() as usize - start;
            at..at + value.as_str().len()
        };
        let members = Json::new(&self.0)?.object()?.members();
        let spans = members
            .into_iter()
            .map(|(key, value)| (key.into_owned(), range(value)));
        Some(spans.collect())
    }
}

impl From<&ApprovalRequest> for RawApprovalRequest {
    fn from(request: &ApprovalRequest) -> Self {
        // Serializing strings and string maps cannot fail.
        Self(serde_json::to_string(request).unwrap_or_default())
    }
}

impl FromJson for RawApprovalRequest {
    fn from_json(json: Json<'_>) -> Option<Self> {
        Some(Self(json.as_str().to_owned()))
    }
}

deserialize_from_json!(RawApprovalRequest);

impl Serialize for RawApprovalRequest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.clone())
            .map_err(serde::ser::Error::custom)?
            .serialize(to)
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
        /// Extension `expiry`: `timeout` if no decision came in time; left out otherwise.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub decided_by: String = "decidedBy",
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
