//! Actions of other tabs: mirrored streams, their end before they were accepted, and deleted
//! threads.
//!
//! A mirrored stream is shown like one that was posted here, with three differences: nothing is
//! posted because of it, the host page of the other tab gets its events and not this one, and the
//! stored messages are authoritative.

use assent_protocol::{ContentItem, RawApprovalRequest, ThreadId};

use crate::{
    ApprovalBatch, Author, AwaitedEvent, Change, ConversationKey, DeliveryStatus, Message, Posted,
    Stream, StreamId, UnconfirmedReason,
};

use super::{Turn, outcomes::Pending};

impl Turn<'_> {
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
        self.leave_complete(key);
        if let Some(conversation) = self.conversation_mut(key)
            && conversation.stream().is_some()
        {
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
        let message = self.parts(items).map(|(text, files)| {
            self.skip_running_turn(key, &text, batch.is_some());
            let (message, now) = (self.state.next_message(), self.now);
            if let Some(conversation) = self.conversation_mut(key) {
                conversation.messages.push(Message {
                    followed: true,
                    ..Message::sending(message, text, files, now)
                });
            }
            message
        });
        let posted = match (batch, message) {
            (Some(batch), feedback) => Posted::Approval {
                batch: batch.tool_execution_batch_id,
                feedback,
            },
            (None, Some(message)) => Posted::Message(message),
            (None, None) => return,
        };
        if let Some(conversation) = self.conversation_mut(key) {
            conversation.streams.push(Stream {
                followed: Some(decided),
                ..Stream::new(stream, posted)
            });
        }
        self.change(Change::Transcript(key));
        self.change(Change::Composer(key));
        self.lead(key, stream);
        self.release_queued(key, false);
    }

    /// Removes the loaded part of a turn whose stream is mirrored from now on: the stream brings it
    /// again. The turn begins with the last message of the user, if that has this text and nothing
    /// answered it yet but a request; the text of a stop comes after the request.
    fn skip_running_turn(&mut self, key: ConversationKey, text: &str, is_stop: bool) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let messages = &mut conversation.messages;
        let last = messages.iter().rposition(|it| it.author == Author::You);
        let is_it = |at: &usize| {
            let mut turn = messages.iter().skip(*at);
            let posted = turn.next();
            let same = |it: &Message| text.is_empty() || it.text.trim() == text;
            let pending = |it: &Message| it.approvals.iter().any(ApprovalBatch::is_pending);
            posted.is_some_and(|it| it.id.is_some() && same(it))
                && (turn.len() == 0 || (!is_stop && turn.any(pending)))
        };
        let Some(at) = last.filter(is_it) else {
            return;
        };
        let gone = messages.split_off(at);
        self.forget_files_of(&gone);
        self.change(Change::Waiting);
    }

    /// Marks the decisions of another tab as accepted.
    pub(super) fn decided_there(&mut self, key: ConversationKey, results: &[RawApprovalRequest]) {
        let pending = self.conversation(key).map(Pending::of);
        let mut results: Vec<_> = results
            .iter()
            .filter_map(RawApprovalRequest::read)
            .collect();
        let id = results.first().map(|it| it.tool_execution_batch_id.clone());
        let conversation = self.conversation_mut(key);
        let batch = conversation.and_then(|it| it.batch_mut(&id?));
        if let Some((message, batch)) = batch.filter(|(_, batch)| batch.is_pending()) {
            for tool in &mut batch.tools {
                let result = results
                    .iter_mut()
                    .find(|it| it.tool_execution_id == tool.execution);
                if let Some(result) = result {
                    tool.status = std::mem::take(&mut result.approval_result);
                }
            }
            // If two answers are equal, it is not the one of this page.
            batch.given_up = None;
            batch.set_delivery(DeliveryStatus::Checking(UnconfirmedReason::OtherTab));
            batch.take_statuses();
            self.change(Change::Message(key, message));
        }
        self.report_outcomes(key, pending.unwrap_or_default());
        self.change(Change::Waiting);
    }

    /// Removes a mirrored post without an answer: the other tab shows it, and here the stored
    /// messages show whether it arrived.
    pub(super) fn followed_without_effect(&mut self, key: ConversationKey, stream: &Stream) {
        self.remove_open_messages(key, stream);
        if let Some(conversation) = self.conversation_mut(key) {
            conversation.stale = true;
        }
        let (Posted::Message(message)
        | Posted::Approval {
            feedback: Some(message),
            ..
        }) = &stream.posted
        else {
            return;
        };
        self.remove_messages(key, |it| it.key == *message);
    }

    pub(super) fn stream_stopped(&mut self, stream: StreamId) {
        if let Some(key) = self.conversation_of_stream(stream) {
            self.stop_streams(key, |it| it.id == stream);
        }
    }

    /// Removes a thread that another tab deleted. The draft moves on as if it was deleted here,
    /// unless it moved in that tab already.
    pub(super) fn thread_gone(&mut self, thread: &ThreadId) {
        self.settle_all(&AwaitedEvent::Deleted(thread.clone()), &Ok(()));
        let draft = self
            .state
            .conversation_of(thread)
            .map(|it| it.draft.clone());
        let mut others = self.state.conversations.iter();
        let moved = others.any(|it| it.thread_id().is_none() && Some(&it.draft) == draft.as_ref());
        let key = self.state.conversation_of(thread).map(|it| it.key);
        if let Some(conversation) = key
            .filter(|_| moved)
            .and_then(|it| self.conversation_mut(it))
        {
            conversation.draft.clear();
        }
        self.take_away(thread);
    }
}
