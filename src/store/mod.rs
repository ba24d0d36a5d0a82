//! The core's state as signals.
//!
//! [`Store::apply`] is the only way in: it takes the changes and sets just their signals, so that a
//! chunk of an answer touches the text of one message. Nothing here decides anything; nothing here
//! touches the page.

mod answers;
mod approval;
mod message;
mod settings;
mod signals;
mod transcript;

pub use answers::{AnswerSettings, Policies};
pub use approval::{ApprovalView, Arguments};
pub use message::{ContributionRow, MessageHead, MessageRow, MessageText};
pub use settings::{ActivityLevel, ScrollMode, Settings, ThreadsPlacement};
pub use signals::{Agent, Announcements, ComposerView, Store, ThreadsView};
pub use transcript::TranscriptView;

use leptos::prelude::Update;

/// Sets the value of a signal, and notifies subscribers only if it is another value.
pub fn set_if_changed<T: PartialEq + 'static>(signal: &impl Update<Value = T>, value: T) {
    signal.maybe_update(|it| {
        let differs = *it != value;
        if differs {
            *it = value;
        }
        differs
    });
}
