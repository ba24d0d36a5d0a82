//! The names and handles of agents as they are shown.

use assent_i18n::Texts;
use leptos::prelude::*;

use super::{
    escape_invisible::{passes_for, shown_name},
    strings,
};
use crate::store::Agent;

/// What is needed to show the names of agents in one widget. It is in the context of all
/// components.
#[derive(Clone, Copy)]
pub(super) struct AgentName {
    /// The agent of the open conversation.
    pub(super) agent: RwSignal<Agent>,
    /// The heading of the widget, which is shown as the agent's name while that is unknown.
    pub(super) heading: Signal<String>,
    pub(super) texts: Texts,
}

impl AgentName {
    /// Returns this widget's [`AgentName`] from the context.
    pub(super) fn from_context() -> Self {
        expect_context()
    }

    /// Returns the name to show for the author of a message that came with the name `name`;
    /// reactive.
    pub(super) fn name_for(self, name: &str) -> String {
        let name = self.agent.with(|agent| match (name, agent.name.as_str()) {
            (name, _) if !name.is_empty() && name != agent.handle => Some(shown_name(name)),
            (_, "") => None,
            (_, agent) => Some(shown_name(agent)),
        });
        match name {
            // No agent is shown with the name that the widget has for the user.
            Some(name) if passes_for(&name, self.texts.get(strings::YOU)) => {
                self.texts.fill(strings::AGENT_CALLED, &[("name", &name)])
            }
            Some(name) => name,
            None => self.heading.get(),
        }
    }

    /// Returns the handle to show for the author of a message that came with this name and this
    /// handle; reactive. A message that is streamed mostly comes without a handle: it gets that of
    /// the thread's agent, unless its name is that of another agent.
    pub(super) fn handle_for(self, name: &str, handle: &str) -> String {
        self.agent.with(|agent| match handle {
            "" if name.is_empty() || name == agent.name => shown_name(&agent.handle),
            own => shown_name(own),
        })
    }
}
