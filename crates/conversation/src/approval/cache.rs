//! The requests for approval that are stored on the device.
//!
//! A request is stored from its arrival until it is answered, expires, or its thread is gone. A
//! request that a load does not show may be on another page of the list, or missing for a moment:
//! that alone removes nothing.

use assent_protocol::{ApprovalStatus, BatchId, ExecutionId, StoredMessage, ThreadId};

use crate::{BatchPhase, CachedRequest, Change, Command, Conversation, Millis, Output};

/// Replaces the known requests by those that are stored now (`with`), and returns the threads of
/// the requests that another tab added or answered.
pub(crate) fn replace_requests(
    cached: &mut Vec<CachedRequest>,
    output: &mut Output,
    now: Millis,
    with: Vec<CachedRequest>,
) -> Vec<ThreadId> {
    let before = std::mem::replace(cached, last_of_each_run(with));
    forget_requests(cached, output, &|cached| cached.is_expired(now));
    let has = |all: &[CachedRequest], cached: &CachedRequest| {
        let same = |other: &CachedRequest| {
            other.is_for_same_run(cached) && other.request == cached.request
        };
        all.iter().any(same)
    };
    let gone = before.iter().filter(|it| !has(cached, it));
    let new = cached.iter().filter(|it| !has(&before, it));
    let mut threads: Vec<ThreadId> = Vec::new();
    for cached in gone.chain(new) {
        if !threads.contains(&cached.thread) {
            threads.push(cached.thread.clone());
        }
    }
    threads
}

/// Stores every request of this conversation that is to be decided and is not stored yet.
pub(crate) fn store_requests(
    cached: &mut Vec<CachedRequest>,
    output: &mut Output,
    now: Millis,
    conversation: &Conversation,
) {
    let Some(thread) = conversation.thread_id() else {
        return;
    };
    let mut new = Vec::new();
    for batch in conversation.pending_batches() {
        // A request of an incomplete batch is stored, too.
        if batch.is_deciding() || batch.phase == BatchPhase::Unanswerable {
            for raw in batch.cached_requests() {
                new.extend(CachedRequest::new(thread.clone(), now, raw));
            }
        }
    }
    // The stored request for a run is the latest, from whichever tab.
    new.retain(|new| !cached.iter().any(|it| it.is_for_same_run(new)));
    let new = last_of_each_run(new);
    if new.is_empty() {
        return;
    }
    cached.extend(new.iter().cloned());
    output.change(Change::Waiting);
    output.command(Command::KeepRequests(new));
}

/// Stores the requests of a conversation anew, because another tab seems to have removed them too
/// early.
pub(crate) fn restore_removed(
    cached: &mut Vec<CachedRequest>,
    output: &mut Output,
    now: Millis,
    conversation: &Conversation,
) {
    let mut requests = Vec::new();
    for batch in conversation.pending_batches() {
        if batch.is_deciding() {
            requests.extend(batch.cached_requests());
        }
    }
    cached.retain(|cached| !requests.contains(&cached.request));
    store_requests(cached, output, now, conversation);
}

/// Removes the stored requests for which `goes` returns true.
pub(crate) fn forget_requests(
    cached: &mut Vec<CachedRequest>,
    output: &mut Output,
    goes: &dyn Fn(&CachedRequest) -> bool,
) {
    let (gone, stay) = std::mem::take(cached)
        .into_iter()
        .partition::<Vec<_>, _>(goes);
    *cached = stay;
    if !gone.is_empty() {
        output.command(Command::ForgetRequests(gone));
    }
    output.change(Change::Waiting);
}

/// Removes requests of a conversation that this device keeps and that wait for no decision on this
/// page: those that the service's messages (`stored`) show as decided, or whose batch they list
/// without them.
pub(crate) fn forget_decided(
    cached: &mut Vec<CachedRequest>,
    output: &mut Output,
    now: Millis,
    conversation: &Conversation,
    stored: &StoredRuns,
) {
    let Some(thread) = conversation.thread_id() else {
        return;
    };
    let shown = pending_runs(conversation);
    forget_requests(cached, output, &|cached| {
        let listed = stored.batches.contains(&cached.batch) && cached.should_be_listed(now);
        let is_over = stored.decided.contains(&cached.execution) || listed;
        let pending = stored.pending.contains(&cached.execution);
        cached.thread == *thread && is_over && !pending && !shown.contains(&cached.execution)
    });
}

/// Returns the runs that the agent waits for, as far as this page knows.
fn pending_runs(conversation: &Conversation) -> Vec<ExecutionId> {
    let mut runs = Vec::new();
    for batch in conversation.pending_batches() {
        runs.extend(batch.tools.iter().map(|tool| tool.execution.clone()));
    }
    runs
}

/// Returns the last request for each run.
fn last_of_each_run(requests: Vec<CachedRequest>) -> Vec<CachedRequest> {
    let mut once: Vec<CachedRequest> = Vec::new();
    for request in requests {
        once.retain(|it| !it.is_for_same_run(&request));
        once.push(request);
    }
    once
}

/// The tool runs in the stored messages, pending and decided, and their batches.
pub(crate) struct StoredRuns {
    pending: Vec<ExecutionId>,
    decided: Vec<ExecutionId>,
    batches: Vec<BatchId>,
}

impl StoredRuns {
    pub(crate) fn of(messages: &[StoredMessage]) -> Self {
        let (mut pending, mut decided, mut batches) = (Vec::new(), Vec::new(), Vec::new());
        for message in messages {
            for run in &message.tool_execution_human_approval_request {
                batches.push(run.execution_batch_id.clone());
                let runs = match run.status {
                    ApprovalStatus::Pending => &mut pending,
                    _ => &mut decided,
                };
                runs.push(run.tool_execution_id.clone());
            }
        }
        Self {
            pending,
            decided,
            batches,
        }
    }
}
