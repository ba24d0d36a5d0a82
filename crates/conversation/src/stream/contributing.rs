//! Collaborations of several agents: their contributions to a common answer.

use assent_protocol::{EventGroup, EventPhase, EventType, SseEventMessage};

use super::messages::{announce_answer, time_of};
use crate::message::{find_message, find_message_mut};
use crate::output::Context;
use crate::{
    Author, Collaboration, Contribution, ContributionState, Message, MessageKey, MessageStatus,
    Speaker, Stream,
};

impl Stream {
    /// Follows how the agents of a collaboration answer, together or each for itself, as a
    /// notification says.
    pub(super) fn note_collaboration(
        &mut self,
        messages: &mut Vec<Message>,
        cx: &mut Context<'_>,
        event: &EventType,
    ) {
        let Some(info) = event.info() else { return };
        self.collaboration = match (info.group, info.phase, self.collaboration) {
            (EventGroup::Collaboration, EventPhase::Started, _)
            | (EventGroup::AssistantResponse, _, Collaboration::None) => {
                Collaboration::Contributing
            }
            (EventGroup::Collaboration, EventPhase::InProgress, _) => Collaboration::Unified,
            (EventGroup::Collaboration, EventPhase::Other, _) => Collaboration::Separate,
            (_, _, before) => before,
        };
        let separate = self.collaboration == Collaboration::Separate;
        if let Some(lead) = self.lead.filter(|_| separate) {
            self.separate_contributions(messages, cx, lead);
        }
    }

    /// Adds a contribution to a common answer, or a piece of one; returns false if it is an answer
    /// of its own. `whole`: the contribution is complete.
    pub(super) fn contribute(
        &mut self,
        messages: &mut Vec<Message>,
        cx: &mut Context<'_>,
        speaker: &Speaker,
        payload: &SseEventMessage,
        whole: bool,
    ) -> bool {
        let collaboration = self.collaboration;
        let apart = matches!(collaboration, Collaboration::None | Collaboration::Separate);
        if apart || speaker.collaboration.is_none() {
            return false;
        }
        let lead = self.first_message(messages, cx);
        let Some(message) = find_message_mut(messages, lead) else {
            return false;
        };
        let contributions = &mut message.contributions;
        let repeated = whole && is_repeated(contributions, speaker, &payload.content);
        let open = continued_contribution(contributions, speaker);
        match open.and_then(|at| contributions.get_mut(at)) {
            Some(contribution) => append_piece(contribution, payload, whole),
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
                    state: contribution_state(whole),
                    time: time_of(payload).or(Some(cx.now)),
                });
            }
        }
        self.current = Some(lead);
        cx.message_changed(lead);
        true
    }

    /// Turns the contributions into answers if the common answer never began, and nothing waits for
    /// the user.
    pub(super) fn separate_unanswered_contributions(
        &mut self,
        messages: &mut Vec<Message>,
        cx: &mut Context<'_>,
    ) {
        let unanswered = self.collaboration == Collaboration::Contributing
            && self.speakers.is_empty()
            && self.asked.is_empty()
            && !self.has_failed();
        let Some(lead) = self.lead.filter(|_| unanswered) else {
            return;
        };
        let whole = |it: &Contribution| it.state == ContributionState::Whole;
        if find_message(messages, lead)
            .is_some_and(|message| message.contributions.iter().all(whole))
        {
            self.separate_contributions(messages, cx, lead);
        }
    }

    /// Turns each contribution into a message of its own. The first contribution becomes the
    /// message `lead` if no other speaker has that.
    fn separate_contributions(
        &mut self,
        messages: &mut Vec<Message>,
        cx: &mut Context<'_>,
        lead: MessageKey,
    ) {
        let contributions =
            find_message_mut(messages, lead).map(|it| std::mem::take(&mut it.contributions));
        let mut free = self.speakers.is_empty();
        let mut separated = Vec::new();
        for contribution in contributions.unwrap_or_default() {
            let own = std::mem::take(&mut free).then_some(lead);
            let key = own.unwrap_or_else(|| self.add_message(messages, cx));
            separated.push((contribution.speaker.clone(), key));
            let whole = contribution.state == ContributionState::Whole;
            if let Some(message) = find_message_mut(messages, key) {
                become_contribution(message, contribution);
            }
            cx.message_changed(key);
            if whole {
                announce_answer(messages, key, cx);
            }
        }
        cx.message_changed(lead);
        for (speaker, message) in separated {
            self.assign_message(speaker, message);
        }
    }
}
/// Returns the index of the unfinished contribution that this speaker continues. If no agent is
/// named, it is the only one of the collaboration.
fn continued_contribution(contributions: &[Contribution], speaker: &Speaker) -> Option<usize> {
    let mut open = contributions.iter().enumerate().filter(|(_, it)| {
        it.state == ContributionState::Writing
            && it.speaker.collaboration == speaker.collaboration
            && it.speaker.may_be_same(speaker)
    });
    match (open.next(), open.next()) {
        (Some((at, _)), None) => Some(at),
        _ => None,
    }
}

fn append_piece(contribution: &mut Contribution, payload: &SseEventMessage, whole: bool) {
    if !whole {
        contribution.text.push_str(&payload.content);
        contribution.words.extend_from_slice(&payload.words);
    } else if !payload.content.is_empty() {
        contribution.text.clone_from(&payload.content);
        contribution.words.clone_from(&payload.words);
    }
    contribution.state = contribution_state(whole);
    contribution.time = time_of(payload).or(contribution.time);
}

fn contribution_state(whole: bool) -> ContributionState {
    if whole {
        ContributionState::Whole
    } else {
        ContributionState::Writing
    }
}

/// Returns true if an AGENT_RESPONSE_COMPLETE event of this speaker repeats a contribution that is
/// complete already.
fn is_repeated(contributions: &[Contribution], speaker: &Speaker, content: &str) -> bool {
    let mut before = contributions.iter().rev();
    let before = before.find(|it| it.speaker == *speaker);
    before.is_some_and(|it| it.state == ContributionState::Whole && it.text == content)
}

/// Turns this message into one that has the contribution as its text.
fn become_contribution(message: &mut Message, contribution: Contribution) {
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
