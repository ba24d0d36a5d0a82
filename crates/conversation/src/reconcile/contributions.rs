//! Finds the stored messages that are contributions to a local answer. The service stores them as
//! messages of their own.

use std::ops::Range;

use assent_protocol::{Role, StoredMessage};

use crate::{Contribution, ContributionState, Message, MessageKey};

use super::paired::PairedFlags;

/// A stored message that is a contribution to a local message.
pub(super) struct FoundContribution {
    stored: usize,
    message: MessageKey,
    contribution: usize,
}

/// Finds the stored contributions to one local message, and marks them as paired. `from` is the
/// index of the first stored message that may belong to the same turn, and `partner` that of the
/// stored message that is the local one, if it is known.
pub(super) fn find_contributions(
    stored: &[StoredMessage],
    message: &Message,
    from: usize,
    partner: Option<usize>,
    paired: &mut PairedFlags,
) -> Vec<FoundContribution> {
    let turn = turn_range(stored, from, partner);
    let mut found = Vec::new();
    for (contribution, said) in message.contributions.iter().enumerate() {
        let at = turn.clone().find(|at| {
            let is_it = |stored: &StoredMessage| {
                stored.role != Role::User && is_same_contribution(said, stored)
            };
            !paired.contains(*at) && stored.get(*at).is_some_and(is_it)
        });
        if let Some(at) = at.filter(|at| paired.mark(*at)) {
            found.push(FoundContribution {
                stored: at,
                message: message.key,
                contribution,
            });
        }
    }
    found
}

/// Returns the range of stored messages that may be contributions: from the question that is
/// answered up to the next question, without both.
fn turn_range(stored: &[StoredMessage], from: usize, partner: Option<usize>) -> Range<usize> {
    let asks =
        |message: &StoredMessage| message.role == Role::User && !message.content.trim().is_empty();
    let first = match partner {
        Some(partner) => {
            let question = stored.iter().take(partner).rposition(asks);
            question.map_or(0, |question| question + 1)
        }
        None => from,
    };
    let next = stored.iter().skip(first).position(asks);
    first..next.map_or(stored.len(), |next| first + next)
}

/// Returns true if a stored message is this contribution. A request for approval is none: it is
/// decided where it is shown.
fn is_same_contribution(said: &Contribution, stored: &StoredMessage) -> bool {
    let (said_text, text) = (said.text.trim(), stored.content.trim());
    let begins = !said_text.is_empty() && text.starts_with(said_text);
    let cut = said.state != ContributionState::Whole;
    begins && (cut || text == said_text) && stored.tool_execution_human_approval_request.is_empty()
}

/// Updates the local contributions from the stored messages. Returns the indices of the stored
/// messages that are contributions, and the local messages that changed.
pub(super) fn update_contributions(
    local: &mut [Message],
    stored: &[StoredMessage],
    found: Vec<FoundContribution>,
) -> (Vec<usize>, Vec<MessageKey>) {
    let mut absorbed = Vec::new();
    let mut touched = Vec::new();
    for found in found {
        absorbed.push(found.stored);
        let message = local.iter_mut().find(|it| it.key == found.message);
        let said = message.and_then(|it| it.contributions.get_mut(found.contribution));
        if let (Some(said), Some(stored)) = (said, stored.get(found.stored))
            && said.state != ContributionState::Whole
        {
            said.text.clone_from(&stored.content);
            said.words.clone_from(&stored.words);
            said.state = ContributionState::Whole;
            touched.push(found.message);
        }
    }
    (absorbed, touched)
}
