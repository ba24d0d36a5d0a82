//! Which local message is which stored one.

use std::collections::{BTreeMap, BTreeSet};

use assent_protocol::{Role, StoredMessage};

use crate::{Author, FailureKind, Message, MessageKey, MessageStatus};

/// For each local message the index of its stored partner. No stored message is the partner of two.
///
/// Ids decide first. What has none is compared in order: a local message looks only behind the partner of the one
/// before it, so that two equal texts stay two messages.
pub(super) fn partners(
    local: &[Message],
    stored: &[StoredMessage],
    live: &[MessageKey],
) -> Vec<Option<usize>> {
    let index = Index::of(stored);
    let mut partners: Vec<Option<usize>> = local
        .iter()
        .map(|message| index.ids.get(message.id.as_ref()?.as_str()).copied())
        .collect();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    for partner in &mut partners {
        // The same id twice on the page is one message there and one that is not stored.
        *partner = partner.filter(|index| taken.insert(*index));
    }
    pair_in_order(
        local,
        live,
        &mut partners,
        &mut taken,
        |message, from, taken| {
            if is_undelivered(message) {
                return None;
            }
            index.find(stored, message, from, taken)
        },
    );
    // A post that was given up may have arrived after all; it takes what no other message claims.
    pair_in_order(
        local,
        live,
        &mut partners,
        &mut taken,
        |message, from, taken| {
            if !is_undelivered(message) {
                return None;
            }
            index.find(stored, message, from, taken)
        },
    );
    partners
}

fn pair_in_order(
    local: &[Message],
    live: &[MessageKey],
    partners: &mut [Option<usize>],
    taken: &mut BTreeSet<usize>,
    find: impl Fn(&Message, usize, &BTreeSet<usize>) -> Option<usize>,
) {
    let mut from = 0;
    for (message, partner) in local.iter().zip(partners) {
        if partner.is_none() && message.id.is_none() && !live.contains(&message.key) {
            *partner = find(message, from, taken);
            taken.extend(*partner);
        }
        if let Some(partner) = partner {
            from = *partner + 1;
        }
    }
}

fn is_undelivered(message: &Message) -> bool {
    matches!(&message.status, MessageStatus::Failed(failure) if failure.kind == FailureKind::NotDelivered)
}

/// Where stored messages are found by what identifies them.
struct Index<'a> {
    ids: BTreeMap<&'a str, usize>,
    executions: BTreeMap<&'a str, usize>,
    user_texts: BTreeMap<&'a str, Vec<usize>>,
    agent_texts: BTreeMap<&'a str, Vec<usize>>,
}

impl<'a> Index<'a> {
    fn of(stored: &'a [StoredMessage]) -> Self {
        let mut index = Self {
            ids: BTreeMap::new(),
            executions: BTreeMap::new(),
            user_texts: BTreeMap::new(),
            agent_texts: BTreeMap::new(),
        };
        for (at, message) in stored.iter().enumerate() {
            if !message.id.as_str().is_empty() {
                index.ids.entry(message.id.as_str()).or_insert(at);
            }
            for approval in &message.tool_execution_human_approval_request {
                index
                    .executions
                    .insert(approval.tool_execution_id.as_str(), at);
            }
            let texts = if message.role == Role::User {
                &mut index.user_texts
            } else {
                &mut index.agent_texts
            };
            texts.entry(message.content.trim()).or_default().push(at);
        }
        index
    }

    fn find(
        &self,
        stored: &[StoredMessage],
        message: &Message,
        from: usize,
        taken: &BTreeSet<usize>,
    ) -> Option<usize> {
        let first = |texts: &BTreeMap<&str, Vec<usize>>| {
            let at = texts.get(message.text.trim())?;
            let behind = at.get(at.partition_point(|at| *at < from)..)?;
            behind.iter().copied().find(|at| !taken.contains(at))
        };
        if message.author == Author::You {
            return match &message.status {
                MessageStatus::Failed(_) if !is_undelivered(message) => None,
                _ => first(&self.user_texts),
            };
        }
        let mut runs = message.approvals.iter().flat_map(|batch| &batch.tools);
        let by_execution = runs.find_map(|run| {
            let at = self.executions.get(run.execution.as_str()).copied()?;
            (!taken.contains(&at)).then_some(at)
        });
        if by_execution.is_some() {
            return by_execution;
        }
        let short = matches!(
            message.status,
            MessageStatus::Interrupted { .. } | MessageStatus::Streaming | MessageStatus::Failed(_)
        );
        if short {
            extension(stored, message, from, taken)
        } else if message.text.trim().is_empty() {
            None
        } else {
            first(&self.agent_texts)
        }
    }
}

/// The stored answer of the same turn that begins with what was received of it.
fn extension(
    stored: &[StoredMessage],
    message: &Message,
    from: usize,
    taken: &BTreeSet<usize>,
) -> Option<usize> {
    let turn = stored
        .iter()
        .enumerate()
        .skip(from)
        .take_while(|(_, next)| next.role != Role::User || next.content.trim().is_empty());
    let mut answers = turn.filter(|(at, answer)| {
        answer.role != Role::User && !super::is_blank(answer) && !taken.contains(at)
    });
    answers
        .find(|(_, answer)| answer.content.trim_start().starts_with(message.text.trim()))
        .map(|(at, _)| at)
}

/// Takes the turn that a running stream is about out of the stored messages: the stream tells it better.
///
/// It begins with the last stored message of the person, if that is what was posted and nothing answers it yet.
pub(super) fn leave_out_the_running_turn(
    local: &[Message],
    stored: &mut Vec<StoredMessage>,
    live: &[MessageKey],
) {
    let posted = local
        .iter()
        .rev()
        .find(|message| live.contains(&message.key) && message.author == Author::You);
    let Some(posted) = posted else { return };
    let same = stored
        .last()
        .is_some_and(|last| last.role == Role::User && last.content.trim() == posted.text.trim());
    if same {
        stored.pop();
    }
}
