//! Messages that are sent while the conversation is not ready for them. While an answer is being
//! written they are queued; while a batch is pending the service accepts none, and the user is asked
//! whether it is feedback or is to be queued.

use crate::{
    Announcement, Attachment, Change, Composer, Conversation, ConversationKey, MessageKey,
    QueuedMessage,
};

use crate::conversation::before_draft;

use super::Turn;

impl Turn<'_> {
    /// Asks what the draft of the open conversation is meant for, if there is something to decide.
    pub(super) fn ask_how_to_send(&mut self) {
        let open = self.state.open;
        if let Some(conversation) = self.conversation_mut(open)
            && !conversation.is_asking
            && conversation.deciding().is_some()
        {
            conversation.is_asking = true;
            self.change(Change::Composer(open));
        }
    }

    /// Sends the draft as feedback that stops the first pending batch.
    pub(super) fn send_as_feedback(&mut self) {
        let open = self.state.open;
        let Some(conversation) = self.conversation_mut(open) else {
            return;
        };
        if !conversation.is_asking || conversation.stream().is_some() {
            return;
        }
        let text = conversation.draft.clone();
        let files = conversation.files.clone();
        let first = conversation.deciding().map(|batch| batch.id.clone());
        let batch = first.and_then(|id| conversation.batch_mut(&id));
        let Some((message, batch)) = batch.filter(|(_, batch)| batch.is_deciding()) else {
            return;
        };
        batch.begin_feedback();
        let id = batch.id.clone();
        // While a file is being uploaded, the feedback waits in the card.
        let feedback = batch.feedback_mut().map(|feedback| {
            feedback.text = before_draft(&feedback.text, &text);
            feedback.files.extend(files);
            feedback.clone()
        });
        let answer = feedback.and_then(|feedback| batch.aborted(&feedback));
        conversation.draft.clear();
        conversation.files.clear();
        conversation.is_asking = false;
        self.change(Change::Draft(open));
        self.change(Change::Composer(open));
        self.change(Change::Message(open, message));
        if let Some(answer) = answer {
            self.submit(open, id, answer);
        }
    }

    /// Queues the draft until the answer to the decision is complete.
    pub(super) fn send_afterwards(&mut self) {
        let open = self.state.open;
        if self.conversation(open).is_some_and(|it| it.is_asking) {
            self.queue_draft();
        }
    }

    /// Queues the draft of the open conversation, behind what is queued already.
    pub(super) fn queue_draft(&mut self) {
        let (open, key) = (self.state.open, self.state.next_message());
        if let Some(conversation) = self.conversation_mut(open) {
            conversation.is_asking = false;
            conversation.queued.push(QueuedMessage {
                key,
                text: std::mem::take(&mut conversation.draft),
                files: std::mem::take(&mut conversation.files),
            });
            self.change(Change::Draft(open));
            self.change(Change::Composer(open));
            self.announce(open, Announcement::Queued);
        }
    }

    pub(super) fn keep_as_draft(&mut self) {
        self.end_question(self.state.open, |_| true);
    }

    /// Ends the question what the draft is meant for, where `ends` is true.
    fn end_question(&mut self, key: ConversationKey, ends: impl Fn(&Conversation) -> bool) {
        if let Some(conversation) = self.conversation_mut(key)
            && conversation.is_asking
            && ends(conversation)
        {
            conversation.is_asking = false;
            self.change(Change::Composer(key));
        }
    }

    /// Turns a queued message of the open conversation into a draft again.
    pub(super) fn edit_queued(&mut self, message: MessageKey) {
        let open = self.state.open;
        if let Some(message) = self.unqueue(open, message)
            && let Some(conversation) = self.conversation_mut(open)
        {
            conversation.put_back(&message.text, message.files);
            self.change(Change::Draft(open));
        }
    }

    /// Removes a queued message of the open conversation, and its files.
    pub(super) fn remove_queued(&mut self, message: MessageKey) {
        if let Some(message) = self.unqueue(self.state.open, message) {
            self.forget_files(message.files.iter().map(|file| file.upload).collect());
        }
    }

    fn unqueue(&mut self, key: ConversationKey, message: MessageKey) -> Option<QueuedMessage> {
        let queued = &mut self.conversation_mut(key)?.queued;
        let at = queued.iter().position(|it| it.key == message)?;
        let message = queued.remove(at);
        self.change(Change::Composer(key));
        Some(message)
    }

    /// Sends the first queued message if the conversation is ready for it, and makes drafts of all
    /// if it will not be. `whole`: the answer before them is complete.
    pub(super) fn release_queued(&mut self, key: ConversationKey, whole: bool) {
        self.end_question(key, |it| {
            it.composer() != Composer::AwaitingApproval || it.deciding().is_none()
        });
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let Some(first) = conversation.queued.first() else {
            return;
        };
        match conversation.composer() {
            Composer::AwaitingApproval | Composer::Streaming => {}
            Composer::Ready if whole && Attachment::all_there(&first.files) => {
                let first = conversation.queued.remove(0);
                self.change(Change::Composer(key));
                self.send_text(key, &first.text, first.files);
            }
            Composer::Ready | Composer::AwaitingElsewhere => {
                conversation.take_back();
                self.change(Change::Draft(key));
                self.change(Change::Composer(key));
            }
        }
    }
}
