//! The answer of a stream: its events become the text and the activity of its messages.

use assent_protocol::{Agent, EventPhase, EventType, EventTypeInfo, SseEventMessage};

use super::messages::{announce_answer, time_of};
use crate::message::{find_message, find_message_mut, mark_failed};
use crate::output::Context;
use crate::{Author, Failure, FailureKind, Message, MessageKey, MessageStatus, Speaker, Stream};

impl Stream {
    /// Adds a piece of an answer to the message of its speaker.
    pub(crate) fn add_chunk(
        &mut self,
        messages: &mut Vec<Message>,
        cx: &mut Context<'_>,
        payload: &SseEventMessage,
    ) {
        if payload.content.is_empty() {
            return;
        }
        let speaker = Speaker::of(payload);
        if self.contribute(messages, cx, &speaker, payload, false) {
            return;
        }
        let collecting = self.open_message_of(messages, &speaker);
        let message =
            collecting.unwrap_or_else(|| self.assign_new_message(messages, cx, speaker, payload));
        self.current = Some(message);
        if let Some(message) = find_message_mut(messages, message) {
            message.text.push_str(&payload.content);
            message.words.extend_from_slice(&payload.words);
        }
        cx.message_changed(message);
    }

    /// Completes the message of a speaker with the whole text of an answer.
    pub(crate) fn complete_answer(
        &mut self,
        messages: &mut Vec<Message>,
        cx: &mut Context<'_>,
        payload: SseEventMessage,
    ) {
        let speaker = Speaker::of(&payload);
        if self.contribute(messages, cx, &speaker, &payload, true)
            || self.is_repeated(messages, &speaker, &payload.content)
        {
            return;
        }
        let collecting = self
            .open_message_of(messages, &speaker)
            .or_else(|| self.only_open_message(messages, &speaker));
        let message = collecting
            .unwrap_or_else(|| self.assign_new_message(messages, cx, speaker.clone(), &payload));
        self.assign_message(speaker, message);
        self.works = false;
        let time = time_of(&payload);
        let Some(whole) = find_message_mut(messages, message) else {
            return;
        };
        if !payload.content.is_empty() {
            whole.text = payload.content;
            whole.words = payload.words;
        }
        whole.status = MessageStatus::Complete;
        whole.time = time.or(whole.time);
        name_author(whole, payload.agent.as_ref());
        cx.message_changed(message);
        announce_answer(messages, message, cx);
    }

    /// Returns true if an AGENT_RESPONSE_COMPLETE event repeats the last one: same speaker, no
    /// chunk since, and no other text.
    fn is_repeated(&self, messages: &[Message], speaker: &Speaker, content: &str) -> bool {
        let message = self.message_of(speaker);
        let message = message.and_then(|it| find_message(messages, it));
        message.is_some_and(|message| {
            message.status == MessageStatus::Complete
                && (content.is_empty() || message.text == content)
        })
    }

    fn open_message_of(&self, messages: &[Message], speaker: &Speaker) -> Option<MessageKey> {
        let message = self.message_of(speaker)?;
        is_open(messages, message).then_some(message)
    }

    /// Returns the message that is being written, if it is the only one and may be of this speaker.
    fn only_open_message(&self, messages: &[Message], speaker: &Speaker) -> Option<MessageKey> {
        let speakers = self.speakers.iter();
        let mut open = speakers.filter(|(_, it)| is_open(messages, *it));
        match (open.next(), open.next()) {
            (Some((known, message)), None) if known.may_be_same(speaker) => Some(*message),
            _ => None,
        }
    }

    /// Returns a message for a speaker who has none: for the first speaker the first message of the
    /// answer, for each further one a new message.
    fn assign_new_message(
        &mut self,
        messages: &mut Vec<Message>,
        cx: &mut Context<'_>,
        speaker: Speaker,
        payload: &SseEventMessage,
    ) -> MessageKey {
        let lead = self.first_message(messages, cx);
        let message = if self.speakers.is_empty() {
            lead
        } else {
            self.add_message(messages, cx)
        };
        self.assign_message(speaker, message);
        if let Some(message) = find_message_mut(messages, message) {
            message.time = time_of(payload).or(Some(cx.now));
            name_author(message, payload.agent.as_ref());
        }
        message
    }

    /// Handles an ERROR: the message that is being written fails, or a new one if there is none.
    pub(crate) fn agent_failed(
        &mut self,
        messages: &mut Vec<Message>,
        cx: &mut Context<'_>,
        reason: &str,
    ) {
        let mut failure = Failure::of(FailureKind::Agent);
        failure.message = Some(reason.trim().to_owned()).filter(|reason| !reason.is_empty());
        // Complete text, and requests that can still be answered, do not fail with what came after
        // them.
        let current = self.current.filter(|current| {
            find_message(messages, *current).is_some_and(|message| {
                message.status == MessageStatus::Streaming && message.approvals.is_empty()
            })
        });
        let message = current.unwrap_or_else(|| self.add_message(messages, cx));
        // The page of the tab that posted it is told.
        if self.is_told() {
            cx.output.report_failure(&failure);
        }
        mark_failed(messages, message, failure, cx);
        self.mark_failed(cx);
    }

    /// Adds a notification to the activity, which the first message of the answer shows.
    pub(crate) fn add_activity_event(
        &mut self,
        messages: &mut Vec<Message>,
        cx: &mut Context<'_>,
        event_type: EventType,
        payload: SseEventMessage,
    ) {
        self.note_collaboration(messages, cx, &event_type);
        let starts =
            |it: &EventTypeInfo| matches!(it.phase, EventPhase::Started | EventPhase::InProgress);
        self.works |= event_type.info().is_some_and(starts);
        let lead = self.first_message(messages, cx);
        if let Some(message) = find_message_mut(messages, lead) {
            message.activity.add_event(event_type, payload, cx.now);
        }
        cx.message_changed(lead);
    }

    /// Shows a frame that could not be read as a step of the activity.
    pub(crate) fn note_garbled(&mut self, messages: &mut Vec<Message>, cx: &mut Context<'_>) {
        self.garbled = true;
        self.works = true;
        let lead = self.first_message(messages, cx);
        if let Some(message) = find_message_mut(messages, lead) {
            message.activity.add_garbled(cx.now);
        }
        cx.message_changed(lead);
    }
}

fn is_open(messages: &[Message], message: MessageKey) -> bool {
    find_message(messages, message).is_some_and(|it| it.status == MessageStatus::Streaming)
}

fn name_author(message: &mut Message, agent: Option<&Agent>) {
    let Some(agent) = agent else { return };
    if !agent.name.is_empty() {
        message.author = Author::Agent(agent.name.clone());
    }
    if !agent.handle.is_empty() {
        message.handle.clone_from(&agent.handle);
    }
}
