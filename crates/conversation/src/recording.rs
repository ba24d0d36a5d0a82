//! The recorded stream of an answer, kept for later pages: the service stores the answer, but not
//! the activity.

use assent_protocol::{ExecutionId, SseEvent, ToolImage};

use crate::{
    Author, BatchId, Failure, FailureKind, Input, Intent, Message, MessageStatus, Millis,
    PostedContent, State, Stream, StreamEnd, StreamId, ThreadBinding, ThreadId, step,
};

/// The recording of one post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The text that was posted; `None` for the answer to a batch.
    pub question: Option<String>,
    /// The frames that came in the stream, in order.
    pub frames: Vec<RecordedFrame>,
    /// The time at which the stream ended, or of its last frame.
    pub ended: Millis,
    /// How the stream ended.
    pub end: RecordedEnd,
}

/// One frame of a recorded stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedFrame {
    /// The time at which the frame came.
    pub at: Millis,
    /// The event; `None` for a frame that cannot be read.
    pub event: Option<Box<SseEvent>>,
}

/// How a recorded stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordedEnd {
    /// The service closed the stream.
    Closed,
    /// The connection broke, or the page was left.
    Lost,
    /// The user stopped the stream.
    Stopped,
}

/// An answer as a recording shows it, with the activity that the service does not store.
pub(crate) struct ReplayedAnswer {
    question: Option<String>,
    answer: Message,
    ended: Millis,
}

impl Recording {
    /// Makes the recorded inputs again, and returns the answer that they result in. `None` if the
    /// recording has no activity.
    pub(crate) fn replay(self) -> Option<ReplayedAnswer> {
        let mut state = State::new();
        let (key, id) = (state.keys.next_message(), StreamId(1));
        let conversation = state.conversation_mut(state.open)?;
        conversation.thread = ThreadBinding::Bound(ThreadId::default());
        let posted = match &self.question {
            Some(question) => {
                let message = Message::new_sending(key, question.clone(), Vec::new(), self.ended);
                conversation.messages.push(message);
                PostedContent::Message(key)
            }
            None => PostedContent::Approval {
                batch: BatchId::default(),
                feedback: None,
            },
        };
        conversation.streams.push(Stream::new(id, posted));
        for frame in self.frames {
            let input = match frame.event {
                Some(event) => Input::StreamEvent(id, event),
                None => Input::StreamGarbled(id),
            };
            step(&mut state, input, frame.at);
        }
        let end = match self.end {
            RecordedEnd::Closed => Input::StreamEnded(id, StreamEnd::Closed),
            RecordedEnd::Lost => {
                let lost = Failure::of(FailureKind::Unreachable);
                Input::StreamEnded(id, StreamEnd::Failed(lost))
            }
            RecordedEnd::Stopped => Input::Intent(Intent::Stop),
        };
        step(&mut state, end, self.ended);
        let messages = std::mem::take(&mut state.conversation_mut(state.open)?.messages);
        let mut messages = messages.into_iter();
        Some(ReplayedAnswer {
            question: self.question,
            ended: self.ended,
            answer: messages.find(|it| !it.activity.steps.is_empty())?,
        })
    }
}

impl ReplayedAnswer {
    /// Restores the activity of this answer in the message that has the same answer, and returns
    /// that message. `None` if there is no such message, or if its activity was seen on this page.
    pub(crate) fn restore_activity(mut self, messages: &mut [Message]) -> Option<&Message> {
        let at = (0..messages.len())
            .rev()
            .find(|at| self.is_answer_at(messages, *at))?;
        // The stored messages of several agents have the images of their own tools.
        let others = messages.iter().enumerate().filter(|(of, _)| *of != at);
        let elsewhere: Vec<ToolImage> = others
            .flat_map(|(_, other)| other.activity.images().cloned())
            .collect();
        for step in &mut self.answer.activity.steps {
            step.images.retain(|image| !elsewhere.contains(image));
        }
        let message = messages.get_mut(at)?;
        let stored = std::mem::replace(&mut message.activity, self.answer.activity);
        let stored = stored.images().cloned().collect();
        message.activity.add_images(stored, self.ended);
        Some(message)
    }

    /// Returns true if the message at index `at` is this answer. Question and answer are compared,
    /// as a stream does not have the ids of stored messages.
    fn is_answer_at(&self, messages: &[Message], at: usize) -> bool {
        let (before, from) = messages.split_at(at);
        let Some(message) = from.first() else {
            return false;
        };
        let is_open = message.author != Author::You
            && message.status != MessageStatus::Streaming
            && message.activity.is_of_stored_images();
        is_open
            && (self.asks_for_same_runs(message)
                || self.has_same_text(message) && self.follows_posted_message(before))
    }

    fn asks_for_same_runs(&self, message: &Message) -> bool {
        let mut batches = message.approvals.iter();
        batches.any(|batch| {
            let mut runs = batch.tools.iter();
            runs.any(|run| has_tool_run(&self.answer, &run.execution))
        })
    }

    /// Returns true if the message has the text of this answer. An interrupted answer is the
    /// beginning of the stored one.
    fn has_same_text(&self, message: &Message) -> bool {
        let (seen, stored) = (self.answer.text.trim(), message.text.trim());
        match self.answer.status {
            MessageStatus::Complete => seen == stored,
            _ => stored.starts_with(seen),
        }
    }

    /// Returns true if `before` ends with the message that was posted, perhaps followed by other
    /// answers to it.
    fn follows_posted_message(&self, before: &[Message]) -> bool {
        let asks = |message: &Message| !message.approvals.is_empty();
        let mut before = before.iter().rev();
        match &self.question {
            Some(question) => before
                .find(|message| message.author == Author::You)
                .is_some_and(|message| message.text.trim() == question.trim()),
            // Feedback is a message of the user, after the request that it stops.
            None => {
                let posted = before.find(|message| message.author == Author::You || asks(message));
                posted.is_some_and(|message| asks(message) || before.next().is_some_and(asks))
            }
        }
    }
}

fn has_tool_run(message: &Message, execution: &ExecutionId) -> bool {
    let mut batches = message.approvals.iter();
    batches.any(|batch| batch.tools.iter().any(|run| run.execution == *execution))
}
