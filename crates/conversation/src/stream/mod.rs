//! A post under way, and the stream that answers it.

mod answer;
mod contributing;
mod ending;
mod messages;

pub(crate) use messages::{announce_answer, time_of};

use assent_protocol::{AgentId, BatchId, RawApprovalRequest, SseEventMessage};

use crate::{Collaboration, Command, IdSet, Message, MessageKey, Millis, Output, StreamId};

/// A post and the stream that answers it. A conversation has at most one stream that is under way;
/// its other streams are late.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The identifier of the stream.
    pub id: StreamId,
    /// The content of the post.
    pub posted: PostedContent,
    /// For a post of another tab: its decisions, until they are accepted. `None` for a post of this
    /// tab.
    pub followed: Option<Vec<RawApprovalRequest>>,
    /// The phase of the stream: whether the service has the post, and whether the answer is
    /// complete.
    pub phase: StreamPhase,
    /// The batches for which the stream asked a decision; if there are any, ending now is no
    /// interruption.
    pub asked: Vec<BatchId>,
    /// True if nothing came in the stream for a while, in whatever phase.
    pub is_stalled: bool,
    /// True once the user asked the service to end the answer. The stream goes on until the answer
    /// has ended.
    pub is_stopping: bool,
    /// True if a part of the stream could not be read, which may have been a request for approval.
    pub garbled: bool,
    /// The ids of the events that came in the stream, to ignore repeated ones.
    pub seen: IdSet,
    /// The first message of the answer, which carries the activity; `None` until something is to be
    /// shown.
    pub lead: Option<MessageKey>,
    /// The message that the last event touched; approval requests go to it.
    pub current: Option<MessageKey>,
    /// The collaboration of agents in the stream, as announced so far.
    pub collaboration: Collaboration,
    /// The message that collects the chunks of each speaker.
    pub speakers: Vec<(Speaker, MessageKey)>,
    /// The agent's messages, in the order they were added.
    pub written: Vec<MessageKey>,
    /// The messages that the host page was notified of as an answer.
    pub reported: Vec<MessageKey>,
    /// True if the service reported, after the last complete answer, that it began some work, as an
    /// agent's use of a tool: more is to come. Also set while the stream is late.
    pub works: bool,
    /// The time of the last event.
    pub last_event_at: Millis,
}

/// The phase of a stream. Once the event ERROR was seen the stream has failed, and everything after
/// that is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StreamPhase {
    /// It is not known whether the service has the post.
    Posting,
    /// ERROR was seen, and it is not known whether the service has the post.
    PostingFailed,
    /// MESSAGE_RECEIVED or any later event was seen: the service has the post.
    Accepted,
    /// An agent has finished, and a wait is under way for what may come after it.
    Paused,
    /// ERROR was seen while the answer was under way.
    Failed,
    /// The answer is complete, and the stream is still open. The next message can be sent, and what
    /// still comes is shown where the answer is.
    Late,
    /// ERROR was seen after the answer was complete.
    LateFailed,
}

/// What a stream answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostedContent {
    /// A message of the user.
    Message(MessageKey),
    /// An answer to a batch, with the message that shows its feedback, if there is any.
    Approval {
        /// The batch that is answered.
        batch: BatchId,
        /// The feedback as a message of the user.
        feedback: Option<MessageKey>,
    },
    /// A post that the stored messages have, and not this stream.
    Elsewhere {
        /// True if this page, or one before it on this device, waited for the answer.
        is_awaited: bool,
    },
}

impl PostedContent {
    /// Returns the batch that is answered; `None` for anything else.
    pub(crate) fn batch(&self) -> Option<&BatchId> {
        match self {
            Self::Message(_) | Self::Elsewhere { .. } => None,
            Self::Approval { batch, .. } => Some(batch),
        }
    }
}

/// Who speaks in a stream: one agent within one collaboration. The chunks of one speaker belong
/// together.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Speaker {
    /// The agent; `None` if events name none.
    pub agent: Option<AgentId>,
    /// The identifier of the collaboration; `None` for an agent that answers alone.
    pub collaboration: Option<String>,
}

impl Stream {
    /// Returns a stream without events so far.
    pub(crate) fn new(id: StreamId, posted: PostedContent) -> Self {
        Self {
            id,
            posted,
            followed: None,
            phase: StreamPhase::Posting,
            asked: Vec::new(),
            is_stalled: false,
            is_stopping: false,
            garbled: false,
            seen: IdSet::default(),
            lead: None,
            current: None,
            collaboration: Collaboration::None,
            speakers: Vec::new(),
            written: Vec::new(),
            reported: Vec::new(),
            works: false,
            last_event_at: Millis::default(),
        }
    }

