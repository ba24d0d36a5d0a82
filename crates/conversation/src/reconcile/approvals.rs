//! The stored half of approvals: without `toolMemoryId`, so that it can be shown and settled, but not answered.

use assent_protocol::{ApprovalStatus, BatchId, StoredMessage, StoredToolApproval};

use crate::{ApprovalBatch, BatchPhase, ToolRun};

/// The batches that this message stores as undecided.
pub(super) fn pending(stored: &StoredMessage) -> Vec<BatchId> {
    let approvals = stored.tool_execution_human_approval_request.iter();
    approvals
        .filter(|approval| approval.status == ApprovalStatus::Pending)
        .map(|approval| approval.execution_batch_id.clone())
        .collect()
}

/// Brings the batches of a message up to date with what is stored of them, except the one that is being answered.
pub(super) fn take_stored(
    batches: &mut Vec<ApprovalBatch>,
    stored: &[StoredToolApproval],
    live: Option<&BatchId>,
) {
    for (id, runs) in grouped(stored) {
        if live == Some(&id) {
            continue;
        }
        match batches.iter_mut().rev().find(|batch| batch.id == id) {
            Some(batch) => bring_up_to_date(batch, runs),
            None => batches.push(ApprovalBatch {
                id,
                phase: phase_of(&runs),
                tools: runs,
                typed: String::new(),
            }),
        }
    }
}

/// The runs by batch, in the order they came.
fn grouped(stored: &[StoredToolApproval]) -> Vec<(BatchId, Vec<ToolRun>)> {
    let mut groups: Vec<(BatchId, Vec<ToolRun>)> = Vec::new();
    for approval in stored {
        let (id, run) = ToolRun::stored(approval);
        match groups.iter_mut().find(|(known, _)| *known == id) {
            Some((_, runs)) if is_listed(runs, &run) => {}
            Some((_, runs)) => runs.push(run),
            None => groups.push((id, vec![run])),
        }
    }
    groups
}

fn is_listed(runs: &[ToolRun], run: &ToolRun) -> bool {
    let named = !run.execution.as_str().is_empty();
    named && runs.iter().any(|listed| listed.execution == run.execution)
}

fn phase_of(runs: &[ToolRun]) -> BatchPhase {
    if runs.iter().all(|run| run.status != ApprovalStatus::Pending) {
        BatchPhase::Answered
    } else {
        BatchPhase::Unanswerable
    }
}

fn bring_up_to_date(batch: &mut ApprovalBatch, runs: Vec<ToolRun>) {
    // What a stream confirmed is not taken back by a reading that may be older.
    if batch.phase == BatchPhase::Answered && phase_of(&runs) != BatchPhase::Answered {
        return;
    }
    let phase = phase_of(&runs);
    for run in runs {
        let mut tools = batch.tools.iter_mut();
        match tools.find(|tool| tool.execution == run.execution) {
            Some(tool) => tool.status = run.status,
            None => batch.tools.push(run),
        }
    }
    if phase == BatchPhase::Answered {
        batch.phase = BatchPhase::Answered;
    } else if matches!(batch.phase, BatchPhase::Deciding { .. }) {
        batch.forbid_what_cannot_be_echoed();
    }
}
