//! Pairs local messages with stored ones.

use std::collections::BinaryHeap;

use assent_protocol::{ApprovalStatus, Role, StoredMessage};

use super::{
    contributions::{self, FoundContribution},
    paired::PairedFlags,
};
use crate::{Author, FailureKind, Interruption, Message, MessageKey, MessageStatus, ToolRun};

/// Returns for each local message the index of its stored partner, and the stored messages that are
/// contributions to a local one. No stored message is used twice.
///
/// Ids decide first. Messages without ids are compared in order: a local message is paired only
/// behind the partner of the one before it, so that two equal texts stay two messages.
pub(super) fn find_partners(
    local: &[Message],
    stored: &[StoredMessage],
    live: &[MessageKey],
) -> (Vec<Option<usize>>, Vec<FoundContribution>) {
    let index = StoredIndex::of(stored);
    let mut contributions = Vec::new();
    let mut paired = PairedFlags::with_count(stored.len());
    // If an id is stored twice, so it is here, in the same order.
    let by_id = local.iter().map(|message| {
        let mut same = index.ids.indices_of(message.id.as_ref()?.as_str(), 0);
        same.find(|at| paired.mark(*at))
    });
    let mut partners: Vec<Option<usize>> = by_id.collect();
    // Runs have ids too. If one was asked for again, the later local message is the later stored
    // one.
    for (message, partner) in local.iter().zip(&mut partners).rev() {
        if partner.is_none() && message.id.is_none() && !live.contains(&message.key) {
            let asking = index.find_by_run(message, &paired);
            *partner = asking.filter(|at| paired.mark(*at));
        }
    }
    // A post whose outcome is open may have arrived, one that was given up may have so after all, and
    // so may an answer of which nothing came; they get what no other message claims.
    for last in [false, true] {
        let mut from = 0;
        for (message, partner) in local.iter().zip(&mut partners) {
            let open = partner.is_none() && message.id.is_none() && !live.contains(&message.key);
            if !last && !live.contains(&message.key) {
                // First, so that the answer is not paired with one of them.
                let found =
                    contributions::find_contributions(stored, message, from, *partner, &mut paired);
                contributions.extend(found);
            }
            if open && is_doubtful(message) == last {
                *partner = index
                    .find_partner(stored, message, from, &paired)
                    .filter(|at| paired.mark(*at));
            }
            if let Some(partner) = partner {
                from = *partner + 1;
            }
        }
    }
    pair_file_messages(local, stored, live, &mut partners, &mut paired);
    (partners, contributions)
}

/// Pairs messages of files only, whose stored text is unknown: each gets the first message of the
/// user without a partner, between the partners of the messages around it.
fn pair_file_messages(
    local: &[Message],
    stored: &[StoredMessage],
    live: &[MessageKey],
    partners: &mut [Option<usize>],
    paired: &mut PairedFlags,
) {
    // The index of the next partner, from the last message to the first.
    let mut end = stored.len();
    let mut ends = Vec::with_capacity(partners.len());
    for partner in partners.iter().rev() {
        ends.push(end);
        end = partner.unwrap_or(end);
    }
    let mut from = 0;
    for ((message, partner), end) in local.iter().zip(partners).zip(ends.into_iter().rev()) {
        let arrived =
            !matches!(message.status, MessageStatus::Failed(_)) || is_undelivered(message);
        if partner.is_none() && message.has_only_files() && arrived && !live.contains(&message.key)
        {
            let occurrences = stored.iter().enumerate().take(end).skip(from);
            let mut own = occurrences.filter(|(_, stored)| stored.role == Role::User);
            let at = own.find_map(|(at, _)| (!paired.contains(at)).then_some(at));
            *partner = at.filter(|at| paired.mark(*at));
        }
        from = partner.map_or(from, |partner| partner + 1);
    }
}

