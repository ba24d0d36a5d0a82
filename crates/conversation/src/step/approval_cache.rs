//! The requests for approval that are stored on the device.
//!
//! A request is stored from its arrival until it is answered, expires, or its thread is gone. A
//! request that a load does not show may be on another page of the list, or missing for a moment:
//! that alone removes nothing.

use assent_protocol::{ApprovalStatus, BatchId, ExecutionId, StoredMessage, ThreadId};

use crate::{BatchPhase, CachedRequest, Change, Command, Conversation, ConversationKey, Millis};

use super::Turn;

impl Turn<'_> {
    /// Takes the requests that are stored now. If another tab added or answered one, the thread is
    /// loaded again.
    pub(super) fn requests_cached(&mut self, cached: Vec<CachedRequest>) {
        let before = std::mem::replace(&mut self.state.cached_requests, each_once(cached));
        let now = self.now;
        self.forget_requests(|cached| cached.is_expired(now));
        let is_in = |all: &[CachedRequest], cached: &CachedRequest| {
            let same = |other: &CachedRequest| {
                other.is_for_same(cached) && other.request == cached.request
            };
            all.iter().any(same)
        };
        let gone = before
            .iter()
            .filter(|it| !is_in(&self.state.cached_requests, it));
        let new = self
            .state
            .cached_requests
            .iter()
            .filter(|it| !is_in(&before, it));
        let mut threads: Vec<ThreadId> = Vec::new();
        for cached in gone.chain(new) {
            if !threads.contains(&cached.thread) {
                threads.push(cached.thread.clone());
            }
        }
        for thread in threads {
            let Some(key) = self.state.conversation_of(&thread).map(|it| it.key) else {
                continue;
            };
            match self.conversation_mut(key) {
                Some(conversation) if conversation.stream().is_some() => conversation.stale = true,
                _ => self.load_messages(key, Millis(0)),
            }
        }
    }

    /// Stores every request of this conversation that is to be decided and is not stored yet.
    pub(super) fn cache_requests(&mut self, key: ConversationKey) {
        let at = self.now;
        let Some(conversation) = self.state.conversation(key) else {
            return;
        };
        let Some(thread) = conversation.thread_id() else {
            return;
        };
        let mut new = Vec::new();
        for batch in conversation.pending_batches() {
            // A request of an incomplete batch is stored, too.
            if batch.is_deciding() || batch.phase == BatchPhase::Unanswerable {
                for raw in batch.cached_requests() {
                    new.extend(CachedRequest::new(thread.clone(), at, raw));
                }
            }
        }
        // The stored request for a run is the latest, from whichever tab.
        new.retain(|new| {
            !self
                .state
                .cached_requests
                .iter()
                .any(|it| it.is_for_same(new))
        });
        let new = each_once(new);
        if new.is_empty() {
            return;
        }
        self.state.cached_requests.extend(new.iter().cloned());
        self.change(Change::Waiting);
        self.command(Command::KeepRequests(new));
    }

    /// Stores the requests of a batch anew, because another tab seems to have removed them too
    /// early.
    pub(super) fn keep_again(&mut self, key: ConversationKey) {
        let Some(conversation) = self.state.conversation(key) else {
            return;
        };
        let mut requests = Vec::new();
        for batch in conversation.pending_batches() {
            if batch.is_deciding() {
                requests.extend(batch.cached_requests());
            }
        }
        self.state
            .cached_requests
            .retain(|cached| !requests.contains(&cached.request));
        self.cache_requests(key);
    }

    /// Removes the requests for which `goes` returns true.
    pub(super) fn forget_requests(&mut self, goes: impl Fn(&CachedRequest) -> bool) {
        let (gone, cached) = std::mem::take(&mut self.state.cached_requests)
            .into_iter()
            .partition::<Vec<_>, _>(goes);
        self.state.cached_requests = cached;
        if !gone.is_empty() {
            self.command(Command::ForgetRequests(gone));
        }
        self.change(Change::Waiting);
    }

    /// Removes the requests of this thread that are not to be decided here, and are stored as
    /// decided or missing in the stored messages of their batch.
    pub(super) fn forget_settled(&mut self, key: ConversationKey, stored: &Stored) {
        let now = self.now;
        let Some(conversation) = self.state.conversation(key) else {
            return;
        };
        let Some(thread) = conversation.thread_id().cloned() else {
            return;
        };
        let shown = runs_in_question(conversation);
        self.forget_requests(|cached| {
            let listed = stored.batches.contains(&cached.batch) && cached.is_settled(now);
            let settled = stored.decided.contains(&cached.execution) || listed;
            let pending = stored.pending.contains(&cached.execution);
            cached.thread == thread && settled && !pending && !shown.contains(&cached.execution)
        });
    }

    /// Removes the requests of a thread that is gone.
    pub(super) fn forget_thread(&mut self, thread: &ThreadId) {
        let now = self.now;
        self.forget_requests(|cached| cached.thread == *thread && cached.is_settled(now));
    }
}

/// Returns the runs that the agent waits for, as far as this page knows.
fn runs_in_question(conversation: &Conversation) -> Vec<ExecutionId> {
    let mut runs = Vec::new();
    for batch in conversation.pending_batches() {
        runs.extend(batch.tools.iter().map(|tool| tool.execution.clone()));
    }
    runs
}

/// Returns the last request for each run.
fn each_once(requests: Vec<CachedRequest>) -> Vec<CachedRequest> {
    let mut once: Vec<CachedRequest> = Vec::new();
    for request in requests {
        once.retain(|it| !it.is_for_same(&request));
        once.push(request);
    }
    once
}

/// The tool runs in the stored messages.
pub(super) struct Stored {
    pending: Vec<ExecutionId>,
    decided: Vec<ExecutionId>,
    batches: Vec<BatchId>,
}

impl Stored {
    pub(super) fn of(messages: &[StoredMessage]) -> Self {
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
