//! Files of a message of the user. Their content is not here: only the uploader has it.

use assent_protocol::{ContentItem, StoredFile};

use crate::UploadId;

/// A file of a message, a draft or feedback. Its content is not here: only the uploader has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The identifier of the file on this page.
    pub upload: UploadId,
    /// The name of the file on the user's device; its identifier if no name is known.
    pub name: String,
    /// The size of the file in bytes; 0 if it is not known.
    pub size: u64,
    /// The state of the upload of the file.
    pub state: AttachmentState,
}

/// The state of the upload of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttachmentState {
    /// The file is being uploaded; the progress, from 0 to 100.
    Uploading(u8),
    /// The file is uploaded, with this identifier.
    Uploaded(FileRef),
    /// The upload failed; the reason, which is empty if the host page gave none.
    Failed(String),
}

/// The reference to a file in a posted message (specification, Message content item).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileRef {
    /// A document, by its `fileId`.
    Document(String),
    /// An image, by its `imageId`.
    Image(String),
}

impl Attachment {
    /// Returns a file whose upload begins.
    pub(crate) fn new_uploading(upload: UploadId, name: String, size: u64) -> Self {
        Self {
            upload,
            name,
            size,
            state: AttachmentState::Uploading(0),
        }
    }

    /// Returns a file named by the host page, of which only the identifier is known.
    pub(crate) fn from_page(upload: UploadId, file: FileRef) -> Self {
        let (FileRef::Document(id) | FileRef::Image(id)) = &file;
        Self {
            upload,
            name: id.clone(),
            size: 0,
            state: AttachmentState::Uploaded(file),
        }
    }

    /// Returns a file of a stored message; `None` if it has no identifier.
    fn from_stored(upload: UploadId, stored: StoredFile) -> Option<Self> {
        let image = stored.image_id.map(FileRef::Image);
        let file = image.or(stored.file_id.map(FileRef::Document))?;
        let mut known = Self::from_page(upload, file);
        if !stored.name.is_empty() {
            known.name = stored.name;
        }
        known.size = stored.size;
        Some(known)
    }

    /// Returns true if all of these files are uploaded.
    #[must_use]
    pub fn all_uploaded(files: &[Self]) -> bool {
        files.iter().all(Self::is_uploaded)
    }

    fn has_id(&self, id: &str) -> bool {
        matches!(&self.state,
            AttachmentState::Uploaded(FileRef::Document(own) | FileRef::Image(own)) if own == id)
    }

    /// Returns true if the file is uploaded.
    pub(crate) fn is_uploaded(&self) -> bool {
        matches!(self.state, AttachmentState::Uploaded(_))
    }

    /// Returns true if the upload of the file failed.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        matches!(self.state, AttachmentState::Failed(_))
    }
}

/// Returns the uploaded files as items of a post.
pub(crate) fn file_items(files: &[Attachment]) -> impl Iterator<Item = ContentItem> {
    files.iter().filter_map(|file| match &file.state {
        AttachmentState::Uploaded(FileRef::Document(id)) => Some(ContentItem::Document(id.clone())),
        AttachmentState::Uploaded(FileRef::Image(id)) => Some(ContentItem::Image(id.clone())),
        AttachmentState::Uploading(_) | AttachmentState::Failed(_) => None,
    })
}

/// Adds the files of a stored message to those that are known of it on this page, and completes
/// names and sizes. A file that was deleted since stays: it is a part of what was sent.
pub(crate) fn add_stored(
    files: &mut Vec<Attachment>,
    stored: Vec<StoredFile>,
    mut next_upload: impl FnMut() -> UploadId,
) {
    for stored in stored {
        let Some(file) = Attachment::from_stored(next_upload(), stored) else {
            continue;
        };
        match files.iter_mut().find(|known| known.state == file.state) {
            Some(known) => (known.name, known.size) = (file.name, file.size),
            None => files.push(file),
        }
    }
}

/// Returns the stored text of a message without the lines that stand for its files: a service may
/// store such lines where there was no text.
pub(crate) fn without_file_lines(files: &[Attachment], text: &str) -> String {
    let is_file = |line: &&str| {
        let inside = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'));
        let id = inside.and_then(|inside| inside.split_once(' '));
        id.is_some_and(|(_, id)| files.iter().any(|file| file.has_id(id)))
    };
    let mut lines: Vec<&str> = text.split('\n').collect();
    lines.retain(|line| !is_file(line));
    lines.join("\n")
}
