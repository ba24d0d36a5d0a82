//! Generates requests and messages of the host page from bytes.

use assent_protocol::ContentItem;

use crate::{Input, PageRequest, RequestId};

use super::sequence::SequenceCheck;

impl SequenceCheck<'_> {
    /// Generates a request of the host page with a new identifier.
    pub(super) fn any_page_request(&mut self) -> Input {
        let id = RequestId(u32::try_from(self.bytes.len()).unwrap_or_default());
        let request = match self.next_byte() % 9 {
            0 => PageRequest::NewThread,
            1 => PageRequest::OpenThread(self.any_thread()),
            2 | 3 => PageRequest::RenameThread(self.any_thread(), self.any_text()),
            4 => PageRequest::DeleteThread(self.any_thread()),
            5 => PageRequest::Forget,
            _ => PageRequest::Send(self.any_content()),
        };
        Input::Request(id, request)
    }

    pub(super) fn any_content(&mut self) -> Vec<ContentItem> {
        let file = ContentItem::Document("f".to_owned());
        let text = ContentItem::Text(self.any_text());
        match self.next_byte() % 4 {
            0 => vec![text, file],
            1 => vec![file],
            _ => vec![text],
        }
    }
}
