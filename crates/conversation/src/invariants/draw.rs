//! Inputs generated from bytes: a small set of threads, texts, agents and batches, so that they
//! interact.

use assent_protocol::{
    Agent, BatchId, EVENT_TYPES, EventType, ExecutionId, Role, SessionThread, SseEvent,
    SseEventMessage, StoredMessage, ThreadId, Timestamp,
};

use crate::{
    Command, ConversationKey, Failure, FailureKind, FileRef, Input, Intent, MessageKey, StreamEnd,
    StreamId, UploadId, Verdict, WithheldReason,
};

use super::{
    sequence::{SequenceCheck, failing_result},
    unsent_files,
};

const UNIFIED: &str = "NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_UNIFIED_RESPONSE_STARTED";
const SEPARATE: &str = "NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_NO_UNIFIED_RESPONSE_REQUIRED";

impl SequenceCheck<'_> {
    pub(super) fn next_byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or_default()
    }

    pub(super) fn pick<T: Clone>(&mut self, from: &[T], otherwise: T) -> T {
        let at = usize::from(self.next_byte()) % from.len().max(1);
        from.get(at).cloned().unwrap_or(otherwise)
    }

    pub(super) fn any_text(&mut self) -> String {
        let texts = ["", " ", "hi", "hi there", "yes", "one\n\ntwo", "Grüße 🌍"];
        self.pick(&texts, "").to_owned()
    }

    pub(super) fn any_thread(&mut self) -> ThreadId {
        self.pick(&["t0", "t1", "t2", ""], "").into()
    }

    pub(super) fn any_batch(&mut self) -> BatchId {
        self.pick(&["b0", "b1"], "").into()
    }

    pub(super) fn any_execution(&mut self) -> ExecutionId {
        self.pick(&["x0", "x1", "x2"], "").into()
    }

    pub(super) fn any_verdict(&mut self) -> Verdict {
        use Verdict::{Approve, ApproveBeforehand, ApproveDefinition, Deny};
        self.pick(&[Approve, ApproveBeforehand, ApproveDefinition, Deny], Deny)
    }

    pub(super) fn any_message(&mut self) -> MessageKey {
        let open = self.state.open_conversation();
        let keys: Vec<_> = open
            .iter()
            .flat_map(|c| &c.messages)
            .map(|message| message.key)
            .collect();
        self.pick(&keys, MessageKey(0))
    }

    fn any_failure(&mut self) -> Failure {
        use FailureKind::{NotFound, Rejected, Service, Unauthorized, Unreachable, Unreadable};
        let kinds = [
            Unreachable,
            NotFound,
            Rejected,
            Service,
            Unauthorized,
            Unreadable,
        ];
        Failure::of(self.pick(&kinds, Unreachable))
    }

    pub(super) fn any_input(&mut self) -> Input {
        match self.next_byte() % 12 {
            0..=5 => self.likely_input(),
            6 | 7 => Input::Intent(self.any_intent()),
            8 | 9 => self.any_stream_input(),
            10 => self.any_command_result(),
            _ => self.unrequested_result(),
        }
    }

    fn any_intent(&mut self) -> Intent {
        match self.next_byte() % 38 {
            0 => Intent::Start {
                remembered: Some(self.any_thread()),
            },
            1 => Intent::RefreshThreads,
            2 => Intent::OpenThread(self.any_thread()),
            3 => Intent::NewThread,
            4 => Intent::RenameThread(self.any_thread(), self.any_text()),
            5 => Intent::DeleteThread(self.any_thread()),
            6 | 7 => Intent::EditDraft(self.any_text()),
            8..=10 => Intent::Send,
            11 => self.any_resend(),
            12 => Intent::DismissMessage(self.any_message()),
            13 => Intent::ReloadMessages,
            14 => Intent::Stop,
            15 => Intent::Decide(self.any_batch(), self.any_version(), self.any_verdict()),
            16 => Intent::DecideAll(
                self.any_batch(),
                vec![self.any_version()],
                self.any_verdict(),
            ),
            17 => Intent::MarkSeen(self.any_batch(), vec![self.any_version()]),
            18 => Intent::SubmitDecisions(self.any_batch()),
            19 => Intent::Answer(self.any_batch(), self.any_version(), self.any_verdict()),
            20 => Intent::BeginFeedback(self.any_batch()),
            21 => Intent::EditFeedback(self.any_batch(), self.any_text()),
            22 => Intent::CancelFeedback(self.any_batch()),
            23 => Intent::SubmitFeedback(self.any_batch()),
            24 => Intent::RetryNotice,
            25 => Intent::OpenArgument(self.any_batch(), self.any_version(), 0),
            26 => Intent::SendAsFeedback,
            27 | 28 => Intent::SendAfterwards,
            29 => self.any_queue_intent(),
            30 => {
                let place = self.any_file_owner();
                self.any_attachment(place)
            }
            31 => Intent::RetryFile(self.any_file_owner(), self.any_upload()),
            32 => Intent::RemoveFile(self.any_file_owner(), self.any_upload()),
            33 => Intent::SendSuggestion(self.any_text()),
            34 => Intent::CopyLog,
            35 => Intent::ForgetDevice,
            36 => Intent::ReadAt(Some(self.any_position())),
            _ => Intent::DismissNotice,
        }
    }

    /// Generates the owner of a file: the feedback of a batch, or the draft.
    fn any_file_owner(&mut self) -> Option<BatchId> {
        self.pick(&[None, Some("b0".into()), Some("b1".into())], None)
    }

    pub(super) fn any_attachment(&mut self, batch: Option<BatchId>) -> Intent {
        Intent::AttachFile {
            batch,
            // The identifier of each file is unique, as the bytes only get fewer.
            upload: UploadId(u32::try_from(self.bytes.len()).unwrap_or_default()),
            name: self.any_text(),
            size: 1,
        }
    }

    fn any_upload(&mut self) -> UploadId {
        let uploads: Vec<UploadId> = unsent_files(&self.state).map(|file| file.upload).collect();
        self.pick(&uploads, UploadId(0))
    }

    /// Generates an input of a running stream, if there is one.
    pub(super) fn any_stream_input(&mut self) -> Input {
        let running: Vec<StreamId> = self
            .state
            .conversations
            .iter()
            .flat_map(|it| it.stream().into_iter().chain(it.late_streams()))
            .map(|stream| stream.id)
            .collect();
        let stream = self.pick(&running, StreamId(0));
        match self.next_byte() % 12 {
            0 => Input::StreamOpened(stream),
            1 => Input::StreamGarbled(stream),
            2 => Input::StreamEnded(stream, StreamEnd::Closed),
            3 => Input::StreamEnded(stream, StreamEnd::Failed(self.any_failure())),
            4 => {
                let why = self.pick(
                    &[WithheldReason::ByPage, WithheldReason::ForOtherTab],
                    WithheldReason::ByPage,
                );
                Input::StreamEnded(stream, StreamEnd::Withheld(why))
            }
            _ => Input::StreamEvent(stream, Box::new(self.any_event())),
        }
    }

    /// Generates a request for one or two runs.
    pub(super) fn any_approval_event(&mut self) -> SseEvent {
        let requests = vec![self.any_request(), self.any_request()];
        SseEvent {
            event_type: EventType::ApprovalRequest,
            event_message: SseEventMessage {
                tool_execution_approval_request: Some(requests),
                ..SseEventMessage::default()
            },
            ..SseEvent::default()
        }
    }

    pub(super) fn any_event(&mut self) -> SseEvent {
        let names: Vec<&str> = EVENT_TYPES.iter().map(|info| info.name).collect();
        let event_type = match self.next_byte() % 8 {
            0 => EventType::MessageReceived,
            1 | 2 => EventType::AgentResponseChunk,
            3 => EventType::AgentResponseComplete,
            4 => EventType::ApprovalRequest,
            5 => EventType::from(self.pick(&["", "BRAND_NEW", UNIFIED, SEPARATE], "")),
            _ => EventType::from(self.pick(&names, "")),
        };
        let agents = [None, Some("a"), Some("b")];
        let agent = self.pick(&agents, None).map(agent_of);
        let asks = event_type == EventType::ApprovalRequest;
        SseEvent {
            event_type,
            event_id: self.pick(&["", "", "e0", "e1", "e2", "e3"], "").into(),
            event_message: SseEventMessage {
                agent,
                content: self.any_text(),
                collaboration_id: self.pick(&[None, None, Some("c")], None).map(str::to_owned),
                tool_execution_approval_request: asks.then(|| self.any_requests()),
                tool_images: self.any_tool_images(),
                timestamp: self.any_time(),
                ..SseEventMessage::default()
            },
            ..SseEvent::default()
        }
    }

    /// Generates a contribution of this agent to an answer of several.
    pub(super) fn any_contribution(&mut self, agent: &str) -> SseEvent {
        let said = [
            EventType::AgentResponseChunk,
            EventType::AgentResponseComplete,
        ];
        SseEvent {
            event_type: self.pick(&said, EventType::AgentResponseChunk),
            event_message: SseEventMessage {
                agent: Some(agent_of(agent)),
                content: self.any_text(),
                collaboration_id: Some("c".to_owned()),
                ..SseEventMessage::default()
            },
            ..SseEvent::default()
        }
    }

    fn any_time(&mut self) -> Timestamp {
        let times = ["", "2026-01-02T03:04:05", "2026-01-02T03:04:06Z", "noon"];
        Timestamp(self.pick(&times, "").to_owned())
    }

    /// Generates a result of one of the commands that have none yet.
    pub(super) fn any_command_result(&mut self) -> Input {
        if self.asked.is_empty() {
            return self.unrequested_result();
        }
        let at = usize::from(self.next_byte()) % self.asked.len();
        let command = self.asked.swap_remove(at);
        let good = !self.next_byte().is_multiple_of(4);
        match command {
            Command::CreateThread { conversation, .. } if good => Input::ThreadCreated {
                conversation,
                result: Ok(self.any_session_thread()),
            },
            Command::RenameThread { thread, name } if good => Input::ThreadRenamed {
                result: Ok(SessionThread {
                    id: thread.clone(),
                    thread_name: name,
                    ..SessionThread::default()
                }),
                thread,
            },
            Command::DeleteThread { thread } if good => Input::ThreadDeleted {
                thread,
                result: Ok(()),
            },
            Command::CancelAnswer(thread) if good => Input::AnswerCancelled(thread, Ok(())),
            Command::LoadMessages {
                conversation,
                load,
                latest_first,
                ..
            } if good => self.messages_loaded(conversation, load, latest_first),
            Command::LoadRecordings(thread) if good => {
                Input::Recordings(thread, self.any_recordings())
            }
            Command::LoadInbox if good => Input::Inbox(Some(self.any_waiting())),
            Command::Forget if good => Input::Forgotten(Ok(())),
            Command::ListThreads { latest_first } if good => self.any_list_result(latest_first),
            Command::Upload(upload) if good => {
                Input::Uploaded(upload, Ok(FileRef::Document("f".to_owned())))
            }
            command => failing_result(command).unwrap_or(Input::StreamGarbled(StreamId(0))),
        }
    }

    /// Generates a result of a command that was not given.
    pub(super) fn unrequested_result(&mut self) -> Input {
        let conversations: Vec<_> = self.state.conversations.iter().map(|it| it.key).collect();
        let conversation = self.pick(&conversations, ConversationKey(0));
        match self.next_byte() % 14 {
            0 => self.any_list_result(true),
            4 => self.any_input_of_other_tab(),
            12 => Input::Recordings(self.any_thread(), self.any_recordings()),
            5 => self.any_cached_input(),
            7 => self.any_connection_input(),
            8 => Input::Edited(conversation, self.any_content()),
            9..=10 => self.any_page_request(),
            11 => self.any_left_behind(),
            6 => Input::UploadProgress(self.any_upload(), self.next_byte()),
            1 => Input::ThreadCreated {
                conversation,
                result: Ok(self.any_session_thread()),
            },
            2 => Input::ThreadRenamed {
                thread: self.any_thread(),
                result: Err(self.any_failure()),
            },
            3 => Input::ThreadDeleted {
                thread: self.any_thread(),
                result: if self.next_byte().is_multiple_of(2) {
                    Ok(())
                } else {
                    Err(self.any_failure())
                },
            },
            _ => {
                let known = self.state.conversation(conversation);
                let load = known.and_then(|known| known.last_load);
                self.messages_loaded(conversation, load.unwrap_or_default(), true)
            }
        }
    }

    pub(super) fn any_session_thread(&mut self) -> SessionThread {
        SessionThread {
            id: self.any_thread(),
            thread_name: self.any_text(),
            last_message_time: self.any_time(),
            ..SessionThread::default()
        }
    }

    pub(super) fn any_stored_message(&mut self) -> StoredMessage {
        let roles = [
            Role::User,
            Role::Assistant,
            Role::Other("system".to_owned()),
        ];
        let asks = self.next_byte().is_multiple_of(4);
        StoredMessage {
            id: self.pick(&["", "m0", "m1", "m2", "m3"], "").into(),
            role: self.pick(&roles, Role::User),
            handle: self.pick(&[None, Some("@a".to_owned())], None),
            content: self.any_text(),
            tool_execution_human_approval_request: if asks {
                (0..2).map(|_| self.any_stored_approval()).collect()
            } else {
                Vec::new()
            },
            files: self.any_stored_files(),
            words: Vec::new(),
            tool_images: self.any_tool_images(),
            timestamp: self.any_time(),
        }
    }
}

fn agent_of(id: &str) -> Agent {
    Agent {
        id: id.into(),
        name: id.to_uppercase(),
        ..Agent::default()
    }
}
