//! Stopping a whole batch: the exclusive mode, its words, and its files.

use assent_protocol::BatchId;

use crate::{
    ApprovalBatch, Attachment, AttachmentState, BatchPhase, Change, Command, ConversationKey,
    Feedback, FileRef, MessageKey, UploadId,
};

use super::Turn;

impl Turn<'_> {
    pub(super) fn begin_feedback(&mut self, batch: &BatchId) {
        self.on_deciding(batch, ApprovalBatch::begin_feedback);
    }

    pub(super) fn edit_feedback(&mut self, batch: &BatchId, text: String) {
        self.on_feedback(batch, |feedback| feedback.text = text);
    }

    pub(super) fn cancel_feedback(&mut self, batch: &BatchId) {
        let stopping = |batch: &ApprovalBatch| is_stopping(batch);
        self.on_batch(batch, stopping, |batch| {
            if let BatchPhase::Deciding { feedback, .. } = &mut batch.phase {
                batch.begun = feedback.take().unwrap_or_default();
            }
        });
    }

    pub(super) fn submit_feedback(&mut self, id: BatchId) {
        let open = self.state.open;
        let answer = self.answerable(&id).and_then(|batch| {
            let feedback = batch.feedback_mut()?.clone();
            batch.aborted(&feedback)
        });
        if let Some(answer) = answer {
            self.submit(open, id, answer);
        }
    }

    pub(super) fn attach_file(
        &mut self,
        batch: &BatchId,
        upload: UploadId,
        name: String,
        size: u64,
    ) {
        // Until somebody takes it, nobody waits for the file: its batch may have been answered while it was chosen.
        let mut follows = Some(Command::CancelUpload(upload));
        self.on_feedback(batch, |feedback| {
            if feedback.files.iter().any(|file| file.upload == upload) {
                follows = None;
                return;
            }
            feedback.files.push(Attachment {
                upload,
                name,
                size,
                state: AttachmentState::Uploading(0),
            });
            follows = Some(Command::Upload(upload));
        });
        self.output.commands.extend(follows);
    }

    pub(super) fn retry_file(&mut self, batch: &BatchId, upload: UploadId) {
        let mut again = false;
        self.on_feedback(batch, |feedback| {
            let mut files = feedback.files.iter_mut();
            let failed = |file: &Attachment| matches!(file.state, AttachmentState::Failed(_));
            if let Some(file) = files.find(|file| file.upload == upload && failed(file)) {
                file.state = AttachmentState::Uploading(0);
                again = true;
            }
        });
        if again {
            self.command(Command::Upload(upload));
        }
    }

    pub(super) fn remove_file(&mut self, batch: &BatchId, upload: UploadId) {
        let mut removed = false;
        self.on_feedback(batch, |feedback| {
            let before = feedback.files.len();
            feedback.files.retain(|file| file.upload != upload);
            removed = feedback.files.len() != before;
        });
        if removed {
            self.command(Command::CancelUpload(upload));
        }
    }

    pub(super) fn upload_progressed(&mut self, upload: UploadId, percent: u8) {
        self.on_upload(upload, &AttachmentState::Uploading(percent.min(100)));
    }

    pub(super) fn uploaded(&mut self, upload: UploadId, result: Result<FileRef, String>) {
        let state = match result {
            Ok(file) => AttachmentState::Uploaded(file),
            Err(reason) => AttachmentState::Failed(reason),
        };
        self.on_upload(upload, &state);
    }

    /// These files are not going to be sent.
    pub(super) fn forget_files(&mut self, uploads: impl IntoIterator<Item = UploadId>) {
        let commands = uploads.into_iter().map(Command::CancelUpload);
        self.output.commands.extend(commands);
    }

    /// What is heard of a file counts while it is on its way, wherever its feedback is by now.
    fn on_upload(&mut self, upload: UploadId, to: &AttachmentState) {
        let mut changed: Option<(ConversationKey, MessageKey)> = None;
        for conversation in &mut self.state.conversations {
            for message in &mut conversation.messages {
                for batch in &mut message.approvals {
                    let begun = batch.begun.files.iter_mut();
                    let shown = match &mut batch.phase {
                        BatchPhase::Deciding { feedback, .. } => feedback.as_mut(),
                        _ => None,
                    };
                    let mut files = begun.chain(shown.into_iter().flat_map(|it| &mut it.files));
                    let file = files.find(|file| {
                        let waiting = matches!(file.state, AttachmentState::Uploading(_));
                        file.upload == upload && waiting
                    });
                    if let Some(file) = file {
                        file.state = to.clone();
                        changed = Some((conversation.key, message.key));
                    }
                }
            }
        }
        if let Some((key, message)) = changed {
            self.change(Change::Message(key, message));
        }
    }

    /// Changes the feedback of a batch of the open conversation while it is being stopped.
    fn on_feedback(&mut self, id: &BatchId, change: impl FnOnce(&mut Feedback)) {
        self.on_batch(id, is_stopping, |batch| {
            batch.feedback_mut().map(change);
        });
    }
}

fn is_stopping(batch: &ApprovalBatch) -> bool {
    matches!(
        batch.phase,
        BatchPhase::Deciding {
            feedback: Some(_),
            ..
        }
    )
}
