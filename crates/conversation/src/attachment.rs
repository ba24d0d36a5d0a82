//! Files that go with words of the person. Their content is not here: only whoever uploads them has that.

use assent_protocol::ContentItem;

use crate::UploadId;

/// A file that was chosen. Its content is not here: only whoever uploads it has that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its name on this page.
    pub upload: UploadId,
    /// Its file name, as the person's device has it.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Where it stands.
    pub state: AttachmentState,
}

/// Where the upload of a file stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttachmentState {
    /// On its way: how much of it, from 0 to 100.
    Uploading(u8),
    /// There, under this identifier.
    Uploaded(FileRef),
    /// Not there; the reason, where the page gave one.
    Failed(String),
}

/// What a posted message calls a file (specification, Message content item).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileRef {
    /// `fileId`.
    Document(String),
    /// `imageId`.
    Image(String),
}

impl Attachment {
    /// A file whose upload begins.
    pub(crate) fn begun(upload: UploadId, name: String, size: u64) -> Self {
        Self {
            upload,
            name,
            size,
            state: AttachmentState::Uploading(0),
        }
    }

    /// A file that the page names: all that is known of it is its identifier.
    pub(crate) fn of_page(upload: UploadId, file: FileRef) -> Self {
        let (FileRef::Document(id) | FileRef::Image(id)) = &file;
        Self {
            upload,
            name: id.clone(),
            size: 0,
            state: AttachmentState::Uploaded(file),
        }
    }

    /// True where nothing of these is on its way or failed.
    #[must_use]
    pub fn all_there(files: &[Self]) -> bool {
        files.iter().all(Self::is_there)
    }

    /// True where it is uploaded.
    pub(crate) fn is_there(&self) -> bool {
        matches!(self.state, AttachmentState::Uploaded(_))
    }

    /// True where its upload failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        matches!(self.state, AttachmentState::Failed(_))
    }
}

/// Those that are there, as items of a post.
pub(crate) fn items(files: &[Attachment]) -> impl Iterator<Item = ContentItem> {
    files.iter().filter_map(|file| match &file.state {
        AttachmentState::Uploaded(FileRef::Document(id)) => Some(ContentItem::Document(id.clone())),
        AttachmentState::Uploaded(FileRef::Image(id)) => Some(ContentItem::Image(id.clone())),
        AttachmentState::Uploading(_) | AttachmentState::Failed(_) => None,
    })
}
