//! A running stream: its events become text, activity and requests for approval.

use assent_protocol::{
    Agent, EventType, EventTypeInfo, Phase as EventPhase, SseEvent, SseEventMessage,
};

use crate::{
    Announcement, Change, ConversationKey, Failure, FailureKind, Message, MessageKey,
    MessageStatus, Millis, Phase, Posted, Speaker, Stream, StreamId,
};

use super::Turn;

impl Turn<'_> {
    pub(super) fn stream_opened(&mut self, stream: StreamId) {
        if let Some(key) = self.conversation_of_stream(stream) {
            self.lead(key, stream);
        }
    }

    #[inline(never)]
    pub(super) fn stream_event(&mut self, stream: StreamId, event: SseEvent) {
        if let Some(key) = self.conversation_of_stream(stream) {
            self.hear(key, stream);
            self.take_event(key, stream, event);
            self.resume_late(key);
        }
    }

    fn take_event(&mut self, key: ConversationKey, stream: StreamId, event: SseEvent) {
        if !self.is_news(key, stream, &event) {
            return;
        }
        let message = event.event_message;
        match &event.event_type {
            EventType::ConnectionEstablished => return,
            EventType::Unknown(name) if name.is_empty() => return self.garbled(key, stream),
            // It does not say whether the decisions were accepted before something failed.
            EventType::Error if self.awaits_acceptance_of_answer(key, stream) => {}
            _ => self.accept(key, stream, &message),
        }
        match event.event_type {
            EventType::ConnectionEstablished | EventType::MessageReceived => {}
            EventType::AgentResponseChunk => self.chunk(key, stream, &message),
            EventType::AgentResponseComplete => {
                self.complete(key, stream, message);
                self.wait_for_more(key, stream);
            }
            EventType::ApprovalRequest => self.ask(key, stream, message),
            EventType::Error => {
                self.agent_failed(key, stream, &message.content);
                self.wait_for_more(key, stream);
            }
            EventType::ApprovalResponse | EventType::Notification(_) | EventType::Unknown(_) => {
                self.note(key, stream, &event.event_type, message);
            }
        }
    }

    pub(super) fn stream_garbled(&mut self, stream: StreamId) {
        let Some(key) = self.conversation_of_stream(stream) else {
            return;
        };
        self.hear(key, stream);
        if self.stream(key, stream).is_some_and(|it| !it.failed) {
            self.garbled(key, stream);
        }
        self.resume_late(key);
    }

    /// Returns false for an event that was seen before and for everything after ERROR.
    fn is_news(&mut self, key: ConversationKey, id: StreamId, event: &SseEvent) -> bool {
        let Some(stream) = self.stream_mut(key, id) else {
            return false;
        };
        let event = &event.event_id;
        !stream.failed && (event.as_str().is_empty() || stream.seen.insert(event.as_str()))
    }

    /// Returns true if an answer to a batch was posted, and is not known to be accepted.
    fn awaits_acceptance_of_answer(&self, key: ConversationKey, id: StreamId) -> bool {
        let stream = self.stream(key, id);
        stream.is_some_and(|it| !it.is_accepted() && it.posted.batch().is_some())
    }

    /// Marks the post as accepted by the service.
    fn accept(&mut self, key: ConversationKey, id: StreamId, payload: &SseEventMessage) {
        let Some(stream) = self.stream_mut(key, id) else {
            return;
        };
        if stream.is_accepted() {
            return;
        }
        stream.phase = Phase::Accepted;
        let decided = stream.followed.as_mut().map(std::mem::take);
        let (message, batch) = match stream.posted.clone() {
            Posted::Message(message) => (Some(message), None),
            Posted::Approval { batch, feedback } => (feedback, Some(batch)),
        };
        if let Some(message) = message {
            if let Some(message) = self.message_mut(key, message) {
                message.status = MessageStatus::Sent;
                message.time = time_of(payload).or(message.time);
            }
            if decided.is_none() {
                self.report_sent(key, message);
            }
            self.change(Change::Message(key, message));
        }
        match (decided, batch) {
            (Some(results), _) => self.decided_there(key, &results),
            (None, Some(batch)) => self.answer_accepted(key, &batch),
            (None, None) => {}
        }
        self.lead(key, id);
        self.cancel_accepted(key);
    }

    /// Returns the first message of the answer, and adds it if the agent has just begun.
    pub(super) fn lead(&mut self, key: ConversationKey, id: StreamId) -> Option<MessageKey> {
        if let Some(lead) = self.stream_mut(key, id)?.lead {
            return Some(lead);
        }
        let lead = self.add_agent_message(key, id)?;
        let stream = self.stream_mut(key, id)?;
        stream.lead = Some(lead);
        stream.current = Some(lead);
        self.announce(key, Announcement::Answering);
        Some(lead)
    }

    /// Adds a message of the agent behind the others of its stream, before what was posted since.
    pub(super) fn add_agent_message(
        &mut self,
        key: ConversationKey,
        id: StreamId,
    ) -> Option<MessageKey> {
        let (message, now) = (self.state.next_message(), self.now);
        let added = Message {
            followed: self.is_following(key, id),
            ..Message::streaming(message, now)
        };
        let own = self
            .stream(key, id)
            .map(Stream::messages)
            .unwrap_or_default();
        let messages = &mut self.conversation_mut(key)?.messages;
        let last = messages.iter().rposition(|it| own.contains(&it.key));
        messages.insert(last.map_or(messages.len(), |it| it + 1), added);
        if let Some(stream) = self.stream_mut(key, id) {
            stream.written.push(message);
        }
        self.change(Change::Transcript(key));
        Some(message)
    }

    fn chunk(&mut self, key: ConversationKey, id: StreamId, payload: &SseEventMessage) {
        if payload.content.is_empty() {
            return;
        }
        let speaker = Speaker::of(payload);
        if self.contribute(key, id, &speaker, payload, false) {
            return;
        }
        let collecting = self.open_message_of(key, id, &speaker);
        let Some(message) = collecting.or_else(|| self.assign_message(key, id, speaker, payload))
        else {
            return;
        };
        if let Some(stream) = self.stream_mut(key, id) {
            stream.current = Some(message);
        }
        if let Some(message) = self.message_mut(key, message) {
            message.text.push_str(&payload.content);
            message.words.extend_from_slice(&payload.words);
        }
        self.change(Change::Message(key, message));
    }

    fn complete(&mut self, key: ConversationKey, id: StreamId, payload: SseEventMessage) {
        let speaker = Speaker::of(&payload);
        if self.contribute(key, id, &speaker, &payload, true) {
            return;
        }
        if self.is_repeated(key, id, &speaker, &payload.content) {
            return;
        }
        let collecting = self
            .open_message_of(key, id, &speaker)
            .or_else(|| self.only_open_message(key, id, &speaker));
        let Some(message) =
            collecting.or_else(|| self.assign_message(key, id, speaker.clone(), &payload))
        else {
            return;
        };
        if let Some(stream) = self.stream_mut(key, id) {
            stream.assign(speaker, message);
            stream.works = false;
        }
        let time = time_of(&payload);
        let Some(whole) = self.message_mut(key, message) else {
            return;
        };
        if !payload.content.is_empty() {
            whole.text = payload.content;
            whole.words = payload.words;
        }
        whole.status = MessageStatus::Complete;
        whole.time = time.or(whole.time);
        name_author(whole, payload.agent.as_ref());
        self.change(Change::Message(key, message));
        self.announce_answer(key, message);
    }

    pub(super) fn announce_answer(&mut self, key: ConversationKey, message: MessageKey) {
        let Some(message) = self.conversation(key).and_then(|c| c.message(message)) else {
            return;
        };
        // The text is copied only for an announcement that is made.
        if self.state.open == key && !message.text.trim().is_empty() {
            let author = message.author.agent_name().to_owned();
            let (text, words) = (message.text.clone(), message.words.clone());
            let answered = Announcement::Answered {
                author,
                text,
                words,
            };
            self.announce(key, answered);
        }
    }

    /// Returns true for a repeated COMPLETE: same speaker, no chunk since, and no other text.
    fn is_repeated(
        &self,
        key: ConversationKey,
        id: StreamId,
        speaker: &Speaker,
        content: &str,
    ) -> bool {
        let message = self.stream(key, id).and_then(|it| it.message_of(speaker));
        let message = message.and_then(|it| self.conversation(key)?.message(it));
        message.is_some_and(|message| {
            message.status == MessageStatus::Complete
                && (content.is_empty() || message.text == content)
        })
    }

    fn open_message_of(
        &self,
        key: ConversationKey,
        id: StreamId,
        speaker: &Speaker,
    ) -> Option<MessageKey> {
        let conversation = self.conversation(key)?;
        let message = self.stream(key, id)?.message_of(speaker)?;
        let open = conversation.message(message)?.status == MessageStatus::Streaming;
        open.then_some(message)
    }

    /// Returns the only message that is being written, if its speaker may be this one.
    fn only_open_message(
        &self,
        key: ConversationKey,
        id: StreamId,
        speaker: &Speaker,
    ) -> Option<MessageKey> {
        let conversation = self.conversation(key)?;
        let speakers = &self.stream(key, id)?.speakers;
        let mut open = speakers.iter().filter(|(_, message)| {
            conversation
                .message(*message)
                .is_some_and(|message| message.status == MessageStatus::Streaming)
        });
        match (open.next(), open.next()) {
            (Some((known, message)), None) if known.may_be(speaker) => Some(*message),
            _ => None,
        }
    }

    /// Returns a message for a speaker who has none: the lead for the first one, a new one for each
    /// further.
    fn assign_message(
        &mut self,
        key: ConversationKey,
        id: StreamId,
        speaker: Speaker,
        payload: &SseEventMessage,
    ) -> Option<MessageKey> {
        let lead = self.lead(key, id)?;
        let first = self.stream_mut(key, id)?.speakers.is_empty();
        let message = if first {
            lead
        } else {
            self.add_agent_message(key, id)?
        };
        self.stream_mut(key, id)?.assign(speaker, message);
        let (time, now) = (time_of(payload), self.now);
        let claimed = self.message_mut(key, message)?;
        claimed.time = time.or(Some(now));
        name_author(claimed, payload.agent.as_ref());
        Some(message)
    }

    fn agent_failed(&mut self, key: ConversationKey, id: StreamId, reason: &str) {
        let mut failure = Failure::of(FailureKind::Agent);
        failure.message = Some(reason.trim().to_owned()).filter(|reason| !reason.is_empty());
        let Some(stream) = self.stream_mut(key, id) else {
            return;
        };
        stream.failed = true;
        let current = stream.current;
        // Complete text, and requests that can still be answered, do not fail with what came after
        // them.
        let current = current.filter(|current| {
            let message = self.conversation(key).and_then(|c| c.message(*current));
            message.is_some_and(|message| {
                message.status == MessageStatus::Streaming && message.approvals.is_empty()
            })
        });
        if let Some(message) = current.or_else(|| self.add_agent_message(key, id)) {
            let is_own = !self.is_following(key, id);
            self.fail_message(key, message, failure, is_own);
        }
    }

    fn note(
        &mut self,
        key: ConversationKey,
        id: StreamId,
        event_type: &EventType,
        payload: SseEventMessage,
    ) {
        self.note_collaboration(key, id, event_type);
        let begins =
            |it: &EventTypeInfo| matches!(it.phase, EventPhase::Started | EventPhase::InProgress);
        if let Some(stream) = self.stream_mut(key, id) {
            stream.works |= event_type.info().is_some_and(begins);
        }
        let now = self.now;
        if let Some(lead) = self.lead(key, id) {
            if let Some(message) = self.message_mut(key, lead) {
                message.activity.note(event_type, payload, now);
            }
            self.change(Change::Message(key, lead));
        }
    }

    pub(super) fn garbled(&mut self, key: ConversationKey, id: StreamId) {
        let now = self.now;
        if let Some(stream) = self.stream_mut(key, id) {
            stream.garbled = true;
            stream.works = true;
        }
        if let Some(lead) = self.lead(key, id) {
            if let Some(message) = self.message_mut(key, lead) {
                message.activity.note_garbled(now);
            }
            self.change(Change::Message(key, lead));
        }
    }

    pub(super) fn stream(&self, key: ConversationKey, id: StreamId) -> Option<&Stream> {
        self.conversation(key)?.stream_with(id)
    }

    pub(super) fn stream_mut(&mut self, key: ConversationKey, id: StreamId) -> Option<&mut Stream> {
        self.conversation_mut(key)?.stream_with_mut(id)
    }

    /// Returns true if that stream is one of another tab, whose page gets its events instead of this
    /// one.
    pub(super) fn is_following(&self, key: ConversationKey, id: StreamId) -> bool {
        self.stream(key, id).is_some_and(|it| it.followed.is_some())
    }
}

pub(super) fn time_of(message: &SseEventMessage) -> Option<Millis> {
    message.timestamp.epoch_millis().map(Millis)
}

fn name_author(message: &mut Message, agent: Option<&Agent>) {
    let Some(agent) = agent else { return };
    if !agent.name.is_empty() {
        message.author = crate::Author::Agent(agent.name.clone());
    }
    if !agent.handle.is_empty() {
        message.handle.clone_from(&agent.handle);
    }
}
