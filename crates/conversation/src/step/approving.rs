//! Approvals: the agent's requests, the user's decisions, and the one post that answers a batch.

use assent_protocol::{ApprovalStatus, BatchId, RawApprovalRequest, SseEventMessage};

use crate::{
    Announcement, ApprovalBatch, BatchAnswer, BatchPhase, CachedRequest, Change, Command,
    Conversation, ConversationKey, DeliveryStatus, Feedback, Message, MessageKey, Millis,
    PageEvent, Posted, Provenance, RequestVersion, StreamEnd, StreamId, ToolRun, Verdict,
};

use super::Turn;

impl Turn<'_> {
    /// Handles an approval request event.
    pub(super) fn ask(&mut self, key: ConversationKey, id: StreamId, said: SseEventMessage) {
        let requests = said.tool_execution_approval_request.unwrap_or_default();
        let count = requests.len();
        let runs: Vec<_> = requests.into_iter().filter_map(asked_run).collect();
        if runs.is_empty() || runs.len() < count {
            self.garbled(key, id);
        }
        let runs = self.drop_answered(key, runs);
        if runs.is_empty() {
            return;
        }
        let Some(stream) = self.stream_mut(key, id) else {
            return;
        };
        for (batch, _) in &runs {
            if !stream.asked.contains(batch) {
                stream.asked.push(batch.clone());
            }
        }
        let current = stream.current;
        let Some(current) = current.or_else(|| self.lead(key, id)) else {
            return;
        };
        let mut names = Vec::new();
        let mut news: Vec<(BatchId, Vec<ToolRun>)> = Vec::new();
        for (batch, run) in runs {
            let Some((message, is_new)) = self.take_run(key, current, &batch, run.clone()) else {
                return;
            };
            self.change(Change::Message(key, message));
            if !is_new {
                continue;
            }
            // It replaces the stored request for this run.
            let asked = &run.execution;
            let before =
                |cached: &CachedRequest| cached.batch == batch && cached.execution == *asked;
            self.state.cached_requests.retain(|cached| !before(cached));
            names.push(run.name.clone());
            match news.iter_mut().find(|(known, _)| *known == batch) {
                Some((_, runs)) => runs.push(run),
                None => news.push((batch, vec![run])),
            }
        }
        self.state.number_requests(key);
        self.change(Change::Composer(key));
        self.change(Change::Waiting);
        self.cache_requests(key);
        if !names.is_empty() {
            self.announce_request(key, names);
        }
        let own = self
            .conversation(key)
            .filter(|_| !self.is_following(key, id));
        let thread = own.and_then(|c| c.thread_id().cloned());
        for (batch, tools) in news {
            if let Some(thread) = thread.clone() {
                self.command(Command::NotifyPage(PageEvent::ApprovalRequested {
                    thread,
                    batch,
                    tools,
                }));
            }
        }
    }

    /// Drops what a late stream repeats of the requests whose answer is on its way. If it asks for
    /// anything else of that batch, the answer is not the one that it waits for: the post is
    /// closed, and the batch is decided anew.
    fn drop_answered(
        &mut self,
        key: ConversationKey,
        mut runs: Vec<(BatchId, ToolRun)>,
    ) -> Vec<(BatchId, ToolRun)> {
        let Some(conversation) = self.conversation_mut(key) else {
            return runs;
        };
        let post = conversation.stream();
        let Some((post, id)) = post.and_then(|it| Some((it.id, it.posted.batch()?.clone()))) else {
            return runs;
        };
        let batch = conversation.batch_mut(&id).map(|(_, batch)| batch);
        let Some(batch) = batch.filter(|it| it.is_sent()) else {
            return runs;
        };
        runs.retain(|(asked, run)| *asked != id || batch.is_new(run));
        if runs.iter().any(|(asked, _)| *asked == id) {
            self.command(Command::CloseStream(post));
            self.stream_ended(post, StreamEnd::Closed);
        }
        runs
    }

    /// Adds a run to its batch. Returns the message that has it, and true if it was not asked for
    /// before.
    fn take_run(
        &mut self,
        key: ConversationKey,
        current: MessageKey,
        id: &BatchId,
        run: ToolRun,
    ) -> Option<(MessageKey, bool)> {
        let conversation = self.conversation_mut(key)?;
        match conversation.batch_mut(id) {
            Some((message, batch)) if batch.is_pending() => Some((message, batch.ask_again(run))),
            _ => {
                if let Some(message) = conversation.message_mut(current) {
                    let batch = ApprovalBatch::asking(id.clone(), run);
                    message.approvals.push(batch);
                }
                Some((current, true))
            }
        }
    }

    /// Announces a request, also in a conversation that is not shown: nobody would look there
    /// otherwise.
    fn announce_request(&mut self, key: ConversationKey, tools: Vec<String>) {
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

    pub(super) fn open_argument(&mut self, batch: &BatchId, version: RequestVersion, place: usize) {
        self.on_requests(batch, &[version], |tool| tool.open(place));
    }

    pub(super) fn mark_seen(&mut self, batch: &BatchId, versions: &[RequestVersion]) {
        self.on_requests(batch, versions, |tool| tool.is_seen = true);
    }

    pub(super) fn decide(&mut self, batch: &BatchId, version: RequestVersion, verdict: Verdict) {
        self.on_deciding(batch, |batch| {
            on_versions(batch, &[version], |tool| tool.decide(verdict));
        });
    }

    pub(super) fn decide_all(
        &mut self,
        batch: &BatchId,
        versions: &[RequestVersion],
        verdict: Verdict,
    ) {
        self.on_deciding(batch, |batch| {
            on_versions(batch, versions, |tool| {
                if verdict == Verdict::Deny || tool.is_seen {
                    tool.decide(verdict);
                }
            });
        });
    }

    /// Decides a batch of one tool and posts the decision. What was chosen before, or is drawn in
    /// another version, is never posted in its place.
    pub(super) fn answer(&mut self, id: BatchId, version: RequestVersion, verdict: Verdict) {
        let is_drawn = |batch: &mut ApprovalBatch| {
            let [tool] = batch.tools.as_slice() else {
                return false;
            };
            tool.version == version && tool.allows(verdict)
        };
        if self.answerable(&id).is_some_and(is_drawn) {
            self.decide(&id, version, verdict);
            self.submit_decisions(id);
        }
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

    pub(super) fn submit(&mut self, key: ConversationKey, id: BatchId, answer: BatchAnswer) {
        if self.adopt_newer_requests(key, &id) {
            return;
        }
        let (content, now) = (answer.content(), self.now);
        let feedback = answer.feedback().filter(|it| !it.text.is_empty()).cloned();
        let feedback = feedback.map(|feedback| (self.state.next_message(), feedback));
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let Some(thread) = conversation.thread_id().cloned() else {
            return;
        };
        let Some((asking, batch)) = conversation.batch_mut(&id) else {
            return;
        };
        let summary = answer.summary(thread, batch);
        batch.phase = BatchPhase::Submitting {
            answer,
            delivery: DeliveryStatus::Sent,
            failure: None,
        };
        let shown = feedback.as_ref().map(|(shown, _)| *shown);
        if let Some((shown, Feedback { text, files })) = feedback {
            conversation
                .messages
                .push(Message::sending(shown, text, files, now));
            self.change(Change::Transcript(key));
        }
        self.change(Change::Message(key, asking));
        self.change(Change::Waiting);
        let posted = Posted::Approval {
            batch: id,
            feedback: shown,
        };
        self.post(key, posted, content, false, Some(summary));
        self.release_queued(key, false);
    }

    /// Shows the requests that another tab received later for runs of this batch, with other
    /// arguments, to be decided anew. Returns true if there are any.
    fn adopt_newer_requests(&mut self, key: ConversationKey, id: &BatchId) -> bool {
        let thread = self.conversation(key).and_then(Conversation::thread_id);
        let cached = self.state.cached_requests.iter();
        let cached = cached.filter(|cached| cached.batch == *id && Some(&cached.thread) == thread);
        let cached: Vec<RawApprovalRequest> = cached.map(|cached| cached.request.clone()).collect();
        let batch = self.conversation_mut(key).and_then(|c| c.batch_mut(id));
        let Some((message, batch)) = batch else {
            return false;
        };
        let mut names = Vec::new();
        for (_, mut run) in cached.into_iter().filter_map(asked_run) {
            run.provenance = Provenance::Device;
            let name = run.name.clone();
            let is_here = |it: &ToolRun| it.is_cached && it.execution == run.execution;
            if batch.tools.iter().any(is_here) && batch.ask_again(run) {
                names.push(name);
            }
        }
        if names.is_empty() {
            return false;
        }
        self.state.number_requests(key);
        self.change(Change::Message(key, message));
        self.change(Change::Composer(key));
        self.change(Change::Waiting);
        self.announce_request(key, names);
        self.load_messages(key, Millis(0));
        true
    }

    /// Marks the answer to this batch as accepted.
    pub(super) fn answer_accepted(&mut self, key: ConversationKey, id: &BatchId) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let Some(thread) = conversation.thread_id().cloned() else {
            return;
        };
        let Some((message, batch)) = conversation.batch_mut(id) else {
            return;
        };
        let summary = match &batch.phase {
            BatchPhase::Submitting { answer, .. } => Some(answer.summary(thread.clone(), batch)),
            _ => None,
        };
        let files = batch.uploads();
        batch.accept();
        let typed = std::mem::take(&mut batch.draft).text;
        self.change(Change::Message(key, message));
        self.forget_requests(|cached| cached.batch == *id && cached.thread == thread);
        self.forget_files(files);
        self.give_back(key, &typed);
        if let Some(summary) = summary {
            self.command(Command::NotifyPage(PageEvent::ApprovalAnswered(summary)));
        }
    }

    /// Returns the batch of the open conversation, if an answer to it could be posted now.
    pub(super) fn answerable(&mut self, id: &BatchId) -> Option<&mut ApprovalBatch> {
        let conversation = self.conversation_mut(self.state.open)?;
        if conversation.stream().is_some() || conversation.thread_id().is_none() {
            return None;
        }
        conversation.batch_mut(id).map(|(_, batch)| batch)
    }

    /// Changes a batch of the open conversation while its tools are being decided one by one.
    pub(super) fn on_deciding(&mut self, id: &BatchId, change: impl FnOnce(&mut ApprovalBatch)) {
        let deciding = |batch: &ApprovalBatch| {
            matches!(batch.phase, BatchPhase::Deciding { feedback: None, .. })
        };
        self.on_batch(id, deciding, change);
    }

    /// Changes the tools of a batch of the open conversation whose requests are there in these
    /// versions.
    fn on_requests(
        &mut self,
        id: &BatchId,
        versions: &[RequestVersion],
        change: impl Fn(&mut ToolRun),
    ) {
        let change = |batch: &mut ApprovalBatch| on_versions(batch, versions, change);
        self.on_batch(id, |_| true, change);
    }

    pub(super) fn on_batch(
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

    /// Returns to deciding a batch whose post was not accepted; all choices are kept.
    pub(super) fn decide_again(
        &mut self,
        key: ConversationKey,
        id: &BatchId,
        failure: crate::Failure,
    ) -> Option<MessageKey> {
        self.report_failure(&failure);
        let (message, batch) = self.conversation_mut(key)?.batch_mut(id)?;
        batch.reopen(failure);
        self.change(Change::Message(key, message));
        self.change(Change::Waiting);
        Some(message)
    }
}

/// Changes the tools whose requests are there in these versions.
fn on_versions(
    batch: &mut ApprovalBatch,
    versions: &[RequestVersion],
    change: impl Fn(&mut ToolRun),
) {
    let tools = batch.tools.iter_mut();
    tools
        .filter(|tool| versions.contains(&tool.version))
        .for_each(change);
}

/// Reads a request. What the service asks for is pending, whatever else the request says.
fn asked_run(raw: RawApprovalRequest) -> Option<(BatchId, ToolRun)> {
    let (batch, mut run) = ToolRun::streamed(raw)?;
    run.status = ApprovalStatus::Pending;
    Some((batch, run))
}
