//! Images among the files of users, read a piece at a time for the user who looks at them.

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream, stream::BoxStream};

use super::Store;
use crate::{Error, Result, documents::media::image_type};

/// The number of first bytes of a file that tell its type.
const HEAD_BYTES: usize = 12;

const NO_IMAGE: Error = Error::NotFound("The user has no such image.");

/// An image that is about to be read.
pub struct ImageFile {
    /// The image's media type, by its first bytes.
    pub media_type: &'static str,
    /// The image's length in bytes.
    pub size: u64,
    pieces: BoxStream<'static, object_store::Result<Bytes>>,
}

impl ImageFile {
    /// Returns the image's bytes, a piece at a time.
    pub fn pieces(self) -> impl Stream<Item = object_store::Result<Bytes>> + Send + 'static {
        self.pieces
    }
}

impl Store {
    /// Opens a file of `user` that is an image by its first bytes, whatever it was declared as.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if the user has no such file, or it is no image; [`Error::FileStore`] or
    /// [`Error::Database`].
    pub async fn open_image(&self, user: &str, id: &str) -> Result<ImageFile> {
        if !self.owns_upload(user, id).await? {
            return Err(NO_IMAGE);
        }
        let opened = self.files.open(id).await?.ok_or(NO_IMAGE)?;
        let size = opened.meta.size;
        let mut pieces = opened.into_stream();
        let mut first = Vec::new();
        let mut head = Vec::new();
        while head.len() < HEAD_BYTES
            && let Some(piece) = pieces.next().await
        {
            let piece = piece.map_err(|error| self.files.failure(&error))?;
            head.extend(piece.iter().take(HEAD_BYTES));
            first.push(Ok(piece));
        }
        Ok(ImageFile {
            media_type: image_type(&head).ok_or(NO_IMAGE)?,
            size,
            pieces: stream::iter(first).chain(pieces).boxed(),
        })
    }
}
