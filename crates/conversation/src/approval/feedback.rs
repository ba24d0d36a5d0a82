//! What goes to the agent when a batch is stopped: words, and files that the page's uploader took.

use assent_protocol::ContentItem;

use crate::{Attachment, attachment};

/// What goes to the agent when a batch is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// The words.
    pub text: String,
    /// The files, in the order they were chosen.
    pub files: Vec<Attachment>,
}

impl Feedback {
    /// True where every file is there, so that the feedback can be sent.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        Attachment::all_there(&self.files)
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
        attachment::items(&self.files)
    }
}
