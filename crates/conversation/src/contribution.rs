//! What one agent of a collaboration says on the way to the answer that the agents give together.

use crate::{Millis, Speaker};

/// What one agent said for an answer that is not its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// Whose it is, and in which collaboration.
    pub speaker: Speaker,
    /// The agent's name; empty where the service does not say.
    pub agent: String,
    /// The agent's handle; empty where the service does not say.
    pub handle: String,
    /// The text; Markdown and hostile input, like an answer.
    pub text: String,
    /// Where it stands.
    pub state: ContributionState,
    /// When it was written.
    pub time: Option<Millis>,
}

/// Where a contribution stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContributionState {
    /// It is being written.
    Writing,
    /// It is whole.
    Whole,
    /// The stream ended before it was whole.
    Short,
}

/// What a stream told about the agents that work together in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Collaboration {
    /// Nothing: everybody speaks for themselves.
    #[default]
    None,
    /// Agents contribute to an answer that is still to come.
    Contributing,
    /// The answer that they give together has begun: it is what no contribution was begun for.
    Unified,
    /// There will be none: each contribution is an answer.
    Separate,
}
