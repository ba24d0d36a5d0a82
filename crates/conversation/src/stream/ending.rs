//! The end of an answer: when it is complete, and what becomes of the messages of a stream that
//! ends.

use assent_protocol::AgentId;

use super::messages::announce_answer;
use crate::message::{find_message, find_message_mut, remove_messages};
use crate::output::Context;
use crate::{
    Announcement, Collaboration, Command, ContributionState, Interruption, Message, MessageKey,
    MessageStatus, Millis, PostedContent, StepState, Stream, StreamPhase,
};

/// Time without an event, in milliseconds, after which an answer that may be complete counts as
/// complete.
const ANSWER_PAUSE: Millis = Millis(1000);

/// Time without an event, in milliseconds, after which a late stream is closed.
const LATE_TIMEOUT: Millis = Millis(60_000);

const LOST_STATUS: MessageStatus = MessageStatus::Interrupted {
    by: Interruption::Lost,
    checking: false,
};

impl Stream {
    /// Starts a wait for more events after an answer that seems complete.
    pub(crate) fn wait_for_more(&mut self, cx: &mut Context<'_>) {
        if self.phase == StreamPhase::Accepted {
            self.phase = StreamPhase::Paused;
            cx.output.command(Command::Wait(self.id, ANSWER_PAUSE));
        }
    }

    /// Marks the stream as failed: what comes from now on is ignored, and the end is waited for.
    pub(super) fn mark_failed(&mut self, cx: &mut Context<'_>) {
        if !self.is_waiting() {
            cx.output.command(Command::Wait(self.id, ANSWER_PAUSE));
        }
        self.phase = match self.phase {
            StreamPhase::Posting | StreamPhase::PostingFailed => StreamPhase::PostingFailed,
            StreamPhase::Accepted | StreamPhase::Paused | StreamPhase::Failed => {
                StreamPhase::Failed
            }
            StreamPhase::Late | StreamPhase::LateFailed => StreamPhase::LateFailed,
        };
    }

    /// Returns true if no event came for long enough at the end of a wait; otherwise waits again.
    pub(crate) fn check_silence(&mut self, cx: &mut Context<'_>) -> bool {
        if !self.is_waiting() {
            return false;
        }
        // Clocks can be set back.
        self.last_event_at = self.last_event_at.min(cx.now);
        let silence = cx.now.0 - self.last_event_at.0;
        let (enough, passed) = match self.is_late() {
            true => (LATE_TIMEOUT, 0),
            false => (ANSWER_PAUSE, silence),
        };
        if silence < enough.0 {
            let pause = Millis(ANSWER_PAUSE.0 - passed);
            cx.output.command(Command::Wait(self.id, pause));
            return false;
        }
        if self.phase == StreamPhase::Paused {
            self.phase = StreamPhase::Accepted;
        }
        true
    }

    /// Returns true if the stream has nothing more to say, as far as its events tell: it failed, or
    /// its agents have finished, asked for nothing, and started nothing since. `own` is the
    /// thread's own agent, if it is known, which has to be among them.
    pub(crate) fn is_over(&self, messages: &[Message], own: Option<&AgentId>) -> bool {
        let is_at_rest = self.asked.is_empty() && !self.works;
        let is_complete = is_at_rest
            && self.all_complete(messages)
            && self.has_answer_of(own)
            && self.has_all_contributions(messages);
        self.has_failed() || is_complete
    }

    /// Returns true if every speaker finished and at least one spoke.
    fn all_complete(&self, messages: &[Message]) -> bool {
        let complete =
            |it| find_message(messages, it).is_some_and(|it| it.status == MessageStatus::Complete);
        let mut speakers = self.speakers.iter();
        !self.speakers.is_empty() && speakers.all(|(_, message)| complete(*message))
    }

    /// Returns true if the thread's own agent spoke. Not every event or thread names its agent.
    fn has_answer_of(&self, own: Option<&AgentId>) -> bool {
        let own = own.filter(|it| !it.as_str().is_empty());
        let mut agents = self.speakers.iter().map(|(it, _)| it.agent.as_ref());
        agents.any(|agent| agent.is_none() || own.is_none() || agent == own)
    }

