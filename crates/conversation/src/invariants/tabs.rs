//! Generates from bytes the actions of other tabs: mirrored streams, and threads that are deleted.

use assent_protocol::{ApprovalStatus, ContentItem, RawApprovalRequest};

use crate::{Failure, FailureKind, Input, StreamEnd, StreamId};

use super::sequence::SequenceCheck;

impl SequenceCheck<'_> {
    /// Generates an action of another tab.
    pub(super) fn any_input_of_other_tab(&mut self) -> Input {
        let running = self.state.conversations.iter();
        let running = running.flat_map(|it| it.stream().into_iter().chain(it.late_streams()));
        let running: Vec<_> = running.map(|it| it.id).collect();
        match self.next_byte() % 8 {
            0 => Input::ThreadGone(self.any_thread()),
            1 => Input::StreamStopped(self.pick(&running, StreamId(0))),
            // The open conversation is likely to go on in the other tab.
            2..=4 => {
                let open = self.state.open_conversation();
                let thread = open.and_then(|it| it.thread_id().cloned());
                let thread = thread.unwrap_or_default();
                Input::StreamFollowed(
                    self.any_mirrored_stream(),
                    thread,
                    self.any_content_of_other_tab(),
                )
            }
            7 => Input::MessagesChanged(self.any_thread()),
            _ => {
                let (name, thread) = (self.any_mirrored_stream(), self.any_thread());
                Input::StreamFollowed(name, thread, self.any_content_of_other_tab())
            }
        }
    }

    fn any_mirrored_stream(&mut self) -> StreamId {
        StreamId(u32::MAX - u32::from(self.next_byte() % 4))
    }

    /// Generates what the other tab posts: a message, or an answer to the pending batch.
    fn any_content_of_other_tab(&mut self) -> Vec<ContentItem> {
        let open = self.state.open_conversation();
        let batch = open.and_then(|it| it.pending_batches().pop());
        let requests = batch.into_iter().flat_map(|batch| &batch.tools);
        let requests = requests.filter_map(|tool| tool.request.clone());
        let requests: Vec<RawApprovalRequest> = requests.collect();
        let status = match self.next_byte() % 4 {
            0 => return self.any_content(),
            1 => ApprovalStatus::Aborted,
            2 => ApprovalStatus::Denied,
            _ => ApprovalStatus::Approved,
        };
        let requests = match requests.is_empty() {
            true => vec![self.any_request()],
            false => requests,
        };
        let results = requests.iter().map(|it| it.answered(&status)).collect();
        let mut content = vec![ContentItem::ToolApprovalResult(results)];
        if status == ApprovalStatus::Aborted {
            content.extend(self.any_content());
        }
        content
    }

    /// Returns the input that breaks the next mirrored stream: at the end of a sequence every
    /// stream is broken. `None` if no stream is mirrored.
    pub(super) fn end_mirrored_stream(&self) -> Option<Input> {
        let mut conversations = self.state.conversations.iter();
        let followed = conversations.find_map(|it| {
            let stream = it.stream();
            stream.filter(|stream| stream.followed.is_some())
        })?;
        let lost = Failure::of(FailureKind::Unreachable);
        Some(Input::StreamEnded(followed.id, StreamEnd::Failed(lost)))
    }
}
