//! The events of streams: each goes to its stream, and what follows from it to the other parts.

use assent_protocol::{
    ContentItem, EventType, ExecutionId, RawApprovalRequest, SseEvent, SseEventMessage, ThreadId,
};

use crate::approval::asking::{add_run, drop_answered, parse_asked_run};
use crate::approval::cache;
use crate::approval::outcomes::PendingBatch;
use crate::message::{batch_mut, find_message_mut};
use crate::stream::time_of;
use crate::{
    ApprovalBatch, Author, BatchId, BatchPhase, Change, Command, ConversationKey, DeliveryStatus,
    Message, MessageStatus, PageEvent, PostedContent, Stream, StreamEnd, StreamId, StreamPhase,
    ToolRun, UnconfirmedReason,
};

use super::sequencer::Sequencer;

impl Sequencer<'_> {
    pub(super) fn stream_opened(&mut self, id: StreamId) {
        if let Some((stream, messages, mut cx)) = self.stream_context(id) {
            stream.first_message(messages, &mut cx);
        }
    }

    #[inline(never)]
    pub(super) fn stream_event(&mut self, id: StreamId, event: SseEvent) {
        if let Some(key) = self.conversation_of_stream(id) {
            self.take_event(key, id, event);
            self.resume_late_stream(key);
        }
    }

    fn take_event(&mut self, key: ConversationKey, id: StreamId, event: SseEvent) {
        let Some((stream, messages, mut cx)) = self.stream_context(id) else {
            return;
        };
        stream.last_event_at = cx.now;
        if !stream.note_if_new(event.event_id.as_str()) {
            return;
        }
        let message = event.event_message;
        match &event.event_type {
            EventType::ConnectionEstablished => return,
            EventType::Unknown(name) if name.is_empty() => {
                return stream.note_garbled(messages, &mut cx);
            }
            // It does not say whether the decisions were accepted before something failed.
            EventType::Error if stream.awaits_acceptance_of_answer() => {}
            _ if stream.is_accepted() => {}
            _ => self.accept_post(key, id, &message),
        }
        let Some((stream, messages, mut cx)) = self.stream_context(id) else {
            return;
        };
        match event.event_type {
            EventType::ConnectionEstablished | EventType::MessageReceived => {}
            EventType::AgentResponseChunk => stream.add_chunk(messages, &mut cx, &message),
            EventType::AgentResponseComplete => {
                stream.complete_answer(messages, &mut cx, message);
                stream.wait_for_more(&mut cx);
            }
            EventType::ApprovalRequest => {
                let requests = message.tool_execution_approval_request;
                self.take_requests(key, id, requests.unwrap_or_default());
            }
            EventType::Error => stream.agent_failed(messages, &mut cx, &message.content),
            noted @ (EventType::ApprovalResponse
            | EventType::Notification(_)
            | EventType::Unknown(_)) => {
                stream.add_activity_event(messages, &mut cx, noted, message);
            }
        }
    }

    pub(super) fn stream_garbled(&mut self, id: StreamId) {
        let Some(key) = self.conversation_of_stream(id) else {
            return;
        };
        if let Some((stream, messages, mut cx)) = self.stream_context(id) {
            stream.last_event_at = cx.now;
            if !stream.has_failed() {
                stream.note_garbled(messages, &mut cx);
            }
        }
        self.resume_late_stream(key);
    }

    pub(super) fn stream_stalled(&mut self, id: StreamId, is_stalled: bool) {
        if let Some((stream, _, cx)) = self.stream_context(id) {
            stream.is_stalled = is_stalled;
            cx.output.change(Change::Composer(cx.key));
        }
    }

    /// Marks the post of the stream `id` as accepted by the service.
    fn accept_post(&mut self, key: ConversationKey, id: StreamId, payload: &SseEventMessage) {
        let Some((stream, messages, mut cx)) = self.stream_context(id) else {
            return;
        };
        stream.phase = StreamPhase::Accepted;
        let decided = stream.followed.as_mut().map(std::mem::take);
        let (message, batch) = match stream.posted.clone() {
            PostedContent::Message(message) => (Some(message), None),
            PostedContent::Approval { batch, feedback } => (feedback, Some(batch)),
            PostedContent::Elsewhere { .. } => (None, None),
        };
        if let Some(message) = message {
            if let Some(message) = find_message_mut(messages, message) {
                message.status = MessageStatus::Sent;
                message.time = time_of(payload).or(message.time);
            }
            cx.message_changed(message);
        }
        if let Some((conversation, mut cx)) = self.conversation_context(key)
            && let Some(message) = message.filter(|_| decided.is_none())
        {
            conversation.report_sent(&mut cx, message);
        }
        match (decided, batch) {
            (Some(results), _) => self.accept_decisions(key, &results),
            (None, Some(batch)) => self.answer_accepted(key, &batch),
            (None, None) => {}
        }
        if let Some((stream, messages, mut cx)) = self.stream_context(id) {
            stream.first_message(messages, &mut cx);
        }
        self.cancel_if_stopping(key);
    }

    /// Takes over the decisions that the service accepted from another tab: the tool runs of the
    /// batch get these as their statuses.
    fn accept_decisions(&mut self, key: ConversationKey, results: &[RawApprovalRequest]) {
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let messages = &mut conversation.messages;
        let pending = PendingBatch::of(messages);
        let results = results.iter().filter_map(RawApprovalRequest::read);
        let mut results: Vec<_> = results.collect();
        let id = results.first().map(|it| it.tool_execution_batch_id.clone());
        let batch = id.and_then(|id| batch_mut(messages, &id));
        if let Some((message, batch)) = batch.filter(|(_, batch)| batch.is_pending()) {
            for tool in &mut batch.tools {
                let result = results
                    .iter_mut()
                    .find(|it| it.tool_execution_id == tool.execution);
                if let Some(result) = result {
                    tool.status = std::mem::take(&mut result.approval_result);
                    // What was changed here is not what was approved there.
                    tool.edited = None;
                }
            }
            // If two answers are equal, it is not the one of this page.
            batch.given_up = None;
            batch.set_delivery(DeliveryStatus::Checking(UnconfirmedReason::OtherTab));
            batch.update_phase();
            cx.message_changed(message);
        }
        self.report_outcomes(key, pending);
        self.change(Change::Waiting);
    }

    /// Marks the answer of this page to the batch `id` as accepted by the service.
    fn answer_accepted(&mut self, key: ConversationKey, id: &BatchId) {
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let thread = conversation.thread_id().cloned();
        let batch = batch_mut(&mut conversation.messages, id);
        let Some((thread, (message, batch))) = thread.zip(batch) else {
            return;
        };
        let summary = match &batch.phase {
            BatchPhase::Submitting { answer, .. } => Some(answer.summary(thread.clone(), batch)),
            _ => None,
        };
        let uploads = batch.unfinished_uploads();
        batch.mark_accepted();
        let typed = std::mem::take(&mut batch.draft).text;
        cx.message_changed(message);
        cache::forget_requests(
            &mut self.state.cached_requests,
            &mut self.output,
            &|cached| cached.batch == *id && cached.thread == thread,
        );
        self.output.cancel_uploads(uploads);
        if let Some((conversation, mut cx)) = self.conversation_context(key) {
            conversation.put_feedback_back(&mut cx, &typed);
        }
        if let Some(summary) = summary {
            self.output
                .notify_page(PageEvent::ApprovalAnswered(summary));
        }
    }

    /// Adds requests for approval that the stream `id` brought to their batches, stores and
    /// announces them, and tells the host page of them.
    fn take_requests(
        &mut self,
        key: ConversationKey,
        id: StreamId,
        requests: Vec<RawApprovalRequest>,
    ) {
        let count = requests.len();
        let mut runs: Vec<_> = requests.into_iter().filter_map(parse_asked_run).collect();
        if (runs.is_empty() || runs.len() < count)
            && let Some((stream, messages, mut cx)) = self.stream_context(id)
        {
            stream.note_garbled(messages, &mut cx);
        }
        if let Some(post) = self.drop_answered(key, &mut runs) {
            // The batch is decided anew.
            self.command(Command::CloseStream(post));
            self.stream_ended(post, StreamEnd::Closed);
        }
        let Some((stream, messages, mut cx)) = self.stream_context(id).filter(|_| !runs.is_empty())
        else {
            return;
        };
        for (batch, _) in &runs {
            if !stream.asked.contains(batch) {
                stream.asked.push(batch.clone());
            }
        }
        let is_told = stream.is_told();
        let current = match stream.current {
            Some(current) => current,
            None => stream.first_message(messages, &mut cx),
        };
        let mut names = Vec::new();
        let mut news: Vec<(BatchId, Vec<ToolRun>)> = Vec::new();
        for (batch, run) in runs {
            let (message, is_new) = add_run(messages, current, &batch, run.clone());
            cx.message_changed(message);
            if !is_new {
                continue;
            }
            names.push(run.name.clone());
            match news.iter_mut().find(|(known, _)| *known == batch) {
                Some((_, runs)) => runs.push(run),
                None => news.push((batch, vec![run])),
            }
        }
        // They replace the stored requests for these runs.
        for (batch, runs) in &news {
            let is_it =
                |execution: &ExecutionId| runs.iter().any(|run| run.execution == *execution);
            let cached = &mut self.state.cached_requests;
            cached.retain(|it| it.batch != *batch || !is_it(&it.execution));
        }
        self.requests_changed(key);
        if let Some(conversation) = self.state.conversations.iter().find(|it| it.key == key) {
            let cached = &mut self.state.cached_requests;
            cache::store_requests(cached, &mut self.output, self.now, conversation);
        }
        if !names.is_empty() {
            self.announce_request(key, names);
        }
        let thread = self.conversation(key).filter(|_| is_told);
        let thread = thread.and_then(|it| it.thread_id().cloned());
        for (batch, tools) in news {
            if let Some(thread) = thread.clone() {
                self.output.notify_page(PageEvent::ApprovalRequested {
                    thread,
                    batch,
                    tools,
                });
            }
        }
    }

    /// Removes from `runs` the requests that a late stream repeats while the answer to their batch
    /// is on its way. Returns the stream of that answer's post if other requests of the batch
    /// remain: the stream is then to be closed.
    fn drop_answered(
        &mut self,
        key: ConversationKey,
        runs: &mut Vec<(BatchId, ToolRun)>,
    ) -> Option<StreamId> {
        let conversation = self.conversation_mut(key)?;
        let post = conversation.stream()?;
        let (id, batch) = (post.id, post.posted.batch()?.clone());
        drop_answered(&mut conversation.messages, &batch, runs).then_some(id)
    }

    /// Begins to mirror the stream of a post that another tab made.
    #[inline(never)]
    pub(super) fn stream_followed(
        &mut self,
        stream: StreamId,
        thread: &ThreadId,
        content: Vec<ContentItem>,
    ) {
        let known = self.state.conversation_of(thread).map(|it| it.key);
        let Some(key) = known.filter(|_| self.conversation_of_stream(stream).is_none()) else {
            return;
        };
        // That tab can post because this answer is complete.
        self.leave_complete_stream(key);
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        if conversation.stream().is_some() {
            // Two tabs posted at the same time: the stored messages have the order.
            conversation.stale = true;
            return;
        }
        let mut decided = Vec::new();
        let mut items = Vec::new();
        for item in content {
            match item {
                ContentItem::ToolApprovalResult(results) => decided.extend(results),
                item => items.push(item),
            }
        }
        let batch = decided.iter().find_map(RawApprovalRequest::read);
        let message = crate::outbox::split_content(items, cx.keys).map(|(text, files)| {
            let gone = take_loaded_turn(&mut conversation.messages, &text, batch.is_some());
            if !gone.is_empty() {
                for message in &gone {
                    cx.output.cancel_uploads(message.unfinished_uploads());
                }
                cx.output.change(Change::Waiting);
            }
            let message = cx.keys.next_message();
            conversation.messages.push(Message {
                followed: true,
                ..Message::new_sending(message, text, files, cx.now)
            });
            message
        });
        let posted = match (batch, message) {
            (Some(batch), feedback) => PostedContent::Approval {
                batch: batch.tool_execution_batch_id,
                feedback,
            },
            (None, Some(message)) => PostedContent::Message(message),
            (None, None) => return,
        };
        let mut followed = Stream {
            followed: Some(decided),
            ..Stream::new(stream, posted)
        };
        cx.output.change(Change::Transcript(key));
        cx.output.change(Change::Composer(key));
        followed.first_message(&mut conversation.messages, &mut cx);
        conversation.streams.push(followed);
        conversation.release_queued(&mut cx, false);
    }
}

/// Takes the loaded messages of a turn out of `messages`, because its stream is mirrored from now
/// on and brings them again. The turn starts with the last message of the user, if that has this
/// text and nothing answered it yet but a request. The text of a stop comes after the request.
fn take_loaded_turn(messages: &mut Vec<Message>, text: &str, is_stop: bool) -> Vec<Message> {
    let last = messages.iter().rposition(|it| it.author == Author::You);
    let is_it = |at: &usize| {
        let mut loaded = messages.iter().skip(*at);
        let posted = loaded.next();
        let same = |it: &Message| text.is_empty() || it.text.trim() == text;
        let pending = |it: &Message| it.approvals.iter().any(ApprovalBatch::is_pending);
        posted.is_some_and(|it| it.id.is_some() && same(it))
            && (loaded.len() == 0 || (!is_stop && loaded.any(pending)))
    };
    let at = last.filter(is_it).unwrap_or(messages.len());
    messages.split_off(at)
}
