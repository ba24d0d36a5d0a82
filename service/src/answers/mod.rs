//! Answers: one that is being written is a task apart from the connection; what an agent writes it
//! with; its early end; the connection's side of it; and the titles that agents make.

pub mod cancellation;
pub(crate) mod current_agents;
mod decisions;
pub mod event_log;
pub(crate) mod rates;
pub mod run;
pub mod stream;
mod titles;
mod unstored_end;
pub mod writer;