    /// Returns true once the service is known to have the post.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        !matches!(
            self.phase,
            StreamPhase::Posting | StreamPhase::PostingFailed
        )
    }

    /// Returns true if the host page is told of the answer: otherwise another page posted, which is
    /// told.
    pub(crate) fn is_told(&self) -> bool {
        let is_foreign = matches!(self.posted, PostedContent::Elsewhere { is_awaited: false });
        self.followed.is_none() && !is_foreign
    }

    /// Returns true for a stream that is open behind its complete answer.
    #[must_use]
    pub fn is_late(&self) -> bool {
        matches!(self.phase, StreamPhase::Late | StreamPhase::LateFailed)
    }

    /// Returns true once the event ERROR was seen in the stream.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        matches!(
            self.phase,
            StreamPhase::PostingFailed | StreamPhase::Failed | StreamPhase::LateFailed
        )
    }

    /// Returns true while a wait is under way, after which is checked whether events came
    /// meanwhile.
    pub(crate) fn is_waiting(&self) -> bool {
        !matches!(self.phase, StreamPhase::Posting | StreamPhase::Accepted)
    }

    /// Returns true if an event with the id `event` is to be handled: it was not seen before, and
    /// no ERROR was. From now on, the event counts as seen.
    pub(crate) fn note_if_new(&mut self, event: &str) -> bool {
        !self.has_failed() && (event.is_empty() || self.seen.insert(event))
    }

    /// Returns true if an answer to a batch was posted, and is not known to be accepted.
    pub(crate) fn awaits_acceptance_of_answer(&self) -> bool {
        !self.is_accepted() && self.posted.batch().is_some()
    }

    /// Returns the message that collects the chunks of this speaker.
    pub(crate) fn message_of(&self, speaker: &Speaker) -> Option<MessageKey> {
        let mut speakers = self.speakers.iter().rev();
        speakers
            .find(|(known, _)| known == speaker)
            .map(|(_, message)| *message)
    }

    /// Sets the message that collects the chunks of this speaker from now on.
    pub(crate) fn assign_message(&mut self, speaker: Speaker, message: MessageKey) {
        let mut speakers = self.speakers.iter_mut();
        match speakers.find(|(known, _)| *known == speaker) {
            Some((_, known)) => *known = message,
            None => self.speakers.push((speaker, message)),
        }
        self.current = Some(message);
    }

    /// Returns the messages that the stream writes or posted: nothing else may change them while
    /// the stream is open.
    pub(crate) fn messages(&self) -> Vec<MessageKey> {
        let mut messages: Vec<_> = self.speakers.iter().map(|(_, message)| *message).collect();
        for message in [self.question(), self.lead, self.current] {
            messages.extend(message);
        }
        messages.extend(&self.written);
        messages
    }

    /// Forgets those messages of the stream for which `exists` returns false. Returns false if the
    /// question that the stream answers is among them, or the whole answer.
    pub(crate) fn retain_messages(&mut self, exists: impl Fn(MessageKey) -> bool) -> bool {
        self.speakers.retain(|(_, message)| exists(*message));
        self.written.retain(|message| exists(*message));
        self.current = self.current.filter(|it| exists(*it));
        let first = self.speakers.first().map(|(_, message)| *message);
        self.lead = self.lead.filter(|it| exists(*it)).or(first);
        self.question().is_none_or(exists) && first.is_some()
    }

    /// Returns the message of the user that the stream answers; `None` for decisions without words.
    fn question(&self) -> Option<MessageKey> {
        match self.posted {
            PostedContent::Message(message) => Some(message),
            PostedContent::Approval { feedback, .. } => feedback,
            PostedContent::Elsewhere { .. } => None,
        }
    }
}

/// Lets late streams forget the messages that a load has replaced. A late stream whose question or
/// whole answer was replaced has nothing to continue, and is closed.
pub(crate) fn forget_replaced_messages(
    streams: &mut Vec<Stream>,
    messages: &[Message],
    output: &mut Output,
) {
    let exists = |key| messages.iter().any(|message| message.key == key);
    streams.retain_mut(|stream| {
        let goes_on = !stream.is_late() || stream.retain_messages(exists);
        if !goes_on && stream.followed.is_none() {
            output.command(Command::CloseStream(stream.id));
        }
        goes_on
    });
}

impl Speaker {
    /// Returns the speaker of this event.
    pub(crate) fn of(message: &SseEventMessage) -> Self {
        let agent = message.agent.as_ref().map(|agent| agent.id.clone());
        Self {
            agent: agent.filter(|id| !id.as_str().is_empty()),
            collaboration: message.collaboration_id.clone().filter(|id| !id.is_empty()),
        }
    }

    /// Returns true if both speakers may be the same agent: one of them names none, or both name
    /// the same.
    pub(crate) fn may_be_same(&self, other: &Self) -> bool {
        self.agent.is_none() || other.agent.is_none() || self.agent == other.agent
    }
}
