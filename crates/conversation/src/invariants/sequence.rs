//! Any bytes as a sequence of inputs, for property tests and fuzzing.
//!
//! The inputs answer the commands of the core, more or less correctly, and now and then a command
//! that never was. `draw` generates inputs from bytes.

use std::collections::{BTreeMap, BTreeSet};

use assent_protocol::{BatchId, ContentItem, ExecutionId, RawApprovalRequest, ThreadId};

use crate::{
    AnswerSummary, ApprovalBatch, AwaitedEvent, CachedRequest, Command, Conversation,
    ConversationKey, Failure, FailureKind, Input, Intent, LoadState, MessageStatus, Millis, Output,
    PageRequest, RequestId, State, Stream, StreamEnd, ThreadBinding, UploadId, step,
};

use super::{check, check_changes, check_command, ensure, unsent_files};

/// Reads `bytes` as inputs, makes one step for each, and checks every state, command and change on
/// the way. At the end all pending commands fail, and nothing may be left waiting.
///
/// # Errors
///
/// A description of the first invariant that does not hold, with the input that led to it.
pub fn check_sequence(bytes: &[u8]) -> Result<(), String> {
    watch_sequence(bytes, &mut |_, _| {})
}

/// Checks a sequence as [`check_sequence`] does, and passes every state and the output that led to
/// it to `watch`.
///
/// # Errors
///
/// As of [`check_sequence`].
pub fn watch_sequence(bytes: &[u8], watch: &mut dyn FnMut(&State, &Output)) -> Result<(), String> {
    let mut run = SequenceCheck {
        watch,
        state: State::new(),
        asked: Vec::new(),
        bytes: bytes.iter(),
        cached: BTreeMap::new(),
        keyed: BTreeMap::new(),
        uploads: BTreeSet::new(),
        requests: BTreeSet::new(),
        now: 0,
    };
    match run.next_byte() % 8 {
        0 | 2 | 4 | 6 => run.begin_with_a_question()?,
        1 => run.begin_with_contributions()?,
        _ => {}
    }
    while run.bytes.len() > 0 {
        let input = run.any_input();
        run.take_input(input)?;
    }
    run.fail_everything_pending()
}

pub(super) struct SequenceCheck<'a> {
    watch: &'a mut dyn FnMut(&State, &Output),
    pub(super) state: State,
    /// The commands of the core that have no result yet.
    pub(super) asked: Vec<Command>,
    pub(super) bytes: std::slice::Iter<'a, u8>,
    /// The requests for approval on a device that carries out all commands.
    cached: BTreeMap<(BatchId, ExecutionId), CachedRequest>,
    /// What was posted with each key.
    keyed: BTreeMap<String, (ThreadId, Vec<ContentItem>)>,
    /// The files that are being uploaded.
    uploads: BTreeSet<UploadId>,
    /// The host page's requests that have no result yet.
    requests: BTreeSet<RequestId>,
    now: i64,
}

