//! One message of a transcript.

use assent_protocol::{BatchId, ContentItem, MessageId, Words};

use crate::attachment::file_items;
use crate::output::Context;
use crate::{
    Activity, ApprovalBatch, Attachment, Change, Contribution, ContributionState, Failure,
    MessageKey, Millis, UploadId,
};

/// A message of the user or of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The identifier of the message on this page.
    pub key: MessageKey,
    /// The identifier of the message on the service, once it is known.
    pub id: Option<MessageId>,
    /// The author of the message.
    pub author: Author,
    /// The agent's handle; empty for the user and if the service does not say.
    pub handle: String,
    /// The text of the message; of an agent it is untrusted Markdown.
    pub text: String,
    /// The paragraphs of the text that the service wrote itself, with the keys by which they are
    /// shown in the widget's language.
    pub words: Vec<Words>,
    /// The files of the message; empty for an agent. Where the service does not tell files, they
    /// are known on the page alone that sent them.
    pub files: Vec<Attachment>,
    /// The status of the message.
    pub status: MessageStatus,
    /// The time at which the message was written, according to the service; until the service says,
    /// according to this device.
    pub time: Option<Millis>,
    /// The key of the message's post, by which the service knows that post again; `None` if the service
    /// offers no such keys, and if the message is not to be posted again by itself.
    pub post_key: Option<String>,
    /// For a user's message posted by another page: the number of messages with the same text that
    /// were stored before it. Otherwise 0.
    pub older: u32,
    /// True if this page got the message by a stream that another page posted.
    pub followed: bool,
    /// The activity of agents for this message; empty for the user.
    pub activity: Activity,
    /// The contributions of several agents to the answer, in the order they began.
    pub contributions: Vec<Contribution>,
    /// The requests for approval in the message, by batch.
    pub approvals: Vec<ApprovalBatch>,
}

/// The author of a message.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Author {
    /// The user of this page.
    You,
    /// An agent; the name is empty for the thread's agent if the service does not say.
    Agent(String),
}

/// The status of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageStatus {
    /// Of the user: posted, and not known to be accepted.
    Sending,
    /// Of the user: the connection broke before the service was seen to accept the message; the
    /// stored messages tell whether it has it.
    Unconfirmed {
        /// True while the stored messages are being loaded; otherwise the load failed, and the user
        /// may retry it.
        checking: bool,
        /// The response to the post, if there was one.
        failure: Option<Failure>,
    },
    /// Of the user: accepted by the service.
    Sent,
    /// Of an agent: being written.
    Streaming,
    /// Of an agent: complete.
    Complete,
    /// Of an agent: the stream ended before the answer was complete.
    Interrupted {
        /// The reason of the interruption.
        by: Interruption,
        /// True while the stored messages are being loaded for the rest.
        checking: bool,
    },
    /// Of the user: not accepted. Of an agent: given up with an error.
    Failed(Failure),
}

/// The reason why an answer was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interruption {
    /// The connection broke or the stream ended early.
    Lost,
    /// The user pressed Stop, and this page stopped listening to the stream: the agent may go on.
    Stopped,
}

impl Message {
    /// Returns a message of the user that is about to be posted.
    pub(crate) fn new_sending(
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
            ..Self::new_streaming(key, now)
        }
    }

    /// Returns a message of an agent that begins now.
    pub(crate) fn new_streaming(key: MessageKey, now: Millis) -> Self {
        Self {
            key,
            id: None,
            author: Author::Agent(String::new()),
            handle: String::new(),
            text: String::new(),
            words: Vec::new(),
            files: Vec::new(),
            status: MessageStatus::Streaming,
            time: Some(now),
            post_key: None,
            older: 0,
            followed: false,
            activity: Activity::default(),
            contributions: Vec::new(),
            approvals: Vec::new(),
        }
    }

    /// Returns the content of the message for a post: the text, then the files.
    pub(crate) fn content(&self) -> Vec<ContentItem> {
        let text = Some(ContentItem::Text(self.text.clone()));
        let text = text.filter(|_| !self.text.is_empty());
        text.into_iter().chain(file_items(&self.files)).collect()
    }

    /// Marks contributions that are still being written as incomplete.
    pub(crate) fn end_contributions(&mut self) {
        for contribution in &mut self.contributions {
            if contribution.state == ContributionState::Writing {
                contribution.state = ContributionState::Short;
            }
        }
    }

    /// Returns true while the stored messages are being loaded to learn whether the message or an
    /// answer to one of its batches arrived, or to get the rest of it.
    pub(crate) fn has_open_outcome(&self) -> bool {
        let open = matches!(
            self.status,
            MessageStatus::Unconfirmed { checking: true, .. }
                | MessageStatus::Interrupted { checking: true, .. }
        );
        open || self.approvals.iter().any(ApprovalBatch::has_open_outcome)
    }

    /// Returns the files of feedback on batches of this message that are being uploaded, or could
    /// be retried.
    pub(crate) fn unfinished_uploads(&self) -> Vec<UploadId> {
        self.approvals
            .iter()
            .flat_map(ApprovalBatch::unfinished_uploads)
            .collect()
    }

    /// Returns true if the message has files and no text.
    pub(crate) fn has_only_files(&self) -> bool {
        self.text.is_empty() && !self.files.is_empty()
    }

    /// Returns true if the message has neither text, files, activity, contributions nor approvals
    /// to show.
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
    /// Returns the agent's name; empty for the user and if the service does not say.
    pub(crate) fn agent_name(&self) -> &str {
        match self {
            Self::You => "",
            Self::Agent(name) => name,
        }
    }
}

/// Returns the message with this key. Most look-ups are for the last messages.
pub(crate) fn find_message(messages: &[Message], key: MessageKey) -> Option<&Message> {
    messages.iter().rev().find(|message| message.key == key)
}

pub(crate) fn find_message_mut(messages: &mut [Message], key: MessageKey) -> Option<&mut Message> {
    let mut messages = messages.iter_mut().rev();
    messages.find(|message| message.key == key)
}

/// Returns the batch with this id and the message that has it; the latest, should an id come twice.
pub(crate) fn batch_mut<'a>(
    messages: &'a mut [Message],
    id: &BatchId,
) -> Option<(MessageKey, &'a mut ApprovalBatch)> {
    messages.iter_mut().rev().find_map(|message| {
        let key = message.key;
        let mut batches = message.approvals.iter_mut().rev();
        let batch = batches.find(|batch| batch.id == *id)?;
        Some((key, batch))
    })
}

/// Marks a message as failed, for the reason `failure`.
pub(crate) fn mark_failed(
    messages: &mut [Message],
    key: MessageKey,
    failure: Failure,
    cx: &mut Context<'_>,
) {
    if let Some(message) = find_message_mut(messages, key) {
        message.status = MessageStatus::Failed(failure);
    }
    cx.message_changed(key);
}

/// Removes the messages for which `goes` returns true.
pub(crate) fn remove_messages(
    messages: &mut Vec<Message>,
    cx: &mut Context<'_>,
    goes: &dyn Fn(&Message) -> bool,
) {
    let before = messages.len();
    messages.retain(|message| !goes(message));
    if messages.len() != before {
        cx.output.change(Change::Transcript(cx.key));
    }
}
