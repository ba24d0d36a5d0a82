//! The requests of the host page: each is answered once.

use assent_protocol::{ContentItem, ThreadId};

use crate::message::find_message_mut;
use crate::outbox::split_content;
use crate::{
    Attachment, Author, AwaitedEvent, Change, Command, ComposerState, Conversation,
    ConversationKey, Failure, FailureKind, Interruption, LoadState, Message, MessageKey,
    MessageStatus, PageRequest, PostedContent, RequestId, RowState, ThreadBinding,
};

use super::sequencer::Sequencer;

impl Sequencer<'_> {
    /// Handles a request of the host page.
    #[inline(never)]
    pub(super) fn handle_request(&mut self, id: RequestId, request: PageRequest) {
        match self.start_request(request) {
            Ok(Some(awaited)) => self.state.requests.push((id, awaited)),
            Ok(None) => self.command(Command::Resolve(id, Ok(()))),
            Err(kind) => self.command(Command::Resolve(id, Err(Failure::of(kind)))),
        }
    }

    /// Starts a request of the host page, and returns the event that it waits for; `None` if it is
    /// done already.
    fn start_request(&mut self, request: PageRequest) -> Result<Option<AwaitedEvent>, FailureKind> {
        match request {
            PageRequest::NewThread => {
                self.new_thread();
                Ok(None)
            }
            PageRequest::OpenThread(thread) if thread.as_str().is_empty() => {
                Err(FailureKind::Invalid)
            }
            PageRequest::OpenThread(thread) => {
                self.open_thread(thread.clone());
                Ok(Some(AwaitedEvent::Opened(thread)))
            }
            PageRequest::RenameThread(_, name) if name.trim().is_empty() => {
                Err(FailureKind::Invalid)
            }
            PageRequest::RenameThread(ref thread, ref name) => {
                match self.state.threads.rows.iter().find(|row| row.id == *thread) {
                    None => self.thread_not_listed(request),
                    Some(row) if row.state == RowState::Deleting => Err(FailureKind::NotFound),
                    Some(row) if row.name == name.trim() && row.state == RowState::Idle => Ok(None),
                    Some(row) => {
                        if row.name == name.trim() {
                            let (thread, name) = (thread.clone(), row.name.clone());
                            self.command(Command::RenameThread { thread, name });
                        } else {
                            self.rename_thread(thread.clone(), name);
                        }
                        Ok(Some(AwaitedEvent::Renamed(thread.clone())))
                    }
                }
            }
            PageRequest::DeleteThread(ref thread) => {
                let mut rows = self.state.threads.rows.iter();
                if !rows.any(|row| row.id == *thread) {
                    return self.thread_not_listed(request);
                }
                self.delete_thread(thread.clone());
                Ok(Some(AwaitedEvent::Deleted(thread.clone())))
            }
            PageRequest::Forget => {
                self.command(Command::Forget);
                Ok(Some(AwaitedEvent::Forgotten))
            }
            PageRequest::Send(content) => {
                let (text, files) =
                    split_content(content, &mut self.state.keys).ok_or(FailureKind::Invalid)?;
                let open = self.state.open;
                let composer = self.conversation(open).map(Conversation::composer_state);
                match composer {
                    Some(ComposerState::Ready) => {
                        let sent = self
                            .conversation_context(open)
                            .map(|(conversation, mut cx)| {
                                conversation.send_text(&mut cx, &text, files)
                            });
                        Ok(sent.map(|message| AwaitedEvent::Answer(open, message)))
                    }
                    Some(ComposerState::AwaitingApproval | ComposerState::AwaitingElsewhere) => {
                        Err(FailureKind::Undecided)
                    }
                    Some(ComposerState::Streaming) | None => Err(FailureKind::Busy),
                }
            }
        }
    }

    /// Lets a request for a thread that is not in the list wait while the list is being loaded;
    /// otherwise the request fails.
    fn thread_not_listed(&self, request: PageRequest) -> Result<Option<AwaitedEvent>, FailureKind> {
        match &self.state.threads.load {
            LoadState::Loading => Ok(Some(AwaitedEvent::List(request))),
            LoadState::Ready => Err(FailureKind::NotFound),
            LoadState::Failed(failure) => Err(failure.kind),
        }
    }

    /// Gives their results to the requests of the host page whose awaited event came in this step.
    pub(super) fn resolve_requests(&mut self) {
        if self.state.requests.is_empty() {
            return;
        }
        for (id, awaited) in std::mem::take(&mut self.state.requests) {
            let end = match &awaited {
                AwaitedEvent::List(_) if self.state.threads.load == LoadState::Loading => None,
                AwaitedEvent::List(request) => {
                    self.handle_request(id, request.clone());
                    continue;
                }
                AwaitedEvent::Opened(thread) => self.opening_result(thread),
                AwaitedEvent::Renamed(_) | AwaitedEvent::Deleted(_) | AwaitedEvent::Forgotten => {
                    None
                }
                AwaitedEvent::Answer(conversation, message) => {
                    match self.conversation(*conversation) {
                        Some(conversation) => answer_result(conversation, *message),
                        None => Some(Err(Failure::of(FailureKind::NotFound))),
                    }
                }
            };
            match end {
                Some(end) => self.command(Command::Resolve(id, end)),
                None => self.state.requests.push((id, awaited)),
            }
        }
    }

    fn opening_result(&self, thread: &ThreadId) -> Option<Result<(), Failure>> {
        match self.state.conversation_of(thread).map(|it| &it.load) {
            Some(LoadState::Loading) => None,
            Some(LoadState::Ready) => Some(Ok(())),
            Some(LoadState::Failed(failure)) => Some(Err(failure.clone())),
            None => Some(Err(Failure::of(FailureKind::NotFound))),
        }
    }

    /// Replaces the message that is being sent in this conversation by `content`, to which the host
    /// page changed it.
    pub(super) fn message_edited(&mut self, key: ConversationKey, content: Vec<ContentItem>) {
        let Some((text, files)) = split_content(content, &mut self.state.keys) else {
            return;
        };
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let posted = conversation.stream().map(|stream| &stream.posted);
        let message = match (&conversation.thread, posted) {
            (ThreadBinding::Creating(message), _) | (_, Some(PostedContent::Message(message))) => {
                *message
            }
            _ => return,
        };
        if let Some(sending) = find_message_mut(&mut conversation.messages, message)
            && sending.status == MessageStatus::Sending
        {
            sending.text = text;
            let before = std::mem::take(&mut sending.files);
            // A file that stays keeps its name.
            let known =
                |file: &Attachment| before.iter().find(|it| it.state == file.state).cloned();
            let files = files.into_iter().map(|file| known(&file).unwrap_or(file));
            sending.files = files.collect();
            self.change(Change::Message(key, message));
        }
    }
}

