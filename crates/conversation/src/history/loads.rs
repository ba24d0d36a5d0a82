//! Loads of stored messages and of recordings.

use crate::output::Context;
use crate::{Author, Change, Command, Conversation, LoadState, Millis};

impl Conversation {
    /// Requests the stored messages once the time `after` has passed; does nothing without a
    /// thread.
    pub(crate) fn load_messages(&mut self, cx: &mut Context<'_>, after: Millis) {
        // A position is counted from the first message, and what is here belongs among all.
        let latest_first = self.messages.is_empty() && self.position.is_none();
        self.request_messages(cx, after, latest_first);
    }

    /// Requests the stored messages once the time `after` has passed. With `latest_first`, for a
    /// conversation that shows nothing yet, the latest messages may come first, and all of them
    /// later.
    pub(crate) fn request_messages(
        &mut self,
        cx: &mut Context<'_>,
        after: Millis,
        latest_first: bool,
    ) {
        let load = cx.keys.next_load();
        let Some(thread) = self.thread_id().cloned() else {
            return;
        };
        self.last_load = Some(load);
        self.load_due = Millis(cx.now.0.saturating_add(after.0));
        if self.messages.is_empty() || matches!(self.load, LoadState::Failed(_)) {
            self.load = LoadState::Loading;
            cx.output.change(Change::Transcript(cx.key));
            cx.output.change(Change::Waiting);
        }
        cx.output.command(Command::LoadMessages {
            conversation: cx.key,
            load,
            thread,
            after,
            latest_first,
        });
    }

    /// Requests the recordings that other pages made of the thread's answers, once, if there is an
    /// answer whose activity was not seen here.
    pub(crate) fn load_recordings(&mut self, cx: &mut Context<'_>) {
        let mut answers = self.messages.iter();
        let unknown =
            answers.any(|it| it.author != Author::You && it.activity.is_of_stored_images());
        if unknown
            && !std::mem::replace(&mut self.has_requested_recordings, true)
            && let Some(thread) = self.thread_id().cloned()
        {
            cx.output.command(Command::LoadRecordings(thread));
        }
    }
}