impl SequenceCheck<'_> {
    pub(super) fn take_input(&mut self, input: Input) -> Result<(), String> {
        let shown = format!("{input:?}");
        let wanted = may_post(&input);
        let typing = matches!(input, Input::Intent(Intent::EditDraft(_)));
        if let Input::CachedRequests(cached) = &input {
            self.cached = BTreeMap::new();
            self.store_requests(cached);
        }
        if let Input::Edited(conversation, _) = &input {
            self.forget_keys(*conversation);
        }
        if let Input::Request(id, _) = &input {
            self.requests.insert(*id);
        }
        if let Input::Uploaded(upload, _) = &input {
            self.uploads.remove(upload);
        }
        let before = self.state.clone();
        self.now += match input {
            Input::Waited(_) => 1000,
            _ => 100,
        };
        let output = step(&mut self.state, input, Millis(self.now));
        let Output { changes, commands } = &output;
        let with_input = |broken| format!("{broken} after {shown}");
        check(&self.state).map_err(with_input)?;
        check_changes(&before, &self.state, changes, typing).map_err(with_input)?;
        for command in commands {
            check_command(&self.state, command).map_err(with_input)?;
            if let Command::Post { summary, key, .. } = command {
                let released = summary.is_none() && had_queued(&before);
                let repeated = key.as_ref().is_some_and(|key| was_in_doubt(&before, key));
                ensure(
                    wanted || released || repeated,
                    "a post follows from a wish, or is in doubt and has a key",
                )
                .map_err(with_input)?;
                let decided = summary
                    .as_ref()
                    .is_none_or(|summary| was_deciding(&before, summary));
                ensure(decided, "what is answered was to be decided").map_err(with_input)?;
                let last = summary
                    .as_ref()
                    .is_none_or(|summary| answers_latest_requests(&self.state, summary));
                ensure(last, "what is answered was asked last").map_err(with_input)?;
            }
        }
        for command in commands {
            self.carry_out(command).map_err(with_input)?;
        }
        let waiting: Vec<_> = self.state.requests.iter().map(|(id, _)| id).collect();
        let once = waiting.len() == self.requests.len();
        let all = waiting.iter().all(|id| self.requests.contains(id));
        ensure(
            once && all,
            "a request of the page waits until it is settled",
        )
        .map_err(with_input)?;
        let wanted =
            |upload: &UploadId| unsent_files(&self.state).any(|file| file.upload == *upload);
        let all = self.uploads.iter().all(wanted);
        ensure(all, "what is uploaded is wanted still").map_err(with_input)?;
        let known = self.state.cached_requests.iter();
        let same = known.clone().count() == self.cached.len()
            && known
                .clone()
                .all(|it| self.cached.get(&request_key(it)) == Some(it));
        ensure(same, "what is cached is what was told to be cached").map_err(with_input)?;
        (self.watch)(&self.state, &output);
        self.asked.extend(output.commands);
        let mut conversations = self.state.conversations.iter();
        let bounded = conversations.all(|it| it.streams.iter().all(|it| self.has_bounded_wait(it)));
        ensure(bounded, "a late stream is not held for ever").map_err(with_input)
    }

    /// Returns false if the stream waits for a time to pass, but no command to wait for it is
    /// pending.
    fn has_bounded_wait(&self, stream: &Stream) -> bool {
        let is_its = |it: &Command| matches!(it, Command::Wait(id, _) if *id == stream.id);
        !stream.is_waiting() || self.asked.iter().any(is_its)
    }

    /// The host page changes a message before it is posted: its key was not used yet.
    fn forget_keys(&mut self, conversation: ConversationKey) {
        let conversation = self.state.conversation(conversation);
        for message in conversation.iter().flat_map(|it| &it.messages) {
            if let Some(key) = &message.post_key {
                self.keyed.remove(key);
            }
        }
    }

    fn carry_out(&mut self, command: &Command) -> Result<(), String> {
        match command {
            Command::Post {
                thread,
                content,
                key: Some(key),
                ..
            } => {
                let posted = (thread.clone(), content.clone());
                let first = self.keyed.entry(key.clone()).or_insert(posted.clone());
                ensure(*first == posted, "a key is of one post")?;
            }
            Command::KeepRequests(requests) => self.store_requests(requests),
            Command::ForgetRequests(gone) => gone.iter().for_each(|it| {
                self.cached.remove(&request_key(it));
            }),
            Command::Resolve(id, _) => drop(self.requests.remove(id)),
            Command::Upload(upload) => drop(self.uploads.insert(*upload)),
            Command::CancelUpload(upload) => drop(self.uploads.remove(upload)),
            _ => {}
        }
        Ok(())
    }

    fn store_requests(&mut self, requests: &[CachedRequest]) {
        self.cached
            .extend(requests.iter().map(|it| (request_key(it), it.clone())));
    }

    /// Fails every request and breaks every stream, until the core asks for nothing more.
    fn fail_everything_pending(&mut self) -> Result<(), String> {
        for _ in 0..10_000 {
            let input = match self.asked.pop() {
                Some(command) => failing_result(command),
                None => match self.end_mirrored_stream() {
                    Some(input) => Some(input),
                    None => break,
                },
            };
            if let Some(input) = input {
                self.take_input(input)?;
            }
        }
        for conversation in &self.state.conversations {
            let sending = |status: &MessageStatus| *status == MessageStatus::Sending;
            let waiting = conversation.stream().is_some()
                || conversation.has_open_outcome()
                || conversation.load == LoadState::Loading
                || matches!(conversation.thread, ThreadBinding::Creating(_))
                || conversation.messages.iter().any(|m| sending(&m.status));
            ensure(!waiting, "once all has failed, nothing waits")?;
        }
        let undecided = |awaited: &AwaitedEvent| match awaited {
            AwaitedEvent::Answer(conversation, _) => {
                let conversation = self.state.conversation(*conversation);
                conversation.is_some_and(|it| !it.pending_batches().is_empty())
            }
            // Perhaps nothing has requested the list.
            AwaitedEvent::List(_) => self.state.threads.load == LoadState::Loading,
            _ => false,
        };
        let mut requests = self.state.requests.iter();
        ensure(
            requests.all(|(_, awaited)| undecided(awaited)),
            "once all has failed, a request of the page waits for a decision, or the list",
        )
    }
}

