//! The outbox of a conversation: the draft, queued messages, files, and what is posted.
//!
//! `posting` makes a message of text and begins its stream, `queue` holds what is sent later, and
//! `files` the attachments of a draft, and `outcome` is about posts that were not accepted.

mod files;
mod outcome;
mod posting;
mod queue;

pub(crate) use files::{split_content, uploading_file};
pub(crate) use posting::attach_uploaded;
