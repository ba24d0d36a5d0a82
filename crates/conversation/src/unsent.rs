//! Text and files of the user that may not be on the service, stored beyond the lifetime of the
//! page.

use assent_protocol::ThreadId;

use crate::conversation::join_before_draft;
use crate::{
    ApprovalBatch, Attachment, AttachmentState, Author, BatchPhase, Conversation, DeliveryStatus,
    Feedback, FileRef, LoadState, Message, MessageKey, MessageStatus, Millis, PostedContent, State,
    ThreadBinding, UnconfirmedReason, UploadId,
};

/// The content of a conversation's message box. All tabs share it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The thread of the draft; `None`: the draft of a conversation that has no thread yet.
    pub thread: Option<ThreadId>,
    /// The text of the draft.
    pub text: String,
    /// The uploaded files of the draft.
    pub files: Vec<UploadedFile>,
}

/// An uploaded file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadedFile {
    /// The name of the file.
    pub name: String,
    /// The size of the file in bytes.
    pub size: u64,
    /// The reference to the file in a posted message.
    pub file: FileRef,
}

/// A message that left the message box, and that the service has not confirmed. One tab owns the
/// message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsentMessage {
    /// The thread of the message; `None`: a thread that was not created yet.
    pub thread: Option<ThreadId>,
    /// The text of the message.
    pub text: String,
    /// The uploaded files of the message.
    pub files: Vec<UploadedFile>,
    /// The time at which the message was sent last.
    pub at: Millis,
    /// The number of the person's stored messages with the same text that stand before this one: the
    /// look-up of its outcome skips as many.
    pub older: u32,
    /// The key with which the message was posted; `None` if it has none.
    pub key: Option<String>,
    /// The progress of sending the message.
    pub status: PostStatus,
}

/// The progress of sending a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PostStatus {
    /// The message was not posted: it belongs into the draft.
    Unposted,
    /// The service certainly does not have the message.
    Refused,
    /// The message was posted. The stored messages show whether the service has it.
    Posted,
    /// The service has the message, but the answer to it was not complete. The stored messages show
    /// what became of the answer.
    Accepted,
}

impl State {
    /// Returns all drafts that are not blank, each thread once.
    #[must_use]
    pub fn drafts(&self) -> Vec<Draft> {
        let mut drafts = self.drafts.clone();
        for conversation in &self.conversations {
            let thread = conversation.thread_id().cloned();
            let files = uploaded_files(&conversation.files);
            let text = conversation.draft.clone();
            if text.trim().is_empty() && files.is_empty() {
                continue;
            }
            match drafts.iter_mut().find(|draft| draft.thread == thread) {
                // Several new conversations have one draft, which the next one gets.
                Some(draft) => {
                    draft.text = join_before_draft(&draft.text, &text);
                    draft.files.extend(files);
                }
                None => drafts.push(Draft {
                    thread,
                    text,
                    files,
                }),
            }
        }
        drafts
    }

    /// Returns all messages that left a message box and may not be on the service, in the order of
    /// each conversation.
    #[must_use]
    pub fn unsent_messages(&self) -> Vec<UnsentMessage> {
        let mut unsent = Vec::new();
        for conversation in &self.conversations {
            unsent.extend(unsent_messages_of(conversation));
        }
        unsent
    }
}

