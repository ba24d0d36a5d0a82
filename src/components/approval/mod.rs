//! The approval card: the tool runs that an agent requests, argument by argument, and the one
//! answer that a person gives.

mod card;
mod choice;
mod decisions;
mod drawing;
mod feedback;
mod focus;
mod guard;
mod lazy_card;
mod shown;
mod stage;
mod state;
mod tool;
mod try_again;

pub(super) use focus::focus_request;
pub(super) use lazy_card::LazyCard;
#[cfg(feature = "split")]
pub use lazy_card::link_cards;
