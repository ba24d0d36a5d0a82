//! Images that tools made: files of the thread's user, which the answer names and which are deleted
//! with the thread.

use std::collections::HashMap;

use assent_protocol::ToolImage;
use sqlx::FromRow;

use super::{
    OwnedRun, Store, ThreadKey, Transaction,
    database::{query, query_as, query_scalar},
    named_uploads, replicas, threads,
    uploads::UploadInfo,
};
use crate::{
    Error, Result, documents::media::image_type, rules::content::UserContent,
    transcript::ImageKeeping,
};

impl Store {
    /// Keeps an image that a tool (`server/tool`) made in a thread, as a file of the thread's user.
    /// The next part of the answer that is stored names the image.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if the thread was deleted; [`Error::TakenOver`] if the answer is another
    /// replica's; [`Error::File`] or [`Error::Database`].
    pub async fn keep_image(
        &self,
        run: &OwnedRun,
        tool: &str,
        bytes: Vec<u8>,
    ) -> Result<ImageKeeping> {
        let Some(media_type) = image_type(&bytes) else {
            return Ok(ImageKeeping::NoImage);
        };
        let thread = &run.thread;
        if !threads::exists(&self.readers, thread).await? {
            return Err(threads::NO_THREAD);
        }
        let info = UploadInfo {
            name: tool.replace('/', " "),
            media_type: media_type.to_owned(),
        };
        match self.keep_bytes(&thread.user_id, info, bytes).await {
            Ok(id) => {
                self.write_by_thread(|writing| Box::pin(record_image(writing, run, &id, tool)))
                    .await?;
                Ok(ImageKeeping::Kept(id))
            }
            Err(Error::NoRoom { .. }) => Ok(ImageKeeping::NoRoom),
            Err(error) => Err(error),
        }
    }

    async fn keep_bytes(&self, user: &str, info: UploadInfo, bytes: Vec<u8>) -> Result<String> {
        let length = u64::try_from(bytes.len()).ok();
        let mut file = self.begin_upload(user, length).await?;
        file.write(bytes).await?;
        self.keep_upload(user, file, info).await
    }
}

async fn record_image(
    writing: &mut Transaction<'_>,
    run: &OwnedRun,
    id: &str,
    tool: &str,
) -> Result<()> {
    replicas::hold(writing, run).await?;
    let thread = &run.thread;
    let content = UserContent {
        images: vec![id.to_owned()],
        ..UserContent::default()
    };
    named_uploads::name_files(writing, thread, &content).await?;
    // The thread, or the file, may be gone by now.
    query(
        "INSERT INTO tool_images (user_id, thread_id, ordinal, upload_id, tool) \
         SELECT $1, $2, COALESCE((SELECT MAX(ordinal) FROM tool_images \
         WHERE user_id = $1 AND thread_id = $2), 0) + 1, u.id, $4 \
         FROM threads t JOIN uploads u ON u.user_id = t.user_id \
         WHERE t.user_id = $1 AND t.id = $2 AND u.id = $3",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(id)
    .bind(tool)
    .execute(writing)
    .await?;
    Ok(())
}

/// Returns true if a thread has images that no part of an answer names yet.
pub(super) async fn has_waiting_images(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
) -> Result<bool> {
    let wait = query_scalar(
        "SELECT EXISTS (SELECT 1 FROM tool_images \
         WHERE user_id = $1 AND thread_id = $2 AND message_id IS NULL)",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .fetch_one(reading)
    .await?;
    Ok(wait)
}

/// Lets a message of an agent name the images of its thread that no message names yet.
pub(super) async fn attach(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    message_id: &str,
) -> Result<()> {
    query(
        "UPDATE tool_images SET message_id = $3 \
         WHERE user_id = $1 AND thread_id = $2 AND message_id IS NULL",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(message_id)
    .execute(writing)
    .await?;
    Ok(())
}

#[derive(FromRow)]
struct ImageRow {
    message_id: String,
    upload_id: String,
    tool: String,
}

/// Returns the images of those messages of a thread whose numbers are above `after`, up to `last`,
/// by the ids of the messages. Images that were removed are left out.
pub(super) async fn images_of_messages(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
    after: i64,
    last: i64,
) -> Result<HashMap<String, Vec<ToolImage>>> {
    let named: Vec<ImageRow> = query_as(
        "SELECT i.message_id, i.upload_id, i.tool \
         FROM messages m JOIN tool_images i ON i.user_id = m.user_id \
         AND i.thread_id = m.thread_id AND i.message_id = m.id \
         WHERE m.user_id = $1 AND m.thread_id = $2 AND m.ordinal > $3 AND m.ordinal <= $4 \
         ORDER BY i.ordinal",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(after)
    .bind(last)
    .fetch_all(reading)
    .await?;
    let mut images: HashMap<String, Vec<ToolImage>> = HashMap::new();
    for row in named {
        images.entry(row.message_id).or_default().push(ToolImage {
            image_id: row.upload_id,
            tool: row.tool,
        });
    }
    Ok(images)
}
