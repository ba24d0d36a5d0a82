//! Approvals: what an agent asks, what the person decides, and the one post that answers a batch.

use assent_protocol::{ApprovalStatus, BatchId, ExecutionId, RawApprovalRequest, SseEventMessage};

use crate::{
    Activity, Announcement, ApprovalBatch, Author, BatchAnswer, BatchPhase, Change,
    ConversationKey, Message, MessageKey, MessageStatus, Posted, ToolRun, Verdict,
};

use super::Turn;

impl Turn<'_> {
    /// Takes an approval request event.
    pub(super) fn ask(&mut self, key: ConversationKey, said: SseEventMessage) {
        let requests = said.tool_execution_approval_request.unwrap_or_default();
        let count = requests.len();
        let runs: Vec<_> = requests.into_iter().filter_map(asked_run).collect();
        if runs.is_empty() || runs.len() < count {
            self.garbled(key);
        }
        if runs.is_empty() {
            return;
        }
        let Some(stream) = self.stream_mut(key) else {
            return;
        };
        stream.asked = true;
        let current = stream.current;
        let Some(current) = current.or_else(|| self.lead(key)) else {
            return;
        };
        let mut tools = Vec::new();
        for (batch, run) in runs {
            let Some(conversation) = self.conversation_mut(key) else {
                return;
            };
            let name = run.name.clone();
            let asked_before = conversation.batch_mut(&batch);
            let message = match asked_before {
                Some((message, batch)) if batch.is_pending() => {
                    if batch.ask_again(run) {
                        tools.push(name);
                    }
                    message
                }
                _ => {
                    tools.push(name);
                    if let Some(message) = conversation.message_mut(current) {
                        message.approvals.push(ApprovalBatch::asking(batch, run));
                    }
                    current
                }
            };
            self.change(Change::Message(key, message));
        }
        self.change(Change::Composer(key));
        if !tools.is_empty() {
            self.announce(key, Announcement::ApprovalNeeded { tools });
        }
    }

    pub(super) fn decide(&mut self, batch: &BatchId, execution: &ExecutionId, verdict: Verdict) {
        self.on_deciding(batch, |batch| {
            let mut tools = batch.tools.iter_mut();
            if let Some(tool) = tools.find(|tool| tool.execution == *execution) {
                tool.choice = Some(verdict);
            }
        });
    }

    pub(super) fn decide_all(&mut self, batch: &BatchId, verdict: Verdict) {
        self.on_deciding(batch, |batch| {
            for tool in &mut batch.tools {
                tool.choice = Some(verdict);
            }
        });
    }

    pub(super) fn begin_feedback(&mut self, batch: &BatchId) {
        self.on_deciding(batch, |batch| {
            batch.phase = BatchPhase::Deciding {
                feedback: Some(std::mem::take(&mut batch.typed)),
                failure: None,
            };
        });
    }

    pub(super) fn edit_feedback(&mut self, batch: &BatchId, text: String) {
        self.on_feedback(batch, |batch| {
            batch.type_feedback(Some(text));
        });
    }

    pub(super) fn cancel_feedback(&mut self, batch: &BatchId) {
        self.on_feedback(batch, |batch| {
            batch.typed = batch.type_feedback(None).unwrap_or_default();
        });
    }

    pub(super) fn submit_decisions(&mut self, id: BatchId) {
        let open = self.state.open;
        let Some(batch) = self.answerable(&id) else {
            return;
        };
        let deciding = matches!(batch.phase, BatchPhase::Deciding { feedback: None, .. });
        let answer = batch.decided().filter(|_| deciding);
        if let Some(answer) = answer {
            self.submit(open, id, answer);
        }
    }

    pub(super) fn submit_feedback(&mut self, id: BatchId) {
        let open = self.state.open;
        let Some(batch) = self.answerable(&id) else {
            return;
        };
        let BatchPhase::Deciding {
            feedback: Some(feedback),
            ..
        } = &batch.phase
        else {
            return;
        };
        if let Some(answer) = batch.aborted(feedback) {
            self.submit(open, id, answer);
        }
    }

    fn submit(&mut self, key: ConversationKey, id: BatchId, answer: BatchAnswer) {
        let (content, now) = (answer.content(), Some(self.now));
        let feedback = answer.feedback().map(str::to_owned);
        let feedback = feedback.map(|text| (self.state.next_message(), text));
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let Some((asking, batch)) = conversation.batch_mut(&id) else {
            return;
        };
        batch.phase = BatchPhase::Submitting {
            answer,
            checking: false,
        };
        let shown = feedback.as_ref().map(|(shown, _)| *shown);
        if let Some((shown, text)) = feedback {
            conversation.messages.push(Message {
                key: shown,
                id: None,
                author: Author::You,
                text,
                status: MessageStatus::Sending,
                time: now,
                activity: Activity::default(),
                approvals: Vec::new(),
            });
            self.change(Change::Transcript(key));
        }
        self.change(Change::Message(key, asking));
        let posted = Posted::Approval {
            batch: id,
            feedback: shown,
        };
        self.post(key, posted, content);
    }

    /// The batch of the open conversation, if an answer to it could be posted now.
    fn answerable(&mut self, id: &BatchId) -> Option<&mut ApprovalBatch> {
        let conversation = self.conversation_mut(self.state.open)?;
        if conversation.stream.is_some() || conversation.thread_id().is_none() {
            return None;
        }
        conversation.batch_mut(id).map(|(_, batch)| batch)
    }

    /// Changes a batch of the open conversation while its tools are being decided one by one.
    fn on_deciding(&mut self, id: &BatchId, change: impl FnOnce(&mut ApprovalBatch)) {
        let deciding = |batch: &ApprovalBatch| {
            matches!(batch.phase, BatchPhase::Deciding { feedback: None, .. })
        };
        self.on_batch(id, deciding, change);
    }

    /// Changes a batch of the open conversation while it is being stopped.
    fn on_feedback(&mut self, id: &BatchId, change: impl FnOnce(&mut ApprovalBatch)) {
        let stopping = |batch: &ApprovalBatch| {
            matches!(
                batch.phase,
                BatchPhase::Deciding {
                    feedback: Some(_),
                    ..
                }
            )
        };
        self.on_batch(id, stopping, change);
    }

    fn on_batch(
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

    /// A batch's post was not accepted: the person decides again, with everything chosen still there.
    pub(super) fn decide_again(
        &mut self,
        key: ConversationKey,
        id: &BatchId,
        failure: crate::Failure,
    ) -> Option<MessageKey> {
        let (message, batch) = self.conversation_mut(key)?.batch_mut(id)?;
        batch.reopen(failure);
        self.change(Change::Message(key, message));
        Some(message)
    }
}

/// What the service asks for is pending, whatever else the request says.
fn asked_run(raw: RawApprovalRequest) -> Option<(BatchId, ToolRun)> {
    let (batch, mut run) = ToolRun::streamed(raw)?;
    run.status = ApprovalStatus::Pending;
    Some((batch, run))
}
