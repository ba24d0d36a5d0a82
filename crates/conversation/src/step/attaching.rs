//! The files of a draft or a feedback, and their uploads.

use assent_protocol::BatchId;

use crate::outbox::uploading_file;
use crate::{Announcement, Attachment, AttachmentState, Change, Command, FileRef, UploadId};

use super::sequencer::Sequencer;

impl Sequencer<'_> {
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
        self.change_files(batch, |files| {
            if files.iter().any(|file| file.upload == upload) {
                follows = None;
                return;
            }
            said = Some(Announcement::Uploading(name.clone()));
            files.push(Attachment::new_uploading(upload, name, size));
            follows = Some(Command::Upload(upload));
        });
        self.output.commands.extend(follows);
        self.output.changes.extend(said.map(Change::Announce));
    }

    pub(super) fn retry_file(&mut self, batch: Option<&BatchId>, upload: UploadId) {
        let mut again = false;
        self.change_files(batch, |files| {
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
        self.change_files(batch, |files| {
            let before = files.len();
            files.retain(|file| file.upload != upload);
            removed = files.len() != before;
        });
        if removed {
            self.command(Command::CancelUpload(upload));
        }
    }

    pub(super) fn upload_progressed(&mut self, upload: UploadId, percent: u8) {
        self.set_upload_state(upload, &AttachmentState::Uploading(percent.min(100)));
    }

    pub(super) fn upload_ended(&mut self, upload: UploadId, result: Result<FileRef, String>) {
        let state = match result {
            Ok(file) => AttachmentState::Uploaded(file),
            Err(reason) => AttachmentState::Failed(reason),
        };
        self.set_upload_state(upload, &state);
    }

    /// Calls `change` with the files of the feedback of this batch, or, with `None`, with those of
    /// the draft of the open conversation.
    fn change_files(&mut self, batch: Option<&BatchId>, change: impl FnOnce(&mut Vec<Attachment>)) {
        if let Some(batch) = batch {
            return self.change_feedback(batch, |feedback| change(&mut feedback.files));
        }
        let open = self.state.open;
        if let Some(conversation) = self.conversation_mut(open) {
            change(&mut conversation.files);
            conversation.end_empty_question();
            self.change(Change::Composer(open));
        }
    }

    /// Sets the upload state of a file that is being uploaded, in a draft, in the queue or in
    /// feedback.
    fn set_upload_state(&mut self, upload: UploadId, to: &AttachmentState) {
        let mut found = None;
        for conversation in &mut self.state.conversations {
            let key = conversation.key;
            if let Some((message, file)) = uploading_file(conversation, upload) {
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
        if matches!(to, AttachmentState::Uploaded(_)) && self.state.open == key {
            self.change(Change::Announce(Announcement::Uploaded(name)));
        }
    }
}
