//! What an agent is called.

use leptos::prelude::*;

use crate::store::Agent;

/// What the agents of a widget are called. It is in the context of all components.
#[derive(Clone, Copy)]
pub(super) struct AgentName {
    /// Whom the person talks to.
    pub(super) agent: RwSignal<Agent>,
    /// What is said while nobody knows a name.
    pub(super) heading: Signal<String>,
}

impl AgentName {
    /// That of this widget.
    pub(super) fn from_context() -> Self {
        expect_context()
    }

    /// The name to show, from the one that came with a message; followed.
    pub(super) fn of(self, name: &str) -> String {
        self.agent.with(|agent| match (name, agent.name.as_str()) {
            (name, _) if !name.is_empty() && name != agent.handle => name.to_owned(),
            (_, "") => self.heading.get(),
            (_, agent) => agent.to_owned(),
        })
    }
}
