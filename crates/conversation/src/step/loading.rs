//! Loading stored messages: to show a thread, and to settle outcomes after a broken connection.

use assent_protocol::{BatchId, StoredMessage};

use crate::reconcile::{Live, merge};
use crate::{
    ApprovalBatch, Author, BatchCompleteness, CachedRequest, Change, Command, Conversation,
    ConversationKey, DeliveryStatus, Failure, FailureKind, Interruption, Load, LoadId, Message,
    MessageKey, MessageStatus, Millis, NoticeSubject, UnconfirmedReason,
};

use super::{Turn, approval_cache::Stored, outcomes::Pending};

/// The delays before the loads that are to settle an open outcome. After the last one the user is
/// asked: 8.5 seconds after the connection broke.
const SETTLE_DELAYS: [Millis; 4] = [Millis(0), Millis(1000), Millis(2500), Millis(5000)];

/// The same after a response: a service that responded is not still storing the post.
const SETTLING_AFTER_RESPONSE: [Millis; 2] = [Millis(0), Millis(2000)];

impl Turn<'_> {
    /// Requests the stored messages of a bound conversation.
    pub(super) fn load_messages(&mut self, key: ConversationKey, after: Millis) {
        let load = self.state.next_load();
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let Some(thread) = conversation.thread_id().cloned() else {
            return;
        };
        conversation.last_load = Some(load);
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
        });
    }

    /// Begins to settle open outcomes: the first of a limited number of loads.
    pub(super) fn settle(&mut self, key: ConversationKey) {
        if let Some(conversation) = self.conversation_mut(key) {
            conversation.settling = 0;
        }
        self.settle_on(key);
    }

    /// Requests the next of them; returns false if there are no more.
    fn settle_on(&mut self, key: ConversationKey) -> bool {
        let Some(conversation) = self.conversation_mut(key) else {
            return false;
        };
        let delays: &[Millis] = if responded(conversation) {
            &SETTLING_AFTER_RESPONSE
        } else {
            &SETTLE_DELAYS
        };
        let Some(after) = delays.get(usize::from(conversation.settling)).copied() else {
            return false;
        };
        conversation.settling += 1;
        self.load_messages(key, after);
        true
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
        let touched = check_again(conversation);
        for message in touched {
            self.change(Change::Message(key, message));
        }
        self.drop_reload_notice();
        self.settle(key);
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

    fn merge_stored(&mut self, key: ConversationKey, stored: Vec<StoredMessage>) {
        let state = &mut *self.state;
        let Some(conversation) = state.conversation_mut(key) else {
            return;
        };
        // A running stream is newer than any load; what it leaves open is loaded when it ends.
        if conversation.stream.is_some() && conversation.load == Load::Ready {
            conversation.stale = true;
            return;
        }
        let about = Stored::of(&stored);
        let live = conversation.stream.as_ref().map(Live::of);
        let open: Vec<MessageKey> = conversation
            .messages
            .iter()
            .filter(|message| message.is_unsettled())
            .map(|message| message.key)
            .collect();
        let pending = Pending::of(conversation);
        let local = std::mem::take(&mut conversation.messages);
        let thread = conversation.thread_id().cloned();
        let cached = state.cached_requests.iter();
        let cached = cached.filter(|cached| Some(&cached.thread) == thread.as_ref());
        let cached: Vec<CachedRequest> = cached.cloned().collect();
        let merged = merge(local, stored, &live.unwrap_or_default(), &cached, || {
            state.next_message()
        });
        if let Some(conversation) = self.conversation_mut(key) {
            conversation.messages = merged.messages;
            conversation.load = Load::Ready;
            // The turn of the stream may be stored as a whole already.
            conversation.stale |= conversation.stream.is_some();
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
        let unsettled = conversation.is_some_and(|c| c.stream.is_none() && c.is_unsettled());
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
                conversation.settling = 0;
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
        let unsettled = conversation.stream.is_none() && conversation.is_unsettled();
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

    /// Gives up settling. `pending` are the batches that the last load showed as pending; `None` if
    /// it failed.
    fn give_up(&mut self, key: ConversationKey, pending: Option<&[BatchId]>) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let mut touched = Vec::new();
        let mut failed = Vec::new();
        let mut again = false;
        for message in conversation
            .messages
            .iter_mut()
            .filter(|m| m.is_unsettled())
        {
            touched.push(message.key);
            match &mut message.status {
                MessageStatus::Unconfirmed { failure, .. } if pending.is_some() => {
                    failed.push(FailureKind::NotDelivered);
                    message.status = MessageStatus::Failed(not_delivered(failure.take()));
                }
                MessageStatus::Unconfirmed { checking, .. } if *checking => {
                    failed.push(FailureKind::Unreachable);
                    *checking = false;
                }
                MessageStatus::Interrupted { checking, .. } if *checking => {
                    failed.push(FailureKind::Interrupted);
                    *checking = false;
                }
                _ => {}
            }
            for batch in &mut message.approvals {
                if let BatchCompleteness::PossiblyIncomplete { checking } = &mut batch.completeness
                {
                    *checking = false;
                }
                let Some(reason) = batch.unconfirmed_reason() else {
                    continue;
                };
                if pending.is_some_and(|pending| pending.contains(&batch.id)) && batch.is_checked()
                {
                    again |= reason == UnconfirmedReason::OtherTab;
                    let kind = match reason {
                        UnconfirmedReason::Lost => FailureKind::NotDelivered,
                        UnconfirmedReason::OtherTab => FailureKind::OtherTab,
                    };
                    failed.push(kind);
                    let response = batch.response().cloned();
                    batch.reopen(match kind {
                        FailureKind::NotDelivered => not_delivered(response),
                        kind => Failure::of(kind),
                    });
                } else {
                    batch.set_delivery(DeliveryStatus::Unknown(reason));
                }
            }
        }
        for kind in failed {
            self.report_failure_kind(kind);
        }
        for message in touched {
            self.change(Change::Message(key, message));
        }
        self.change(Change::Composer(key));
        self.change(Change::Waiting);
        if again {
            self.keep_again(key);
        }
    }
}

/// Marks everything whose outcome is open as being checked, except the post of the running stream.
fn check_again(conversation: &mut Conversation) -> Vec<MessageKey> {
    let stream = conversation.stream.as_ref();
    let posted = stream.and_then(|stream| stream.posted.batch());
    let mut touched = Vec::new();
    for message in &mut conversation.messages {
        let mut open = false;
        if let MessageStatus::Unconfirmed { checking, .. }
        | MessageStatus::Interrupted { checking, .. } = &mut message.status
        {
            *checking = true;
            open = true;
        }
        for batch in &mut message.approvals {
            let being_posted = posted == Some(&batch.id);
            if let BatchCompleteness::PossiblyIncomplete { checking } = &mut batch.completeness {
                *checking = true;
                open = true;
            }
            let reason = batch
                .unconfirmed_reason()
                .unwrap_or(UnconfirmedReason::Lost);
            open |= !being_posted && batch.set_delivery(DeliveryStatus::Checking(reason));
        }
        if open {
            touched.push(message.key);
        }
    }
    touched
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

/// Returns the failure of a post that the stored messages do not have, with the response to it, if
/// there was one.
fn not_delivered(response: Option<Failure>) -> Failure {
    let kind = FailureKind::NotDelivered;
    Failure {
        kind,
        ..response.unwrap_or_else(|| Failure::of(kind))
    }
}

/// Returns true if a response left the outcome open that is being settled.
fn responded(conversation: &Conversation) -> bool {
    conversation.messages.iter().any(|message| {
        let is_open = matches!(
            message.status,
            MessageStatus::Unconfirmed {
                checking: true,
                failure: Some(_)
            }
        );
        let mut batches = message.approvals.iter();
        is_open || batches.any(|it| it.is_checked() && it.response().is_some())
    })
}