    /// Returns true if no contribution to the answer is being written or still expected.
    fn has_all_contributions(&self, messages: &[Message]) -> bool {
        let lead = self.lead.and_then(|it| find_message(messages, it));
        let contributions = lead.map(|it| it.contributions.as_slice());
        let contributions = contributions.unwrap_or_default();
        let is_awaited = self.collaboration == Collaboration::Contributing;
        let mut states = contributions.iter().map(|it| it.state);
        states.all(|it| it != ContributionState::Writing)
            && !(is_awaited && contributions.is_empty())
    }

    /// Ends the activity's steps of this late stream, which is over, even while another stream is
    /// under way.
    pub(crate) fn end_late_steps(&self, messages: &mut [Message], cx: &mut Context<'_>) {
        let lead = self.lead.and_then(|it| find_message(messages, it));
        let mut steps = lead.into_iter().flat_map(|it| &it.activity.steps);
        if steps.any(|step| step.state == StepState::Running) {
            self.end_steps(
                messages,
                cx,
                match self.has_failed() {
                    true => StepState::Failed,
                    false => StepState::Done,
                },
            );
        }
    }

    /// Ends an accepted stream; returns true if the answer is complete, or ends with a request for
    /// approval. `in_order`: the connection did not break.
    pub(crate) fn end(
        &mut self,
        messages: &mut Vec<Message>,
        cx: &mut Context<'_>,
        in_order: bool,
    ) -> bool {
        if in_order {
            self.separate_unanswered_contributions(messages, cx);
        }
        let whole = !self.asked.is_empty() || self.all_complete(messages);
        if self.has_failed() {
            self.end_steps(messages, cx, StepState::Failed);
            self.remove_blank_messages(messages, cx);
            self.close_open_messages(messages, cx, |message| {
                if message.approvals.is_empty() {
                    LOST_STATUS
                } else {
                    MessageStatus::Complete
                }
            });
        } else if whole {
            self.end_steps(messages, cx, StepState::Done);
            self.remove_blank_messages(messages, cx);
            let closed = self.close_open_messages(messages, cx, |_| MessageStatus::Complete);
            for message in closed {
                announce_answer(messages, message, cx);
            }
        } else {
            self.end_steps(messages, cx, StepState::Failed);
            if in_order && matches!(self.posted, PostedContent::Elsewhere { .. }) {
                // It had ended before it was followed.
                self.remove_blank_messages(messages, cx);
            }
            let closed = self.close_open_messages(messages, cx, |_| MessageStatus::Interrupted {
                by: Interruption::Lost,
                checking: true,
            });
            if !closed.is_empty() {
                cx.announce(Announcement::Interrupted);
            }
        }
        whole
    }

    /// Ends an accepted stream that the user stopped.
    pub(crate) fn stop(&self, messages: &mut [Message], cx: &mut Context<'_>) {
        self.end_steps(messages, cx, StepState::Done);
        self.close_open_messages(messages, cx, |_| MessageStatus::Interrupted {
            by: Interruption::Stopped,
            checking: false,
        });
    }

    /// Ends the steps that still run in the activity of the answer, with this state. The answer's
    /// first message shows the activity.
    fn end_steps(&self, messages: &mut [Message], cx: &mut Context<'_>, state: StepState) {
        let Some(lead) = self.lead else { return };
        if let Some(message) = find_message_mut(messages, lead) {
            message.activity.end_steps(state, cx.now);
            message.end_contributions();
        }
        cx.message_changed(lead);
    }

    /// Gives every message that this stream still writes its final status, and returns their keys.
    fn close_open_messages(
        &self,
        messages: &mut [Message],
        cx: &mut Context<'_>,
        status: fn(&Message) -> MessageStatus,
    ) -> Vec<MessageKey> {
        let mut closed = Vec::new();
        for message in messages.iter_mut().filter(|it| self.is_writing(it)) {
            message.status = status(message);
            closed.push(message.key);
            cx.message_changed(message.key);
        }
        closed
    }

    /// Removes the messages that this stream still writes.
    pub(crate) fn remove_open_messages(&self, messages: &mut Vec<Message>, cx: &mut Context<'_>) {
        remove_messages(messages, cx, &|message| self.is_writing(message));
    }

    fn remove_blank_messages(&self, messages: &mut Vec<Message>, cx: &mut Context<'_>) {
        remove_messages(messages, cx, &|it| self.is_writing(it) && it.is_blank());
    }

    fn is_writing(&self, message: &Message) -> bool {
        message.status == MessageStatus::Streaming && self.written.contains(&message.key)
    }
}
