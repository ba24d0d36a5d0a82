//! What goes to the agent when a batch is stopped: words, and files that the page's uploader took.

use assent_protocol::ContentItem;

use crate::UploadId;

/// What goes to the agent when a batch is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// The words.
    pub text: String,
    /// The files, in the order they were chosen.
    pub files: Vec<Attachment>,
}

/// A file that was chosen. Its content is not here: only whoever uploads it has that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its name on this page.
    pub upload: UploadId,
    /// Its file name.
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

impl FileRef {
    /// The file as an item of a post.
    pub(crate) fn item(&self) -> ContentItem {
        match self {
            Self::Document(id) => ContentItem::Document(id.clone()),
            Self::Image(id) => ContentItem::Image(id.clone()),
        }
    }
}

impl Feedback {
    /// True where every file is there, so that the feedback can be sent.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let mut files = self.files.iter();
        files.all(|file| matches!(file.state, AttachmentState::Uploaded(_)))
    }

    /// The same without blanks around the words.
    pub(super) fn trimmed(&self) -> Self {
        Self {
            text: self.text.trim().to_owned(),
            files: self.files.clone(),
        }
    }

    /// The files as items of a post.
    pub(super) fn items(&self) -> impl Iterator<Item = ContentItem> {
        self.files.iter().filter_map(|file| match &file.state {
            AttachmentState::Uploaded(file) => Some(file.item()),
            AttachmentState::Uploading(_) | AttachmentState::Failed(_) => None,
        })
    }
}
