//! The approval card: what an agent wants to do, argument by argument, and the one answer that a
//! person gives.

mod card;
mod choice;
mod decisions;
mod drawing;
mod feedback;
mod shown;
mod stage;
mod tool;

pub(super) use card::ApprovalCard;
