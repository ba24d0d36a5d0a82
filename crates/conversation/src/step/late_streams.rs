//! Streams that stay open after their answer: proxies hold connections, and whoever waits for the
//! end would be kept from the next message.
//!
//! An answer is complete when the thread's own agent has finished, and nothing has come for a
//! moment. Its stream is late from then on: the next message can be sent, and what still comes is
//! shown at its place.

use crate::{
    Change, Collaboration, Command, ContributionState, ConversationKey, MessageKey, Millis, Phase,
    StepState, Stream, StreamEnd, StreamId,
};

use super::Turn;

/// Time without an event after which a complete answer is taken for all of it.
const ANSWER_PAUSE: Millis = Millis(1000);

/// Time without an event after which a late stream is closed.
const LATE_TIMEOUT: Millis = Millis(60_000);

/// Maximum number of late streams of a conversation: browsers open six connections to a service
/// that speaks HTTP/1.1.
const MAX_LATE_STREAMS: usize = 2;

impl Turn<'_> {
    /// Notes that something came of this stream.
    pub(super) fn hear(&mut self, key: ConversationKey, id: StreamId) {
        let now = self.now;
        if let Some(stream) = self.stream_mut(key, id) {
            stream.heard = now;
        }
    }

    /// Begins to wait for more after an answer that may be complete.
    pub(super) fn wait_for_more(&mut self, key: ConversationKey, id: StreamId) {
        if let Some(stream) = self.stream_mut(key, id).filter(|it| !it.waits) {
            stream.waits = true;
            self.command(Command::Wait(id, ANSWER_PAUSE));
        }
    }

    /// Looks whether a stream was silent for long enough.
    pub(super) fn waited(&mut self, id: StreamId) {
        let (now, key) = (self.now, self.conversation_of_stream(id));
        let Some((key, conversation)) = key.and_then(|key| Some((key, self.conversation(key)?)))
        else {
            return;
        };
        let is_late = conversation.late_streams().any(|it| it.id == id);
        let Some(stream) = conversation.stream_with(id) else {
            return;
        };
        // Clocks can be set back.
        let silence = (now.0 - stream.heard.0).max(0);
        let is_silent = silence
            >= if is_late {
                LATE_TIMEOUT.0
            } else {
                ANSWER_PAUSE.0
            };
        let has_failed = stream.failed;
        if let Some(stream) = self
            .conversation_mut(key)
            .and_then(|it| it.stream_with_mut(id))
        {
            stream.waits = !is_silent;
            stream.heard = stream.heard.min(now);
        }
        if is_silent && (is_late || has_failed) {
            self.close_stream(key, id);
        } else if is_silent {
            self.leave_complete(key);
        } else {
            let pause = ANSWER_PAUSE.0 - if is_late { 0 } else { silence };
            self.command(Command::Wait(id, Millis(pause)));
        }
    }

    /// Leaves the stream under way open behind its answer, if that is complete.
    pub(super) fn leave_complete(&mut self, key: ConversationKey) {
        let under_way = self.conversation(key).and_then(|it| it.stream());
        let complete = under_way.filter(|it| !it.failed && self.is_over(key, it));
        let Some(id) = complete.map(|it| it.id) else {
            return;
        };
        let Some(mut stream) = self.take_stream(key, id) else {
            return;
        };
        if !stream.waits {
            stream.waits = true;
            self.command(Command::Wait(id, ANSWER_PAUSE));
        }
        // Its place is taken before a queued message is sent.
        self.accepted_stream_ended(key, &mut stream, true);
        if let Some(conversation) = self.conversation_mut(key) {
            conversation.add_late(stream);
        }
        self.close_oldest(key);
        self.after_stream(key);
    }

    /// Closes a late stream if there are too many, the oldest one whose agent is done.
    fn close_oldest(&mut self, key: ConversationKey) {
        let Some(conversation) = self.conversation(key) else {
            return;
        };
        let is_full = conversation.late_streams().count() > MAX_LATE_STREAMS;
        let mut streams = conversation.streams.iter();
        let oldest = streams.find(|it| it.is_late() && self.is_over(key, it));
        let oldest = oldest.map(|it| it.id);
        if let Some(oldest) = oldest.filter(|_| is_full) {
            self.close_stream(key, oldest);
        }
    }

    /// Closes a stream from which nothing more is expected. One of another tab is closed there.
    fn close_stream(&mut self, key: ConversationKey, id: StreamId) {
        let stream = self.conversation(key).and_then(|it| it.stream_with(id));
        if stream.is_some_and(|it| it.followed.is_none()) {
            self.command(Command::CloseStream(id));
        }
        self.stream_ended(id, StreamEnd::Closed);
    }

    /// Lets late streams forget the messages that a load has replaced. One whose question or whole
    /// answer was replaced has nothing to continue, and is closed.
    pub(super) fn forget_replaced(&mut self, key: ConversationKey) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let messages = &conversation.messages;
        let exists = |key| messages.iter().any(|message| message.key == key);
        let mut closed = Vec::new();
        conversation.streams.retain_mut(|stream| {
            let goes_on = !stream.is_late() || stream.retain_messages(exists);
            if !goes_on && stream.followed.is_none() {
                closed.push(stream.id);
            }
            goes_on
        });
        for id in closed {
            self.command(Command::CloseStream(id));
        }
    }

    /// Makes a late stream whose agent goes on the one under way, if there is no other.
    pub(super) fn resume_late(&mut self, key: ConversationKey) {
        self.end_late_steps(key);
        let Some(conversation) = self.conversation(key) else {
            return;
        };
        let mut streams = conversation.streams.iter();
        let id = streams.find(|it| it.is_late() && !self.is_over(key, it));
        let id = id.map(|it| it.id);
        if let Some(conversation) = self.conversation_mut(key)
            && let Some(id) = id.filter(|_| conversation.stream().is_none())
        {
            let at = conversation.streams.iter().position(|it| it.id == id);
            let resumed = at.map(|at| conversation.streams.remove(at));
            conversation.streams.extend(resumed.map(|stream| Stream {
                phase: Phase::Accepted,
                ..stream
            }));
            self.change(Change::Composer(key));
            // Nothing can be decided meanwhile, and so nobody is asked what the draft is meant for.
            self.release_queued(key, false);
        }
    }

    /// Ends the steps of late streams whose agents are done, also while another stream is under way.
    fn end_late_steps(&mut self, key: ConversationKey) {
        let Some(conversation) = self.conversation(key) else {
            return;
        };
        let late = conversation.late_streams();
        let over = late.filter(|it| self.is_over(key, it));
        let works = |lead: &MessageKey| {
            let message = conversation.message(*lead);
            let mut steps = message.into_iter().flat_map(|it| &it.activity.steps);
            steps.any(|step| step.state == StepState::Running)
        };
        let leads = over.filter_map(|it| Some((it.lead.filter(works)?, it.failed)));
        for (lead, has_failed) in leads.collect::<Vec<_>>() {
            let state = if has_failed {
                StepState::Failed
            } else {
                StepState::Done
            };
            self.end_steps(key, Some(lead), state);
        }
    }

    /// Does what follows once a stream is no longer under way.
    pub(super) fn after_stream(&mut self, key: ConversationKey) {
        self.resume_late(key);
        if self
            .conversation(key)
            .is_some_and(|it| it.stream().is_none())
        {
            self.settle_if_open(key);
        }
        self.release_queued(key, false);
    }

    /// Takes a stream out of its conversation.
    pub(super) fn take_stream(&mut self, key: ConversationKey, id: StreamId) -> Option<Stream> {
        let conversation = self.conversation_mut(key)?;
        let at = conversation.streams.iter().position(|it| it.id == id)?;
        let stream = conversation.streams.remove(at);
        if !stream.is_late() {
            self.change(Change::Composer(key));
        }
        Some(stream)
    }

    /// Returns true if this stream has nothing more to say, as far as its events tell: it failed, or
    /// the thread's own agent and all others have finished, asked for nothing, and began nothing
    /// since.
    fn is_over(&self, key: ConversationKey, stream: &Stream) -> bool {
        let is_at_rest = stream.asked.is_empty() && !stream.works;
        let is_complete = is_at_rest
            && self.all_complete(key, stream)
            && self.has_own_answer(key, stream)
            && self.has_contributions(key, stream);
        stream.failed || is_complete
    }

    /// Returns true if the thread's own agent spoke. Not every event or thread names its agent.
    fn has_own_answer(&self, key: ConversationKey, stream: &Stream) -> bool {
        let thread = self.conversation(key).and_then(|it| it.thread_id());
        let mut rows = self.state.threads.rows.iter();
        let row = rows.find(|row| Some(&row.id) == thread);
        let own = row
            .map(|row| &row.agent)
            .filter(|it| !it.as_str().is_empty());
        let mut agents = stream.speakers.iter().map(|(it, _)| it.agent.as_ref());
        agents.any(|agent| agent.is_none() || own.is_none() || agent == own)
    }

    /// Returns true if no contribution to the answer is to come or being written.
    fn has_contributions(&self, key: ConversationKey, stream: &Stream) -> bool {
        let lead = stream
            .lead
            .and_then(|it| self.conversation(key)?.message(it));
        let contributions = lead.map(|it| it.contributions.as_slice());
        let contributions = contributions.unwrap_or_default();
        let is_awaited = stream.collaboration == Collaboration::Contributing;
        let mut states = contributions.iter().map(|it| it.state);
        states.all(|it| it != ContributionState::Writing)
            && !(is_awaited && contributions.is_empty())
    }
}
