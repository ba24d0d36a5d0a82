//! Stored messages and recordings that were loaded, and what became of what was sent.

use assent_protocol::{StoredMessage, ThreadId};

use crate::approval::{
    cache::{self, StoredRuns},
    outcomes::PendingBatch,
};
use crate::reconcile::{LiveParts, MergeResult, merge};
use crate::stream::{announce_answer, forget_replaced_messages};
use crate::{
    Author, CachedRequest, Change, ConversationKey, Failure, FailureKind, LoadId, LoadState,
    Message, MessageKey, MessageStatus, Millis, NoticeSubject, Recording, State,
};

use super::sequencer::Sequencer;

impl Sequencer<'_> {
    pub(super) fn reload_messages(&mut self) {
        let key = self.state.open;
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        conversation.followed = None;
        let is_bound = conversation.thread_id().is_some();
        if !is_bound || self.give_up_stalled_stream(key) {
            return;
        }
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let is_looked_up = conversation.has_open_outcome();
        conversation.mark_checked_again(&mut cx);
        self.drop_reload_notice();
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        if is_looked_up {
            // Who asks again and again still learns what became of it.
            conversation.load_messages(&mut cx, Millis(0));
        } else {
            conversation.look_up_outcomes(&mut cx);
        }
    }

    /// Loads the messages of a thread in which another page wrote, if it is shown: now, or when the
    /// stream under way has ended.
    pub(super) fn messages_changed(&mut self, thread: &ThreadId) {
        let Some((conversation, mut cx)) = self.conversation_context(self.state.open) else {
            return;
        };
        if conversation.thread_id() != Some(thread) {
            return;
        }
        if conversation.stream().is_some() {
            conversation.stale = true;
        } else {
            conversation.load_messages(&mut cx, Millis(0));
        }
    }

    #[inline(never)]
    pub(super) fn messages_loaded(
        &mut self,
        key: ConversationKey,
        load: LoadId,
        result: Result<Vec<StoredMessage>, Failure>,
        after: Option<String>,
    ) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        if conversation.last_load != Some(load) {
            return;
        }
        conversation.last_load = None;
        match result {
            Ok(stored) => self.merge_stored(key, stored, after),
            Err(failure) => self.loading_failed(key, failure),
        }
    }

    /// Shows the latest messages, and requests all messages.
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
            self.change(Change::Transcript(key));
            self.requests_changed(key);
        }
        if let Some((conversation, mut cx)) = self.conversation_context(key) {
            conversation.request_messages(&mut cx, Millis(0), false);
        }
    }

    /// Merges stored messages into the local messages of a conversation; `None` if there is no such
    /// conversation.
    fn merge_messages(
        &mut self,
        key: ConversationKey,
        stored: Vec<StoredMessage>,
    ) -> Option<MergeResult> {
        let State {
            conversations,
            cached_requests,
            keys,
            ..
        } = &mut *self.state;
        let conversation = conversations.iter_mut().find(|it| it.key == key)?;
        let live = conversation.stream().map(LiveParts::of).unwrap_or_default();
        let local = std::mem::take(&mut conversation.messages);
        let thread = conversation.thread_id();
        let cached = cached_requests.iter();
        let cached = cached.filter(|cached| Some(&cached.thread) == thread);
        let cached: Vec<CachedRequest> = cached.cloned().collect();
        let mut merged = merge(local, stored, &live, &cached, || keys.next_message());
        conversation.messages = std::mem::take(&mut merged.messages);
        Some(merged)
    }

    /// Merges stored messages. If the service is writing an answer, it is followed `after` this
    /// event.
    fn merge_stored(
        &mut self,
        key: ConversationKey,
        stored: Vec<StoredMessage>,
        after: Option<String>,
    ) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        // A running stream is newer than any load; what it leaves open is loaded when it ends.
        if conversation.stream().is_some() && conversation.load == LoadState::Ready {
            conversation.stale = true;
            return;
        }
        let about = StoredRuns::of(&stored);
        let messages = conversation.messages.iter();
        let open = messages.filter(|message| message.has_open_outcome());
        let open: Vec<MessageKey> = open.map(|message| message.key).collect();
        let pending = PendingBatch::of(&conversation.messages);
        let Some(merged) = self.merge_messages(key, stored) else {
            return;
        };
        self.state.number_requests(key);
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        conversation.load = LoadState::Ready;
        // The turn of the stream may be stored as a whole already.
        conversation.stale |= conversation.stream().is_some();
        forget_replaced_messages(&mut conversation.streams, &conversation.messages, cx.output);
        cx.output.change(Change::Transcript(key));
        for message in &merged.touched {
            cx.message_changed(*message);
        }
        let decided = self.report_outcomes(key, pending);
        if let Some(conversation) = self.state.conversations.iter().find(|it| it.key == key) {
            let cached = &mut self.state.cached_requests;
            cache::forget_decided(cached, &mut self.output, self.now, conversation, &about);
        }
        if let Some((conversation, mut cx)) = self.conversation_context(key) {
            conversation.await_missing_answer(&mut cx, &open, &decided);
        }
        let is_awaited = !open.is_empty();
        for message in open {
            self.report_found(key, message);
        }
        if let Some(after) = after {
            self.follow_answer(key, after, is_awaited);
        }
        self.change(Change::Composer(key));
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let is_open = conversation.stream().is_none() && conversation.has_open_outcome();
        if is_open && !conversation.repeat_post(&mut cx) && !conversation.request_next_load(&mut cx)
        {
            self.give_up_lookup(key, Some(&merged));
        }
        if let Some((conversation, mut cx)) = self.conversation_context(key) {
            conversation.load_recordings(&mut cx);
            conversation.release_queued(&mut cx, false);
        }
    }

    /// Tells the host page of a message whose outcome was looked up: the service has the message of
    /// the user, or the agent's answer is complete.
    fn report_found(&mut self, key: ConversationKey, message: MessageKey) {
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let found = conversation.message(message);
        if found.is_some_and(|message| message.status == MessageStatus::Sent) {
            return conversation.report_sent(&mut cx, message);
        }
        if found.is_some_and(is_whole_answer) {
            self.report_answers(key, &[message]);
            if let Some((conversation, mut cx)) = self.conversation_context(key) {
                announce_answer(&conversation.messages, message, &mut cx);
            }
        }
    }

    /// Ends the look-up of open outcomes, which the stored messages do not tell. `merged` is the
    /// result of the last load; `None` if that failed.
    fn give_up_lookup(&mut self, key: ConversationKey, merged: Option<&MergeResult>) {
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let pending = merged.map(|it| it.pending.as_slice());
        let again = conversation.give_up_lookup(&mut cx, pending);
        if let Some(conversation) = self.state.conversations.iter().find(|it| it.key == key)
            && again
        {
            let cached = &mut self.state.cached_requests;
            cache::restore_removed(cached, &mut self.output, self.now, conversation);
        }
    }

    fn loading_failed(&mut self, key: ConversationKey, failure: Failure) {
        let (now, remembered) = (self.now, self.state.remembered.clone());
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let thread = conversation.thread_id().cloned();
        let remembered = remembered.is_some() && remembered == thread;
        let blank = conversation.messages.is_empty();
        let is_open = conversation.stream().is_none() && conversation.has_open_outcome();
        let is_loaded = conversation.load == LoadState::Ready;
        // A proxy may send 404, too: while an outcome is open, the load is retried as often as to
        // look it up.
        let is_gone = failure.kind == FailureKind::NotFound;
        if is_gone && is_open && !is_loaded && conversation.request_next_load(&mut cx) {
            return;
        }
        if let Some(gone) = thread.filter(|_| is_gone) {
            let cached = &mut self.state.cached_requests;
            cache::forget_requests(cached, &mut self.output, &|cached| {
                cached.thread == gone && cached.should_be_listed(now)
            });
        }
        if remembered {
            self.state.remembered = None;
            if blank && is_gone {
                return self.drop_conversation(key);
            }
        }
        // Messages that another page left behind for the thread are not lost with it.
        if !is_loaded && is_gone && (remembered || self.state.open != key) {
            return self.drop_conversation(key);
        }
        if is_open {
            self.give_up_lookup(key, None);
        }
        if !is_loaded {
            self.output.report_failure(&failure);
            if let Some(conversation) = self.conversation_mut(key) {
                conversation.load = LoadState::Failed(failure);
            }
            self.change(Change::Transcript(key));
            self.change(Change::Waiting);
        } else if !is_open && self.state.open == key {
            self.show_notice(NoticeSubject::Reload, failure);
        }
    }

    /// Restores the activity of answers from the recordings of a thread, which are given oldest
    /// first.
    #[inline(never)]
    pub(super) fn recordings_loaded(&mut self, thread: &ThreadId, recordings: Vec<Recording>) {
        let known = self.state.conversation_of(thread).map(|it| it.key);
        let Some((conversation, mut cx)) = known.and_then(|key| self.conversation_context(key))
        else {
            return;
        };
        // Of answers with the same text, the last recording belongs to the last answer.
        for seen in recordings.into_iter().rev().filter_map(Recording::replay) {
            if let Some(message) = seen.restore_activity(&mut conversation.messages) {
                cx.message_changed(message.key);
            }
        }
    }
}

fn is_whole_answer(message: &Message) -> bool {
    message.author != Author::You
        && message.status == MessageStatus::Complete
        && message.approvals.is_empty()
}
