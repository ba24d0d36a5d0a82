//! A request for approval as the text in which it arrived, and with which the decision is sent.

use std::ops::Range;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::{
    ApprovalRequest, ApprovalStatus, FromJson, Json, json, wire_type::deserialize_from_json,
};

/// One request for approval, kept as the JSON text in which it arrived.
///
/// The decision is sent as the same text with one field changed, unknown fields included
/// (specification, `ToolApprovalResponse`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawApprovalRequest(pub(crate) String);

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

    /// Returns the request with `editedArguments` of the extension `edited-arguments` set to this JSON
    /// object: all arguments of the call, as the person wants it to run.
    #[must_use]
    pub fn with_edits(&self, arguments: &str) -> Self {
        self.with_member("editedArguments", arguments)
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
