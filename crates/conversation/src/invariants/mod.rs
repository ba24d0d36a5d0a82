//! Invariants of every state and of every command, for any input.
//!
//! Property tests and fuzzing call these functions after each step. They are written to be read as
//! a description of the core: each line that can fail says what holds.

mod answers;
mod asking;
mod changes;
mod draw;
mod left_behind;
mod likely;
mod lists;
mod page;
mod recorded;
mod sequence;
mod tabs;

use answers::{check_cancel, check_choices, check_content, check_contribution, check_summary};
pub use changes::check_changes;
pub use sequence::{check_sequence, watch_sequence};

use std::collections::BTreeSet;

use assent_protocol::ThreadId;

use crate::{
    ApprovalBatch, Attachment, AttachmentState, Author, BatchPhase, Command, ComposerState,
    Conversation, LoadState, Message, MessageKey, MessageStatus, PostedContent, QueuedMessage,
    RowState, State, StepState, Stream, ThreadBinding,
};

/// Checks a state between two steps.
///
/// # Errors
///
/// A description of the first invariant that does not hold.
pub fn check(state: &State) -> Result<(), String> {
    ensure(
        state.open_conversation().is_some(),
        "a conversation is open",
    )?;
    let mut messages = BTreeSet::new();
    let mut threads = BTreeSet::new();
    let mut streams = BTreeSet::new();
    let mut keys = BTreeSet::new();
    for conversation in &state.conversations {
        ensure(
            keys.insert(conversation.key),
            "conversation keys are unique",
        )?;
        let fresh = |thread| threads.insert(thread);
        ensure(
            conversation.thread_id().is_none_or(fresh),
            "a thread has one conversation",
        )?;
        let fresh = |stream: &Stream| streams.insert(stream.id);
        let mut all = conversation
            .stream()
            .into_iter()
            .chain(conversation.late_streams());
        ensure(all.all(fresh), "a stream belongs to one conversation")?;
        for message in &conversation.messages {
            ensure(messages.insert(message.key), "message keys are unique")?;
            check_message(conversation, message)?;
        }
        check_conversation(conversation)?;
    }
    check_rows(state)
}

/// Checks a command against the state that its step left behind.
///
/// # Errors
///
/// A description of the first invariant that does not hold.
pub fn check_command(state: &State, command: &Command) -> Result<(), String> {
    let row = |id: &ThreadId| state.threads.rows.iter().find(|row| row.id == *id);
    match command {
        Command::CreateThread {
            conversation,
            content,
        } => {
            let conversation = state.conversation(*conversation);
            let waiting = conversation.and_then(|it| match it.thread {
                ThreadBinding::Creating(message) => it.message(message),
                ThreadBinding::None | ThreadBinding::Bound(_) => None,
            });
            ensure(
                waiting.is_some_and(|message| message.content() == *content),
                "a thread is made for a message that waits for it",
            )
        }
        Command::RenameThread { thread, name } => ensure(
            // Of several that waited for the list, the last one is shown.
            row(thread).is_some() && !name.trim().is_empty(),
            "a new name is not blank, and is for a row",
        ),
        Command::DeleteThread { thread } => ensure(
            row(thread).is_some_and(|row| row.state == RowState::Deleting),
            "a row shows that it is being deleted",
        ),
        Command::LoadMessages {
            conversation,
            load,
            thread,
            ..
        } => ensure(
            state
                .conversation(*conversation)
                .is_some_and(|c| c.last_load == Some(*load) && c.thread_id() == Some(thread)),
            "the result of a reading is waited for",
        ),
        Command::Post {
            stream,
            thread,
            content,
            is_proposal,
            summary,
            key: _,
        } => {
            let posting = state.conversations.iter().find(|conversation| {
                let own = conversation.stream();
                own.is_some_and(|own| {
                    own.id == *stream && !own.is_accepted() && own.followed.is_none()
                })
            });
            let Some(posting) = posting.filter(|c| c.thread_id() == Some(thread)) else {
                return Err("a post has a stream in the conversation of its thread".to_owned());
            };
            ensure(
                summary.is_none() || !is_proposal,
                "the page is asked about an answer by its claim",
            )?;
            check_content(posting, content)?;
            check_summary(posting, summary.as_ref())
        }
        Command::Follow { stream, thread, .. } => ensure(
            state.conversation_of(thread).is_some_and(|it| {
                let own = it.stream().filter(|own| own.id == *stream);
                own.is_some_and(|own| own.is_accepted() && it.key == state.open)
            }),
            "what is followed is under way where it is shown",
        ),
        Command::CancelAnswer(thread) => check_cancel(state, thread),
        Command::LoadInbox => ensure(
            state.inbox.is_some(),
            "what waits is asked where that is offered",
        ),
        Command::CancelStream(stream) | Command::CloseStream(stream) => ensure(
            state
                .conversations
                .iter()
                .all(|c| c.find_stream(*stream).is_none()),
            "a cancelled stream is no longer listened to",
        ),
        Command::RememberThread(thread) => ensure(
            state
                .open_conversation()
                .is_some_and(|open| open.thread_id() == thread.as_ref()),
            "the thread that is shown is the one to remember",
        ),
        Command::LoadRecordings(thread) => ensure(
            state
                .conversation_of(thread)
                .is_some_and(|it| it.has_requested_recordings && it.load == LoadState::Ready),
            "what is looked up belongs to messages that were read",
        ),
        Command::Upload(upload) => ensure(
            unsent_files(state).any(|file| file.upload == *upload && is_uploading(file)),
            "a file that is uploaded belongs to feedback or a draft",
        ),
        Command::CancelUpload(upload) => ensure(
            unsent_files(state).all(|file| file.upload != *upload),
            "a file that was taken out belongs to nothing",
        ),
        Command::KeepRequests(_)
        | Command::Wait(..)
        | Command::Forget
        | Command::CopyLog
        | Command::ForgetRequests(_)
        | Command::Resolve(..)
        | Command::NotifyPage(_)
        | Command::ListThreads { .. } => Ok(()),
    }
}

