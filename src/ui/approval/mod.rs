//! The approval card: what an agent wants to do, argument by argument, and the one answer that a person gives.

mod argument;
mod card;
mod change;
mod choice;
mod decisions;
mod feedback;
mod host;
mod inspected;
mod stage;
mod tool;

pub(super) use card::approval_card;
pub(super) use inspected::{inspected, spelled};