fn is_doubtful(message: &Message) -> bool {
    let is_unconfirmed = matches!(message.status, MessageStatus::Unconfirmed { .. });
    is_unconfirmed || is_undelivered(message) || says_nothing(message)
}

fn is_undelivered(message: &Message) -> bool {
    // The rejected one may have been a second copy made on the way, by a proxy for example.
    matches!(&message.status, MessageStatus::Failed(failure)
        if matches!(failure.kind, FailureKind::NotDelivered | FailureKind::Rejected))
}

/// Returns true for an answer that was interrupted before it had any content.
pub(super) fn says_nothing(message: &Message) -> bool {
    let is_short = matches!(message.status, MessageStatus::Interrupted { .. });
    let says = !message.approvals.is_empty() || !message.contributions.is_empty();
    is_short && message.text.trim().is_empty() && !says
}

/// Indexes of the stored messages: by id, by tool run, and by text of the user and of agents.
struct StoredIndex<'a> {
    ids: Occurrences<'a>,
    executions: Occurrences<'a>,
    user_texts: Occurrences<'a>,
    agent_texts: Occurrences<'a>,
}

/// Sorted strings, such as ids or texts, each with the index of a stored message that has the
/// string.
#[derive(Default)]
struct Occurrences<'a>(Vec<(&'a str, usize)>);

impl Occurrences<'_> {
    /// Returns the indices of the stored messages with this string, from `from` on, in order.
    fn indices_of(&self, text: &str, from: usize) -> impl Iterator<Item = usize> {
        let first = self.0.partition_point(|it| *it < (text, from));
        let occurrences = self.0.get(first..).unwrap_or_default().iter();
        occurrences
            .take_while(move |(other, _)| *other == text)
            .map(|(_, at)| *at)
    }
}

impl<'a> StoredIndex<'a> {
    fn of(stored: &'a [StoredMessage]) -> Self {
        let mut index = Self {
            ids: Occurrences::default(),
            executions: Occurrences::default(),
            user_texts: Occurrences::default(),
            agent_texts: Occurrences::default(),
        };
        for (at, message) in stored.iter().enumerate() {
            if !message.id.as_str().is_empty() {
                index.ids.0.push((message.id.as_str(), at));
            }
            for approval in &message.tool_execution_human_approval_request {
                let execution = approval.tool_execution_id.as_str();
                index.executions.0.push((execution, at));
            }
            let texts = if message.role == Role::User {
                &mut index.user_texts
            } else {
                &mut index.agent_texts
            };
            texts.0.push((message.content.trim(), at));
        }
        for occurrences in [
            &mut index.ids,
            &mut index.executions,
            &mut index.user_texts,
            &mut index.agent_texts,
        ] {
            // A heap sort: faster algorithms need much more code, and this is part of the first
            // download.
            occurrences.0 = BinaryHeap::from(std::mem::take(&mut occurrences.0)).into_sorted_vec();
        }
        index
    }

    /// Returns the index of the last stored message that asks for a tool run of this message.
    fn find_by_run(&self, message: &Message, paired: &PairedFlags) -> Option<usize> {
        let asking = |run: &ToolRun| {
            let asking = self.executions.indices_of(run.execution.as_str(), 0);
            asking.filter(|at| !paired.contains(*at)).last()
        };
        let mut batches = message.approvals.iter();
        batches.find_map(|batch| batch.tools.iter().find_map(asking))
    }

    fn find_partner(
        &self,
        stored: &[StoredMessage],
        message: &Message,
        from: usize,
        paired: &PairedFlags,
    ) -> Option<usize> {
        let first = |texts: &Occurrences<'_>| {
            let is_free = |at: &usize| *at >= from && !paired.contains(*at);
            if message.older == 0 {
                return texts.indices_of(message.text.trim(), from).find(is_free);
            }
            let occurrences = texts.indices_of(message.text.trim(), 0);
            occurrences.skip(message.older as usize).find(is_free)
        };
        if message.author == Author::You {
            return match &message.status {
                MessageStatus::Failed(_) if !is_undelivered(message) => None,
                _ => first(&self.user_texts),
            };
        }
        let short = matches!(
            message.status,
            MessageStatus::Interrupted { .. } | MessageStatus::Streaming | MessageStatus::Failed(_)
        );
        if short {
            find_continuation(stored, message, from, paired)
        } else if message.text.trim().is_empty() {
            None
        } else {
            first(&self.agent_texts)
        }
    }
}

