//! The approval card: the tool runs that need approval, argument by argument, and the decisions
//! that a person sends in one answer.

mod card;
mod choice;
mod decisions;
mod drawing;
mod feedback;
pub(super) mod focus;
mod guard;
mod lazy_card;
mod shown;
pub(super) mod stage;
pub(super) mod state;
mod tool;
mod try_again;
mod waiting;
mod window_focus;

pub(super) use focus::focus_request;
#[cfg(feature = "split")]
pub use lazy_card::link_approval;
pub(super) use lazy_card::{LazyCard, ask};
pub(super) use waiting::WantedCard;
