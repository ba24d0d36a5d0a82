//! Contributions of the agents of a collaboration to their common answer.

use assent_protocol::Words;

use crate::{Millis, Speaker};

/// A message of one agent that contributes to an answer of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The agent that wrote the contribution, and the collaboration that it is part of.
    pub speaker: Speaker,
    /// The agent's name; empty if the service does not say.
    pub agent: String,
    /// The agent's handle; empty if the service does not say.
    pub handle: String,
    /// The text; untrusted Markdown, like an answer.
    pub text: String,
    /// The paragraphs of the text that the service wrote itself, with the keys by which they are
    /// shown in the widget's language.
    pub words: Vec<Words>,
    /// The state of the contribution.
    pub state: ContributionState,
    /// The time at which the contribution was written, if it is known.
    pub time: Option<Millis>,
}

/// The state of a contribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContributionState {
    /// The contribution is being written.
    Writing,
    /// The contribution is complete.
    Whole,
    /// The stream ended before the contribution was complete.
    Short,
}

/// The collaboration of agents in a stream, as announced so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Collaboration {
    /// No collaboration was announced: each agent answers for itself.
    #[default]
    None,
    /// Agents contribute to an answer that is still to come.
    Contributing,
    /// The common answer has begun: whatever does not continue a contribution belongs to it.
    Unified,
    /// There will be no common answer: each contribution is an answer.
    Separate,
}
