//! Restoring what outlived a page: drafts, reading positions, and messages that may not have reached
//! the service.

use assent_protocol::ThreadId;

use crate::outbox::attach_uploaded;
use crate::{
    Author, Change, ConversationKey, Draft, Failure, FailureKind, Interruption, LoadState, Message,
    MessageStatus, Millis, PostStatus, ReadingPosition, Stream, UnsentMessage,
};

use super::sequencer::Sequencer;

impl Sequencer<'_> {
    /// Replaces all drafts by those that the device stores now. A conversation without a stored
    /// draft has none: another tab sent or deleted it.
    pub(super) fn drafts_kept(&mut self, drafts: Vec<Draft>) {
        let marked = self.state.drafts_elsewhere();
        self.state.drafts = drafts;
        for key in self.state.keys_of_all() {
            self.take_draft(key);
        }
        // The list says which of them have a draft.
        if self.state.drafts_elsewhere() != marked {
            self.change(Change::Threads);
        }
    }

    /// Notes the threads whose drafts the device cannot store; `None`: the draft of a conversation
    /// without a thread.
    pub(super) fn drafts_unstored(&mut self, threads: Vec<Option<ThreadId>>) {
        self.state.unstored_drafts = threads;
        self.change(Change::Composer(self.state.open));
    }

    /// Replaces all reading positions by those that the device stores now. A thread without one is
    /// read from its end.
    pub(super) fn positions_kept(&mut self, positions: Vec<(ThreadId, ReadingPosition)>) {
        self.state.positions = positions;
        for key in self.state.keys_of_all() {
            self.take_position(key);
        }
    }

    /// Sets the reading position in the open conversation; `None`: at the end, or at the start of
    /// an answer to be read.
    pub(super) fn set_reading_position(&mut self, position: Option<ReadingPosition>) {
        let conversation = self.conversation_mut(self.state.open);
        // Before that there are no messages to count.
        if let Some(conversation) = conversation.filter(|it| it.load == LoadState::Ready) {
            conversation.position = position;
        }
    }

    /// Takes over the unsent messages of a page that is gone: posted ones are searched for among
    /// the stored messages, refused ones can be sent again, and the rest are drafts again.
    pub(super) fn unsent_found(&mut self, unsent: Vec<UnsentMessage>) {
        let mut reached: Vec<ConversationKey> = Vec::new();
        for unsent in unsent {
            if unsent.text.trim().is_empty() && unsent.files.is_empty() {
                continue;
            }
            let key = match unsent.thread.clone() {
                Some(thread) => {
                    let known = self.state.conversation_of(&thread).map(|it| it.key);
                    known.unwrap_or_else(|| self.add_bound_conversation(thread))
                }
                None => self.empty_conversation(),
            };
            match unsent.status {
                PostStatus::Unposted => self.return_to_draft(key, unsent),
                _ if unsent.thread.is_none() => self.return_to_draft(key, unsent),
                _ => self.restore_unsent(key, unsent),
            }
            if !reached.contains(&key) {
                reached.push(key);
            }
        }
        self.change(Change::Waiting);
        for key in reached {
            let Some((conversation, mut cx)) = self.conversation_context(key) else {
                continue;
            };
            if conversation.stream().is_none() && conversation.has_open_outcome() {
                conversation.look_up_outcomes(&mut cx);
            } else if conversation.load == LoadState::Loading && conversation.last_load.is_none() {
                conversation.load_messages(&mut cx, Millis(0));
            }
        }
    }

    /// Restores an unsent message at the place where it stood; if it was posted, its outcome is
    /// looked up.
    fn restore_unsent(&mut self, key: ConversationKey, unsent: UnsentMessage) {
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let (message, answer) = (cx.keys.next_message(), cx.keys.next_message());
        let files = attach_uploaded(unsent.files, &mut cx);
        // A page that ends while it takes over leaves the same message twice.
        // A stored message may be of the same moment: it is looked for below.
        let is_same =
            |it: &Message| it.id.is_none() && it.time == Some(unsent.at) && it.text == unsent.text;
        if conversation.messages.iter().any(is_same) {
            return;
        }
        // It may be among the stored messages that are loaded already.
        let mut same = conversation.messages.iter().filter(|it| {
            it.author == Author::You
                && it.status == MessageStatus::Sent
                && it.text.trim() == unsent.text.trim()
        });
        let arrived = same.nth(unsent.older as usize).map(|it| it.key);
        let is_arrived = arrived.is_some();
        let is_last = arrived == conversation.messages.last().map(|it| it.key);
        if is_arrived && (!is_last || conversation.stream().is_some()) {
            return;
        }
        let mut restored =
            Message::new_sending(message, unsent.text.trim().to_owned(), files, unsent.at);
        restored.older = unsent.older;
        restored.post_key = unsent.key;
        restored.status = match unsent.status {
            PostStatus::Posted => MessageStatus::Unconfirmed {
                checking: true,
                failure: None,
            },
            PostStatus::Accepted => MessageStatus::Sent,
            PostStatus::Refused | PostStatus::Unposted => {
                MessageStatus::Failed(Failure::of(FailureKind::NotDelivered))
            }
        };
        // A running stream is always last.
        let stream = conversation.stream();
        let live = stream.map(Stream::messages).unwrap_or_default();
        let mut messages = conversation.messages.iter();
        let at = messages.position(|it| live.contains(&it.key));
        let at = at.unwrap_or(conversation.messages.len());
        let mut added = Vec::from_iter(Some(restored).filter(|_| !is_arrived));
        if is_arrived || unsent.status == PostStatus::Accepted {
            let mut missing = Message::new_streaming(answer, unsent.at);
            missing.status = MessageStatus::Interrupted {
                by: Interruption::Lost,
                checking: true,
            };
            added.push(missing);
        }
        conversation.messages.splice(at..at, added);
        conversation.stale |= conversation.stream().is_some();
        cx.output.change(Change::Transcript(key));
        cx.output.change(Change::Composer(key));
    }

    fn return_to_draft(&mut self, key: ConversationKey, unsent: UnsentMessage) {
        if let Some((conversation, mut cx)) = self.conversation_context(key) {
            let files = attach_uploaded(unsent.files, &mut cx);
            conversation.prepend_to_draft(&unsent.text, files);
            cx.output.change(Change::Draft(key));
            cx.output.change(Change::Composer(key));
        }
    }
}
