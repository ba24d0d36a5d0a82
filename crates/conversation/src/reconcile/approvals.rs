//! The stored half of approvals. Without `toolMemoryId`, which is an extension, a stored request
//! can be shown and be seen to be decided, but not answered: it is completed with the cached
//! streamed half, by `toolExecutionId`.

use assent_protocol::{ApprovalStatus, BatchId, StoredMessage, StoredToolApproval};

use crate::{
    ApprovalBatch, BatchCompleteness, BatchPhase, CachedRequest, Feedback, Provenance, ToolRun,
};

/// Returns the batches that are pending in these stored messages.
pub(super) fn pending_batches(stored: &[StoredMessage]) -> Vec<BatchId> {
    let mut pending = Vec::new();
    for message in stored {
        for approval in &message.tool_execution_human_approval_request {
            if approval.status == ApprovalStatus::Pending {
                pending.push(approval.execution_batch_id.clone());
            }
        }
    }
    pending
}

/// Updates the batches of a message from its stored requests, except the batch `live`, which is
/// being answered.
pub(super) fn update_batches(
    batches: &mut Vec<ApprovalBatch>,
    stored: &[StoredToolApproval],
    live: Option<&BatchId>,
    cached: &[CachedRequest],
) {
    for (id, runs) in group_by_batch(stored) {
        if live == Some(&id) {
            continue;
        }
        let runs = runs.into_iter().map(|run| complete_run(&id, run, cached));
        let runs: Vec<ToolRun> = runs.collect();
        match batches.iter_mut().rev().find(|batch| batch.id == id) {
            Some(batch) => update_batch(batch, runs),
            None => batches.push(batch_of_service(id, runs, cached)),
        }
    }
}

/// Groups the runs by batch, in the order they came.
fn group_by_batch(stored: &[StoredToolApproval]) -> Vec<(BatchId, Vec<ToolRun>)> {
    let mut groups: Vec<(BatchId, Vec<ToolRun>)> = Vec::new();
    for approval in stored {
        let (id, run) = ToolRun::from_stored(approval);
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

/// Returns a stored run, completed with the cached request for it if there is one and the run is
/// pending: then it can be answered.
fn complete_run(batch: &BatchId, run: ToolRun, cached: &[CachedRequest]) -> ToolRun {
    let same = |it: &&CachedRequest| it.execution == run.execution && it.batch == *batch;
    let cached = cached.iter().rev().find(same);
    let streamed = cached.and_then(|cached| ToolRun::from_streamed(cached.request.clone()));
    match streamed {
        Some((_, streamed)) if run.status == ApprovalStatus::Pending => run.completed_by(streamed),
        _ => run,
    }
}

/// Makes a batch that this page did not know, from its stored tool runs and the cached requests.
fn batch_of_service(id: BatchId, tools: Vec<ToolRun>, cached: &[CachedRequest]) -> ApprovalBatch {
    let mut batch = ApprovalBatch {
        phase: BatchPhase::Answered,
        id,
        tools,
        draft: Feedback::default(),
        elsewhere: false,
        completeness: BatchCompleteness::Whole,
        given_up: None,
    };
    let is_here = |cached: &CachedRequest| {
        let mut tools = batch.tools.iter();
        tools.any(|tool| tool.execution == cached.execution)
    };
    let mut of_batch = cached.iter().filter(|cached| cached.batch == batch.id);
    if !is_decided(&batch.tools) {
        // A part of a batch cannot be answered.
        batch.phase = if batch.can_be_answered() && of_batch.all(is_here) {
            BatchPhase::DECIDING
        } else {
            BatchPhase::Unanswerable
        };
    }
    batch
}

fn is_decided(runs: &[ToolRun]) -> bool {
    runs.iter().all(|run| run.status != ApprovalStatus::Pending)
}

fn update_batch(batch: &mut ApprovalBatch, runs: Vec<ToolRun>) {
    // A load that may be older does not undo what a stream confirmed.
    if batch.phase == BatchPhase::Answered && !is_decided(&runs) {
        return;
    }
    let sent = matches!(batch.phase, BatchPhase::Submitting { .. });
    if batch.tools.iter().all(|tool| is_listed(&runs, tool)) {
        batch.completeness = BatchCompleteness::Whole;
    }
    for run in runs {
        let mut tools = batch.tools.iter_mut();
        match tools.find(|tool| tool.execution == run.execution) {
            // What the service itself told this page is true, whatever the device has by now.
            Some(tool) if is_contradicted(&run) && agrees_with_service(tool) => {
                tool.take_outcome(run);
            }
            // The same request, once as it was streamed and once as it is stored.
            Some(tool) if is_same_request(&run, tool) => tool.take_outcome(run),
            // The kept request is the latest; an answer that was sent stays as it was.
            Some(tool) if !sent && run.request.is_some() && differs_from_known(&run, tool) => {
                *tool = run;
                batch.given_up = None;
            }
            Some(tool) => tool.take_outcome(run),
            None => batch.tools.push(run),
        }
    }
    batch.update_phase();
}

fn is_contradicted(run: &ToolRun) -> bool {
    run.provenance == Provenance::Contradicted
}

/// Returns true for a run whose request this page has, and that the service does not contradict.
fn agrees_with_service(run: &ToolRun) -> bool {
    run.request.is_some() && run.provenance == Provenance::Service
}

/// Returns true if both are the same request, which this page has once as it was streamed and once
/// as it was stored.
fn is_same_request(run: &ToolRun, tool: &ToolRun) -> bool {
    let (stored, streamed) = if tool.is_cached {
        (run, tool)
    } else {
        (tool, run)
    };
    agrees_with_service(run)
        && agrees_with_service(tool)
        && run.is_cached != tool.is_cached
        && stored.agrees_with(streamed)
}

fn differs_from_known(run: &ToolRun, known: &ToolRun) -> bool {
    run.request != known.request || run.provenance != known.provenance
}
