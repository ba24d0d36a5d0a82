//! From the core's state to signals.
//!
//! [`Store::apply`] is the only way in: it looks at what changed and sets just those signals, so that a chunk of an
//! answer touches the text of one message.
//! Nothing here decides anything; nothing here touches the page.

mod answers;
mod approval;
mod message;
mod settings;
mod store;
mod transcript;
mod watched;

pub use answers::{AnswerSettings, Policies};
pub use approval::{ApprovalView, Arguments};
pub use message::{ContributionRow, MessageHead, MessageRow, MessageText};
pub use settings::{ActivityLevel, ScrollMode, Settings, ThreadsPlacement};
pub use store::{Agent, ComposerView, Spoken, Store, ThreadsView};
pub use transcript::TranscriptView;
pub use watched::Watched;
