//! Images among the files of users, read a piece at a time for the user who looks at them.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _},
    path::Path,
};

use futures_util::{Stream, stream};

use super::Store;
use crate::{Error, Result, documents::media::image_type};

/// The number of bytes that are read at once.
const PIECE: u64 = 64 * 1024;

const NO_IMAGE: Error = Error::NotFound("The user has no such image.");

/// An image that is about to be read.
#[derive(Debug)]
pub struct ImageFile {
    /// The image's media type, by its first bytes.
    pub media_type: &'static str,
    /// The image's length in bytes.
    pub size: u64,
    file: File,
}

impl ImageFile {
    /// Returns the image's bytes, a piece at a time.
    pub fn pieces(self) -> impl Stream<Item = io::Result<Vec<u8>>> + Send + 'static {
        stream::try_unfold(self.file, |mut file| async {
            let read = tokio::task::spawn_blocking(move || {
                let mut piece = Vec::new();
                (&mut file).take(PIECE).read_to_end(&mut piece)?;
                Ok::<_, io::Error>((piece, file))
            });
            let (piece, file) = read.await.map_err(io::Error::other)??;
            Ok((!piece.is_empty()).then_some((piece, file)))
        })
    }
}

impl Store {
    /// Opens a file of `user` that is an image by its first bytes, whatever it was declared as.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if the user has no such file, or it is no image; [`Error::Database`].
    pub async fn open_image(&self, user: &str, id: &str) -> Result<ImageFile> {
        if !self.owns_upload(user, id).await? {
            return Err(NO_IMAGE);
        }
        let path = self.uploads.join(id);
        tokio::task::spawn_blocking(move || open(&path).ok().flatten())
            .await
            .map_err(|_| Error::Panicked)?
            .ok_or(NO_IMAGE)
    }
}

/// Opens a file; `None` if it is no image.
fn open(path: &Path) -> io::Result<Option<ImageFile>> {
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    (&mut file).take(PIECE).read_to_end(&mut head)?;
    file.rewind()?;
    let size = file.metadata()?.len();
    Ok(image_type(&head).map(|media_type| ImageFile {
        media_type,
        size,
        file,
    }))
}