/// Returns the index of the stored answer of the same turn that begins with the received text.
fn find_continuation(
    stored: &[StoredMessage],
    message: &Message,
    from: usize,
    paired: &PairedFlags,
) -> Option<usize> {
    let turn = stored
        .iter()
        .enumerate()
        .skip(from)
        .take_while(|(_, next)| next.role != Role::User || next.content.trim().is_empty());
    let answers = turn.filter(|(at, answer)| {
        answer.role != Role::User && !super::is_blank(answer) && !paired.contains(*at)
    });
    let is_it = |(_, answer): &&(usize, &StoredMessage)| {
        answer.content.trim_start().starts_with(message.text.trim())
    };
    let all: Vec<(usize, &StoredMessage)> = answers.collect();
    let mut same = all.iter().filter(|it| is_it(it));
    // Contributions that were not received here are stored before the answer.
    let at = if message.contributions.is_empty() {
        same.next()
    } else {
        same.next_back()
    };
    // A piece of it may have been lost on the way.
    let only = all
        .first()
        .filter(|_| all.len() == 1 && may_lack_pieces(message));
    at.or(only).map(|(at, _)| *at)
}

/// Returns true if this page may lack pieces of the answer: the connection broke, or the answer
/// failed.
fn may_lack_pieces(message: &Message) -> bool {
    matches!(
        message.status,
        MessageStatus::Failed(_)
            | MessageStatus::Interrupted {
                by: Interruption::Lost,
                ..
            }
    )
}

/// Returns true if an agent waits for a decision on a request of this stored message.
fn waits_for_decision(message: &StoredMessage) -> bool {
    let mut asked = message.tool_execution_human_approval_request.iter();
    asked.any(|asked| asked.status == ApprovalStatus::Pending)
}

/// Removes the turn of a running stream from the stored messages: the stream has it in more detail.
///
/// The turn begins with the last stored message of the user, if that is the posted one and nothing
/// answers it yet except requests for the runs that the stream asks for.
pub(super) fn skip_running_turn(
    local: &[Message],
    stored: &mut Vec<StoredMessage>,
    live: &[MessageKey],
) {
    let running = || local.iter().filter(|message| live.contains(&message.key));
    let posted = running()
        .rev()
        .find(|message| message.author == Author::You);
    let mut runs = Vec::new();
    for message in running() {
        for batch in &message.approvals {
            runs.extend(batch.tools.iter().map(|run| &run.execution));
        }
    }
    let asks = |message: &StoredMessage| {
        let mut asked = message.tool_execution_human_approval_request.iter();
        asked.any(|asked| runs.contains(&&asked.tool_execution_id))
    };
    let is_posted = |message: &StoredMessage| {
        let same = |posted: &Message| {
            posted.has_only_files() || message.content.trim() == posted.text.trim()
        };
        message.role == Role::User && posted.is_some_and(same)
    };
    let asking = stored.iter().position(asks);
    let end = asking.unwrap_or(stored.len());
    // Messages of agents before the request belong to the turn; without a request in the stream so
    // far, there may be no answer yet except requests.
    let last = stored
        .iter()
        .take(end)
        .rposition(|it| it.role == Role::User || (asking.is_none() && !waits_for_decision(it)));
    if let Some(first) = last.filter(|at| stored.get(*at).is_some_and(is_posted)) {
        stored.drain(first..end);
    }
    stored.retain(|message| !asks(message));
}