/// Returns the result of the answer to this message; `None` until the answer has ended.
fn answer_result(conversation: &Conversation, key: MessageKey) -> Option<Result<(), Failure>> {
    let failed = |kind| Some(Err(Failure::of(kind)));
    let mut messages = conversation.messages.iter();
    let Some(message) = messages.find(|message| message.key == key) else {
        return failed(FailureKind::NotDelivered);
    };
    match &message.status {
        MessageStatus::Failed(failure) => return Some(Err(failure.clone())),
        MessageStatus::Unconfirmed {
            checking: false, ..
        } => return failed(FailureKind::Unconfirmed),
        MessageStatus::Sending
        | MessageStatus::Streaming
        | MessageStatus::Unconfirmed { checking: true, .. } => return None,
        // The service may attribute the user's message to an agent.
        MessageStatus::Sent | MessageStatus::Complete | MessageStatus::Interrupted { .. } => {}
    }
    let waits = conversation.stream().is_some()
        || conversation.has_open_outcome()
        || !conversation.pending_batches().is_empty();
    if waits {
        return None;
    }
    let trouble = |message: &Message| match &message.status {
        MessageStatus::Failed(failure) => Some(failure.clone()),
        MessageStatus::Interrupted { by, .. } => Some(Failure::of(match by {
            Interruption::Lost => FailureKind::Interrupted,
            Interruption::Stopped => FailureKind::Stopped,
        })),
        _ => None,
    };
    let mut answers = messages.filter(|message| message.author != Author::You);
    Some(answers.find_map(trouble).map_or(Ok(()), Err))
}
