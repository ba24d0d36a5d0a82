//! Profiles of agents.

use assent_protocol::{Agent, AgentId};
use serde::{Deserialize, Serialize};

/// An agent as clients see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// `<agent_id>`.
    #[serde(default)]
    pub id: String,
    /// Display name.
    pub name: String,
    /// Name with a leading `@`.
    pub handle: String,
    /// `<build_id>`.
    pub build_id: String,
    /// Kind of build.
    pub build_type: String,
}

impl Profile {
    /// Returns the form that an event carries.
    #[must_use]
    pub fn in_event(&self) -> Agent {
        Agent {
            name: self.name.clone(),
            id: AgentId::from(self.id.as_str()),
            build_id: Some(self.build_id.clone()),
            build_type: self.build_type.clone(),
            handle: self.handle.clone(),
        }
    }
}
