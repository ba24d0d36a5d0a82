//! Extension `grants`: what a person has allowed beforehand.

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::{
    AgentId, FromJson, Json, Object, ThreadId, Timestamp,
    wire_type::{deserialize_from_json, wire_type},
};

wire_type! {
    /// Calls of one tool that a person has allowed beforehand.
    pub struct Grant {
        /// Identifier of the grant.
        pub id: String = "id" required,
        /// Identifier of the agent that may call the tool.
        pub agent_id: AgentId as String = "agentId",
        /// Name of the agent; left out if the agent is gone.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub agent_name: String = "agentName",
        /// Identifier of the tool, as requests for approval have it.
        pub tool_id: String = "toolId",
        /// Where the calls are allowed: `thread` or `agent`.
        pub scope: String = "scope",
        /// Identifier of the conversation, if they are allowed in one alone.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub thread_id: Option<ThreadId> as String = "threadId",
        /// The time from which on they are not allowed any more.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub until: Option<Timestamp> as String { format = DateTime } = "until",
        /// Conditions on arguments, by JSON pointer; all of them have to hold.
        pub when: GrantConditions = "when",
        /// The time at which the grant was given.
        pub granted_at: Timestamp as String { format = DateTime } = "grantedAt",
        /// The number of calls that ran because of the grant.
        pub uses: u64 = "uses",
    }
}

/// Conditions on the arguments of a call as the JSON text of an object, by JSON pointer: those of
/// `when` in the file of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = Object))]
pub struct GrantConditions(String);

impl GrantConditions {
    /// Returns the conditions in order, for people: the argument, and the value that it is compared
    /// with.
    #[must_use]
    pub fn to_read(&self) -> Vec<(String, String)> {
        let members = Json::new(&self.0).and_then(|json| Some(json.object()?.members()));
        let members = members.unwrap_or_default().into_iter();
        let name = |pointer: &str| {
            let name = pointer.strip_prefix('/').unwrap_or(pointer);
            name.replace("~1", "/").replace("~0", "~")
        };
        members
            .map(|(pointer, condition)| (name(&pointer), compared(condition)))
            .collect()
    }
}

/// Returns the innermost value of a condition such as `{"path": {"under": "/srv"}}`.
fn compared(condition: Json<'_>) -> String {
    let members = condition.object().map(Object::members);
    match members.as_deref() {
        Some([(_, inner), ..]) => compared(*inner),
        _ => condition
            .string()
            .unwrap_or_else(|| condition.as_str().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_by_people() {
        let when =
            r#"{"/a~1b":{"same":[1,"x"]},"/path":{"path":{"under":"/srv"}},"/n":{"over":5}}"#;
        let read = GrantConditions::from(when.to_owned()).to_read();
        let text = |(name, value): &(String, String)| format!("{name}={value}");
        let read: Vec<String> = read.iter().map(text).collect();
        assert_eq!(read, [r#"a/b=[1,"x"]"#, "path=/srv", "n=5"]);
        assert_eq!(GrantConditions::from("nothing".to_owned()).to_read(), []);
    }
}

impl Default for GrantConditions {
    fn default() -> Self {
        Self("{}".to_owned())
    }
}

impl From<String> for GrantConditions {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl FromJson for GrantConditions {
    fn from_json(json: Json<'_>) -> Option<Self> {
        json.object()?;
        Some(Self(json.as_str().to_owned()))
    }
}

deserialize_from_json!(GrantConditions);

impl Serialize for GrantConditions {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.clone())
            .map_err(serde::ser::Error::custom)?
            .serialize(to)
    }
}