fn check_conversation(conversation: &Conversation) -> Result<(), String> {
    let waits = conversation.last_load.is_some();
    let has_no_stream = conversation.stream().is_none();
    let bound = conversation.thread_id();
    ensure(
        bound.is_none_or(|thread| !thread.as_str().is_empty()),
        "a thread has an id",
    )?;
    ensure(
        conversation.load != LoadState::Loading || waits,
        "what is shown as being read is being read",
    )?;
    ensure(
        waits || !has_no_stream || !conversation.has_open_outcome(),
        "what is shown as being checked is being checked",
    )?;
    ensure(
        bound.is_some() || (has_no_stream && !waits && !conversation.has_open_outcome()),
        "without a thread nothing is read, streamed or checked",
    )?;
    if let ThreadBinding::Creating(message) = conversation.thread {
        let message = conversation.message(message);
        ensure(
            message.is_some_and(|message| message.status == MessageStatus::Sending),
            "a thread is made for a message that is being sent",
        )?;
    }
    let composer = conversation.composer_state();
    ensure(
        !conversation.is_known_empty() || composer == ComposerState::Ready,
        "where there is no message yet one can be sent",
    )?;
    ensure(
        !conversation.is_asking
            || (composer == ComposerState::AwaitingApproval
                && conversation.first_deciding_batch().is_some()
                && conversation.has_draft()),
        "what a draft is for is asked while there is one, and something to decide",
    )?;
    ensure(
        conversation.queued.is_empty()
            || matches!(
                composer,
                ComposerState::AwaitingApproval | ComposerState::Streaming
            ),
        "a message is queued only behind an answer or a decision",
    )?;
    let is_something = |it: &QueuedMessage| !it.files.is_empty() || !it.text.trim().is_empty();
    ensure(
        conversation.queued.iter().all(is_something),
        "what is queued is not blank",
    )?;
    ensure(
        !has_no_stream || !conversation.stale,
        "what may have changed is read when the stream ends",
    )?;
    let streams = conversation
        .stream()
        .into_iter()
        .chain(conversation.late_streams());
    let exists = |message| conversation.message(message).is_some();
    let exist = streams.flat_map(Stream::messages).all(exists);
    ensure(exist, "a stream's messages exist")?;
    let mut stream = conversation.stream().into_iter();
    stream.try_for_each(|stream| check_stream(conversation, stream))
}

fn check_stream(conversation: &Conversation, stream: &Stream) -> Result<(), String> {
    let status = |message: MessageKey| conversation.message(message).map(|m| &m.status);
    let expected = if stream.is_accepted() {
        MessageStatus::Sent
    } else {
        MessageStatus::Sending
    };
    match &stream.posted {
        PostedContent::Message(message) => ensure(
            status(*message) == Some(&expected),
            "a posted message is being sent until it is accepted",
        ),
        PostedContent::Approval { batch, feedback } => {
            let shown = feedback.is_none_or(|message| status(message) == Some(&expected));
            ensure(shown, "feedback is being sent until it is accepted")?;
            let mut batches = conversation.messages.iter().flat_map(|m| &m.approvals);
            let submitting =
                batches.any(|b| b.id == *batch && is_submitting(b) && !b.is_being_checked());
            ensure(
                stream.is_accepted() || submitting || stream.followed.is_some(),
                "an answer posted here is being submitted until it is accepted",
            )
        }
        PostedContent::Elsewhere { .. } => ensure(
            stream.is_accepted(),
            "what is followed was accepted elsewhere",
        ),
    }
}

