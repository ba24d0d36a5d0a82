//! What happens next.

use crate::{Change, Command, Input, Millis, State};

/// What a step leads to, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// What looks different.
    pub changes: Vec<Change>,
    /// What is to be done.
    pub commands: Vec<Command>,
}

/// Takes one input. `now` is the time at which it happened.
pub fn step(_state: &mut State, _input: Input, _now: Millis) -> Output {
    Output::default()
}
