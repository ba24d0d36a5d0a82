//! Files and text of a message that is to be sent, and the file of an upload, which may be in a
//! draft, in the queue or in feedback by now.

use assent_protocol::ContentItem;

use crate::key::KeyCounter;
use crate::{Attachment, AttachmentState, BatchPhase, Conversation, FileRef, MessageKey, UploadId};

/// Splits the content of a message into its text and its files. Returns `None` if there is nothing
/// to send, or if an item of `content` cannot be in a message.
pub(crate) fn split_content(
    content: Vec<ContentItem>,
    keys: &mut KeyCounter,
) -> Option<(String, Vec<Attachment>)> {
    let (mut texts, mut files) = (Vec::new(), Vec::new());
    for item in content {
        let file = match item {
            ContentItem::Text(text) => {
                texts.push(text);
                continue;
            }
            ContentItem::Document(id) => FileRef::Document(id),
            ContentItem::Image(id) => FileRef::Image(id),
            ContentItem::ToolApprovalResult(_) => return None,
        };
        files.push(Attachment::from_page(keys.next_upload(), file));
    }
    let text = texts.join("\n\n").trim().to_owned();
    let is_something = !text.is_empty() || !files.is_empty();
    is_something.then_some((text, files))
}

/// Returns the file of this upload, while that is under way. A file of feedback comes with the
/// message that has the batch; `None` there: the file is in the draft or in the queue.
pub(crate) fn uploading_file(
    conversation: &mut Conversation,
    upload: UploadId,
) -> Option<(Option<MessageKey>, &mut Attachment)> {
    let queued = conversation.queued.iter_mut().flat_map(|it| &mut it.files);
    let is_it = |file: &&mut Attachment| {
        file.upload == upload && matches!(file.state, AttachmentState::Uploading(_))
    };
    let mut draft = conversation.files.iter_mut().chain(queued);
    if let Some(file) = draft.find(is_it) {
        return Some((None, file));
    }
    for message in &mut conversation.messages {
        for batch in &mut message.approvals {
            let typed = match &mut batch.phase {
                BatchPhase::Deciding {
                    feedback: Some(feedback),
                    ..
                } => feedback.files.as_mut_slice(),
                _ => &mut [],
            };
            let mut files = batch.draft.files.iter_mut().chain(typed);
            if let Some(file) = files.find(is_it) {
                return Some((Some(message.key), file));
            }
        }
    }
    None
}
