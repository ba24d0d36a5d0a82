//! One post that is under way, and the stream that answers it.

use std::collections::BTreeSet;

use assent_protocol::{AgentId, BatchId, EventId};

use crate::{MessageKey, StreamId};

/// A post under way. A conversation has at most one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// Its name.
    pub id: StreamId,
    /// What was posted.
    pub posted: Posted,
    /// MESSAGE_RECEIVED or any later event was seen: the service has the post.
    pub accepted: bool,
    /// ERROR was seen: nothing counts after it.
    pub failed: bool,
    /// An approval request was seen: ending now is no interruption.
    pub asked: bool,
    /// Events that were seen, so that the same one twice changes nothing.
    pub seen: BTreeSet<EventId>,
    /// The first message of the answer, which carries the activity; `None` until something is to be shown.
    pub lead: Option<MessageKey>,
    /// The message that the last event touched; approval requests go to it.
    pub current: Option<MessageKey>,
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
