//! The connection: online and offline, stalled streams, and what is retried once it is back.

use crate::{
    Author, Change, Command, Composer, Conversation, ConversationKey, Failure, FailureKind,
    Interruption, Load, MessageKey, MessageStatus, NoticeSubject, StreamEnd, StreamId,
};

use super::Turn;

impl Turn<'_> {
    pub(super) fn online(&mut self, is_online: bool) {
        let was_online = std::mem::replace(&mut self.state.is_online, is_online);
        if was_online == is_online {
            return;
        }
        self.change(Change::Composer(self.state.open));
        if is_online {
            self.read_again(true);
        }
    }

    /// Retries failed loads, which may succeed now. `all`: also those that were to settle an
    /// outcome.
    pub(super) fn read_again(&mut self, all: bool) {
        if is_transient(&self.state.threads.load) {
            self.refresh_threads();
        }
        let notice = self.state.notice.as_ref();
        let notice = notice.is_some_and(|it| {
            it.subject == NoticeSubject::Reload && it.failure.is_transient() && all
        });
        let open = self.state.open_conversation();
        let is_open = open.is_some_and(|open| {
            let unread = is_transient(&open.load) || (all && was_given_up(open));
            open.stream().is_none() && open.last_load.is_none() && unread
        });
        if notice || is_open {
            self.reload_messages();
        }
    }

    pub(super) fn stream_stalled(&mut self, stream: StreamId, is_stalled: bool) {
        let Some(key) = self.conversation_of_stream(stream) else {
            return;
        };
        let conversation = self.conversation_mut(key);
        if let Some(stream) = conversation.and_then(|it| it.stream_with_mut(stream)) {
            stream.is_stalled = is_stalled;
        }
        self.change(Change::Composer(key));
    }

    /// Gives up a stalled stream when the user reloads: the stored messages have more.
    pub(super) fn give_up_stalled_stream(&mut self, key: ConversationKey) -> bool {
        let stream = self.conversation(key).and_then(|it| it.stream());
        let Some(stream) = stream.filter(|it| it.is_stalled).map(|it| it.id) else {
            return false;
        };
        self.command(Command::CancelStream(stream));
        let lost = Failure::of(FailureKind::Unreachable);
        self.stream_ended(stream, StreamEnd::Failed(lost));
        true
    }

    /// Posts a message again whose delivery is unknown, at the risk that it arrives twice.
    pub(super) fn resend_message(&mut self, message: MessageKey) {
        self.post_again(message, |it| {
            matches!(
                it,
                MessageStatus::Unconfirmed {
                    checking: false,
                    ..
                }
            )
        });
    }

    /// Posts a message of the user again, and moves it to the end.
    pub(super) fn post_again(&mut self, message: MessageKey, may: fn(&MessageStatus) -> bool) {
        let (open, now) = (self.state.open, Some(self.now));
        let Some(conversation) = self.conversation_mut(open) else {
            return;
        };
        if conversation.composer() != Composer::Ready {
            return;
        }
        let messages = &mut conversation.messages;
        let mut places = messages.iter();
        let at =
            places.position(|it| it.key == message && it.author == Author::You && may(&it.status));
        let Some(at) = at else {
            return;
        };
        let mut again = messages.remove(at);
        again.status = MessageStatus::Sending;
        again.time = now;
        messages.push(again);
        self.dispatch(open, message);
        self.change(Change::Message(open, message));
    }
}

fn is_transient(load: &Load) -> bool {
    matches!(load, Load::Failed(failure) if failure.is_transient())
}

/// Returns true if an outcome is open that is no longer being checked.
fn was_given_up(conversation: &Conversation) -> bool {
    let mut messages = conversation.messages.iter();
    messages.any(|message| {
        matches!(
            message.status,
            MessageStatus::Unconfirmed {
                checking: false,
                ..
            } | MessageStatus::Interrupted {
                by: Interruption::Lost,
                checking: false
            }
        )
    })
}
