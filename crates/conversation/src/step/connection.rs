//! The connection and the visibility: what is retried once the network or the user is back.

use crate::{
    Change, Conversation, Interruption, LoadState, MessageStatus, NoticeSubject, PageEvent,
};

use super::sequencer::Sequencer;

impl Sequencer<'_> {
    pub(super) fn connection_changed(&mut self, is_online: bool) {
        let was_online = std::mem::replace(&mut self.state.is_online, is_online);
        if was_online == is_online {
            return;
        }
        self.change(Change::Composer(self.state.open));
        if is_online {
            self.retry_loads(true);
        }
    }

    /// Retries failed loads, which may succeed now. `all`: also the loads that were to look up an
    /// outcome.
    fn retry_loads(&mut self, all: bool) {
        if is_transient(&self.state.threads.load) {
            self.refresh_threads();
        }
        let notice = self.state.notice.as_ref();
        let notice = notice.is_some_and(|it| {
            it.subject == NoticeSubject::Reload && it.failure.is_transient() && all
        });
        let open = self.state.open_conversation();
        let is_open = open.is_some_and(|open| {
            let unread = is_transient(&open.load) || (all && has_unchecked_outcome(open));
            open.stream().is_none() && open.last_load.is_none() && unread
        });
        if notice || is_open {
            self.reload_messages();
        }
    }

    /// Handles a change of visibility. If a user can see the widget again, failed loads are
    /// retried, and no answer counts as unread any more; otherwise the marks before unread messages
    /// are removed.
    pub(super) fn visibility_changed(&mut self, is_visible: bool) {
        let was_visible = std::mem::replace(&mut self.state.is_visible, is_visible);
        if is_visible && !was_visible {
            self.retry_loads(false);
            self.load_inbox();
        }
        if is_visible && std::mem::take(&mut self.state.unread) > 0 {
            self.output.notify_page(PageEvent::Unread(0));
        }
        if was_visible && !is_visible {
            for key in self.state.keys_of_all() {
                if let Some((conversation, mut cx)) = self.conversation_context(key) {
                    conversation.clear_unread_mark(&mut cx);
                }
            }
        }
    }
}

fn is_transient(load: &LoadState) -> bool {
    matches!(load, LoadState::Failed(failure) if failure.is_transient())
}

/// Returns true if it is unknown what became of a post or an answer whose connection broke, and no
/// load of the stored messages is to tell.
fn has_unchecked_outcome(conversation: &Conversation) -> bool {
    let mut messages = conversation.messages.iter();
    messages.any(|message| {
        matches!(
            message.status,
            MessageStatus::Unconfirmed {
                checking: false,
                ..
            } | MessageStatus::Interrupted {
                by: Interruption::Lost,
                checking: false
            }
        )
    })
}
