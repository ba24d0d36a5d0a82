//! Following an answer that is being written and that this page did not ask for, or does not read
//! any more: after a reload, or because somebody wrote on another page.

use crate::message::remove_messages;
use crate::{Change, Command, ConversationKey, MessageStatus, PostedContent, Stream, StreamPhase};

use super::sequencer::Sequencer;

impl Sequencer<'_> {
    /// Begins to follow an answer whose events up to `after` are among the stored messages, which
    /// were merged before, if the conversation is shown and has no stream under way. `is_awaited`:
    /// something was waited for here.
    #[inline(never)]
    pub(super) fn follow_answer(&mut self, key: ConversationKey, after: String, is_awaited: bool) {
        let Some(conversation) = self.conversation(key) else {
            return;
        };
        // What did not go on from there once does not by itself: nobody asks for it without end.
        let is_tried = conversation.followed.as_ref() == Some(&after);
        if self.state.open != key || is_tried || conversation.stream().is_some() {
            return;
        }
        // One of them may be of this answer, whose text comes again.
        while let Some(late) = self.conversation(key).and_then(|it| it.streams.first()) {
            let late = late.id;
            self.close_stream(key, late);
        }
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let Some(thread) = conversation.thread_id().cloned() else {
            return;
        };
        // The log has the text of what broke off and is not stored.
        remove_messages(&mut conversation.messages, &mut cx, &|it| {
            let is_cut = matches!(it.status, MessageStatus::Interrupted { .. });
            is_cut && it.id.is_none() && it.approvals.is_empty()
        });
        conversation.followed = Some(after.clone());
        conversation.stale = true;
        let id = cx.keys.next_stream();
        let mut stream = Stream::new(id, PostedContent::Elsewhere { is_awaited });
        stream.phase = StreamPhase::Accepted;
        stream.first_message(&mut conversation.messages, &mut cx);
        conversation.streams.push(stream);
        cx.output.change(Change::Composer(key));
        cx.output.command(Command::Follow {
            stream: id,
            thread,
            after,
        });
        conversation.release_queued(&mut cx, false);
    }
}
