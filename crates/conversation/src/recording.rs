//! The stream of an answer as a page recorded it, and kept for pages to come: the service stores the answer, and not how
//! it came about.

use assent_protocol::SseEvent;

use crate::{
    Activity, ApprovalBatch, Author, BatchId, Failure, FailureKind, Input, Intent, Message,
    MessageStatus, Millis, Posted, State, Stream, StreamEnd, StreamId, ThreadBinding, ThreadId,
    step,
};

/// What came of one post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// The words that were posted; `None` for the answer to a batch.
    pub question: Option<String>,
    /// What came, in order.
    pub frames: Vec<RecordedFrame>,
    /// When it ended, or was last heard of.
    pub ended: Millis,
    /// How it ended.
    pub end: RecordedEnd,
}

/// One frame of a recorded stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedFrame {
    /// When it was taken.
    pub at: Millis,
    /// `None` for one that cannot be read.
    pub event: Option<Box<SseEvent>>,
}

/// How a recorded stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordedEnd {
    /// The service closed it.
    Closed,
    /// The connection broke, or the page was left.
    Lost,
    /// The person stopped it.
    Stopped,
}

/// An answer as it was seen live.
pub(crate) struct Seen {
    question: Option<String>,
    answer: Message,
}

impl Recording {
    /// Takes everything once more, as it was taken then. `None` where nothing was reported on the way.
    pub(crate) fn replay(self) -> Option<Seen> {
        let mut state = State::new();
        let (key, id) = (state.next_message(), StreamId(1));
        let conversation = state.conversation_mut(state.open)?;
        conversation.thread = ThreadBinding::Bound(ThreadId::default());
        let posted = match &self.question {
            Some(question) => {
                let message = Message::sending(key, question.clone(), Vec::new(), self.ended);
                conversation.messages.push(message);
                Posted::Message(key)
            }
            None => Posted::Approval {
                batch: BatchId::default(),
                feedback: None,
            },
        };
        conversation.stream = Some(Stream::new(id, posted));
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
        Some(Seen {
            question: self.question,
            answer: messages.find(|it| !it.activity.steps.is_empty())?,
        })
    }
}

impl Seen {
    /// Gives its activity to the message that it is, if that is there and knows of none.
    pub(crate) fn give(self, messages: &mut [Message]) -> Option<&Message> {
        let at = (0..messages.len())
            .rev()
            .find(|at| self.is(messages, *at))?;
        let message = messages.get_mut(at)?;
        message.activity = self.answer.activity;
        Some(message)
    }

    /// Stored messages have no name that a stream would tell: what was asked and what was said identify an answer.
    fn is(&self, messages: &[Message], at: usize) -> bool {
        let (before, from) = messages.split_at(at);
        let Some(message) = from.first() else {
            return false;
        };
        let is_open = message.author != Author::You
            && message.status != MessageStatus::Streaming
            && message.activity == Activity::default();
        is_open
            && (self.asked_for_the_same(message)
                || self.is_said_by(message) && self.is_behind(before))
    }

    fn asked_for_the_same(&self, message: &Message) -> bool {
        let runs = |message: &Message| {
            let batches = message.approvals.iter();
            let runs = batches.flat_map(|batch: &ApprovalBatch| &batch.tools);
            runs.map(|run| run.execution.clone()).collect::<Vec<_>>()
        };
        let asked = runs(&self.answer);
        runs(message).iter().any(|run| asked.contains(run))
    }

    /// What was cut short is the beginning of what is stored, or is stored as what became of it.
    fn is_said_by(&self, message: &Message) -> bool {
        let (seen, stored) = (self.answer.text.trim(), message.text.trim());
        match self.answer.status {
            MessageStatus::Complete => seen == stored,
            _ => stored.starts_with(seen),
        }
    }

    /// True where `before` ends with what was posted, and other answers to it.
    fn is_behind(&self, before: &[Message]) -> bool {
        let asks = |message: &Message| !message.approvals.is_empty();
        let mut before = before.iter().rev();
        match &self.question {
            Some(question) => before
                .find(|message| message.author == Author::You)
                .is_some_and(|message| message.text.trim() == question.trim()),
            // Feedback is a message of the person, behind the request that it stops.
            None => {
                let posted = before.find(|message| message.author == Author::You || asks(message));
                posted.is_some_and(|message| asks(message) || before.next().is_some_and(asks))
            }
        }
    }
}
