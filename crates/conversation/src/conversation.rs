//! One conversation: a thread, its transcript, and the user's draft.

use assent_protocol::{BatchId, ThreadId};

use crate::message;
use crate::output::Context;
use crate::{
    ApprovalBatch, Attachment, Author, BatchPhase, Change, ConversationKey, Failure, Interruption,
    LoadId, Message, MessageKey, MessageStatus, Millis, ReadingPosition, Stream, StreamId,
    StreamPhase, ToolRun,
};

/// A conversation, also before the service knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// The identifier of the conversation on this page.
    pub key: ConversationKey,
    /// The thread of the conversation on the service.
    pub thread: ThreadBinding,
    /// The load state of the stored messages.
    pub load: LoadState,
    /// The load of stored messages that was requested last, until its result comes; results of
    /// older loads are ignored.
    pub last_load: Option<LoadId>,
    /// The time at which the load that was requested last starts: it may be requested with a delay.
    pub load_due: Millis,
    /// True once this page requested the recordings of the thread's answers that other pages made.
    pub has_requested_recordings: bool,
    /// The time at which this page began to load stored messages to learn what became of posts and
    /// answers whose connection broke.
    pub lookup_since: Millis,
    /// The messages, oldest first.
    pub messages: Vec<Message>,
    /// The posts whose streams are open: the late ones, oldest first, and the one under way.
    pub streams: Vec<Stream>,
    /// The text that the user typed and did not send.
    pub draft: String,
    /// The files of the draft, in the order they were chosen.
    pub files: Vec<Attachment>,
    /// True while the user is asked what the draft is meant for, because a batch is pending.
    pub is_asking: bool,
    /// The messages that are sent when the answer before them is complete, in this order.
    pub queued: Vec<QueuedMessage>,
    /// The first of the messages that came while nobody could see them, before which a mark is
    /// shown; `None` without a mark.
    pub first_unread: Option<MessageKey>,
    /// True if the stored messages may have changed while a stream ran: they are loaded when the
    /// stream ends.
    pub stale: bool,
    /// The event after which this page last followed an answer that it had not asked for: it does
    /// not do so again by itself.
    pub followed: Option<String>,
    /// The user's reading position; `None`: at the end, or at the start of an answer to be read.
    pub position: Option<ReadingPosition>,
}

/// A message of the user that is sent once the answer before it is complete. If that answer ends
/// otherwise, or a file of the message is not uploaded then, the message is a draft again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedMessage {
    /// The identifier of the message until it is sent.
    pub key: MessageKey,
    /// The text of the message.
    pub text: String,
    /// The files of the message.
    pub files: Vec<Attachment>,
}

/// A conversation's thread on the service, which is created with the first message, not before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadBinding {
    /// The conversation has no thread yet.
    None,
    /// The thread is being created; this message is then posted to it.
    Creating(MessageKey),
    /// The conversation has this thread.
    Bound(ThreadId),
}

/// How far the load of the stored messages, or of the list of threads, is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadState {
    /// The load is under way.
    Loading,
    /// The load succeeded.
    Ready,
    /// The load failed.
    Failed(Failure),
}

/// The actions that the composer allows now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComposerState {
    /// The user can type and send.
    Ready,
    /// The user can type, and stop the answer under way.
    Streaming,
    /// The user can type; the agent waits for a decision about a batch first.
    AwaitingApproval,
    /// The user can type; the agent waits for a decision that cannot be made on this page.
    AwaitingElsewhere,
}

impl Conversation {
    /// Returns the thread's id, once there is one.
    #[must_use]
    pub fn thread_id(&self) -> Option<&ThreadId> {
        match &self.thread {
            ThreadBinding::Bound(id) => Some(id),
            ThreadBinding::None | ThreadBinding::Creating(_) => None,
        }
    }

    /// Returns the actions that the composer allows now.
    #[must_use]
    pub fn composer_state(&self) -> ComposerState {
        if self.stream().is_some() || matches!(self.thread, ThreadBinding::Creating(_)) {
            ComposerState::Streaming
        } else {
            let batches = self.pending_batches();
            let answerable = |batch: &&ApprovalBatch| batch.phase != BatchPhase::Unanswerable;
            if batches.iter().any(answerable) {
                ComposerState::AwaitingApproval
            } else if !batches.is_empty() {
                ComposerState::AwaitingElsewhere
            } else {
                ComposerState::Ready
            }
        }
    }

    /// Returns true if the conversation is known to have no message yet, here or on the service.
    #[must_use]
    pub fn is_known_empty(&self) -> bool {
        self.messages.is_empty() && self.load == LoadState::Ready
    }

    /// Returns the post under way with its stream; `None` if none is.
    #[must_use]
    pub fn stream(&self) -> Option<&Stream> {
        self.streams.last().filter(|it| !it.is_late())
    }

    pub(crate) fn stream_mut(&mut self) -> Option<&mut Stream> {
        self.streams.last_mut().filter(|it| !it.is_late())
    }

    /// Returns earlier posts whose answers are complete and whose streams are still open, oldest
    /// first.
    pub fn late_streams(&self) -> impl Iterator<Item = &Stream> {
        self.streams.iter().filter(|it| it.is_late())
    }

    /// Removes a stream from the conversation and returns it; `None` if the conversation has no
    /// such stream.
    pub(crate) fn take_stream(&mut self, cx: &mut Context<'_>, id: StreamId) -> Option<Stream> {
        let at = self.streams.iter().position(|it| it.id == id)?;
        let stream = self.streams.remove(at);
        if !stream.is_late() {
            cx.output.change(Change::Composer(cx.key));
        }
        Some(stream)
    }

