//! One message of a transcript.

use assent_protocol::{ContentItem, MessageId};

use crate::attachment::items;
use crate::{
    Activity, ApprovalBatch, Attachment, Contribution, ContributionState, Failure, MessageKey,
    Millis,
};

/// A message, of the person or of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its name on this page.
    pub key: MessageKey,
    /// Its name at the service, once known.
    pub id: Option<MessageId>,
    /// Who wrote it.
    pub author: Author,
    /// The agent's handle; empty for the person and where the service does not say.
    pub handle: String,
    /// The text; of an agent it is Markdown and hostile input.
    pub text: String,
    /// What goes with it; empty for an agent's. Stored messages do not tell of it: it is known where it was sent.
    pub files: Vec<Attachment>,
    /// Where it stands.
    pub status: MessageStatus,
    /// When it was written, as the service says; until then, as this device says.
    pub time: Option<Millis>,
    /// Of the person, where another page posted it: so many messages with the same text were stored before.
    pub older: u32,
    /// It came with a stream of another tab.
    pub followed: bool,
    /// What the agent did for it.
    pub activity: Activity,
    /// What several agents said on the way to it, in the order they began.
    pub contributions: Vec<Contribution>,
    /// What the agent asked for with it.
    pub approvals: Vec<ApprovalBatch>,
}

/// Who wrote a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Author {
    /// The person at this page.
    You,
    /// An agent; the name is empty where the service does not say, and the thread's agent is meant.
    Agent(String),
}

/// Where a message stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageStatus {
    /// Of the person: posted, not known to be accepted.
    Sending,
    /// Of the person: the connection broke before acceptance was seen; stored messages settle it.
    Unconfirmed {
        /// They are being read now; otherwise the reading failed and the person may ask again.
        checking: bool,
    },
    /// Of the person: accepted.
    Sent,
    /// Of an agent: being written.
    Streaming,
    /// Of an agent: whole.
    Complete,
    /// Of an agent: the stream ended before the answer was whole.
    Interrupted {
        /// Why.
        by: Interruption,
        /// The stored messages are being read for the rest.
        checking: bool,
    },
    /// Not accepted (of the person), or given up with an error (of an agent).
    Failed(Failure),
}

/// Why an answer stopped short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interruption {
    /// The connection broke or the stream ended early.
    Lost,
    /// The person pressed Stop. There is no cancel in the service: the agent may go on.
    Stopped,
}

impl Message {
    /// A message of the person that is about to be posted.
    pub(crate) fn sending(
        key: MessageKey,
        text: String,
        files: Vec<Attachment>,
        now: Millis,
    ) -> Self {
        Self {
            author: Author::You,
            text,
            files,
            status: MessageStatus::Sending,
            ..Self::streaming(key, now)
        }
    }

    /// A message of an agent that begins now.
    pub(crate) fn streaming(key: MessageKey, now: Millis) -> Self {
        Self {
            key,
            id: None,
            author: Author::Agent(String::new()),
            handle: String::new(),
            text: String::new(),
            files: Vec::new(),
            status: MessageStatus::Streaming,
            time: Some(now),
            older: 0,
            followed: false,
            activity: Activity::default(),
            contributions: Vec::new(),
            approvals: Vec::new(),
        }
    }

    /// What is posted of it: the text, then the files.
    pub(crate) fn content(&self) -> Vec<ContentItem> {
        let text = Some(ContentItem::Text(self.text.clone()));
        let text = text.filter(|_| !self.text.is_empty());
        text.into_iter().chain(items(&self.files)).collect()
    }

    /// What is still being written of the contributions stays short.
    pub(crate) fn end_contributions(&mut self) {
        for contribution in &mut self.contributions {
            if contribution.state == ContributionState::Writing {
                contribution.state = ContributionState::Short;
            }
        }
    }

    /// True while the stored messages are being read for what became of it.
    pub(crate) fn is_unsettled(&self) -> bool {
        let open = matches!(
            self.status,
            MessageStatus::Unconfirmed { checking: true }
                | MessageStatus::Interrupted { checking: true, .. }
        );
        open || self.approvals.iter().any(ApprovalBatch::is_unsettled)
    }

    /// True for a message of files alone.
    pub(crate) fn is_wordless(&self) -> bool {
        self.text.is_empty() && !self.files.is_empty()
    }

    /// True where neither text, files, activity, contributions nor approvals are there to show.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.text.is_empty()
            && self.files.is_empty()
            && self.activity.steps.is_empty()
            && self.contributions.is_empty()
            && self.approvals.is_empty()
    }
}

impl Author {
    /// The agent's name; empty for the person and where the service does not say.
    pub(crate) fn agent_name(&self) -> &str {
        match self {
            Self::You => "",
            Self::Agent(name) => name,
        }
    }
}
