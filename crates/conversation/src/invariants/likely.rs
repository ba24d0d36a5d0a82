//! Generates likely next inputs, so that sequences get somewhere: actions of a user on what is
//! shown, and messages that a working service stores.

use assent_protocol::{
    ApprovalStatus, EventType, Role, SseEvent, StoredFile, StoredMessage, StoredToolApproval,
    ToolImage,
};

use crate::{
    ApprovalBatch, Attachment, AttachmentState, Author, BatchPhase, Command, ContributionState,
    Conversation, ConversationKey, FileRef, Input, Intent, LoadId, Message, MessageKey,
    RequestVersion, StreamId, ToolRun, Verdict, edited_json,
};

use super::{asking::with_streamed_members, sequence::SequenceCheck};

const COLLABORATION_EVENT: &str = "NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_STARTED";

impl SequenceCheck<'_> {
    /// Begins with a thread whose agent asks for approval, which most of the rules are about.
    pub(super) fn begin_with_a_question(&mut self) -> Result<(), String> {
        let stream = self.begin_with_a_post()?;
        let asks = Input::StreamEvent(stream, Box::new(self.any_approval_event()));
        self.take_input(asks)
    }

    /// Begins with a thread in which two agents contribute to an answer.
    pub(super) fn begin_with_contributions(&mut self) -> Result<(), String> {
        let stream = self.begin_with_a_post()?;
        let started = SseEvent {
            event_type: EventType::from(COLLABORATION_EVENT),
            ..SseEvent::default()
        };
        self.take_input(Input::StreamEvent(stream, Box::new(started)))?;
        for agent in ["a", "b"] {
            let said = self.any_contribution(agent);
            self.take_input(Input::StreamEvent(stream, Box::new(said)))?;
        }
        Ok(())
    }

    fn begin_with_a_post(&mut self) -> Result<StreamId, String> {
        self.take_input(Input::Intent(Intent::OpenThread("t0".into())))?;
        let open = self.state.open;
        let load = self.state.open_conversation().and_then(|it| it.last_load);
        self.take_input(Input::Messages {
            conversation: open,
            load: load.unwrap_or_default(),
            result: Ok(Vec::new()),
        })?;
        self.take_input(Input::Intent(Intent::EditDraft("hi".to_owned())))?;
        self.take_input(Input::Intent(Intent::Send))?;
        self.asked
            .retain(|command| matches!(command, Command::Post { .. }));
        let stream = self.state.open_conversation();
        let stream = stream.and_then(|open| Some(open.stream()?.id));
        Ok(stream.unwrap_or_default())
    }

    /// Generates a change of the connection or of the visibility.
    pub(super) fn any_connection_input(&mut self) -> Input {
        let is_so = self.next_byte().is_multiple_of(2);
        let open = self.state.open_conversation();
        let stream = open.and_then(|open| Some(open.stream()?.id));
        match self.next_byte() % 6 {
            5 => Input::InboxOffered(is_so),
            4 => Input::KeysOffered(is_so.then(|| "page".to_owned())),
            3 => Input::CancelOffered(is_so),
            0 => Input::VisibilityChanged(is_so),
            1 => Input::Online(is_so),
            _ => Input::StreamStalled(stream.unwrap_or_default(), is_so),
        }
    }

    /// Generates an intent to post a message again that failed, or whose outcome is unknown.
    pub(super) fn any_resend(&mut self) -> Intent {
        let message = self.any_message();
        match self.next_byte() % 2 {
            0 => Intent::RetryMessage(message),
            _ => Intent::ResendMessage(message),
        }
    }

    /// Generates a likely next input for the open conversation.
    pub(super) fn likely_input(&mut self) -> Input {
        let Some(open) = self.state.open_conversation().cloned() else {
            return self.unrequested_result();
        };
        if open.stream().is_some() {
            return self.any_stream_input();
        }
        if let Some(load) = open.last_load
            && self.next_byte().is_multiple_of(2)
        {
            return Input::Messages {
                conversation: open.key,
                load,
                result: Ok(self.likely_stored(open.key)),
            };
        }
        if !self.asked.is_empty() && self.next_byte().is_multiple_of(2) {
            return self.any_command_result();
        }
        Input::Intent(match open.first_deciding_batch() {
            Some(_) if open.is_asking && self.next_byte().is_multiple_of(2) => {
                let meant = [Intent::SendAfterwards, Intent::SendAsFeedback];
                self.pick(&meant, Intent::KeepAsDraft)
            }
            Some(batch) => self.likely_decision(batch),
            None => match self.next_byte() % 32 {
                8 => self.any_attachment(None),
                byte if byte.is_multiple_of(4) => Intent::EditDraft(self.any_text()),
                _ => Intent::Send,
            },
        })
    }

    /// Generates an intent about a queued message, or about the question what the draft is meant
    /// for.
    pub(super) fn any_queue_intent(&mut self) -> Intent {
        let open = self.state.open_conversation();
        let queued = open.map(|open| open.queued.iter().map(|it| it.key).collect::<Vec<_>>());
        let message = self.pick(&queued.unwrap_or_default(), MessageKey(0));
        match self.next_byte() % 3 {
            0 => Intent::KeepAsDraft,
            1 => Intent::EditQueued(message),
            _ => Intent::RemoveQueued(message),
        }
    }

    pub(super) fn any_version(&mut self) -> RequestVersion {
        let open = self.state.open_conversation();
        let batches = open.into_iter().flat_map(|it| it.pending_batches());
        let versions: Vec<_> = batches.flat_map(versions).collect();
        self.pick(&versions, RequestVersion(0))
    }

    fn likely_decision(&mut self, batch: &ApprovalBatch) -> Intent {
        let id = batch.id.clone();
        let stops = matches!(
            batch.phase,
            BatchPhase::Deciding {
                feedback: Some(_),
                ..
            }
        );
        let long = batch.tools.iter().find_map(long_argument);
        let undecided = batch.tools.iter().find(|tool| tool.choice.is_none());
        let byte = self.next_byte();
        if byte % 32 == 9 && !stops {
            return self.any_attachment(None);
        }
        match byte % 8 {
            0 if stops => Intent::EditFeedback(id, self.any_text()),
            1 if stops => self.any_attachment(Some(id)),
            2 if stops => Intent::CancelFeedback(id),
            _ if stops => Intent::SubmitFeedback(id),
            0 => Intent::BeginFeedback(id),
            1 => Intent::EditDraft(self.any_text()),
            2 => Intent::Send,
            3 if byte < 128 => Intent::MarkSeen(id, versions(batch)),
            3 => Intent::DecideAll(id, versions(batch), self.any_verdict()),
            4 => match long {
                Some((tool, place)) => Intent::OpenArgument(id, tool.version, place),
                None => Intent::SubmitDecisions(id),
            },
            5 | 6 => match undecided {
                // What could cover another request of the batch.
                Some(tool) if byte >= 128 && !tool.tool.is_empty() && !tool.is_seen => {
                    Intent::MarkSeen(id, versions(batch))
                }
                Some(tool) if byte >= 128 && !tool.tool.is_empty() && tool.grant.is_some() => {
                    Intent::Decide(id, tool.version, Verdict::ApproveBeforehand)
                }
                Some(tool) if tool.grant.is_none() && tool.grant_offer.is_some() => {
                    let grant = r#"{"scope":"thread","when":{"/cc":"same"}}"#.to_owned();
                    Intent::AllowBeforehand(id, tool.version, grant)
                }
                Some(tool) if byte % 64 == 5 => {
                    let text = self.any_text();
                    let edits = [("cc".to_owned(), text), ("to".to_owned(), "x".to_owned())];
                    let edited = edited_json(&tool.arguments, &edits);
                    let is_valid = !self.next_byte().is_multiple_of(4);
                    Intent::EditArguments(id, tool.version, edited, is_valid)
                }
                Some(tool) if byte < 64 => Intent::Answer(id, tool.version, self.any_verdict()),
                Some(tool) => Intent::Decide(id, tool.version, self.any_verdict()),
                None => Intent::SubmitDecisions(id),
            },
            _ => Intent::SubmitDecisions(id),
        }
    }

    /// Generates a result of a load of messages: all of them, or the latest ones if these may come
    /// first.
    pub(super) fn messages_loaded(
        &mut self,
        conversation: ConversationKey,
        load: LoadId,
        latest_first: bool,
    ) -> Input {
        let mut stored = if self.next_byte().is_multiple_of(2) {
            self.likely_stored(conversation)
        } else {
            let count = self.next_byte() % 6;
            (0..count).map(|_| self.any_stored_message()).collect()
        };
        if latest_first && self.next_byte().is_multiple_of(2) {
            stored.drain(..stored.len() / 2);
            return Input::LatestMessages {
                conversation,
                load,
                stored,
            };
        }
        // No byte of its own: the sequences would all mean something else.
        if self.bytes.len().is_multiple_of(4) {
            return Input::MessagesWhileAnswering {
                conversation,
                load,
                after: format!("r/{}", stored.len()),
                stored,
            };
        }
        Input::Messages {
            conversation,
            load,
            result: Ok(stored),
        }
    }

    /// Generates what the service would store of a conversation: all that arrived, with batches
    /// that are pending, or that were decided here or elsewhere.
    pub(super) fn likely_stored(&mut self, key: ConversationKey) -> Vec<StoredMessage> {
        let conversation = self.state.conversation(key).cloned();
        let pending = Some(ApprovalStatus::Pending);
        let outcomes = [
            pending.clone(),
            pending.clone(),
            Some(ApprovalStatus::Approved),
            None,
        ];
        let outcome = self.pick(&outcomes, pending);
        let arrived = self.next_byte();
        let messages = conversation.iter().flat_map(arrived_messages);
        let stored = messages.flat_map(|message| {
            let contributions = message.contributions.iter().map(|it| StoredMessage {
                role: Role::Assistant,
                handle: Some(it.agent.clone()),
                content: match it.state {
                    ContributionState::Whole => it.text.clone(),
                    _ => [&it.text, "."].concat(),
                },
                ..StoredMessage::default()
            });
            contributions.chain([to_stored(message, outcome.as_ref())])
        });
        let mut stored: Vec<_> = stored.collect();
        // The last one may not be stored yet.
        stored.truncate(stored.len() - usize::from(arrived.is_multiple_of(4)).min(stored.len()));
        stored
    }

    /// Generates the files of a stored message; some have no identifier.
    pub(super) fn any_stored_files(&mut self) -> Vec<StoredFile> {
        let ids = [None, Some("f".to_owned()), Some("g".to_owned())];
        let file = StoredFile {
            file_id: self.pick(&ids, None),
            image_id: self.pick(&ids, None),
            ..StoredFile::default()
        };
        vec![file; usize::from(self.next_byte() % 3)]
    }

    /// Generates the images that tools made in an answer.
    pub(super) fn any_tool_images(&mut self) -> Vec<ToolImage> {
        let image = ToolImage {
            image_id: self.pick(&["i", "j"], "").to_owned(),
            tool: self.pick(&["", "s/t", "s/u"], "").to_owned(),
        };
        vec![image; usize::from(self.next_byte() % 3)]
    }
}

