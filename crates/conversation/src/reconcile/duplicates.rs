//! Finds local messages that are duplicates.
//!
//! A mirrored stream comes here after its first event, or later if its page had just started: by
//! then its turn may have been loaded here, even the whole of it. If two batches are answered, the
//! second stream may bring the answer that was interrupted in the first one. A message that is
//! posted before a conversation is loaded may be loaded while its stream runs.

use assent_protocol::{Role, StoredMessage};

use super::pairing::says_nothing;
use crate::{Author, Message, MessageKey, MessageStatus, Millis};

/// The maximum difference between the clocks of the service and of this device: a message that was
/// stored longer before the post is another one.
const MAX_CLOCK_DIFFERENCE: Millis = Millis(300_000);

/// Returns for each local message whether it is a duplicate, to be removed. Either a mirrored
/// stream brought it, and another local message has its stored counterpart already. Or its outcome
/// is being looked up, and the load brought it as another message.
pub(super) fn find_duplicates(
    local: &[Message],
    partners: &[Option<usize>],
    stored: &[StoredMessage],
    live: &[MessageKey],
) -> Vec<bool> {
    let mut twice = Vec::with_capacity(local.len());
    // True if the user's message of this turn is a duplicate.
    let mut is_asked_twice = false;
    // The stored messages up to the partner of the last paired local message before this one.
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
        let is_over = partner.is_none() && !live.contains(&message.key);
        let is_twice = is_twice
            || (is_over && read.any(|it| was_posted_as(it, message)))
            // The whole turn was loaded while its stream ran.
            || (is_over && is_asked_twice && !is_own);
        let is_twice =
            is_twice || (partner.is_none() && says_nothing(message) && is_turn_continued(next));
        if is_own {
            is_asked_twice = is_twice;
        }
        before = partner.and_then(|at| stored.get(..=at)).unwrap_or(before);
        twice.push(is_twice);
    }
    twice
}

/// Returns true if the message `read`, which a load brought, may be the stored copy of `post`, a
/// message that this page sent: the load came later, with the same text.
fn was_posted_as(read: &Message, post: &Message) -> bool {
    let is_open = matches!(
        post.status,
        MessageStatus::Unconfirmed { .. } | MessageStatus::Sent
    );
    let is_same = read.author == Author::You && read.text.trim() == post.text.trim();
    let times = read.time.zip(post.time);
    let is_late = times.is_none_or(|(read, posted)| posted.0 - read.0 < MAX_CLOCK_DIFFERENCE.0);
    is_open && is_same && is_late && read.key > post.key
}

/// Returns true if a later message of the same turn is stored. `next` are the local messages after
/// the one in question, each with the index of the stored message that it is.
fn is_turn_continued<'a>(next: impl Iterator<Item = (&'a Message, &'a Option<usize>)>) -> bool {
    let mut turn = next.take_while(|(it, _)| it.author != Author::You);
    turn.any(|(_, partner)| partner.is_some())
}

/// Returns true if a stored message of the user has the text of this message.
fn is_stored(message: &Message, stored: &[StoredMessage]) -> bool {
    let mut own = stored.iter().filter(|it| it.role == Role::User);
    own.any(|it| it.content.trim() == message.text.trim())
}

/// Returns true if the last turn of `before` has a message that equals or continues this agent's
/// message. For a message without text only an answer counts: after a request for approval the turn
/// goes on.
fn is_answered_alike(message: &Message, before: &[StoredMessage]) -> bool {
    let text = message.text.trim();
    let mut turn = before.iter().rev().take_while(|it| it.role != Role::User);
    turn.any(|it| {
        let asks = !it.tool_execution_human_approval_request.is_empty();
        it.content.trim().starts_with(text) && !(text.is_empty() && asks)
    })
}
