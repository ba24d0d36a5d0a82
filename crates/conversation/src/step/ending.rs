//! The end of streams: complete, interrupted, refused, stopped by the user, or left open behind the
//! answer, because proxies hold connections and nobody is to be kept from the next message.

use assent_protocol::AgentId;

use crate::approval::asking::mark_possibly_incomplete;
use crate::message::find_message_mut;
use crate::page::waiting;
use crate::{
    Change, Command, Conversation, ConversationKey, Failure, FailureKind, MessageKey,
    PostedContent, Stream, StreamEnd, StreamId, StreamPhase, ThreadBinding,
};

use super::sequencer::Sequencer;

/// Maximum number of late streams of a conversation: browsers open six connections to a service
/// that speaks HTTP/1.1.
const MAX_LATE_STREAMS: usize = 2;

impl Sequencer<'_> {
    #[inline(never)]
    pub(super) fn stream_ended(&mut self, id: StreamId, end: StreamEnd) {
        let Some(key) = self.conversation_of_stream(id) else {
            return;
        };
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let Some(mut stream) = conversation.take_stream(&mut cx, id) else {
            return;
        };
        let is_followed = stream.followed.is_some();
        // The stored messages are authoritative: this page may have missed some of the other one's
        // stream.
        conversation.stale |= is_followed;
        if stream.garbled || matches!(end, StreamEnd::Failed(_)) {
            mark_possibly_incomplete(&mut conversation.messages, &mut cx, &stream.asked);
        }
        if stream.is_accepted() {
            self.accepted_stream_ended(key, &mut stream, end == StreamEnd::Closed);
        } else {
            stream.remove_open_messages(&mut conversation.messages, &mut cx);
            let has_failed = stream.has_failed();
            let posted = stream.posted;
            match end {
                _ if is_followed => conversation.remove_mirrored(&mut cx, &posted),
                StreamEnd::Withheld(why) => conversation.post_withheld(&mut cx, posted, why),
                StreamEnd::Failed(failure) if failure.is_refusal() && !has_failed => {
                    conversation.post_refused(&mut cx, posted, failure);
                }
                StreamEnd::Failed(failure) => {
                    let answered = Some(failure).filter(|it| it.status.is_some());
                    conversation.post_unconfirmed(&mut cx, posted, answered);
                }
                StreamEnd::Closed => conversation.post_unconfirmed(&mut cx, posted, None),
            }
        }
        self.continue_after_stream(key);
    }

    pub(super) fn stop_answer(&mut self) {
        let key = self.state.open;
        if let Some((conversation, mut cx)) = self.conversation_context(key)
            && let ThreadBinding::Creating(message) = conversation.thread
        {
            conversation.thread = ThreadBinding::None;
            cx.output.change(Change::Composer(key));
            let failure = Failure::of(FailureKind::NotDelivered);
            conversation.fail_message(&mut cx, message, failure);
        }
        if !self.cancel_answer(key) {
            self.stop_streams(key, None);
        }
    }

    /// Stops a stream that the user stopped in another tab.
    pub(super) fn stream_stopped(&mut self, id: StreamId) {
        if let Some(key) = self.conversation_of_stream(id) {
            self.stop_streams(key, Some(id));
        }
    }

    /// Stops the stream `only` of a conversation; `None`: all of its streams.
    fn stop_streams(&mut self, key: ConversationKey, only: Option<StreamId>) {
        let Some(conversation) = self.conversation(key) else {
            return;
        };
        let all: Vec<StreamId> = conversation.streams.iter().map(|it| it.id).collect();
        for id in all.into_iter().filter(|id| only.is_none_or(|it| it == *id)) {
            self.stop_stream(key, id);
        }
        self.continue_after_stream(key);
    }

    fn stop_stream(&mut self, key: ConversationKey, id: StreamId) {
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let Some(stream) = conversation.take_stream(&mut cx, id) else {
            return;
        };
        cx.output.command(Command::CancelStream(id));
        mark_possibly_incomplete(&mut conversation.messages, &mut cx, &stream.asked);
        if stream.is_accepted() {
            stream.stop(&mut conversation.messages, &mut cx);
            // What is stopped is not followed once more.
            conversation.stale &= !matches!(stream.posted, PostedContent::Elsewhere { .. });
            self.move_thread_up(key, &stream);
        } else {
            stream.remove_open_messages(&mut conversation.messages, &mut cx);
            match stream.followed {
                Some(_) => conversation.remove_mirrored(&mut cx, &stream.posted),
                None => {
                    if let PostedContent::Message(message) = stream.posted
                        && let Some(message) = find_message_mut(&mut conversation.messages, message)
                    {
                        // The user may not want it to arrive any more.
                        message.post_key = None;
                    }
                    conversation.post_unconfirmed(&mut cx, stream.posted, None);
                }
            }
        }
    }

    /// Ends an accepted stream. `in_order`: the connection did not break.
    fn accepted_stream_ended(&mut self, key: ConversationKey, stream: &mut Stream, in_order: bool) {
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let whole = stream.end(&mut conversation.messages, &mut cx, in_order);
        if stream.is_stopping {
            waiting::resolve_stopped(&mut self.state.requests, &mut self.output, key);
        }
        let is_own = stream.followed.is_none() && !stream.is_stopping;
        if whole && !stream.has_failed() && stream.asked.is_empty() && is_own && stream.is_told() {
            self.report_answer(key, stream);
        }
        self.move_thread_up(key, stream);
        self.list_again_if_first(key);
        if let Some((conversation, mut cx)) = self.conversation_context(key) {
            conversation.release_queued(&mut cx, whole && !stream.has_failed() && is_own);
        }
    }

    /// Tells the host page that the answer of this stream is complete.
    fn report_answer(&mut self, key: ConversationKey, stream: &mut Stream) {
        let speakers = stream.speakers.iter().map(|(_, message)| *message);
        let messages: Vec<MessageKey> = speakers
            .filter(|it| !stream.reported.contains(it))
            .collect();
        if !messages.is_empty() {
            self.report_answers(key, &messages);
            stream.reported.extend(messages);
        }
    }

    /// Moves the row of the thread up in the list, to the time of this stream's newest message.
    fn move_thread_up(&mut self, key: ConversationKey, stream: &Stream) {
        let newest = |conversation: &Conversation| {
            let messages = stream.messages().into_iter();
            let times = messages.filter_map(|m| conversation.message(m)?.time);
            Some((conversation.thread_id()?.clone(), times.max()))
        };
        if let Some((thread, time)) = self.conversation(key).and_then(newest) {
            let time = time.unwrap_or(self.now);
            self.state.threads.move_up(&mut self.output, &thread, time);
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

    /// Handles the end of a wait: if the stream was silent for long enough, it is closed, or left
    /// open behind its complete answer.
    pub(super) fn wait_ended(&mut self, id: StreamId) {
        let Some((stream, _, mut cx)) = self.stream_context(id) else {
            return;
        };
        let key = cx.key;
        if !stream.check_silence(&mut cx) {
            return;
        }
        if stream.is_late() || stream.has_failed() {
            self.close_stream(key, id);
        } else {
            self.leave_complete_stream(key);
        }
    }

    /// Makes the stream under way a late one if its answer is complete: the stream stays open, and
    /// the next message can be posted.
    pub(super) fn leave_complete_stream(&mut self, key: ConversationKey) {
        let complete = self.conversation(key).and_then(|conversation| {
            let stream = conversation.stream().filter(|it| !it.has_failed())?;
            self.is_stream_over(conversation, stream)
                .then_some(stream.id)
        });
        let Some((id, (conversation, mut cx))) = complete.zip(self.conversation_context(key))
        else {
            return;
        };
        let Some(mut stream) = conversation.take_stream(&mut cx, id) else {
            return;
        };
        stream.wait_for_more(&mut cx);
        // Its place is taken before a queued message is sent.
        self.accepted_stream_ended(key, &mut stream, true);
        if let Some(conversation) = self.conversation_mut(key) {
            conversation.add_late_stream(stream);
        }
        self.close_oldest_late(key);
        self.continue_after_stream(key);
    }

    /// Closes the oldest late stream whose agent is done, if there are more late streams than
    /// [`MAX_LATE_STREAMS`].
    fn close_oldest_late(&mut self, key: ConversationKey) {
        let oldest = self.conversation(key).and_then(|conversation| {
            let is_full = conversation.late_streams().count() > MAX_LATE_STREAMS;
            let mut late = conversation.late_streams();
            late.find(|it| is_full && self.is_stream_over(conversation, it))
                .map(|it| it.id)
        });
        if let Some(oldest) = oldest {
            self.close_stream(key, oldest);
        }
    }

    /// Closes a stream from which nothing more is expected. A stream that another tab posted is
    /// closed in that tab.
    pub(super) fn close_stream(&mut self, key: ConversationKey, id: StreamId) {
        let stream = self.conversation(key).and_then(|it| it.find_stream(id));
        if stream.is_some_and(|it| it.followed.is_none()) {
            self.command(Command::CloseStream(id));
        }
        self.stream_ended(id, StreamEnd::Closed);
    }

    /// Gives up a stalled stream when the user reloads: the stored messages have more. Returns
    /// false if no stream is stalled.
    pub(super) fn give_up_stalled_stream(&mut self, key: ConversationKey) -> bool {
        let stream = self.conversation(key).and_then(Conversation::stream);
        let Some(stream) = stream.filter(|it| it.is_stalled).map(|it| it.id) else {
            return false;
        };
        self.command(Command::CancelStream(stream));
        let lost = Failure::of(FailureKind::Unreachable);
        self.stream_ended(stream, StreamEnd::Failed(lost));
        true
    }

    /// Ends the steps of activities of late streams that are over. A late stream whose agent goes
    /// on is under way again, if no other stream is.
    pub(super) fn resume_late_stream(&mut self, key: ConversationKey) {
        let conversation = self.conversation(key);
        let conversation = conversation.filter(|it| it.late_streams().next().is_some());
        let Some(own) = conversation.map(|it| self.own_agent(it).cloned()) else {
            return;
        };
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let mut resumed = None;
        let streams = conversation.streams.iter().enumerate();
        for (at, stream) in streams.filter(|(_, it)| it.is_late()) {
            if stream.is_over(&conversation.messages, own.as_ref()) {
                stream.end_late_steps(&mut conversation.messages, &mut cx);
            } else {
                resumed = resumed.or(Some(at));
            }
        }
        if let Some(at) = resumed.filter(|_| conversation.stream().is_none()) {
            let stream = conversation.streams.remove(at);
            conversation.streams.push(Stream {
                phase: StreamPhase::Paused,
                ..stream
            });
            cx.output.change(Change::Composer(key));
            // Nothing can be decided meanwhile, and so nobody is asked what the draft is meant for.
            conversation.release_queued(&mut cx, false);
        }
    }

    /// Goes on in a conversation whose stream under way has ended: a late stream may take its
    /// place, open outcomes are looked up, and queued messages that cannot be sent become a draft.
    fn continue_after_stream(&mut self, key: ConversationKey) {
        self.resume_late_stream(key);
        if let Some((conversation, mut cx)) = self.conversation_context(key) {
            if conversation.stream().is_none() {
                conversation.look_up_if_open(&mut cx);
            }
            conversation.release_queued(&mut cx, false);
        }
    }

    fn is_stream_over(&self, conversation: &Conversation, stream: &Stream) -> bool {
        stream.is_over(&conversation.messages, self.own_agent(conversation))
    }

    /// Returns the agent of the conversation's thread, if the list of threads has it.
    fn own_agent(&self, conversation: &Conversation) -> Option<&AgentId> {
        self.state.threads.agent_of(conversation.thread_id()?)
    }
}
