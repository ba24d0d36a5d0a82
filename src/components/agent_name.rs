//! The displayed name and handle of an agent.

use leptos::prelude::*;

use crate::store::Agent;

/// The names of the agents of a widget. It is in the context of all components.
#[derive(Clone, Copy)]
pub(super) struct AgentName {
    /// The agent of the conversation.
    pub(super) agent: RwSignal<Agent>,
    /// The heading while the name is unknown.
    pub(super) heading: Signal<String>,
}

impl AgentName {
    /// Returns that of this widget.
    pub(super) fn from_context() -> Self {
        expect_context()
    }

    /// Returns the name to show, from the one that came with a message; reactive.
    pub(super) fn of(self, name: &str) -> String {
        self.agent.with(|agent| match (name, agent.name.as_str()) {
            (name, _) if !name.is_empty() && name != agent.handle => name.to_owned(),
            (_, "") => self.heading.get(),
            (_, agent) => agent.to_owned(),
        })
    }

    /// Returns the handle of who said a message, from the name and the handle that came with it;
    /// reactive. Stored messages have their own, and events seldom do: the thread's agent is known.
    pub(super) fn handle_of(self, name: &str, handle: &str) -> String {
        self.agent.with(|agent| match handle {
            "" if name.is_empty() || name == agent.name => agent.handle.clone(),
            own => own.to_owned(),
        })
    }
}
