//! Images that tools made: files of the thread's user, which go with the thread.

use super::{Store, named_uploads, uploads::UploadInfo};
use crate::{Error, Result, content::UserContent, media::image_type};

impl Store {
    /// Keeps an image that a tool made in a thread, as a file of the thread's user; returns its id,
    /// or `None` if it is no image or there is no room for it.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if the thread was deleted; [`Error::File`] or [`Error::Database`].
    pub async fn keep_image(
        &self,
        thread_id: &str,
        name: &str,
        bytes: Vec<u8>,
    ) -> Result<Option<String>> {
        let Some(media_type) = image_type(&bytes) else {
            return Ok(None);
        };
        let user: Option<String> = sqlx::query_scalar("SELECT user_id FROM threads WHERE id = $1")
            .bind(thread_id)
            .fetch_optional(&self.readers)
            .await?;
        let user = user.ok_or(Error::NotFound("This thread does not exist."))?;
        let info = UploadInfo {
            name: name.to_owned(),
            media_type: media_type.to_owned(),
        };
        match self.keep_bytes(&user, info, bytes).await {
            Ok(id) => {
                let content = UserContent {
                    images: vec![id.clone()],
                    ..UserContent::default()
                };
                let mut writing = self.write().await?;
                let named = named_uploads::name(&mut writing, thread_id, &content).await;
                writing.end(named).await?;
                Ok(Some(id))
            }
            Err(Error::NoRoom { .. }) => Ok(None),
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
