//! The files of the thread's user, as the store has them, for agents; documents are read as text.

use std::time::Duration;

use assent_characters::is_invisible;
use futures_util::future::BoxFuture;

use super::AnswerWriter;
use crate::{
    Result,
    agents::{Document, Files, UserFile},
    documents::{MAX_DOCUMENT_BYTES, UnreadableReason},
};

impl Files for AnswerWriter {
    fn read_file<'a>(
        &'a mut self,
        id: &'a str,
        max_bytes: u64,
    ) -> BoxFuture<'a, Result<Option<UserFile>>> {
        Box::pin(async move {
            let user = &self.run.thread.user_id;
            let found = self.store.read_upload(user, id, max_bytes).await?;
            Ok(found.map(|(info, content)| UserFile {
                name: info.name,
                media_type: info.media_type,
                content,
            }))
        })
    }

    fn read_document<'a>(&'a mut self, id: &'a str) -> BoxFuture<'a, Result<Option<Document>>> {
        Box::pin(async move {
            let user = &self.run.thread.user_id;
            let found = self.store.read_upload(user, id, MAX_DOCUMENT_BYTES);
            let Some((info, content)) = found.await? else {
                return Ok(None);
            };
            let (text, waited) = match content {
                Some(bytes) => {
                    let kind = &info.media_type;
                    let read = self.documents.read(bytes, kind, &info.name, user);
                    read.await?
                }
                None => (Err(UnreadableReason::TooLarge), Duration::ZERO),
            };
            // The user cannot see what is left out, nor anybody whom the agent tells the name.
            let visible = info.name.chars().filter(|letter| !is_invisible(*letter));
            let name = visible.collect();
            Ok(Some(Document { name, text, waited }))
        })
    }
}
