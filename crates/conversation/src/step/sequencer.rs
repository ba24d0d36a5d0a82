//! One step in progress: the whole state, and what each part of the core is given of it.

use crate::output::Context;
use crate::page::notices;
use crate::{
    Change, Command, Conversation, ConversationKey, Failure, Message, MessageKey, Millis,
    NoticeSubject, Output, State, Stream, StreamId,
};

/// One step in progress: it gives each part of the core what the part is about, in order.
pub(super) struct Sequencer<'a> {
    pub(super) state: &'a mut State,
    pub(super) now: Millis,
    pub(super) output: Output,
}

impl Sequencer<'_> {
    pub(super) fn change(&mut self, change: Change) {
        self.output.change(change);
    }

    pub(super) fn command(&mut self, command: Command) {
        self.output.command(command);
    }

    pub(super) fn show_notice(&mut self, subject: NoticeSubject, failure: Failure) {
        notices::show_notice(&mut self.state.notice, &mut self.output, subject, failure);
    }

    pub(super) fn drop_reload_notice(&mut self) {
        notices::drop_reload_notice(&mut self.state.notice, &mut self.output);
    }

    /// Returns a conversation, and the context in which its parts work in this step.
    pub(super) fn conversation_context(
        &mut self,
        key: ConversationKey,
    ) -> Option<(&mut Conversation, Context<'_>)> {
        let State {
            conversations,
            keys,
            open,
            ..
        } = &mut *self.state;
        let conversation = conversations.iter_mut().find(|it| it.key == key)?;
        let context = Context {
            key,
            is_shown: *open == key,
            now: self.now,
            keys,
            output: &mut self.output,
        };
        Some((conversation, context))
    }

    /// Returns a stream, the messages of its conversation, and the context in which the stream
    /// works in this step; `None` if the stream ended, was cancelled or never was.
    pub(super) fn stream_context(
        &mut self,
        id: StreamId,
    ) -> Option<(&mut Stream, &mut Vec<Message>, Context<'_>)> {
        let key = self.state.conversation_of_stream(id)?;
        let (conversation, context) = self.conversation_context(key)?;
        let Conversation {
            streams, messages, ..
        } = conversation;
        let stream = streams.iter_mut().find(|it| it.id == id)?;
        Some((stream, messages, context))
    }

    pub(super) fn conversation(&self, key: ConversationKey) -> Option<&Conversation> {
        self.state.conversation(key)
    }

    pub(super) fn conversation_mut(&mut self, key: ConversationKey) -> Option<&mut Conversation> {
        self.state.conversation_mut(key)
    }

    /// Returns the conversation of this stream; `None` if it ended, was cancelled or never was.
    pub(super) fn conversation_of_stream(&self, stream: StreamId) -> Option<ConversationKey> {
        self.state.conversation_of_stream(stream)
    }

    /// Requests the stored messages of a conversation.
    pub(super) fn load_messages(&mut self, key: ConversationKey) {
        if let Some((conversation, mut cx)) = self.conversation_context(key) {
            conversation.load_messages(&mut cx, Millis(0));
        }
    }

    /// Tells the host page that these messages of an agent are complete: together they are one
    /// answer.
    pub(super) fn report_answers(&mut self, key: ConversationKey, messages: &[MessageKey]) {
        let mut unread = self.state.unread;
        let is_seen = self.state.is_visible;
        if let Some((conversation, mut cx)) = self.conversation_context(key) {
            let unread = Some(&mut unread).filter(|_| !is_seen);
            conversation.report_answers(&mut cx, messages, unread);
        }
        self.state.unread = unread;
    }
}
