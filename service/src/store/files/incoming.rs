//! A file on its way to its place.

use std::{mem, sync::Arc};

use object_store::{
    MultipartUpload, ObjectStore, ObjectStoreExt as _, PutPayload, PutPayloadMut, path::Path,
};
use tokio::runtime::Handle;

use super::Files;
use crate::Result;

/// The length of the parts of a file that a bucket is sent: the least that S3 takes, so that little
/// of a file is in memory. Cloudflare R2 wants all parts but the last one to be equally long.
const PART: usize = 5 * 1024 * 1024;

/// A file that is being received. Nobody can read it before it is complete, and it is removed when
/// this is dropped, unless it is kept.
#[derive(Debug)]
pub(in crate::store) struct Incoming {
    files: Files,
    objects: Arc<dyn ObjectStore>,
    path: Path,
    /// The parts that are there already; `None` as long as there are none.
    upload: Option<Box<dyn MultipartUpload>>,
    /// The bytes that wait until they are a part.
    waiting: PutPayloadMut,
    /// The length of a part; `None` if each piece is one.
    part: Option<usize>,
    /// True once the place may have the file, even if it said that it has not.
    may_be_there: bool,
    is_kept: bool,
}

impl Incoming {
    /// Begins a file. With an `upload` each piece is sent as it comes, and otherwise with the first
    /// whole part, or at the end.
    pub(super) fn new(
        files: Files,
        objects: Arc<dyn ObjectStore>,
        path: Path,
        upload: Option<Box<dyn MultipartUpload>>,
    ) -> Self {
        Self {
            files,
            objects,
            path,
            part: upload.is_none().then_some(PART),
            upload,
            waiting: PutPayloadMut::new(),
            may_be_there: false,
            is_kept: false,
        }
    }

    /// Writes the next bytes of the file.
    pub(in crate::store) async fn write(&mut self, payload: PutPayload) -> Result<()> {
        let Some(length) = self.part else {
            return self.send(payload).await;
        };
        for mut bytes in payload {
            while !bytes.is_empty() {
                let room = length.saturating_sub(self.waiting.content_length());
                let piece = bytes.split_to(room.min(bytes.len()));
                // Copied: a piece would keep the whole buffer that it came in.
                self.waiting.extend_from_slice(&piece);
                if self.waiting.content_length() >= length {
                    let part = mem::take(&mut self.waiting).freeze();
                    self.send(part).await?;
                }
            }
        }
        Ok(())
    }

    /// Sends a part.
    async fn send(&mut self, part: PutPayload) -> Result<()> {
        let upload = match &mut self.upload {
            Some(upload) => upload,
            None => {
                let upload = self.objects.put_multipart(&self.path).await;
                let upload = upload.map_err(|error| self.files.failure(&error))?;
                self.upload.insert(upload)
            }
        };
        let sent = upload.put_part(part).await;
        sent.map_err(|error| self.files.failure(&error))
    }

    /// Waits until the whole file is at its place, to be found by its id.
    pub(in crate::store) async fn complete(&mut self) -> Result<()> {
        let rest = mem::take(&mut self.waiting).freeze();
        if self.upload.is_some() && rest.content_length() > 0 {
            self.send(rest.clone()).await?;
        }
        self.may_be_there = true;
        let completed = match &mut self.upload {
            Some(upload) => upload.complete().await,
            None => self.objects.put(&self.path, rest).await,
        };
        completed.map_err(|error| self.files.failure(&error))?;
        // Its parts are one file, and nothing is left to be given up.
        self.upload = None;
        Ok(())
    }

    /// Lets the file stay when this is dropped.
    pub(in crate::store) fn keep(&mut self) {
        self.is_kept = true;
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        let Ok(runtime) = Handle::try_current() else {
            return;
        };
        let (files, objects, path) = (self.files.clone(), self.objects.clone(), self.path.clone());
        let (upload, may_be_there) = (self.upload.take(), self.may_be_there);
        runtime.spawn(async move {
            let place = path.filename().unwrap_or_default().to_owned();
            if let Some(mut upload) = upload {
                // Parts of a file that never comes to its end cost money.
                if let Err(error) = upload.abort().await {
                    let error = files.failure(&error);
                    tracing::warn!(id = place, "parts of a file may stay: {error}");
                }
            }
            if may_be_there && let Err(error) = files.found(objects.delete(&path).await) {
                tracing::warn!(id = place, "a file that was not taken stays: {error}");
            }
        });
    }
}
