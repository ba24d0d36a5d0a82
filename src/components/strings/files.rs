//! The texts of files: adding, kinds, and the states of uploads.

use assent_conversation::{Attachment, AttachmentState, FileRef};
use assent_i18n::Texts;

use super::{english::*, format_tenths, shorten_for_speech};
use crate::components::escape_invisible::escape_in_file_name;

/// Maximum length, in letters, of the ending of a file's name that is shown as the file's kind.
const MAX_EXTENSION_LENGTH: usize = 5;

/// Returns the name of a file as plain text, cut to the maximum length of names in announcements,
/// with the codes of deceptive characters.
pub(in crate::components) fn file_name(name: &str) -> String {
    shorten_for_speech(&escape_in_file_name(name))
}

pub(in crate::components) fn uploading_text(texts: Texts, name: &str) -> String {
    texts.fill(UPLOADING, &[("name", name)])
}

/// Returns the kind of a file, and its size: "PDF · 48 kB".
pub(in crate::components) fn about_file(texts: Texts, file: &Attachment) -> String {
    let (kind, size) = (file_kind(texts, file), file_size(texts, file.size));
    texts.fill(ABOUT_FILE, &[("kind", &kind), ("size", &size)])
}

/// Returns the kind of a file: the ending of its name in capitals, or without a short ending the
/// text for an image, if the uploader said that it is one, or for a file.
fn file_kind(texts: Texts, file: &Attachment) -> String {
    let ending = file.name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let says_it = |letter: char| letter.is_ascii_alphanumeric();
    if (1..=MAX_EXTENSION_LENGTH).contains(&ending.len()) && ending.chars().all(says_it) {
        return ending.to_ascii_uppercase();
    }
    let is_image = matches!(file.state, AttachmentState::Uploaded(FileRef::Image(_)));
    texts
        .get(if is_image { IMAGE_FILE } else { FILE })
        .to_owned()
}

/// Formats a size in bytes, in the unit that leaves at most three digits. A number of one digit has
/// a decimal.
fn file_size(texts: Texts, bytes: u64) -> String {
    let (count, unit) = match bytes {
        0..1_000 => (bytes * 10, BYTES),
        1_000..1_000_000 => (bytes / 100, KILOBYTES),
        1_000_000..1_000_000_000 => (bytes / 100_000, MEGABYTES),
        _ => (bytes / 100_000_000, GIGABYTES),
    };
    let count = if count < 100 { count } else { count / 10 * 10 };
    let count = format_tenths(texts, i64::try_from(count).unwrap_or(i64::MAX), false);
    texts.fill(unit, &[("count", &count)])
}
