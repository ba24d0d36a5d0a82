//! Requests for approval as they are streamed, and how they get into batches.

use assent_protocol::{ApprovalStatus, BatchId, RawApprovalRequest};

use crate::message::{batch_mut, find_message_mut};
use crate::output::Context;
use crate::{ApprovalBatch, CachedRequest, Change, Message, MessageKey, Provenance, ToolRun};

/// Returns the batch and the tool run of a streamed request; `None` if the request names no batch
/// or no run. The run is pending, whatever else the request says.
pub(crate) fn parse_asked_run(raw: RawApprovalRequest) -> Option<(BatchId, ToolRun)> {
    let (batch, mut run) = ToolRun::from_streamed(raw)?;
    run.status = ApprovalStatus::Pending;
    Some((batch, run))
}

/// Removes from `runs` the requests of the batch `id` that are in its answer already, while that
/// answer is on its way: a late stream repeated them. Returns true if other requests of the batch
/// remain, so that the agent waits for another answer than this one.
pub(crate) fn drop_answered(
    messages: &mut [Message],
    id: &BatchId,
    runs: &mut Vec<(BatchId, ToolRun)>,
) -> bool {
    let batch = batch_mut(messages, id).map(|(_, batch)| batch);
    let Some(batch) = batch.filter(|it| it.is_sent()) else {
        return false;
    };
    runs.retain(|(asked, run)| asked != id || batch.is_new_run(run));
    runs.iter().any(|(asked, _)| asked == id)
}

/// Adds a tool run to its batch; a new batch is added to the message `current`. Returns the message
/// that has the batch, and true if the run is new or its request has changed.
pub(crate) fn add_run(
    messages: &mut [Message],
    current: MessageKey,
    id: &BatchId,
    run: ToolRun,
) -> (MessageKey, bool) {
    if let Some((message, batch)) = batch_mut(messages, id)
        && batch.is_pending()
    {
        return (message, batch.add_or_replace_run(run));
    }
    if let Some(message) = find_message_mut(messages, current) {
        let batch = ApprovalBatch::new_pending(id.clone(), run);
        message.approvals.push(batch);
    }
    (current, true)
}

/// Replaces requests of this batch by those in `cached`, which another tab received later for the
/// same tool runs, with other arguments: the user decides these anew. Returns the names of their
/// tools.
pub(crate) fn adopt_newer_requests(
    batch: &mut ApprovalBatch,
    cached: Vec<CachedRequest>,
) -> Vec<String> {
    let mut names = Vec::new();
    let runs = cached.into_iter().map(|cached| cached.request);
    for (_, mut run) in runs.filter_map(parse_asked_run) {
        run.provenance = Provenance::Device;
        let name = run.name.clone();
        let is_here = |it: &ToolRun| it.is_cached && it.execution == run.execution;
        if batch.tools.iter().any(is_here) && batch.add_or_replace_run(run) {
            names.push(name);
        }
    }
    names
}

/// Marks those of the batches `asked` that are pending as possibly incomplete: the service may have
/// more tool runs of them, and the stored messages are to tell.
pub(crate) fn mark_possibly_incomplete(
    messages: &mut [Message],
    cx: &mut Context<'_>,
    asked: &[BatchId],
) {
    for id in asked {
        let batch = batch_mut(messages, id);
        if let Some((message, batch)) = batch.filter(|(_, batch)| batch.is_pending()) {
            batch.mark_possibly_incomplete();
            cx.message_changed(message);
            cx.output.change(Change::Composer(cx.key));
            cx.output.change(Change::Waiting);
        }
    }
}