fn unsent_messages_of(conversation: &Conversation) -> Vec<UnsentMessage> {
    let stream = conversation.stream();
    let accepted = stream.is_some_and(|it| it.is_accepted());
    let followed = stream.is_some_and(|it| it.followed.is_some());
    let posted = stream.map(|it| &it.posted);
    let unsent = |text: &str, files: &[Attachment], status| UnsentMessage {
        thread: conversation.thread_id().cloned(),
        text: text.to_owned(),
        files: uploaded_files(files),
        at: Millis(0),
        older: 0,
        key: None,
        status,
    };
    let mut all = Vec::new();
    let mut messages = conversation.messages.iter();
    while let Some(message) = messages.next() {
        for batch in &message.approvals {
            let (Feedback { text, files }, status) = feedback_of(batch);
            if !text.trim().is_empty() || !files.is_empty() {
                all.push(UnsentMessage {
                    at: message.time.unwrap_or_default(),
                    older: count_stored_before(conversation, text, None).unwrap_or_default(),
                    ..unsent(text, files, status)
                });
            }
        }
        let is_posted = posted == Some(&PostedContent::Message(message.key));
        let status = match message.status {
            _ if message.author != Author::You => continue,
            // Another tab posted it.
            _ if is_posted && followed => continue,
            // Without this page nobody would check for its answer.
            _ if is_posted && accepted => PostStatus::Accepted,
            MessageStatus::Sent if awaits_checked_answer(messages.as_slice()) => {
                PostStatus::Accepted
            }
            MessageStatus::Sending | MessageStatus::Unconfirmed { .. } => PostStatus::Posted,
            MessageStatus::Failed(_) => PostStatus::Refused,
            _ => continue,
        };
        let status = match conversation.thread {
            ThreadBinding::Bound(_) => status,
            ThreadBinding::None | ThreadBinding::Creating(_) => PostStatus::Unposted,
        };
        all.push(UnsentMessage {
            at: message.time.unwrap_or_default(),
            older: count_stored_before(conversation, &message.text, Some(message.key))
                .unwrap_or(message.older),
            key: message.post_key.clone(),
            ..unsent(&message.text, &message.files, status)
        });
    }
    // Each goes before the draft, and so before those that were restored before it.
    for queued in conversation.queued.iter().rev() {
        all.push(unsent(&queued.text, &queued.files, PostStatus::Unposted));
    }
    all
}

/// Returns true if the first message of `next`, apart from unsent ones, is an interrupted answer
/// whose rest is being looked for in the stored messages.
fn awaits_checked_answer(next: &[Message]) -> bool {
    let is_unsent = |it: &&Message| it.author == Author::You && it.status != MessageStatus::Sent;
    let next = next.iter().find(|it| !is_unsent(it)).map(|it| &it.status);
    matches!(
        next,
        Some(MessageStatus::Interrupted { checking: true, .. })
    )
}

/// Returns the feedback that was begun for a batch, even while the choices are shown instead, or
/// that was sent with an unknown outcome. While feedback is being sent it is a message, and not
/// returned.
fn feedback_of(batch: &ApprovalBatch) -> (&Feedback, PostStatus) {
    match &batch.phase {
        BatchPhase::Deciding {
            feedback: Some(feedback),
            ..
        } => (feedback, PostStatus::Unposted),
        BatchPhase::Submitting {
            answer,
            delivery: DeliveryStatus::Checking(reason) | DeliveryStatus::Unknown(reason),
            ..
        } => match (answer.feedback(), reason) {
            (Some(feedback), UnconfirmedReason::Lost) => (feedback, PostStatus::Posted),
            (Some(feedback), UnconfirmedReason::OtherTab) => (feedback, PostStatus::Unposted),
            (None, _) => (&batch.draft, PostStatus::Unposted),
        },
        _ => (&batch.draft, PostStatus::Unposted),
    }
}

/// Returns the number of stored messages with this text before `message`, or of all if that is
/// `None`; `None` if the stored messages are not loaded.
fn count_stored_before(
    conversation: &Conversation,
    text: &str,
    message: Option<MessageKey>,
) -> Option<u32> {
    let before = conversation.messages.iter();
    let before = before.take_while(|it| Some(it.key) != message);
    let same = before.filter(|it| {
        it.author == Author::You
            && it.status == MessageStatus::Sent
            && it.text.trim() == text.trim()
    });
    (conversation.load == LoadState::Ready).then(|| same.fold(0, |count, _| count + 1))
}

fn uploaded_files(files: &[Attachment]) -> Vec<UploadedFile> {
    let kept = files.iter().filter_map(|file| match &file.state {
        AttachmentState::Uploaded(id) => Some(UploadedFile {
            name: file.name.clone(),
            size: file.size,
            file: id.clone(),
        }),
        AttachmentState::Uploading(_) | AttachmentState::Failed(_) => None,
    });
    kept.collect()
}

impl UploadedFile {
    /// Returns the file with the identifier `upload`, as an uploaded file of a message on this
    /// page.
    pub(crate) fn into_attachment(self, upload: UploadId) -> Attachment {
        Attachment {
            name: self.name,
            size: self.size,
            ..Attachment::from_page(upload, self.file)
        }
    }
}
