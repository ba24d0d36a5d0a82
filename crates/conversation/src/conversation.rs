//! One conversation: a thread, its transcript, and what the person is typing.

use assent_protocol::{BatchId, ThreadId};

use crate::{
    ApprovalBatch, Attachment, BatchPhase, ConversationKey, Failure, LoadId, Message, MessageKey,
    Millis, ReadingPosition, Stream, ToolRun,
};

/// A conversation, also before the service knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// Its name on this page.
    pub key: ConversationKey,
    /// Its thread at the service.
    pub thread: ThreadBinding,
    /// Whether the stored messages were read.
    pub load: Load,
    /// The last reading that was asked for; results of older ones are ignored.
    pub last_load: Option<LoadId>,
    /// It was asked how answers came about that other pages saw.
    pub recalled: bool,
    /// How often the stored messages were read to settle an open outcome; bounds the repetition.
    pub settling: u8,
    /// Oldest first.
    pub messages: Vec<Message>,
    /// The post under way.
    pub stream: Option<Stream>,
    /// What the person typed and did not send.
    pub draft: String,
    /// What goes with it, in the order it was chosen.
    pub files: Vec<Attachment>,
    /// What the person wanted to send while a batch was to be decided.
    pub queued: QueuedMessage,
    /// What is stored may have changed while a stream ran: it is read when the stream ends.
    pub stale: bool,
    /// Where the reader is; `None`: at the end, or where an answer is to be read from.
    pub position: Option<ReadingPosition>,
}

/// A message that was to be sent while a batch was to be decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum QueuedMessage {
    /// There is none.
    #[default]
    Nothing,
    /// It is the draft; the person is asked what is meant.
    Asking,
    /// Its words and files are sent once the answer to the decision is whole. Should that end otherwise, or a file be
    /// missing then, it is a draft again.
    Waiting(String, Vec<Attachment>),
}

/// A conversation's thread at the service. It is made with the first message, not before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadBinding {
    /// There is none yet.
    None,
    /// It is being made, to post this message to.
    Creating(MessageKey),
    /// There is one.
    Bound(ThreadId),
}

/// Whether something was read from the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Load {
    /// It is being read.
    Loading,
    /// It is here.
    Ready,
    /// It could not be read.
    Failed(Failure),
}

/// What the composer can do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Composer {
    /// Send.
    Ready,
    /// Type, and stop the answer that is under way.
    Streaming,
    /// Type; the agent waits for a decision first.
    AwaitingApproval,
    /// Type; the agent waits for a decision that cannot be made on this page.
    AwaitingElsewhere,
}

impl Conversation {
    /// The thread's id, once there is one.
    #[must_use]
    pub fn thread_id(&self) -> Option<&ThreadId> {
        match &self.thread {
            ThreadBinding::Bound(id) => Some(id),
            ThreadBinding::None | ThreadBinding::Creating(_) => None,
        }
    }

    /// What the composer can do now.
    #[must_use]
    pub fn composer(&self) -> Composer {
        if self.stream.is_some() || matches!(self.thread, ThreadBinding::Creating(_)) {
            Composer::Streaming
        } else if self
            .pending_batches()
            .any(|batch| batch.phase != BatchPhase::Unanswerable)
        {
            Composer::AwaitingApproval
        } else if self.pending_batches().next().is_some() {
            Composer::AwaitingElsewhere
        } else {
            Composer::Ready
        }
    }

    /// True where there is no message yet, and none on the service. Then one can be sent.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.messages.is_empty() && self.load == Load::Ready
    }

    /// True where the stream under way is one of another tab. The page of that tab is told of it, not this one.
    pub(crate) fn is_following(&self) -> bool {
        let stream = self.stream.as_ref();
        stream.is_some_and(|stream| stream.followed.is_some())
    }

    /// The batches the agent waits for.
    pub fn pending_batches(&self) -> impl Iterator<Item = &ApprovalBatch> {
        self.messages
            .iter()
            .flat_map(|message| &message.approvals)
            .filter(|batch| batch.is_pending())
    }

    /// The tool runs that a person is to decide on this page.
    #[must_use]
    pub fn undecided(&self) -> usize {
        let batches = self.pending_batches().filter(|batch| batch.is_deciding());
        batches.map(|batch| batch.tools.len()).sum()
    }

    /// The last call of the same tool before `batch`, for showing what changed since.
    #[must_use]
    pub fn last_call(&self, batch: &BatchId, run: &ToolRun) -> Option<&ToolRun> {
        let batches = self.messages.iter().rev();
        let batches = batches.flat_map(|message| message.approvals.iter().rev());
        let later = batches.skip_while(|later| later.id != *batch);
        let mut calls = later.skip(1).flat_map(|before| before.tools.iter().rev());
        calls.find(|call| call.is_same_tool(run))
    }

    /// The message with this key.
    #[must_use]
    pub fn message(&self, key: MessageKey) -> Option<&Message> {
        self.messages
            .iter()
            .rev()
            .find(|message| message.key == key)
    }

    /// The time of the last message with one in front of this one, which has to be one of this conversation.
    #[must_use]
    pub fn time_before(&self, message: &Message) -> Option<Millis> {
        let at = self.messages.element_offset(message)?;
        let mut before = self.messages.iter().take(at).rev();
        before.find_map(|message| message.time)
    }

    /// The first batch that a person is to decide on this page.
    pub(crate) fn deciding(&self) -> Option<&ApprovalBatch> {
        let mut batches = self.pending_batches();
        batches.find(|batch| batch.is_deciding())
    }

    /// What was held is a draft again, in front of what was typed since.
    pub(crate) fn take_back(&mut self) {
        if let QueuedMessage::Waiting(text, files) = std::mem::take(&mut self.queued) {
            self.put_back(&text, files);
        }
    }

    /// Words and files are a draft again, in front of what is there.
    pub(crate) fn put_back(&mut self, text: &str, files: Vec<Attachment>) {
        self.draft = before_draft(text, &self.draft);
        self.files.splice(0..0, files);
    }

    /// The question what a draft is meant for goes with its last word and file. True where it did.
    pub(crate) fn end_empty_question(&mut self) -> bool {
        let ends = self.queued == QueuedMessage::Asking && !self.has_draft();
        if ends {
            self.queued = QueuedMessage::Nothing;
        }
        ends
    }

    /// False where there is neither a word nor a file.
    #[must_use]
    pub fn has_draft(&self) -> bool {
        !self.files.is_empty() || !self.draft.trim().is_empty()
    }

    pub(crate) fn message_mut(&mut self, key: MessageKey) -> Option<&mut Message> {
        self.messages
            .iter_mut()
            .rev()
            .find(|message| message.key == key)
    }

    /// The batch with this id and the message that carries it; the latest, should an id come twice.
    pub(crate) fn batch_mut(&mut self, id: &BatchId) -> Option<(MessageKey, &mut ApprovalBatch)> {
        self.messages.iter_mut().rev().find_map(|message| {
            let key = message.key;
            let mut batches = message.approvals.iter_mut().rev();
            batches
                .find(|batch| batch.id == *id)
                .map(|batch| (key, batch))
        })
    }

    /// True where an outcome is open that only the stored messages can settle.
    pub(crate) fn is_unsettled(&self) -> bool {
        self.messages.iter().any(Message::is_unsettled)
    }
}

/// `text` and what was typed since, as one draft.
pub(crate) fn before_draft(text: &str, draft: &str) -> String {
    match (text.trim().is_empty(), draft.trim().is_empty()) {
        (true, _) => draft.to_owned(),
        (_, true) => text.to_owned(),
        _ => format!("{text}\n\n{draft}"),
    }
}
