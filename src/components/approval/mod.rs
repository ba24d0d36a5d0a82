//! The approval card: the tool runs that need approval, argument by argument, and the decisions
//! that a person sends in one answer.

mod beforehand;
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
mod waiting;
mod window_focus;

pub(super) use focus::focus_request;
#[cfg(feature = "split")]
pub use lazy_card::link_approval;
pub(super) use lazy_card::{LazyCard, LazyWaiting, ask};
pub(super) use waiting::WantedCard;
