//! Invariants of every post, and above all of every answer to a batch (specification, Batch rules).

use assent_protocol::{ApprovalStatus, ContentItem, RawApprovalRequest, ThreadId};

use crate::{
    AnswerSummary, ApprovalBatch, BatchPhase, Contribution, ContributionState, Conversation,
    Speaker, State, ToolRun, Verdict,
};

use super::{ensure, is_submitting};

/// Checks that a post is text and files of the user, or the whole of one batch with one kind of
/// answer (specification, Batch rules).
pub(super) fn check_content(
    conversation: &Conversation,
    content: &[ContentItem],
) -> Result<(), String> {
    let (results, rest) = match content {
        [ContentItem::ToolApprovalResult(results), rest @ ..] => (results, rest),
        [ContentItem::Text(text), files @ ..] => {
            return ensure(
                !text.trim().is_empty() && files.iter().all(is_file),
                "a message is not blank, words first",
            );
        }
        files => {
            return ensure(
                !files.is_empty() && files.iter().all(is_file),
                "a post is one message or one answer",
            );
        }
    };
    let Some(batch) = answered_batch(conversation) else {
        return Err("an answer belongs to the batch that is being submitted".to_owned());
    };
    ensure(
        batch.tools.len() == results.len(),
        "a batch is answered as a whole",
    )?;
    let mut statuses = Vec::new();
    for (tool, result) in batch.tools.iter().zip(results) {
        let status = result.read().map(|request| request.approval_result);
        let Some(status) = status else {
            return Err("an answer can be read".to_owned());
        };
        let echo = tool.request.as_ref().map(|request| {
            let answered = request.answered(&status);
            // Not what the tool run has of it: that is only what differs from the accepted one.
            let is_told = request.read().is_some_and(|it| !it.definition.is_empty());
            let is_allowed = tool.choice == Some(Verdict::ApproveBeforehand)
                && status == ApprovalStatus::Approved;
            let answered = match &tool.grant {
                Some(grant) if is_allowed => answered.with_grant(grant),
                _ => answered,
            };
            let answered = match &tool.edited {
                Some(edited) if status == ApprovalStatus::Approved && tool.is_edit_valid => {
                    answered.with_edits(edited)
                }
                _ => answered,
            };
            match (tool.choice, &status) {
                (Some(verdict), ApprovalStatus::Approved) if is_told => {
                    answered.with_acceptance(verdict == Verdict::ApproveDefinition)
                }
                _ => answered,
            }
        });
        ensure(
            echo.as_ref().map(RawApprovalRequest::as_str) == Some(result.as_str()),
            "an answer echoes its request",
        )?;
        statuses.push(status);
    }
    let aborted = |status: &ApprovalStatus| *status == ApprovalStatus::Aborted;
    let decided = |status: &ApprovalStatus| {
        matches!(status, ApprovalStatus::Approved | ApprovalStatus::Denied)
    };
    match rest {
        [] => ensure(
            statuses.iter().all(aborted) || statuses.iter().all(decided),
            "stopping and deciding are not mixed",
        ),
        [ContentItem::Text(text), files @ ..] => ensure(
            statuses.iter().all(aborted) && !text.trim().is_empty() && files.iter().all(is_file),
            "words and files go only with a stop, words first",
        ),
        files => ensure(
            statuses.iter().all(aborted) && files.iter().all(is_file),
            "files go only with a stop",
        ),
    }
}

fn is_file(item: &ContentItem) -> bool {
    matches!(item, ContentItem::Document(_) | ContentItem::Image(_))
}

fn answered_batch(conversation: &Conversation) -> Option<&ApprovalBatch> {
    let batch = conversation.stream()?.posted.batch()?;
    let mut batches = conversation
        .messages
        .iter()
        .rev()
        .flat_map(|m| &m.approvals);
    batches.find(|candidate| candidate.id == *batch && is_submitting(candidate))
}

/// Checks that the summary of an answer agrees with the answer, for every tool.
pub(super) fn check_summary(
    conversation: &Conversation,
    summary: Option<&AnswerSummary>,
) -> Result<(), String> {
    let batch = answered_batch(conversation);
    let (Some(summary), Some(batch)) = (summary, batch) else {
        return ensure(
            summary.is_none() && batch.is_none(),
            "an answer, and only an answer, has a claim",
        );
    };
    let BatchPhase::Submitting { answer, .. } = &batch.phase else {
        return Err("an answer that is posted is being submitted".to_owned());
    };
    let mut tools = batch.tools.iter().enumerate();
    let same = summary.decisions.len() == batch.tools.len()
        && tools.all(|(index, tool)| {
            let reported = summary.decisions.get(index);
            reported.is_some_and(|reported| {
                reported.execution == tool.execution && reported.status == answer.status_of(index)
            })
        });
    let kept = batch.tools.iter().filter(|tool| tool.is_cached);
    let looked_for = kept.map(|tool| tool.request.as_ref());
    ensure(
        same && looked_for.eq(summary.requests.iter().map(Some))
            && summary.batch == batch.id
            && conversation.thread_id() == Some(&summary.thread),
        "what is told about an answer is what it says",
    )?;
    let approved_unread = batch.tools.iter().enumerate().any(|(index, tool)| {
        answer.status_of(index) == ApprovalStatus::Approved && !tool.can_be_approved()
    });
    ensure(!approved_unread, "nothing is approved that was not opened")
}

/// Checks that what is chosen in a batch can be, as long as it is not sent.
pub(super) fn check_choices(batch: &ApprovalBatch) -> Result<(), String> {
    let is_possible = |tool: &ToolRun| match tool.choice {
        None | Some(Verdict::Deny) => true,
        Some(Verdict::ApproveCovered) => {
            tool.can_be_approved() && tool.is_seen && batch.is_covered(tool)
        }
        Some(_) => tool.can_be_approved(),
    };
    ensure(
        !batch.is_deciding() || batch.tools.iter().all(is_possible),
        "only what was read is approved, and by itself only what is covered",
    )
}

/// Checks a command to end an answer: the service is known to write the answer, and the user asked
/// to end it.
pub(super) fn check_cancel(state: &State, thread: &ThreadId) -> Result<(), String> {
    let conversation = state.conversation_of(thread);
    let stream = conversation.and_then(|it| it.stream());
    ensure(
        stream.is_some_and(|stream| stream.is_accepted() && stream.is_stopping),
        "an answer that is stopped is being written",
    )
}

pub(super) fn check_contribution(contribution: &Contribution, streams: bool) -> Result<(), String> {
    let Speaker {
        agent,
        collaboration,
    } = &contribution.speaker;
    ensure(
        agent.is_some() && collaboration.is_some(),
        "an agent contributes to a collaboration",
    )?;
    ensure(!contribution.text.is_empty(), "a contribution has words")?;
    ensure(
        streams || contribution.state != ContributionState::Writing,
        "only in a stream a contribution is written",
    )
}
