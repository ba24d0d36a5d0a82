//! Tool approvals: as streamed, as stored, and as answered (specification, Resources and States).

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::{BatchId, ExecutionId, lenient, object::objects, raw_object};

/// `ApprovalStatus`, the declared enumeration and room for what the service may say beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ApprovalStatus {
    /// `PENDING_HUMAN_APPROVAL`.
    #[default]
    Pending,
    /// `APPROVED`.
    Approved,
    /// `DENIED`.
    Denied,
    /// `ABORTED_WITH_FEEDBACK`; the guidance's `ABORTED` is read as this too.
    Aborted,
    /// A status that is not declared.
    Other(String),
}

impl ApprovalStatus {
    /// The service's spelling.
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

impl<'de> Deserialize<'de> for ApprovalStatus {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        lenient::text(from).map(|text| Self::from(text.as_str()))
    }
}

impl Serialize for ApprovalStatus {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

/// What a `ToolApprovalRequest` says, for reading; the text to answer with is [`RawApprovalRequest`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalRequest {
    /// The tool.
    #[serde(default, deserialize_with = "lenient::text")]
    pub tool_id: String,
    /// Its display name.
    #[serde(default, deserialize_with = "lenient::text")]
    pub tool_name: String,
    /// Who provides it.
    #[serde(default, deserialize_with = "lenient::text")]
    pub tool_provider: String,
    /// Its category.
    #[serde(default, deserialize_with = "lenient::text")]
    pub tool_category: String,
    /// This run of the tool.
    pub tool_execution_id: ExecutionId,
    /// The batch it must be answered with.
    pub tool_execution_batch_id: BatchId,
    /// Echoed in the answer; absent from stored messages.
    #[serde(default, deserialize_with = "lenient::text")]
    pub tool_memory_id: String,
    /// Argument names and values, in the order they came.
    #[serde(default, with = "arguments")]
    pub tool_arguments: Vec<(String, String)>,
    /// A streamed sample carries `PENDING_HUMAN_APPROVAL`.
    #[serde(default)]
    pub approval_result: ApprovalStatus,
}

/// One streamed `ToolApprovalRequest`, kept as the JSON text it arrived as.
///
/// The answer echoes every field unchanged, also those never seen before (specification, `ToolApprovalResponse`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawApprovalRequest(String);

impl RawApprovalRequest {
    /// The text as it arrived.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The typed reading; `None` where the text is no object or names no execution or batch.
    ///
    /// Of a repeated field the last one counts.
    #[must_use]
    pub fn read(&self) -> Option<ApprovalRequest> {
        let members = raw_object::members(&self.0)?.into_iter();
        let values = members.filter_map(|(key, span)| {
            let value: &RawValue = serde_json::from_str(self.0.get(span)?).ok()?;
            Some((key, value))
        });
        let last: BTreeMap<_, _> = values.collect();
        let text = serde_json::to_string(&last).ok()?;
        let request: ApprovalRequest = serde_json::from_str(&text).ok()?;
        let named = !request.tool_execution_id.as_str().is_empty()
            && !request.tool_execution_batch_id.as_str().is_empty();
        named.then_some(request)
    }

    /// The same text with `approvalResult` set to `result` and every other byte unchanged.
    ///
    /// A request without that field gets it as its last one; text that is no object is returned as it is.
    #[must_use]
    pub fn answered(&self, result: &ApprovalStatus) -> Self {
        let Some(members) = raw_object::members(&self.0) else {
            return self.clone();
        };
        // Writing a string as JSON has no way to fail.
        let value = serde_json::to_string(result).unwrap_or_default();
        let mut text = self.0.clone();
        let spans: Vec<_> = members
            .iter()
            .filter(|(key, _)| key == "approvalResult")
            .map(|(_, span)| span.clone())
            .collect();
        for span in spans.iter().rev() {
            text.replace_range(span.clone(), &value);
        }
        if spans.is_empty() {
            let end = text.rfind('}').unwrap_or(text.len());
            let comma = if members.is_empty() { "" } else { "," };
            text.insert_str(end, &format!("{comma}\"approvalResult\":{value}"));
        }
        Self(text)
    }
}

impl From<&ApprovalRequest> for RawApprovalRequest {
    fn from(request: &ApprovalRequest) -> Self {
        // Writing strings and string maps to JSON text has no way to fail.
        Self(serde_json::to_string(request).unwrap_or_default())
    }
}

impl<'de> Deserialize<'de> for RawApprovalRequest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(from).map(|raw| Self(raw.get().to_owned()))
    }
}

impl Serialize for RawApprovalRequest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.clone())
            .map_err(serde::ser::Error::custom)?
            .serialize(to)
    }
}

/// `StoredToolApproval`: five fields are named otherwise than in the streamed request, and `toolMemoryId` is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct StoredToolApproval {
    /// The tool.
    #[serde(default, deserialize_with = "lenient::text")]
    pub tool_id: String,
    /// `toolName` in the streamed request.
    #[serde(default, deserialize_with = "lenient::text")]
    pub name: String,
    /// `toolProvider` in the streamed request.
    #[serde(default, deserialize_with = "lenient::text")]
    pub provider: String,
    /// `toolCategory` in the streamed request.
    #[serde(default, deserialize_with = "lenient::text")]
    pub category: String,
    /// This run of the tool.
    #[serde(default)]
    pub tool_execution_id: ExecutionId,
    /// `toolExecutionBatchId` in the streamed request.
    #[serde(default)]
    pub execution_batch_id: BatchId,
    /// Argument names and values, in the order they came.
    #[serde(default, with = "arguments")]
    pub tool_arguments: Vec<(String, String)>,
    /// `approvalResult` in the streamed request.
    #[serde(default)]
    pub status: ApprovalStatus,
}

objects!(StoredToolApproval);

/// Tool arguments: an object whose order is worth keeping and whose values should be strings but may be anything.
mod arguments {
    use serde::{Deserializer, Serializer, de::IgnoredAny, ser::SerializeMap};
    use serde_json::value::RawValue;

    use crate::raw_object;

    pub(super) fn serialize<S: Serializer>(
        arguments: &[(String, String)],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(arguments.len()))?;
        for (name, value) in arguments {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<(String, String)>, D::Error> {
        let raw: Box<RawValue> = serde::Deserialize::deserialize(from)?;
        let text = raw.get();
        let value_of = |span| {
            let value = text.get(span).unwrap_or_default();
            serde_json::from_str::<String>(value).unwrap_or_else(|_| value.to_owned())
        };
        Ok(match raw_object::members(text) {
            Some(members) => members
                .into_iter()
                .map(|(name, span)| (name.into_owned(), value_of(span)))
                .collect(),
            None if serde_json::from_str::<Option<IgnoredAny>>(text).is_ok_and(|v| v.is_none()) => {
                Vec::new()
            }
            None => vec![(String::new(), value_of(0..text.len()))],
        })
    }
}
