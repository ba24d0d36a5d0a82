//! A message that is sent while a batch is pending: the service accepts none then, and the user is
//! asked whether it is feedback or is to be queued.

use crate::{Attachment, Change, Composer, ConversationKey, QueuedMessage};

use crate::conversation::before_draft;

use super::Turn;

impl Turn<'_> {
    /// Asks what the draft of the open conversation is meant for, if there is something to decide.
    pub(super) fn ask_how_to_send(&mut self) {
        let open = self.state.open;
        if let Some(conversation) = self.conversation_mut(open)
            && conversation.queued != QueuedMessage::Asking
            && conversation.deciding().is_some()
        {
            conversation.take_back();
            conversation.queued = QueuedMessage::Asking;
            self.change(Change::Draft(open));
            self.change(Change::Composer(open));
        }
    }

    /// Sends the draft as feedback that stops the first pending batch.
    pub(super) fn send_as_feedback(&mut self) {
        let open = self.state.open;
        let Some(conversation) = self.conversation_mut(open) else {
            return;
        };
        if conversation.queued != QueuedMessage::Asking || conversation.stream.is_some() {
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
        conversation.queued = QueuedMessage::Nothing;
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
        if let Some(conversation) = self.conversation_mut(open)
            && conversation.queued == QueuedMessage::Asking
        {
            let text = std::mem::take(&mut conversation.draft);
            conversation.queued =
                QueuedMessage::Waiting(text, std::mem::take(&mut conversation.files));
            self.change(Change::Draft(open));
            self.change(Change::Composer(open));
        }
    }

    pub(super) fn keep_as_draft(&mut self) {
        self.take_back_queued(self.state.open);
    }

    /// Turns the queued message into a draft again.
    fn take_back_queued(&mut self, key: ConversationKey) {
        if let Some(conversation) = self.conversation_mut(key)
            && conversation.queued != QueuedMessage::Nothing
        {
            conversation.take_back();
            self.change(Change::Draft(key));
            self.change(Change::Composer(key));
        }
    }

    /// Sends the queued message if the conversation is ready for it. `whole`: the answer to the
    /// decision is complete.
    pub(super) fn release_queued(&mut self, key: ConversationKey, whole: bool) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        match (conversation.composer(), &conversation.queued) {
            (_, QueuedMessage::Nothing)
            | (Composer::AwaitingApproval, QueuedMessage::Waiting(..)) => {}
            (Composer::AwaitingApproval, QueuedMessage::Asking)
                if conversation.deciding().is_some() => {}
            // The answer is being streamed.
            (Composer::Streaming, QueuedMessage::Waiting(..)) => {}
            (Composer::Ready, QueuedMessage::Waiting(text, files))
                if whole && Attachment::all_there(files) =>
            {
                let (text, files) = (text.clone(), files.clone());
                conversation.queued = QueuedMessage::Nothing;
                self.change(Change::Composer(key));
                self.send_text(key, &text, files);
            }
            _ => self.take_back_queued(key),
        }
    }
}
