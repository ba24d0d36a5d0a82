//! What waits for the user in all threads (extension `inbox`).

use assent_protocol::ThreadId;

use crate::inbox::{Inbox, InboxLoad};
use crate::{Change, Command, LoadState};

use super::sequencer::Sequencer;

impl Sequencer<'_> {
    pub(super) fn inbox_offered(&mut self, is_offered: bool) {
        if self.state.inbox.is_some() != is_offered {
            self.state.inbox = is_offered.then(Inbox::default);
            self.change(Change::Waiting);
            self.load_inbox();
        }
    }

    /// Requests what waits, if the service offers that. While a request is under way, the next one
    /// waits for its result, so that an older result never replaces a newer one.
    pub(super) fn load_inbox(&mut self) {
        if let Some(inbox) = &mut self.state.inbox {
            if inbox.load == InboxLoad::Idle {
                inbox.load = InboxLoad::Loading;
                self.command(Command::LoadInbox);
            } else {
                inbox.load = InboxLoad::Outdated;
            }
        }
    }

    /// Takes what waits, or `None` if the service did not tell it: then the last result stays.
    pub(super) fn inbox_loaded(&mut self, waiting: Option<Vec<(ThreadId, usize)>>) {
        let Some(inbox) = &mut self.state.inbox else {
            return;
        };
        let load = std::mem::take(&mut inbox.load);
        if waiting.is_some() {
            inbox.waiting = waiting;
            self.change(Change::Waiting);
            self.correct_inbox();
        }
        if load == InboxLoad::Outdated {
            self.load_inbox();
        }
    }

    /// Requests what waits anew if this step has changed it in a conversation that this page knows
    /// better than the last result.
    pub(super) fn follow_waiting(&mut self) {
        if self.output.changes.contains(&Change::Waiting) && self.correct_inbox() {
            self.load_inbox();
        }
    }

    /// Corrects what the service told by the conversations that this page knows better: the one
    /// that is shown, and those whose answers are being written. Returns true if that changed it.
    fn correct_inbox(&mut self) -> bool {
        let state = &mut *self.state;
        let Some(inbox) = &mut state.inbox else {
            return false;
        };
        let mut is_changed = false;
        for conversation in &state.conversations {
            let is_known = conversation.key == state.open || conversation.stream().is_some();
            if let Some(thread) = conversation.thread_id()
                && is_known
                && conversation.load == LoadState::Ready
            {
                is_changed |= inbox.correct(thread, conversation.count_undecided());
            }
        }
        is_changed
    }
}
