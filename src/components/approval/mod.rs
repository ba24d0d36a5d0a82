//! The approval card: the tool runs that an agent requests, argument by argument, and the one
//! answer that a person gives.

mod card;
mod choice;
mod decisions;
mod drawing;
mod feedback;
mod focus;
mod guard;
mod shown;
mod stage;
mod state;
mod tool;

pub(super) use card::ApprovalCard;
pub(super) use focus::go_to_request;
