//! The files of a draft or a feedback, and their uploads.

use assent_protocol::BatchId;

use crate::{
    Announcement, Attachment, AttachmentState, BatchPhase, Change, Command, Conversation, FileRef,
    Message, MessageKey, UploadId,
};

use super::Turn;

impl Turn<'_> {
    pub(super) fn attach_file(
        &mut self,
        batch: Option<&BatchId>,
        upload: UploadId,
        name: String,
        size: u64,
    ) {
        // Cancelled unless something takes the file: its batch may have been answered while it was
        // chosen.
        let mut follows = Some(Command::CancelUpload(upload));
        let mut said = None;
        self.on_files(batch, |files| {
            if files.iter().any(|file| file.upload == upload) {
                follows = None;
                return;
            }
            said = Some(Announcement::Uploading(name.clone()));
            files.push(Attachment::begun(upload, name, size));
            follows = Some(Command::Upload(upload));
        });
        self.output.commands.extend(follows);
        self.output.changes.extend(said.map(Change::Announce));
    }

    pub(super) fn retry_file(&mut self, batch: Option<&BatchId>, upload: UploadId) {
        let mut again = false;
        self.on_files(batch, |files| {
            let mut files = files.iter_mut();
            if let Some(file) = files.find(|file| file.upload == upload && file.has_failed()) {
                file.state = AttachmentState::Uploading(0);
                again = true;
            }
        });
        if again {
            self.command(Command::Upload(upload));
        }
    }

    pub(super) fn remove_file(&mut self, batch: Option<&BatchId>, upload: UploadId) {
        let mut removed = false;
        self.on_files(batch, |files| {
            let before = files.len();
            files.retain(|file| file.upload != upload);
            removed = files.len() != before;
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

    /// Cancels the uploads of files that are not going to be sent.
    pub(super) fn forget_files(&mut self, uploads: Vec<UploadId>) {
        for upload in uploads {
            self.command(Command::CancelUpload(upload));
        }
    }

    /// Cancels the uploads of files in these messages.
    pub(super) fn forget_files_of(&mut self, messages: &[Message]) {
        for message in messages {
            for batch in &message.approvals {
                self.forget_files(batch.uploads());
            }
        }
    }

    /// Changes the files of the feedback of this batch, or of the draft, in the open conversation.
    fn on_files(&mut self, batch: Option<&BatchId>, change: impl FnOnce(&mut Vec<Attachment>)) {
        if let Some(batch) = batch {
            return self.on_feedback(batch, |feedback| change(&mut feedback.files));
        }
        let open = self.state.open;
        if let Some(conversation) = self.conversation_mut(open) {
            change(&mut conversation.files);
            conversation.end_empty_question();
            self.change(Change::Composer(open));
        }
    }

    /// Sets the upload state of a file that is being uploaded, wherever it is by now.
    fn on_upload(&mut self, upload: UploadId, to: &AttachmentState) {
        let mut found = None;
        for conversation in &mut self.state.conversations {
            let key = conversation.key;
            if let Some((message, file)) = waiting_file(conversation, upload) {
                file.state = to.clone();
                found = Some((key, message, file.name.clone()));
            }
        }
        let Some((key, message, name)) = found else {
            return;
        };
        self.change(match message {
            Some(message) => Change::Message(key, message),
            None => Change::Composer(key),
        });
        if let AttachmentState::Uploaded(_) = to {
            self.announce(key, Announcement::Uploaded(name));
        }
    }
}

/// Returns the file with this upload under way, and the message with its batch; `None`: it belongs
/// to the draft.
fn waiting_file(
    conversation: &mut Conversation,
    upload: UploadId,
) -> Option<(Option<MessageKey>, &mut Attachment)> {
    let queued = conversation.queued.iter_mut().flat_map(|it| &mut it.files);
    let is_it = |file: &&mut Attachment| {
        file.upload == upload && matches!(file.state, AttachmentState::Uploading(_))
    };
    let mut draft = conversation.files.iter_mut().chain(queued);
    if let Some(file) = draft.find(is_it) {
        return Some((None, file));
    }
    for message in &mut conversation.messages {
        for batch in &mut message.approvals {
            let shown = match &mut batch.phase {
                BatchPhase::Deciding {
                    feedback: Some(feedback),
                    ..
                } => feedback.files.as_mut_slice(),
                _ => &mut [],
            };
            let mut files = batch.draft.files.iter_mut().chain(shown);
            if let Some(file) = files.find(is_it) {
                return Some((Some(message.key), file));
            }
        }
    }
    None
}