/// Returns what identifies a stored request for approval: its batch and its tool run.
fn request_key(cached: &CachedRequest) -> (BatchId, ExecutionId) {
    (cached.batch.clone(), cached.execution.clone())
}

/// Returns true if a conversation had a queued message, which is sent once the answer in front of
/// it is complete.
fn had_queued(before: &State) -> bool {
    let mut conversations = before.conversations.iter();
    conversations.any(|it| !it.queued.is_empty())
}

/// Returns true if it was in doubt whether the message with this key arrived.
fn was_in_doubt(before: &State, key: &str) -> bool {
    let mut messages = before.conversations.iter().flat_map(|it| &it.messages);
    messages.any(|message| {
        message.post_key.as_deref() == Some(key)
            && matches!(message.status, MessageStatus::Unconfirmed { .. })
    })
}

/// Returns true if the batch that is answered was to be decided by the user.
fn was_deciding(before: &State, summary: &AnswerSummary) -> bool {
    let conversation = before.conversation_of(&summary.thread);
    let batches = conversation.map(Conversation::pending_batches);
    let mut batches = batches.into_iter().flatten();
    let last = batches.rfind(|batch| batch.id == summary.batch);
    last.is_some_and(ApprovalBatch::is_deciding)
}

/// Returns true if the answer echoes the requests that the device keeps: no tab received another
/// one for any of the tool runs.
fn answers_latest_requests(state: &State, summary: &AnswerSummary) -> bool {
    let cached = state.cached_requests.iter();
    let mut cached =
        cached.filter(|cached| cached.batch == summary.batch && cached.thread == summary.thread);
    cached.all(|cached| {
        let is_same_run = |request: &RawApprovalRequest| {
            let read = request.read();
            read.is_some_and(|read| read.tool_execution_id == cached.execution)
        };
        let mut echoed = summary.requests.iter();
        let echoed = echoed.find(|request| is_same_run(request));
        // One that the stored message told is the service's own, whatever the device has.
        echoed.is_none_or(|echoed| *echoed == cached.request)
    })
}

fn may_post(input: &Input) -> bool {
    matches!(
        input,
        Input::ThreadCreated { .. }
            | Input::Request(_, PageRequest::Send(_))
            | Input::Intent(
                Intent::Send
                    | Intent::SendSuggestion(_)
                    | Intent::SendAsFeedback
                    | Intent::RetryMessage(_)
                    | Intent::ResendMessage(_)
                    | Intent::Answer(..)
                    | Intent::SubmitDecisions(_)
                    | Intent::SubmitFeedback(_)
            )
    )
}

/// Returns the input by which a command fails; `None` for a command that has no result.
pub(super) fn failing_result(command: Command) -> Option<Input> {
    let failure = Failure::of(FailureKind::Unreachable);
    Some(match command {
        Command::ListThreads { .. } => Input::Threads(Err(failure)),
        Command::CreateThread { conversation, .. } => Input::ThreadCreated {
            conversation,
            result: Err(failure),
        },
        Command::RenameThread { thread, .. } => Input::ThreadRenamed {
            thread,
            result: Err(failure),
        },
        Command::DeleteThread { thread } => Input::ThreadDeleted {
            thread,
            result: Err(failure),
        },
        Command::LoadInbox => Input::Inbox(None),
        Command::CancelAnswer(thread) => Input::AnswerCancelled(thread, Err(failure)),
        Command::LoadMessages {
            conversation, load, ..
        } => Input::Messages {
            conversation,
            load,
            result: Err(failure),
        },
        Command::Post { stream, .. } | Command::Follow { stream, .. } => {
            Input::StreamEnded(stream, StreamEnd::Failed(failure))
        }
        Command::Upload(upload) => Input::Uploaded(upload, Err(String::new())),
        Command::Forget => Input::Forgotten(Err(failure)),
        Command::CopyLog => Input::LogCopied(false),
        Command::Wait(stream, _) => Input::Waited(stream),
        Command::CancelStream(_)
        | Command::CloseStream(_)
        | Command::LoadRecordings(_)
        | Command::RememberThread(_)
        | Command::KeepRequests(_)
        | Command::ForgetRequests(_)
        | Command::CancelUpload(_)
        | Command::Resolve(..)
        | Command::NotifyPage(_) => return None,
    })
}
