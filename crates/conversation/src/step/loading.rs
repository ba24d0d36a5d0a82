//! Loading stored messages: to show a thread, and to learn what became of what was sent.

use assent_protocol::StoredMessage;

use crate::reconcile::{Live, Merged, merge};
use crate::{
    ApprovalBatch, Author, CachedRequest, Change, Command, ConversationKey, Failure, FailureKind,
    Interruption, Load, LoadId, Message, MessageKey, MessageStatus, Millis, NoticeSubject,
};

use super::{Turn, approval_cache::Stored, outcomes::Pending, settling::check_again};

impl Turn<'_> {
    /// Requests the stored messages of a bound conversation.
    pub(super) fn load_messages(&mut self, key: ConversationKey, after: Millis) {
        // A position is counted from the first message, and what is here belongs among all.
        let latest_first = self
            .conversation(key)
            .is_some_and(|it| it.messages.is_empty() && it.position.is_none());
        self.request_messages(key, after, latest_first);
    }

    fn request_messages(&mut self, key: ConversationKey, after: Millis, latest_first: bool) {
        let (load, now) = (self.state.next_load(), self.now);
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let Some(thread) = conversation.thread_id().cloned() else {
            return;
        };
        conversation.last_load = Some(load);
        conversation.load_due = Millis(now.0.saturating_add(after.0));
        if conversation.messages.is_empty() || matches!(conversation.load, Load::Failed(_)) {
            conversation.load = Load::Loading;
            self.change(Change::Transcript(key));
            self.change(Change::Waiting);
        }
        self.command(Command::LoadMessages {
            conversation: key,
            load,
            thread,
            after,
            latest_first,
        });
    }

    pub(super) fn reload_messages(&mut self) {
        let key = self.state.open;
        let is_bound = self
            .conversation(key)
            .is_some_and(|it| it.thread_id().is_some());
        if !is_bound || self.give_up_stalled_stream(key) {
            return;
        }
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let is_looked_up = conversation.is_unsettled();
        let touched = check_again(conversation);
        for message in touched {
            self.change(Change::Message(key, message));
        }
        self.drop_reload_notice();
        if is_looked_up {
            // Who asks again and again still learns what became of it.
            self.load_messages(key, Millis(0));
        } else {
            self.settle(key);
        }
    }

    #[inline(never)]
    pub(super) fn messages_loaded(
        &mut self,
        key: ConversationKey,
        load: LoadId,
        result: Result<Vec<StoredMessage>, Failure>,
    ) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        if conversation.last_load != Some(load) {
            return;
        }
        conversation.last_load = None;
        match result {
            Ok(stored) => self.merge_stored(key, stored),
            Err(failure) => self.loading_failed(key, failure),
        }
    }

    /// Shows the latest messages, and requests all.
    pub(super) fn latest_loaded(
        &mut self,
        key: ConversationKey,
        load: LoadId,
        stored: Vec<StoredMessage>,
    ) {
        let Some(conversation) = self.conversation(key) else {
            return;
        };
        if conversation.last_load != Some(load) {
            return;
        }
        // Without an id a message might be taken for an equal one that is older.
        let have_ids = stored.iter().all(|it| !it.id.as_str().is_empty());
        if conversation.messages.is_empty() && have_ids {
            self.merge_messages(key, stored);
            self.state.number_requests(key);
            self.change(Change::Transcript(key));
            self.change(Change::Composer(key));
            self.change(Change::Waiting);
        }
        self.request_messages(key, Millis(0), false);
    }

    /// Merges stored messages into those that are here.
    fn merge_messages(
        &mut self,
        key: ConversationKey,
        stored: Vec<StoredMessage>,
    ) -> Option<Merged> {
        let state = &mut *self.state;
        let conversation = state.conversation_mut(key)?;
        let live = conversation.stream().map(Live::of);
        let local = std::mem::take(&mut conversation.messages);
        let thread = conversation.thread_id().cloned();
        let cached = state.cached_requests.iter();
        let cached = cached.filter(|cached| Some(&cached.thread) == thread.as_ref());
        let cached: Vec<CachedRequest> = cached.cloned().collect();
        let mut merged = merge(local, stored, &live.unwrap_or_default(), &cached, || {
            state.next_message()
        });
        let messages = std::mem::take(&mut merged.messages);
        state.conversation_mut(key)?.messages = messages;
        Some(merged)
    }

    fn merge_stored(&mut self, key: ConversationKey, stored: Vec<StoredMessage>) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        // A running stream is newer than any load; what it leaves open is loaded when it ends.
        if conversation.stream().is_some() && conversation.load == Load::Ready {
            conversation.stale = true;
            return;
        }
        let about = Stored::of(&stored);
        let open: Vec<MessageKey> = conversation
            .messages
            .iter()
            .filter(|message| message.is_unsettled())
            .map(|message| message.key)
            .collect();
        let pending = Pending::of(conversation);
        let Some(merged) = self.merge_messages(key, stored) else {
            return;
        };
        if let Some(conversation) = self.conversation_mut(key) {
            conversation.load = Load::Ready;
            // The turn of the stream may be stored as a whole already.
            conversation.stale |= conversation.stream().is_some();
        }
        self.forget_replaced(key);
        self.state.number_requests(key);
        self.change(Change::Transcript(key));
        for message in &merged.touched {
            self.change(Change::Message(key, *message));
        }
        let decided = self.report_outcomes(key, pending);
        self.forget_settled(key, &about);
        self.await_missing_answer(key, &open, &decided);
        for message in open {
            self.announce_settled(key, message);
        }
        self.change(Change::Composer(key));
        let conversation = self.conversation(key);
        let unsettled = conversation.is_some_and(|c| c.stream().is_none() && c.is_unsettled());
        if unsettled && !self.settle_on(key) {
            self.give_up(key, Some(&merged.pending));
        }
        self.load_recordings(key);
        self.release_queued(key, false);
    }

    /// Adds a message that waits for the answer if a post turned out to have arrived, and has no
    /// stored answer yet. So it does for the answer of an agent that goes on after somebody else
    /// decided.
    fn await_missing_answer(
        &mut self,
        key: ConversationKey,
        open: &[MessageKey],
        decided: &[MessageKey],
    ) {
        let (waiting, now) = (self.state.next_message(), self.now);
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let Some(last) = conversation.messages.last() else {
            return;
        };
        let was_open = open.contains(&last.key);
        let arrived = was_open && last.author == Author::You;
        let answered = is_answered(last) && decided.contains(&last.key);
        if !last.is_unsettled() && (arrived || answered) {
            if !was_open {
                // The load that came is the first to look for it.
                (conversation.settling_since, conversation.load_due) = (now, now);
            }
            let mut answer = Message::streaming(waiting, now);
            answer.status = MessageStatus::Interrupted {
                by: Interruption::Lost,
                checking: true,
            };
            conversation.messages.push(answer);
        }
    }

    fn announce_settled(&mut self, key: ConversationKey, message: MessageKey) {
        let settled = self.conversation(key).and_then(|c| c.message(message));
        if settled.is_some_and(|message| message.status == MessageStatus::Sent) {
            return self.report_sent(key, message);
        }
        if settled.is_some_and(is_whole_answer) {
            self.report_answers(key, &[message]);
            self.announce_answer(key, message);
        }
    }

    fn loading_failed(&mut self, key: ConversationKey, failure: Failure) {
        let Some(conversation) = self.conversation(key) else {
            return;
        };
        let remembered = self.state.remembered.is_some()
            && self.state.remembered.as_ref() == conversation.thread_id();
        let blank = conversation.messages.is_empty();
        let unsettled = conversation.stream().is_none() && conversation.is_unsettled();
        let shown = conversation.load == Load::Ready;
        // A proxy may send 404, too: while an outcome is open, the load is retried as often as to
        // settle it.
        let is_gone = failure.kind == FailureKind::NotFound;
        let gone = conversation.thread_id().cloned();
        if is_gone && unsettled && !shown && self.settle_on(key) {
            return;
        }
        if let Some(gone) = gone.filter(|_| is_gone) {
            self.forget_thread(&gone);
        }
        if remembered {
            self.state.remembered = None;
            if blank && is_gone {
                return self.drop_conversation(key);
            }
        }
        // Messages that another page left behind for the thread are not lost with it.
        if !shown && is_gone && (remembered || self.state.open != key) {
            return self.drop_conversation(key);
        }
        if unsettled {
            self.give_up(key, None);
        }
        if !shown {
            self.report_failure(&failure);
            if let Some(conversation) = self.conversation_mut(key) {
                conversation.load = Load::Failed(failure);
            }
            self.change(Change::Transcript(key));
            self.change(Change::Waiting);
        } else if !unsettled && self.state.open == key {
            self.notify(NoticeSubject::Reload, failure);
        }
    }
}

fn is_whole_answer(message: &Message) -> bool {
    message.author != Author::You
        && message.status == MessageStatus::Complete
        && message.approvals.is_empty()
}

/// Returns true if the agent asked, and has its answers.
fn is_answered(message: &Message) -> bool {
    !message.approvals.is_empty() && !message.approvals.iter().any(ApprovalBatch::is_pending)
}
