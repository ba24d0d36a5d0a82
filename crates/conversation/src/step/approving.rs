//! Approvals: the user's decisions, and the one post that answers a batch.

use assent_protocol::BatchId;

use crate::approval::asking::adopt_newer_requests;
use crate::approval::cache;
use crate::approval::outcomes::{self, PendingBatch};
use crate::message::batch_mut;
use crate::{
    Announcement, ApprovalBatch, BatchAnswer, BatchPhase, CachedRequest, Change, Conversation,
    ConversationKey, DeliveryStatus, Feedback, Message, MessageKey, PostedContent, RequestVersion,
    ToolRun, Verdict,
};

use super::sequencer::Sequencer;

impl Sequencer<'_> {
    /// Replaces the requests for approval that this page knows as stored by those that the device
    /// stores now. If another tab added or answered one, its thread is loaded again.
    pub(super) fn requests_cached(&mut self, cached: Vec<CachedRequest>) {
        let known = &mut self.state.cached_requests;
        let changed = cache::replace_requests(known, &mut self.output, self.now, cached);
        if !changed.is_empty() {
            self.load_inbox();
        }
        for thread in changed {
            let Some(key) = self.state.conversation_of(&thread).map(|it| it.key) else {
                continue;
            };
            match self.conversation_mut(key) {
                Some(conversation) if conversation.stream().is_some() => conversation.stale = true,
                _ => self.load_messages(key),
            }
        }
    }

    /// Has it announced to users of screen readers that these tools wait for a decision, even in a
    /// conversation that is not shown.
    pub(super) fn announce_request(&mut self, key: ConversationKey, tools: Vec<String>) {
        let thread = self.conversation(key).and_then(|c| c.thread_id());
        let name = thread.map(|thread| {
            let row = self.state.threads.rows.iter().find(|row| row.id == *thread);
            row.map(|row| row.name.clone()).unwrap_or_default()
        });
        let elsewhere = name.filter(|_| self.state.open != key);
        self.change(Change::Announce(Announcement::ApprovalNeeded {
            tools,
            elsewhere,
        }));
    }

    pub(super) fn open_argument(
        &mut self,
        batch: &BatchId,
        version: RequestVersion,
        argument: usize,
    ) {
        self.change_requests(batch, &[version], |tool| tool.open_text(argument));
    }

    pub(super) fn mark_seen(&mut self, batch: &BatchId, versions: &[RequestVersion]) {
        self.change_requests(batch, versions, |tool| tool.is_seen = true);
    }

    pub(super) fn allow_beforehand(
        &mut self,
        batch: &BatchId,
        version: RequestVersion,
        grant: &str,
    ) {
        self.change_deciding(batch, |batch| {
            change_versions(batch, &[version], |tool| tool.allow_beforehand(grant));
            batch.drop_uncovered();
        });
    }

    pub(super) fn edit_arguments(
        &mut self,
        batch: &BatchId,
        version: RequestVersion,
        edited: Option<String>,
        is_valid: bool,
    ) {
        self.change_deciding(batch, |batch| {
            if let Some(tool) = batch.tools.iter_mut().find(|it| it.version == version) {
                tool.edited = edited;
                tool.is_edit_valid = is_valid;
            }
        });
    }

    pub(super) fn decide(&mut self, batch: &BatchId, version: RequestVersion, verdict: Verdict) {
        self.change_deciding(batch, |batch| {
            change_versions(batch, &[version], |tool| tool.decide(verdict));
            batch.drop_uncovered();
            if verdict == Verdict::ApproveBeforehand {
                batch.choose_covered(version);
            }
        });
    }

    pub(super) fn decide_all(
        &mut self,
        batch: &BatchId,
        versions: &[RequestVersion],
        verdict: Verdict,
    ) {
        self.change_deciding(batch, |batch| {
            change_versions(batch, versions, |tool| {
                if verdict == Verdict::Deny || tool.is_seen {
                    tool.decide(verdict);
                }
            });
            batch.drop_uncovered();
        });
    }

    /// Decides a batch of one tool and posts the decision. A verdict that was chosen before, or is
    /// about another version of the request, is never posted in its place.
    pub(super) fn decide_and_submit(
        &mut self,
        id: BatchId,
        version: RequestVersion,
        verdict: Verdict,
    ) {
        let is_drawn = |batch: &mut ApprovalBatch| {
            let [tool] = batch.tools.as_slice() else {
                return false;
            };
            tool.version == version && tool.allows_verdict(verdict)
        };
        if self.answerable_batch(&id).is_some_and(is_drawn) {
            self.decide(&id, version, verdict);
            self.submit_decisions(id);
        }
    }

    pub(super) fn submit_decisions(&mut self, id: BatchId) {
        let open = self.state.open;
        let Some(batch) = self.answerable_batch(&id) else {
            return;
        };
        let deciding = matches!(batch.phase, BatchPhase::Deciding { feedback: None, .. });
        let answer = batch.answer_with_verdicts().filter(|_| deciding);
        if let Some(answer) = answer {
            self.submit_answer(open, id, answer);
        }
    }

    pub(super) fn submit_answer(&mut self, key: ConversationKey, id: BatchId, answer: BatchAnswer) {
        if self.adopt_newer_requests(key, &id) {
            return;
        }
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let content = answer.content();
        let feedback = answer.feedback().filter(|it| !it.text.is_empty()).cloned();
        let feedback = feedback.map(|feedback| (cx.keys.next_message(), feedback));
        let thread = conversation.thread_id().cloned();
        let batch = batch_mut(&mut conversation.messages, &id);
        let Some((thread, (asking, batch))) = thread.zip(batch) else {
            return;
        };
        let summary = answer.summary(thread, batch);
        batch.phase = BatchPhase::Submitting {
            answer,
            delivery: DeliveryStatus::Sent,
            failure: None,
        };
        let posted = PostedContent::Approval {
            batch: id,
            feedback: feedback.as_ref().map(|(message, _)| *message),
        };
        if let Some((message, Feedback { text, files })) = feedback {
            let sending = Message::new_sending(message, text, files, cx.now);
            conversation.messages.push(sending);
            cx.output.change(Change::Transcript(key));
        }
        cx.message_changed(asking);
        cx.output.change(Change::Waiting);
        let key = cx.keys.next_post();
        conversation.post(&mut cx, posted, content, false, key, Some(summary));
        conversation.release_queued(&mut cx, false);
    }

    /// Shows the requests that another tab received later for tool runs of this batch, with other
    /// arguments: the user decides these anew. Returns true if there are any.
    fn adopt_newer_requests(&mut self, key: ConversationKey, id: &BatchId) -> bool {
        let thread = self.conversation(key).and_then(Conversation::thread_id);
        let cached = self.state.cached_requests.iter();
        let cached = cached.filter(|cached| cached.batch == *id && Some(&cached.thread) == thread);
        let cached: Vec<CachedRequest> = cached.cloned().collect();
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return false;
        };
        let Some((message, batch)) = batch_mut(&mut conversation.messages, id) else {
            return false;
        };
        let names = adopt_newer_requests(batch, cached);
        if names.is_empty() {
            return false;
        }
        cx.message_changed(message);
        self.requests_changed(key);
        self.announce_request(key, names);
        self.load_messages(key);
        true
    }

    /// Gives versions to the new requests for approval of this conversation, and has the composer
    /// and the number of pending decisions drawn again.
    pub(super) fn requests_changed(&mut self, key: ConversationKey) {
        self.state.number_requests(key);
        self.change(Change::Composer(key));
        self.change(Change::Waiting);
    }

    /// Tells the host page what became of these pending batches, and returns the messages whose
    /// batch is decided now.
    pub(super) fn report_outcomes(
        &mut self,
        key: ConversationKey,
        pending: Vec<PendingBatch>,
    ) -> Vec<MessageKey> {
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return Vec::new();
        };
        let thread = conversation.thread_id().cloned();
        let messages = &mut conversation.messages;
        let outcomes = outcomes::report_outcomes(messages, &mut cx, thread.as_ref(), pending);
        for text in &outcomes.typed {
            conversation.put_feedback_back(&mut cx, text);
        }
        if outcomes.is_elsewhere {
            cx.announce(Announcement::DecidedElsewhere);
        }
        outcomes.decided
    }

    /// Returns the batch with this id of the open conversation; `None` if no answer to it can be
    /// posted now.
    pub(super) fn answerable_batch(&mut self, id: &BatchId) -> Option<&mut ApprovalBatch> {
        let conversation = self.conversation_mut(self.state.open)?;
        if conversation.stream().is_some() || conversation.thread_id().is_none() {
            return None;
        }
        conversation.batch_mut(id).map(|(_, batch)| batch)
    }

    /// Calls `change` with a batch of the open conversation, if the tools of the batch are being
    /// decided one by one.
    pub(super) fn change_deciding(
        &mut self,
        id: &BatchId,
        change: impl FnOnce(&mut ApprovalBatch),
    ) {
        let deciding = |batch: &ApprovalBatch| {
            matches!(batch.phase, BatchPhase::Deciding { feedback: None, .. })
        };
        self.change_batch(id, deciding, change);
    }

    /// Calls `change` with those tools of a batch of the open conversation whose requests have one
    /// of these versions.
    fn change_requests(
        &mut self,
        id: &BatchId,
        versions: &[RequestVersion],
        change: impl Fn(&mut ToolRun),
    ) {
        let change = |batch: &mut ApprovalBatch| change_versions(batch, versions, change);
        self.change_batch(id, |_| true, change);
    }

    pub(super) fn change_batch(
        &mut self,
        id: &BatchId,
        applies: impl FnOnce(&ApprovalBatch) -> bool,
        change: impl FnOnce(&mut ApprovalBatch),
    ) {
        let open = self.state.open;
        let batch = self.conversation_mut(open).and_then(|c| c.batch_mut(id));
        let Some((message, batch)) = batch.filter(|(_, batch)| applies(batch)) else {
            return;
        };
        change(batch);
        self.change(Change::Message(open, message));
    }
}

/// Calls `change` with those tools of a batch whose requests have one of these versions.
fn change_versions(
    batch: &mut ApprovalBatch,
    versions: &[RequestVersion],
    change: impl Fn(&mut ToolRun),
) {
    let tools = batch.tools.iter_mut();
    tools
        .filter(|tool| versions.contains(&tool.version))
        .for_each(change);
}
