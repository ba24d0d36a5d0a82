//! Profiles of agents.

use assent_protocol::{Agent, AgentId};
use serde::{Deserialize, Serialize};

/// An agent as clients see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The agent's id, which the specification calls `<agent_id>`.
    #[serde(default)]
    pub id: String,
    /// The agent's name as people see it.
    pub name: String,
    /// The agent's name with a leading `@`.
    pub handle: String,
    /// The id of the agent's build, `<build_id>`.
    pub build_id: String,
    /// The kind of the agent's build.
    pub build_type: String,
}

impl Profile {
    /// Returns the profile in the form that an event carries.
    #[must_use]
    pub fn event_agent(&self) -> Agent {
        Agent {
            name: self.name.clone(),
            id: AgentId::from(self.id.as_str()),
            build_id: Some(self.build_id.clone()),
            build_type: self.build_type.clone(),
            handle: self.handle.clone(),
        }
    }
}