    /// Adds a stream as a late one, behind the other late ones.
    pub(crate) fn add_late_stream(&mut self, stream: Stream) {
        let at = self.late_streams().count();
        self.streams.insert(
            at,
            Stream {
                phase: StreamPhase::Late,
                ..stream
            },
        );
    }

    pub(crate) fn find_stream(&self, id: StreamId) -> Option<&Stream> {
        self.streams.iter().find(|stream| stream.id == id)
    }

    /// Returns the batches that the agent waits for.
    #[must_use]
    pub fn pending_batches(&self) -> Vec<&ApprovalBatch> {
        let mut pending = Vec::new();
        for message in &self.messages {
            pending.extend(message.approvals.iter().filter(|it| it.is_pending()));
        }
        pending
    }

    /// Returns the number of tool runs that the user is to decide on this page.
    #[must_use]
    pub fn count_undecided(&self) -> usize {
        let batches = self.pending_batches().into_iter();
        let deciding = batches.filter(|batch| batch.is_deciding());
        deciding.map(|batch| batch.tools.len()).sum()
    }

    /// Returns the last call of the tool of `run` in the batches before `batch`, so that the view
    /// can show what changed since.
    #[must_use]
    pub fn last_call(&self, batch: &BatchId, run: &ToolRun) -> Option<&ToolRun> {
        let batches = self.messages.iter().rev();
        let batches = batches.flat_map(|message| message.approvals.iter().rev());
        let later = batches.skip_while(|later| later.id != *batch);
        let mut calls = later.skip(1).flat_map(|before| before.tools.iter().rev());
        calls.find(|call| call.is_same_tool(run))
    }

    /// Returns the message with this key.
    #[must_use]
    pub fn message(&self, key: MessageKey) -> Option<&Message> {
        message::find_message(&self.messages, key)
    }

    /// Returns the message of the user whose answer ends with the message `answer`, if that failed
    /// or was stopped. `None` if the message cannot be posted once more: something was to be
    /// decided since, or came after the answer.
    #[must_use]
    pub fn unanswered_message(&self, answer: MessageKey) -> Option<&Message> {
        let is_own = |it: &Message| it.author == Author::You;
        let asked = self.messages.iter().rposition(is_own)?;
        let [question, answers @ ..] = self.messages.get(asked..)? else {
            return None;
        };
        let last = answers.last().filter(|last| last.key == answer)?;
        let ended_early = match &last.status {
            MessageStatus::Failed(failure) => failure.is_recoverable(),
            MessageStatus::Interrupted { by, checking } => {
                *by == Interruption::Stopped && !checking
            }
            _ => false,
        };
        let decides = answers.iter().any(|it| !it.approvals.is_empty());
        let may = ended_early && !decides && question.status == MessageStatus::Sent;
        may.then_some(question)
    }

    /// Returns the time of the last message before `message` that has a time. `message` has to be a
    /// reference to one of this conversation.
    #[must_use]
    pub fn time_of_previous(&self, message: &Message) -> Option<Millis> {
        let at = self.messages.element_offset(message)?;
        let mut before = self.messages.iter().take(at).rev();
        before.find_map(|message| message.time)
    }

    /// Returns the first batch that the user is to decide on this page.
    pub(crate) fn first_deciding_batch(&self) -> Option<&ApprovalBatch> {
        let mut batches = self.pending_batches().into_iter();
        batches.find(|batch| batch.is_deciding())
    }

    /// Turns the queued messages into a draft again, before what was typed since.
    pub(crate) fn take_back_queue(&mut self) {
        for message in std::mem::take(&mut self.queued).into_iter().rev() {
            self.prepend_to_draft(&message.text, message.files);
        }
    }

    /// Puts text and files in front of the text and files of the draft.
    pub(crate) fn prepend_to_draft(&mut self, text: &str, files: Vec<Attachment>) {
        self.draft = join_before_draft(text, &self.draft);
        self.files.splice(0..0, files);
    }

    /// Stops asking the user what the draft is meant for, once the draft is empty. Returns true if
    /// the user was asked.
    pub(crate) fn end_empty_question(&mut self) -> bool {
        let ends = self.is_asking && !self.has_draft();
        self.is_asking &= !ends;
        ends
    }

    /// Returns true if there is text or a file to send.
    #[must_use]
    pub fn has_draft(&self) -> bool {
        !self.files.is_empty() || !self.draft.trim().is_empty()
    }

    /// Returns the batch with this id and the message that has it; the latest, should an id come
    /// twice.
    pub(crate) fn batch_mut(&mut self, id: &BatchId) -> Option<(MessageKey, &mut ApprovalBatch)> {
        message::batch_mut(&mut self.messages, id)
    }

    /// Removes the mark before the first message that was unread.
    pub(crate) fn clear_unread_mark(&mut self, cx: &mut Context<'_>) {
        if let Some(first) = self.first_unread.take() {
            cx.message_changed(first);
        }
    }

    /// Returns true while stored messages are loaded to learn what became of a post or an answer
    /// whose connection broke.
    pub(crate) fn has_open_outcome(&self) -> bool {
        self.messages.iter().any(Message::has_open_outcome)
    }
}

/// Joins `text` and `draft`, which was typed since, to one draft.
pub(crate) fn join_before_draft(text: &str, draft: &str) -> String {
    match (text.trim().is_empty(), draft.trim().is_empty()) {
        (true, _) => draft.to_owned(),
        (_, true) => text.to_owned(),
        _ => format!("{text}\n\n{draft}"),
    }
}
