//! The texts of files: how they are added, what they are, and where their uploads stand.

use assent_conversation::{Attachment, AttachmentState, FileRef};

use super::shortened;
use crate::ui::spelled::spelled_file;

pub(in crate::ui) const ATTACH: &str = "Attach files";
pub(in crate::ui) const ATTACH_HINT: &str =
    "With a decision, files reach the agent only together with a stop.";
pub(in crate::ui) const DROP_HERE: &str = "Drop files to attach them";
pub(in crate::ui) const FILES: &str = "Files";
pub(in crate::ui) const UPLOADED: &str = "Uploaded";
pub(in crate::ui) const FILE_FAILED: &str = "This file could not be uploaded.";
pub(in crate::ui) const STOP_WAITS_FOR_FILES: &str =
    "You can stop the actions when every file is uploaded.";
pub(in crate::ui) const SEND_WAITS_FOR_FILES: &str = "You can send when every file is uploaded.";
pub(in crate::ui) const FILES_FAILED: &str =
    "A file could not be uploaded. Retry or remove it to go on.";

/// The longest ending of a file name that says what it is, in letters.
const LONGEST_ENDING: usize = 5;

/// A file's name where there can be no nodes.
pub(in crate::ui) fn file_name(name: &str) -> String {
    shortened(&spelled_file(name))
}

pub(in crate::ui) fn remove_file(name: &str) -> String {
    ["Remove ", name].concat()
}

pub(in crate::ui) fn cancel_upload(name: &str) -> String {
    ["Cancel upload of ", name].concat()
}

pub(in crate::ui) fn uploading(name: &str) -> String {
    ["Uploading ", name].concat()
}

pub(in crate::ui) fn uploaded(name: &str) -> String {
    [name, " is uploaded"].concat()
}

/// What a file is, and its size: "PDF · 48 kB".
pub(in crate::ui) fn about_file(file: &Attachment) -> String {
    [&file_kind(file), " · ", &file_size(file.size)].concat()
}

/// By the ending of its name, as its uploader says of an image without one.
fn file_kind(file: &Attachment) -> String {
    let ending = file.name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let says_it = |letter: char| letter.is_ascii_alphanumeric();
    if (1..=LONGEST_ENDING).contains(&ending.len()) && ending.chars().all(says_it) {
        return ending.to_ascii_uppercase();
    }
    let is_image = matches!(file.state, AttachmentState::Uploaded(FileRef::Image(_)));
    if is_image { "Image" } else { "File" }.to_owned()
}

/// A size in bytes, in the unit that leaves at most three digits. In whole numbers, see [`super::seconds`].
fn file_size(bytes: u64) -> String {
    let (tenths, unit) = match bytes {
        0..1_000 => (bytes * 10, " B"),
        1_000..1_000_000 => (bytes / 100, " kB"),
        1_000_000..1_000_000_000 => (bytes / 100_000, " MB"),
        _ => (bytes / 100_000_000, " GB"),
    };
    let whole = (tenths / 10).to_string();
    match tenths % 10 {
        rest if rest > 0 && tenths < 100 => [&whole, ".", &rest.to_string(), unit].concat(),
        _ => [&whole, unit].concat(),
    }
}
