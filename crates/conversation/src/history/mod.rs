//! The stored messages of a conversation: loads, and the look-up of open outcomes.

mod loads;
mod lookup;
