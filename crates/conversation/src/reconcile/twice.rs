//! What is here twice.
//!
//! Another tab tells of its stream once something came of it, and later where its page had just begun: what is stored may
//! have been read here by then, the whole turn included. And where two batches are answered, the second one's stream may
//! tell the answer that the first one's broke off before. What is posted before a conversation is read may be read while
//! its stream runs.

use assent_protocol::{Role, StoredMessage};

use super::pairing::says_nothing;
use crate::{Author, Message, MessageKey, MessageStatus, Millis};

/// How much the clocks of the service and of this device may differ: words that were stored longer before they were posted
/// are other ones.
const APART: Millis = Millis(300_000);

/// For each local message whether it is there twice: a followed stream told it, and what is stored of it is another local
/// message already; or it is looked for, and another one that was found came in its place.
pub(super) fn told_twice(
    local: &[Message],
    partners: &[Option<usize>],
    stored: &[StoredMessage],
    live: &[MessageKey],
) -> Vec<bool> {
    let mut twice = Vec::with_capacity(local.len());
    // The person's message of this turn is there twice.
    let mut is_asked_twice = false;
    // The stored messages up to the last one that is a local message in front of this one.
    let mut before: &[StoredMessage] = &[];
    for (message, partner) in local.iter().zip(partners) {
        let is_open = message.followed && partner.is_none() && !live.contains(&message.key);
        let is_own = message.author == Author::You;
        let is_twice = is_open
            && if is_own {
                is_stored(message, stored)
            } else {
                is_asked_twice || is_answered_alike(message, before)
            };
        let next = local.iter().zip(partners).skip(twice.len() + 1);
        let mut read = local.iter().take(twice.len());
        let is_twice = is_twice || (partner.is_none() && read.any(|it| was_posted_as(it, message)));
        let is_twice = is_twice || (partner.is_none() && says_nothing(message) && goes_on(next));
        if is_own {
            is_asked_twice = is_twice;
        }
        before = partner.and_then(|at| stored.get(..=at)).unwrap_or(before);
        twice.push(is_twice);
    }
    twice
}

/// True for a message that was read once these words, of which nobody knows whether they arrived, had been posted.
fn was_posted_as(read: &Message, words: &Message) -> bool {
    let is_open = matches!(words.status, MessageStatus::Unconfirmed { .. });
    let is_same = read.author == Author::You && read.text.trim() == words.text.trim();
    let times = read.time.zip(words.time);
    let is_late = times.is_none_or(|(read, posted)| posted.0 - read.0 < APART.0);
    is_open && is_same && is_late && read.key > words.key
}

/// True where an agent said something afterwards that is stored, before the person did.
fn goes_on<'a>(next: impl Iterator<Item = (&'a Message, &'a Option<usize>)>) -> bool {
    let mut turn = next.take_while(|(it, _)| it.author != Author::You);
    turn.any(|(_, partner)| partner.is_some())
}

/// True where the person has a stored message of this text.
fn is_stored(message: &Message, stored: &[StoredMessage]) -> bool {
    let mut own = stored.iter().filter(|it| it.role == Role::User);
    own.any(|it| it.content.trim() == message.text.trim())
}

/// True where a message of an agent is, or is the beginning of, what the last turn of `before` has already. Of one without
/// words only an answer counts: what asks for approval goes on.
fn is_answered_alike(message: &Message, before: &[StoredMessage]) -> bool {
    let text = message.text.trim();
    let mut turn = before.iter().rev().take_while(|it| it.role != Role::User);
    turn.any(|it| {
        let asks = !it.tool_execution_human_approval_request.is_empty();
        it.content.trim().starts_with(text) && !(text.is_empty() && asks)
    })
}
