//! One post that is under way, and the stream that answers it.

use assent_protocol::{AgentId, BatchId, RawApprovalRequest, SseEventMessage};

use crate::{Collaboration, MessageKey, StreamId, id_set::IdSet};

/// A post under way. A conversation has at most one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Its name.
    pub id: StreamId,
    /// What was posted.
    pub posted: Posted,
    /// It was posted in another tab, with these decisions until they are accepted; `None` for a post of this tab.
    pub followed: Option<Vec<RawApprovalRequest>>,
    /// MESSAGE_RECEIVED or any later event was seen: the service has the post.
    pub accepted: bool,
    /// ERROR was seen: nothing counts after it.
    pub failed: bool,
    /// The batches for which it asked; where there are any, ending now is no interruption.
    pub asked: Vec<BatchId>,
    /// Nothing came of it for a while.
    pub is_stalled: bool,
    /// Something in it could not be read, which may have been a request for approval.
    pub garbled: bool,
    /// Events that were seen, so that the same one twice changes nothing.
    pub seen: IdSet,
    /// The first message of the answer, which carries the activity; `None` until something is to be shown.
    pub lead: Option<MessageKey>,
    /// The message that the last event touched; approval requests go to it.
    pub current: Option<MessageKey>,
    /// What it told about agents that work together.
    pub collaboration: Collaboration,
    /// Which message collects whose chunks.
    pub speakers: Vec<(Speaker, MessageKey)>,
}

/// What a post carried besides an answer to come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Posted {
    /// A message of the person.
    Message(MessageKey),
    /// An answer to a batch, with the message that shows its feedback, if there is any.
    Approval {
        /// Which batch.
        batch: BatchId,
        /// The feedback as a message of the person.
        feedback: Option<MessageKey>,
    },
}

/// Whose chunks belong together: those of one agent within one collaboration.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Speaker {
    /// `None` where events name no agent.
    pub agent: Option<AgentId>,
    /// `None` outside a collaboration.
    pub collaboration: Option<String>,
}

impl Stream {
    /// A stream of which nothing was heard yet.
    pub(crate) fn new(id: StreamId, posted: Posted) -> Self {
        Self {
            id,
            posted,
            followed: None,
            accepted: false,
            failed: false,
            asked: Vec::new(),
            is_stalled: false,
            garbled: false,
            seen: IdSet::default(),
            lead: None,
            current: None,
            collaboration: Collaboration::None,
            speakers: Vec::new(),
        }
    }

    /// The message that collects what this speaker says.
    pub(crate) fn message_of(&self, speaker: &Speaker) -> Option<MessageKey> {
        let mut speakers = self.speakers.iter().rev();
        speakers
            .find(|(known, _)| known == speaker)
            .map(|(_, message)| *message)
    }

    /// From now on this message collects what the speaker says.
    pub(crate) fn assign(&mut self, speaker: Speaker, message: MessageKey) {
        let mut speakers = self.speakers.iter_mut();
        match speakers.find(|(known, _)| *known == speaker) {
            Some((_, known)) => *known = message,
            None => self.speakers.push((speaker, message)),
        }
        self.current = Some(message);
    }

    /// The messages it writes or posted: nothing else may change them while it runs.
    pub(crate) fn messages(&self) -> impl Iterator<Item = MessageKey> {
        let posted = match self.posted {
            Posted::Message(message) => Some(message),
            Posted::Approval { feedback, .. } => feedback,
        };
        let spoken = self.speakers.iter().map(|(_, message)| *message);
        [posted, self.lead, self.current]
            .into_iter()
            .flatten()
            .chain(spoken)
    }
}

impl Speaker {
    /// Who speaks in this event.
    pub(crate) fn of(message: &SseEventMessage) -> Self {
        let agent = message.agent.as_ref().map(|agent| agent.id.clone());
        Self {
            agent: agent.filter(|id| !id.as_str().is_empty()),
            collaboration: message.collaboration_id.clone().filter(|id| !id.is_empty()),
        }
    }

    /// True where nothing says that these are different agents.
    pub(crate) fn may_be(&self, other: &Self) -> bool {
        self.agent.is_none() || other.agent.is_none() || self.agent == other.agent
    }
}
