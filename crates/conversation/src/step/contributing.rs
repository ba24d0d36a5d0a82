//! Collaborations of several agents: their contributions to a common answer.

use assent_protocol::{EventGroup, EventType, Phase, SseEventMessage};

use crate::{
    Author, Change, Collaboration, Contribution, ContributionState, ConversationKey, Message,
    MessageKey, MessageStatus, Speaker, Stream, StreamId,
};

use super::{Turn, streaming::time_of};

impl Turn<'_> {
    /// Takes an event about how the agents of a collaboration answer.
    pub(super) fn note_collaboration(
        &mut self,
        key: ConversationKey,
        id: StreamId,
        event: &EventType,
    ) {
        let Some(info) = event.info() else { return };
        let Some(stream) = self.stream_mut(key, id) else {
            return;
        };
        stream.collaboration = match (info.group, info.phase, stream.collaboration) {
            (EventGroup::Collaboration, Phase::Started, _)
            | (EventGroup::AssistantResponse, _, Collaboration::None) => {
                Collaboration::Contributing
            }
            (EventGroup::Collaboration, Phase::InProgress, _) => Collaboration::Unified,
            (EventGroup::Collaboration, Phase::Other, _) => Collaboration::Separate,
            (_, _, before) => before,
        };
        let separate = stream.collaboration == Collaboration::Separate;
        if let Some(lead) = stream.lead.filter(|_| separate) {
            let first = stream.speakers.is_empty();
            let separated = self.separate_contributions(key, id, lead, first);
            if let Some(stream) = self.stream_mut(key, id) {
                assign(stream, separated);
            }
        }
    }

    /// Takes a contribution to a common answer; returns false if it is an answer of its own.
    /// `whole`: it is complete.
    pub(super) fn contribute(
        &mut self,
        key: ConversationKey,
        id: StreamId,
        speaker: &Speaker,
        payload: &SseEventMessage,
        whole: bool,
    ) -> bool {
        let stream = self.stream_mut(key, id);
        let Some(collaboration) = stream.map(|stream| stream.collaboration) else {
            return false;
        };
        let apart = matches!(collaboration, Collaboration::None | Collaboration::Separate);
        if apart || speaker.collaboration.is_none() {
            return false;
        }
        let Some(lead) = self.lead(key, id) else {
            return false;
        };
        let now = self.now;
        let Some(message) = self.message_mut(key, lead) else {
            return false;
        };
        let contributions = &mut message.contributions;
        let repeated = whole && is_repeated(contributions, speaker, &payload.content);
        let open = continued_contribution(contributions, speaker);
        match open.and_then(|place| contributions.get_mut(place)) {
            Some(contribution) => append(contribution, payload, whole),
            None if speaker.agent.is_none() || collaboration == Collaboration::Unified => {
                return false;
            }
            None if repeated || payload.content.is_empty() => {}
            None => {
                let agent = payload.agent.clone().unwrap_or_default();
                contributions.push(Contribution {
                    speaker: speaker.clone(),
                    agent: agent.name,
                    handle: agent.handle,
                    text: payload.content.clone(),
                    words: payload.words.clone(),
                    state: state(whole),
                    time: time_of(payload).or(Some(now)),
                });
            }
        }
        if let Some(stream) = self.stream_mut(key, id) {
            stream.current = Some(lead);
        }
        self.change(Change::Message(key, lead));
        true
    }

    /// Turns the contributions into answers if the common answer never began, and nothing waits for
    /// the user.
    pub(super) fn separate_unanswered_contributions(
        &mut self,
        key: ConversationKey,
        stream: &mut Stream,
    ) {
        let unanswered = stream.collaboration == Collaboration::Contributing
            && stream.speakers.is_empty()
            && stream.asked.is_empty()
            && !stream.failed;
        let Some(lead) = stream.lead.filter(|_| unanswered) else {
            return;
        };
        let message = self.conversation(key).and_then(|c| c.message(lead));
        let whole = |it: &Contribution| it.state == ContributionState::Whole;
        if message.is_some_and(|message| message.contributions.iter().all(whole)) {
            assign(
                stream,
                self.separate_contributions(key, stream.id, lead, true),
            );
        }
    }

    /// Turns each contribution into a message of its own; the first one becomes the lead if that is
    /// `free`. Returns the speakers with their messages.
    fn separate_contributions(
        &mut self,
        key: ConversationKey,
        id: StreamId,
        lead: MessageKey,
        mut free: bool,
    ) -> Vec<(Speaker, MessageKey)> {
        let contributions = self.message_mut(key, lead);
        let contributions = contributions.map(|it| std::mem::take(&mut it.contributions));
        let mut separated = Vec::new();
        for contribution in contributions.unwrap_or_default() {
            let place = std::mem::take(&mut free).then_some(lead);
            let Some(place) = place.or_else(|| self.add_agent_message(key, id)) else {
                break;
            };
            separated.push((contribution.speaker.clone(), place));
            let whole = contribution.state == ContributionState::Whole;
            if let Some(message) = self.message_mut(key, place) {
                turn_into(message, contribution);
            }
            self.change(Change::Message(key, place));
            if whole {
                self.announce_answer(key, place);
            }
        }
        self.change(Change::Message(key, lead));
        separated
    }
}

fn assign(stream: &mut Stream, separated: Vec<(Speaker, MessageKey)>) {
    for (speaker, message) in separated {
        stream.assign(speaker, message);
    }
}

/// Returns the index of the contribution that this continues. Without an agent it is the only one
/// of the collaboration.
fn continued_contribution(contributions: &[Contribution], speaker: &Speaker) -> Option<usize> {
    let mut open = contributions.iter().enumerate().filter(|(_, it)| {
        it.state == ContributionState::Writing
            && it.speaker.collaboration == speaker.collaboration
            && it.speaker.may_be(speaker)
    });
    match (open.next(), open.next()) {
        (Some((place, _)), None) => Some(place),
        _ => None,
    }
}

fn append(contribution: &mut Contribution, payload: &SseEventMessage, whole: bool) {
    if !whole {
        contribution.text.push_str(&payload.content);
        contribution.words.extend_from_slice(&payload.words);
    } else if !payload.content.is_empty() {
        contribution.text.clone_from(&payload.content);
        contribution.words.clone_from(&payload.words);
    }
    contribution.state = state(whole);
    contribution.time = time_of(payload).or(contribution.time);
}

fn state(whole: bool) -> ContributionState {
    if whole {
        ContributionState::Whole
    } else {
        ContributionState::Writing
    }
}

/// Returns true for a repeated COMPLETE.
fn is_repeated(contributions: &[Contribution], speaker: &Speaker, content: &str) -> bool {
    let mut before = contributions.iter().rev();
    let before = before.find(|it| it.speaker == *speaker);
    before.is_some_and(|it| it.state == ContributionState::Whole && it.text == content)
}

/// Turns this message into the contribution.
fn turn_into(message: &mut Message, contribution: Contribution) {
    if !contribution.agent.is_empty() {
        message.author = Author::Agent(contribution.agent);
    }
    message.handle = contribution.handle;
    message.text = contribution.text;
    message.words = contribution.words;
    message.time = contribution.time.or(message.time);
    message.status = match contribution.state {
        ContributionState::Writing => MessageStatus::Streaming,
        ContributionState::Whole => MessageStatus::Complete,
        ContributionState::Short => message.status.clone(),
    };
}