/// Returns the versions of all requests of a batch, as a view that is up to date has drawn them.
fn versions(batch: &ApprovalBatch) -> Vec<RequestVersion> {
    batch.tools.iter().map(|tool| tool.version).collect()
}

fn long_argument(tool: &ToolRun) -> Option<(&ToolRun, usize)> {
    let mut places = 0..tool.arguments.len();
    let place = places.find(|place| tool.is_folded(*place))?;
    Some((tool, place))
}

fn arrived_messages(conversation: &Conversation) -> impl Iterator<Item = &Message> {
    let messages = conversation.messages.iter();
    messages.filter(|it| {
        !it.text.is_empty()
            || !it.files.is_empty()
            || !it.contributions.is_empty()
            || !it.approvals.is_empty()
    })
}

/// Returns a message as the service stores it. `outcome` is the status of every pending run;
/// `None`: the status that was sent for the run, if one was.
fn to_stored(message: &Message, outcome: Option<&ApprovalStatus>) -> StoredMessage {
    let approvals = message.approvals.iter().flat_map(|batch| {
        let tools = batch.tools.iter().enumerate();
        tools.map(move |(index, tool)| {
            let stored = StoredToolApproval {
                tool_execution_id: tool.execution.clone(),
                execution_batch_id: batch.id.clone(),
                status: match (&batch.phase, outcome) {
                    (BatchPhase::Answered, _) => tool.status.clone(),
                    (_, Some(outcome)) => outcome.clone(),
                    (BatchPhase::Submitting { answer, .. }, None) => answer.status_of(index),
                    _ => ApprovalStatus::Pending,
                },
                tool_id: tool.tool.clone(),
                name: tool.name.clone(),
                provider: tool.provider.clone(),
                category: tool.category.clone(),
                tool_arguments: Some(tool.arguments.clone()),
                ..StoredToolApproval::default()
            };
            if tool.version.0.is_multiple_of(2) {
                with_streamed_members(stored)
            } else {
                stored
            }
        })
    });
    StoredMessage {
        id: message.id.clone().unwrap_or_default(),
        role: if message.author == Author::You {
            Role::User
        } else {
            Role::Assistant
        },
        content: if message.has_only_files() {
            "[document f]".to_owned()
        } else {
            message.text.clone()
        },
        tool_execution_human_approval_request: approvals.collect(),
        files: message.files.iter().map(stored_file).collect(),
        words: message.words.clone(),
        tool_images: message.activity.images().cloned().collect(),
        ..StoredMessage::default()
    }
}

fn stored_file(file: &Attachment) -> StoredFile {
    let (file_id, image_id) = match &file.state {
        AttachmentState::Uploaded(FileRef::Document(id)) => (Some(id.clone()), None),
        AttachmentState::Uploaded(FileRef::Image(id)) => (None, Some(id.clone())),
        _ => (None, None),
    };
    StoredFile {
        file_id,
        image_id,
        name: file.name.clone(),
        size: file.size,
        ..StoredFile::default()
    }
}
