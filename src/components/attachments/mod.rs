//! The files of a draft or a feedback: choose, drop or paste them, see their uploads, retry,
//! remove.

mod drop_target;
mod list;
mod picker;

use assent_conversation::{Attachment, BatchId, Intent, UploadId};
use leptos::{
    prelude::*,
    web_sys::{self, ClipboardEvent, DragEvent},
};

use super::{dispatch::Dispatch, effect::memo};
use crate::store::{Settings, Store};

pub(super) use drop_target::DropTarget;
pub(super) use list::{FileList, SentFiles};
pub(super) use picker::FilePicker;

/// The files of a draft or a feedback, and the actions on them. It is `Copy`, so that every event
/// handler can have it.
#[derive(Clone, Copy)]
pub(super) struct Files {
    /// The files, in the order in which they were chosen.
    list: Memo<Vec<Attachment>>,
    /// The batch whose feedback the files belong to; `None` if they belong to the draft.
    batch: StoredValue<Option<BatchId>>,
    /// True if the page has a function for uploads, so that files can be attached.
    can_attach: RwSignal<bool>,
    /// What the intents of adding, retrying and removing files are sent with.
    dispatch: Dispatch,
}

impl Files {
    /// Returns the files of the draft. None can be attached where no draft is shown.
    pub(super) fn of_draft() -> Self {
        let composer = expect_context::<Store>().composer;
        let list = memo(move || composer.with(|composer| composer.files.clone()));
        let mut files = Self::new(None, list);
        if expect_context::<Settings>().shows_approvals {
            files.can_attach = RwSignal::new(false);
        }
        files
    }

    /// Returns the files of the feedback on this batch.
    pub(super) fn of_feedback(batch: BatchId, list: Memo<Vec<Attachment>>) -> Self {
        Self::new(Some(batch), list)
    }

    fn new(batch: Option<BatchId>, list: Memo<Vec<Attachment>>) -> Self {
        Self {
            list,
            batch: StoredValue::new(batch),
            can_attach: expect_context::<Settings>().can_attach,
            dispatch: expect_context(),
        }
    }

    /// Returns true if there are files; reactive.
    pub(super) fn has_any(self) -> bool {
        self.list.with(|list| !list.is_empty())
    }

    /// Returns true if files can be attached; reactive.
    pub(super) fn can_attach(self) -> bool {
        self.can_attach.get()
    }

    /// Attaches the files on the clipboard, if there is no text beside them: some programs add a
    /// picture of a copied text.
    pub(super) fn paste(self, event: &ClipboardEvent) {
        let Some(data) = event.clipboard_data() else {
            return;
        };
        let is_text = data.get_data("text/plain").is_ok_and(|it| !it.is_empty());
        if !is_text && self.attach_if_any(data.files()) {
            event.prevent_default();
        }
    }

    /// Returns true if the event drags files and files can be attached. Then its default is
    /// prevented, with which the browser would refuse the drop.
    pub(super) fn accepts_drag(self, event: &DragEvent) -> bool {
        let data = event.data_transfer();
        let carries = data.is_some_and(|data| data.types().includes(&"Files".into(), 0));
        let takes = carries && self.can_attach.get_untracked();
        if takes {
            event.prevent_default();
        }
        takes
    }

    /// Attaches the files that were dropped.
    pub(super) fn drop(self, event: &DragEvent) {
        if self.attach_if_any(event.data_transfer().and_then(|data| data.files())) {
            event.prevent_default();
        }
    }

    fn attach_if_any(self, files: Option<web_sys::FileList>) -> bool {
        let files = files.filter(|files| files.length() > 0 && self.can_attach.get_untracked());
        files.map(|files| self.attach_all(&files)).is_some()
    }

    fn attach_all(self, files: &web_sys::FileList) {
        let batch = self.batch.get_value();
        for file in (0..files.length()).filter_map(|at| files.item(at)) {
            self.dispatch.attach(batch.clone(), file);
        }
    }

    fn retry(self, upload: UploadId) {
        let intent = Intent::RetryFile(self.batch.get_value(), upload);
        self.dispatch.send(intent);
    }

    fn remove(self, upload: UploadId) {
        let intent = Intent::RemoveFile(self.batch.get_value(), upload);
        self.dispatch.send(intent);
    }
}