fn check_message(conversation: &Conversation, message: &Message) -> Result<(), String> {
    use MessageStatus::{Complete, Failed, Interrupted, Sending, Sent, Streaming, Unconfirmed};
    let author_is_you = message.author == Author::You;
    let fits = match (&message.author, &message.status) {
        (_, Failed(_)) => true,
        (Author::You, status) => matches!(status, Sending | Unconfirmed { .. } | Sent),
        (Author::Agent(_), status) => matches!(status, Streaming | Complete | Interrupted { .. }),
    };
    ensure(fits, "a status fits its author")?;
    let stream = conversation.stream();
    ensure(
        Attachment::all_uploaded(&message.files) && (author_is_you || message.files.is_empty()),
        "files go with words of the person, and are there",
    )?;
    ensure(
        message.status != Streaming || stream.is_some(),
        "only a stream writes messages",
    )?;
    let on_its_way = conversation.thread == ThreadBinding::Creating(message.key)
        || stream.is_some_and(|stream| {
            !stream.is_accepted() && stream.messages().contains(&message.key)
        });
    ensure(
        message.status != Sending || on_its_way,
        "what is being sent is on its way",
    )?;
    for step in &message.activity.steps {
        let running = step.state == StepState::Running;
        ensure(running == step.ended.is_none(), "a step runs until it ends")?;
        ensure(!running || stream.is_some(), "only in a stream a step runs")?;
    }
    let mut contributions = message.contributions.iter();
    contributions.try_for_each(|it| check_contribution(it, stream.is_some()))?;
    let mut batches = message.approvals.iter();
    batches.try_for_each(|batch| check_batch(conversation, batch))
}

fn check_batch(conversation: &Conversation, batch: &ApprovalBatch) -> Result<(), String> {
    ensure(!batch.tools.is_empty(), "a batch has tools")?;
    let mut executions = BTreeSet::new();
    let unique = batch
        .tools
        .iter()
        .all(|tool| tool.execution.as_str().is_empty() || executions.insert(&tool.execution));
    ensure(unique, "a tool run is in its batch once")?;
    ensure(
        batch.can_be_answered() || !batch.is_deciding(),
        "only what can be answered is decided",
    )?;
    check_choices(batch)?;
    ensure(
        batch.is_decided() == batch.answer_with_verdicts().is_some(),
        "what is decided can be sent",
    )?;
    let posted = conversation
        .stream()
        .is_some_and(|stream| stream.posted.batch() == Some(&batch.id) && !stream.is_accepted());
    ensure(
        posted || !batch.is_sent(),
        "an answer is on its way in a post",
    )
}

/// Returns all files that are not sent: of drafts, of queued messages and of feedback.
pub(super) fn unsent_files(state: &State) -> impl Iterator<Item = &Attachment> {
    let drafts = state.conversations.iter().flat_map(|it| {
        let queued = it.queued.iter().flat_map(|it| &it.files);
        it.files.iter().chain(queued)
    });
    let messages = state.conversations.iter().flat_map(|it| &it.messages);
    let feedback = messages
        .flat_map(|message| &message.approvals)
        .flat_map(|batch| {
            let shown = match &batch.phase {
                BatchPhase::Deciding { feedback, .. } => feedback.as_ref(),
                _ => None,
            };
            let shown = shown.into_iter().flat_map(|feedback| &feedback.files);
            batch.draft.files.iter().chain(shown)
        });
    drafts.chain(feedback)
}

fn is_uploading(file: &Attachment) -> bool {
    matches!(file.state, AttachmentState::Uploading(_))
}

fn check_rows(state: &State) -> Result<(), String> {
    let mut ids = BTreeSet::new();
    for row in &state.threads.rows {
        ensure(
            !row.id.as_str().is_empty() && ids.insert(&row.id),
            "a thread has one row",
        )?;
    }
    Ok(())
}

fn is_submitting(batch: &ApprovalBatch) -> bool {
    matches!(batch.phase, BatchPhase::Submitting { .. })
}

fn ensure(condition: bool, what: &str) -> Result<(), String> {
    if condition {
        Ok(())
    } else {
        Err(format!("does not hold: {what}"))
    }
}
