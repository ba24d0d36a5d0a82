//! The end of a stream: complete, interrupted, refused, or stopped by the user.

use assent_protocol::BatchId;

use crate::{
    Announcement, Change, Command, Conversation, ConversationKey, DeliveryStatus, Failure,
    FailureKind, Interruption, MessageKey, MessageStatus, Millis, Posted, StepState, Stream,
    StreamEnd, StreamId, ThreadBinding, UnconfirmedReason, Withheld,
};

use super::Turn;

impl Turn<'_> {
    #[inline(never)]
    pub(super) fn stream_ended(&mut self, stream: StreamId, end: StreamEnd) {
        let Some(key) = self.conversation_of_stream(stream) else {
            return;
        };
        let Some(mut stream) = self.take_stream(key, stream) else {
            return;
        };
        let is_followed = stream.followed.is_some();
        if let Some(conversation) = self.conversation_mut(key) {
            // The stored messages are authoritative: this page may have missed some of the other
            // one's stream.
            conversation.stale |= is_followed;
        }
        if stream.garbled || matches!(end, StreamEnd::Failed(_)) {
            self.mark_all_possibly_incomplete(key, &stream);
        }
        if stream.is_accepted() {
            self.accepted_stream_ended(key, &mut stream, end == StreamEnd::Closed);
        } else if is_followed {
            self.followed_without_effect(key, &stream);
        } else {
            self.remove_open_messages(key, &stream);
            match end {
                StreamEnd::Withheld(why) => self.post_withheld(key, stream.posted, why),
                StreamEnd::Failed(failure) if failure.refused() && !stream.failed => {
                    self.post_refused(key, stream.posted, failure);
                }
                StreamEnd::Failed(failure) => {
                    let answered = Some(failure).filter(|it| it.status.is_some());
                    self.post_unconfirmed(key, stream.posted, answered);
                }
                StreamEnd::Closed => self.post_unconfirmed(key, stream.posted, None),
            }
        }
        self.after_stream(key);
    }

    pub(super) fn stop(&mut self) {
        let key = self.state.open;
        let binding = self.conversation(key).map(|c| c.thread.clone());
        if let Some(ThreadBinding::Creating(message)) = binding {
            if let Some(conversation) = self.conversation_mut(key) {
                conversation.thread = ThreadBinding::None;
            }
            self.change(Change::Composer(key));
            let failure = Failure::of(FailureKind::NotDelivered);
            self.fail_message(key, message, failure, true);
        }
        if !self.cancel_answer(key) {
            self.stop_streams(key, |_| true);
        }
    }

    /// Stops the streams of a conversation for which `stops` returns true.
    pub(super) fn stop_streams(&mut self, key: ConversationKey, stops: impl Fn(&Stream) -> bool) {
        let Some(conversation) = self.conversation(key) else {
            return;
        };
        let streams = conversation.streams.iter();
        let stopped: Vec<StreamId> = streams.filter(|it| stops(it)).map(|it| it.id).collect();
        for id in stopped {
            if let Some(stream) = self.take_stream(key, id) {
                self.stop_stream(key, stream);
            }
        }
        self.after_stream(key);
    }

    fn stop_stream(&mut self, key: ConversationKey, stream: Stream) {
        self.command(Command::CancelStream(stream.id));
        self.mark_all_possibly_incomplete(key, &stream);
        if stream.is_accepted() {
            self.end_steps(key, stream.lead, StepState::Done);
            self.close_open_messages(key, &stream, |_| MessageStatus::Interrupted {
                by: Interruption::Stopped,
                checking: false,
            });
            self.touch_after(key, &stream);
        } else if stream.followed.is_some() {
            self.followed_without_effect(key, &stream);
        } else {
            self.remove_open_messages(key, &stream);
            self.post_unconfirmed(key, stream.posted, None);
        }
    }

    /// Ends an accepted stream. `in_order`: the connection did not break.
    pub(super) fn accepted_stream_ended(
        &mut self,
        key: ConversationKey,
        stream: &mut Stream,
        in_order: bool,
    ) {
        if in_order {
            self.separate_unanswered_contributions(key, stream);
        }
        let whole = !stream.asked.is_empty() || self.all_complete(key, stream);
        if stream.failed {
            self.end_steps(key, stream.lead, StepState::Failed);
            self.remove_blank_messages(key, stream);
            self.close_open_messages(key, stream, |message| {
                if message.approvals.is_empty() {
                    LOST
                } else {
                    MessageStatus::Complete
                }
            });
        } else if whole {
            self.end_steps(key, stream.lead, StepState::Done);
            self.remove_blank_messages(key, stream);
            for message in self.close_open_messages(key, stream, |_| MessageStatus::Complete) {
                self.announce_answer(key, message);
            }
        } else {
            self.end_steps(key, stream.lead, StepState::Failed);
            self.close_open_messages(key, stream, |_| MessageStatus::Interrupted {
                by: Interruption::Lost,
                checking: true,
            });
            self.announce(key, Announcement::Interrupted);
        }
        self.settle_stopped(key, stream);
        let is_own = stream.followed.is_none() && !stream.is_stopping;
        if whole && !stream.failed && stream.asked.is_empty() && is_own {
            self.report_answer(key, stream);
        }
        self.touch_after(key, stream);
        self.list_again_if_first(key);
        self.release_queued(key, whole && !stream.failed && is_own);
    }

    /// Returns true if every speaker finished and at least one spoke.
    pub(super) fn all_complete(&self, key: ConversationKey, stream: &Stream) -> bool {
        let Some(conversation) = self.conversation(key) else {
            return false;
        };
        let complete = |message: MessageKey| {
            conversation
                .message(message)
                .is_some_and(|message| message.status == MessageStatus::Complete)
        };
        let mut speakers = stream.speakers.iter();
        !stream.speakers.is_empty() && speakers.all(|(_, message)| complete(*message))
    }

    /// Ends the steps of an answer, which its first message shows.
    pub(super) fn end_steps(
        &mut self,
        key: ConversationKey,
        lead: Option<MessageKey>,
        state: StepState,
    ) {
        let now = self.now;
        let Some(lead) = lead else { return };
        if let Some(message) = self.message_mut(key, lead) {
            message.activity.end(state, now);
            message.end_contributions();
        }
        self.change(Change::Message(key, lead));
    }

    /// Gives every message that this stream still writes its final status, and returns their keys.
    fn close_open_messages(
        &mut self,
        key: ConversationKey,
        stream: &Stream,
        status: impl Fn(&crate::Message) -> MessageStatus,
    ) -> Vec<MessageKey> {
        let mut closed = Vec::new();
        if let Some(conversation) = self.conversation_mut(key) {
            for message in &mut conversation.messages {
                let is_open = message.status == MessageStatus::Streaming;
                if is_open && stream.written.contains(&message.key) {
                    message.status = status(message);
                    closed.push(message.key);
                }
            }
        }
        for message in &closed {
            self.change(Change::Message(key, *message));
        }
        closed
    }

    pub(super) fn remove_open_messages(&mut self, key: ConversationKey, stream: &Stream) {
        self.remove_messages(key, |message| {
            let is_open = message.status == MessageStatus::Streaming;
            is_open && stream.written.contains(&message.key)
        });
    }

    fn remove_blank_messages(&mut self, key: ConversationKey, stream: &Stream) {
        self.remove_messages(key, |message| {
            let is_open = message.status == MessageStatus::Streaming;
            is_open && message.is_blank() && stream.written.contains(&message.key)
        });
    }

    pub(super) fn remove_messages(
        &mut self,
        key: ConversationKey,
        goes: impl Fn(&crate::Message) -> bool,
    ) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let before = conversation.messages.len();
        conversation.messages.retain(|message| !goes(message));
        if conversation.messages.len() != before {
            self.change(Change::Transcript(key));
        }
    }

    /// Handles a post that the service certainly does not have.
    fn post_refused(&mut self, key: ConversationKey, posted: Posted, failure: Failure) {
        match posted {
            Posted::Message(message) => {
                let doubtful = failure.kind == FailureKind::Rejected;
                self.fail_message(key, message, failure, true);
                if let Some(conversation) = self.conversation_mut(key) {
                    conversation.stale |= doubtful;
                }
            }
            Posted::Approval { batch, feedback } => {
                self.remove_feedback(key, feedback);
                // It may have come too late; the stored messages show who decided.
                let late = matches!(failure.kind, FailureKind::Rejected | FailureKind::NotFound);
                self.decide_again(key, &batch, failure);
                if let Some(conversation) = self.conversation_mut(key) {
                    conversation.stale |= late;
                }
            }
        }
    }

    /// Handles a post that was withheld.
    fn post_withheld(&mut self, key: ConversationKey, posted: Posted, why: Withheld) {
        let failure = Failure::of(FailureKind::Withheld);
        match (posted, why) {
            (Posted::Approval { batch, feedback }, Withheld::ForOtherTab) => {
                self.remove_feedback(key, feedback);
                self.mark_unconfirmed(key, &batch, UnconfirmedReason::OtherTab);
            }
            (posted, _) => self.post_refused(key, posted, failure),
        }
    }

    /// Marks the answer to this batch as unknown: only the stored messages can settle it.
    fn mark_unconfirmed(&mut self, key: ConversationKey, batch: &BatchId, why: UnconfirmedReason) {
        let batch = self.conversation_mut(key).and_then(|c| c.batch_mut(batch));
        if let Some((message, batch)) = batch {
            batch.set_delivery(DeliveryStatus::Checking(why));
            self.change(Change::Message(key, message));
        }
    }

    /// Marks the batches of this stream as possibly incomplete.
    fn mark_all_possibly_incomplete(&mut self, key: ConversationKey, stream: &Stream) {
        for id in &stream.asked {
            let batch = self.conversation_mut(key).and_then(|c| c.batch_mut(id));
            if let Some((message, batch)) = batch.filter(|(_, batch)| batch.is_pending()) {
                batch.mark_possibly_incomplete();
                self.change(Change::Message(key, message));
                self.change(Change::Composer(key));
                self.change(Change::Waiting);
            }
        }
    }

    /// Marks the post as unconfirmed: the service may or may not have it. `failure` is its response,
    /// if there was one.
    fn post_unconfirmed(&mut self, key: ConversationKey, posted: Posted, failure: Option<Failure>) {
        match posted {
            Posted::Message(message) => {
                if let Some(message) = self.message_mut(key, message) {
                    message.status = MessageStatus::Unconfirmed {
                        checking: true,
                        failure,
                    };
                }
                self.change(Change::Message(key, message));
            }
            Posted::Approval { batch, feedback } => {
                self.remove_feedback(key, feedback);
                self.mark_unconfirmed(key, &batch, UnconfirmedReason::Lost);
                let batch = self.conversation_mut(key).and_then(|c| c.batch_mut(&batch));
                if let Some((_, batch)) = batch {
                    batch.keep_response(failure);
                }
            }
        }
    }

    /// Removes the message with the text of a stop: the answer itself has it, and it is a message
    /// only once accepted.
    fn remove_feedback(&mut self, key: ConversationKey, feedback: Option<MessageKey>) {
        if let Some(feedback) = feedback {
            self.remove_messages(key, |message| message.key == feedback);
        }
    }

    /// Moves the thread's row up, to the time of this stream's newest message.
    fn touch_after(&mut self, key: ConversationKey, stream: &Stream) {
        let now = self.now;
        let newest = |conversation: &Conversation| {
            let messages = stream.messages().into_iter();
            let times = messages.filter_map(|m| conversation.message(m)?.time);
            Some((conversation.thread_id()?.clone(), times.max()))
        };
        if let Some((thread, time)) = self.conversation(key).and_then(newest) {
            self.touch_row(&thread, time.unwrap_or(now));
        }
    }

    /// Loads the list of threads after the first message: the service may have named the thread,
    /// however the answer ended. The thread is among the newest.
    fn list_again_if_first(&mut self, key: ConversationKey) {
        let thread = self.conversation(key).and_then(|c| c.thread_id().cloned());
        if thread.is_some_and(|thread| self.state.forget_unanswered(&thread)) {
            self.command(Command::ListThreads { latest_first: true });
        }
    }

    /// Loads the stored messages if an outcome is open that only they can settle, or if they may
    /// have changed.
    pub(super) fn settle_if_open(&mut self, key: ConversationKey) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let stale = std::mem::take(&mut conversation.stale);
        if conversation.is_unsettled() {
            self.settle(key);
        } else if stale {
            self.load_messages(key, Millis(0));
        }
    }
}

const LOST: MessageStatus = MessageStatus::Interrupted {
    by: Interruption::Lost,
    checking: false,
};
