//! The feedback to the agent when a batch is stopped: text, and files that the host page's uploader
//! accepted.

use assent_protocol::ContentItem;

use crate::{Attachment, attachment};

/// The feedback to the agent when a batch is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// The text that the user typed for the agent.
    pub text: String,
    /// The files, in the order they were chosen.
    pub files: Vec<Attachment>,
}

impl Feedback {
    /// Returns true if every file is uploaded, so that the feedback can be sent.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        Attachment::all_uploaded(&self.files)
    }

    /// Returns the feedback without white space around the text.
    pub(super) fn trimmed(&self) -> Self {
        Self {
            text: self.text.trim().to_owned(),
            files: self.files.clone(),
        }
    }

    /// Returns the files as items of a post.
    pub(super) fn file_items(&self) -> impl Iterator<Item = ContentItem> {
        attachment::file_items(&self.files)
    }
}
