//! The requests for approval that are stored on the device.
//!
//! A request is stored from its arrival until it is answered, expires, or its thread is gone. A
//! request that a load does not show may be on another page of the list, or missing for a moment:
//! that alone removes nothing.

use assent_protocol::{ApprovalStatus, BatchId, ExecutionId, StoredMessage, ThreadId};

use crate::{BatchPhase, Change, Command, Conversation, ConversationKey, KeptRequest, Millis};

use super::Turn;

impl Turn<'_> {
    /// Takes the requests that are stored now. If another tab added or answered one, the thread is
    /// loaded again.
    pub(super) fn requests_kept(&mut self, kept: Vec<KeptRequest>) {
        let before = std::mem::replace(&mut self.state.kept, each_once(kept));
        let now = self.now;
        self.forget_requests(|kept| kept.is_expired(now));
        let is_in = |all: &[KeptRequest], kept: &KeptRequest| {
            let same =
                |other: &KeptRequest| other.is_for_same(kept) && other.request == kept.request;
            all.iter().any(same)
        };
        let gone = before.iter().filter(|it| !is_in(&self.state.kept, it));
        let new = self.state.kept.iter().filter(|it| !is_in(&before, it));
        let mut threads: Vec<ThreadId> = Vec::new();
        for kept in gone.chain(new) {
            if !threads.contains(&kept.thread) {
                threads.push(kept.thread.clone());
            }
        }
        for thread in threads {
            let Some(key) = self.state.conversation_of(&thread).map(|it| it.key) else {
                continue;
            };
            match self.conversation_mut(key) {
                Some(conversation) if conversation.stream.is_some() => conversation.stale = true,
                _ => self.load_messages(key, Millis(0)),
            }
        }
    }

    /// Stores every request of this conversation that is to be decided and is not stored yet.
    pub(super) fn keep_requests(&mut self, key: ConversationKey) {
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
                for raw in batch.kept_requests() {
                    new.extend(KeptRequest::new(thread.clone(), at, raw));
                }
            }
        }
        // The stored request for a run is the latest, from whichever tab.
        new.retain(|new| !self.state.kept.iter().any(|it| it.is_for_same(new)));
        let new = each_once(new);
        if new.is_empty() {
            return;
        }
        self.state.kept.extend(new.iter().cloned());
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
                requests.extend(batch.kept_requests());
            }
        }
        self.state
            .kept
            .retain(|kept| !requests.contains(&kept.request));
        self.keep_requests(key);
    }

    /// Removes the requests for which `goes` returns true.
    pub(super) fn forget_requests(&mut self, goes: impl Fn(&KeptRequest) -> bool) {
        let (gone, kept) = std::mem::take(&mut self.state.kept)
            .into_iter()
            .partition::<Vec<_>, _>(goes);
        self.state.kept = kept;
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
        self.forget_requests(|kept| {
            let listed = stored.batches.contains(&kept.batch) && kept.is_settled(now);
            let settled = stored.decided.contains(&kept.execution) || listed;
            let pending = stored.pending.contains(&kept.execution);
            kept.thread == thread && settled && !pending && !shown.contains(&kept.execution)
        });
    }

    /// Removes the requests of a thread that is gone.
    pub(super) fn forget_thread(&mut self, thread: &ThreadId) {
        let now = self.now;
        self.forget_requests(|kept| kept.thread == *thread && kept.is_settled(now));
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
fn each_once(requests: Vec<KeptRequest>) -> Vec<KeptRequest> {
    let mut once: Vec<KeptRequest> = Vec::new();
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
