//! The files of users as bytes under their ids, in a folder or in a bucket. One interface stands for
//! both, and what only one of them does is in the file of its name; rows and rights are not known
//! here.

#[cfg(feature = "s3")]
mod bucket;
mod fault;
mod folder;
mod incoming;
mod place;

use std::sync::Arc;

use futures_util::{StreamExt as _, TryStreamExt as _, future, stream, stream::BoxStream};
use object_store::{GetResult, ObjectStore, ObjectStoreExt as _, path::Path};

#[cfg(feature = "s3")]
pub use bucket::Bucket;
pub(super) use incoming::Incoming;
pub use place::FilePlace;

use crate::{Error, Result};

/// The beginning of every id of this service's own uploads. Ids of other uploaders may be anything
/// else.
pub(super) const PREFIX: &str = "upload-";

/// The number of files that are removed at the same time.
const REMOVALS: usize = 8;

/// A file as the list of all files has it.
#[derive(Debug)]
pub(super) struct ListedFile {
    pub(super) id: String,
    /// The time at which it was written, in seconds since 1970.
    pub(super) written: i64,
}

/// The place of the files, ready for use. A clone shares its connections.
#[derive(Clone, Debug)]
pub(super) struct Files {
    place: FilePlace,
    /// What requests to a bucket go through. A folder needs nothing, and may come and go.
    #[cfg(feature = "s3")]
    bucket: Option<bucket::Client>,
}

impl Files {
    /// Makes what the place needs, and asks nobody yet.
    pub(super) fn new(place: FilePlace) -> Result<Self> {
        Ok(Self {
            #[cfg(feature = "s3")]
            bucket: match &place {
                FilePlace::Folder(_) => None,
                FilePlace::Bucket(bucket) => Some(bucket::Client::new(bucket)?),
            },
            place,
        })
    }

    /// Takes the files of a folder away from everybody but their owner; fails if a bucket cannot be
    /// read.
    pub(super) async fn prepare(&self) -> Result<()> {
        match &self.place {
            FilePlace::Folder(path) => folder::restrict(path.clone()).await,
            #[cfg(feature = "s3")]
            FilePlace::Bucket(_) => {
                let first = self.list().await?.next().await;
                first.transpose().map(|_| ())
            }
        }
    }

    /// Begins a file with a new id.
    pub(super) async fn begin(&self, id: &str) -> Result<Incoming> {
        match &self.place {
            FilePlace::Folder(path) => folder::make(path.clone()).await?,
            #[cfg(feature = "s3")]
            FilePlace::Bucket(_) => {}
        }
        let gone = || object_store::Error::NotFound {
            path: id.to_owned(),
            source: "the folder is gone".into(),
        };
        let objects = self.objects().await?;
        let objects = objects.ok_or_else(|| self.failure(&gone()))?;
        let path = self.path(id);
        let upload = match &self.place {
            FilePlace::Folder(folder) => {
                let upload = objects.put_multipart(&path).await;
                let upload = upload.map_err(|error| self.failure(&error))?;
                // It is empty yet.
                folder::restrict_unfinished(folder, id);
                Some(upload)
            }
            #[cfg(feature = "s3")]
            FilePlace::Bucket(_) => None,
        };
        Ok(Incoming::new(self.clone(), objects, path, upload))
    }

    /// Opens a file; `None` if there is none.
    pub(super) async fn open(&self, id: &str) -> Result<Option<GetResult>> {
        let Some(objects) = self.objects().await? else {
            return Ok(None);
        };
        self.found(objects.get(&self.path(id)).await)
    }

    /// Reads a whole file; `None` if there is none.
    pub(super) async fn read(&self, id: &str) -> Result<Option<Vec<u8>>> {
        let Some(opened) = self.open(id).await? else {
            return Ok(None);
        };
        let read = self.found(opened.bytes().await)?;
        Ok(read.map(Vec::from))
    }

    /// Returns true if there is a file with this id.
    pub(super) async fn has(&self, id: &str) -> Result<bool> {
        let Some(objects) = self.objects().await? else {
            return Ok(false);
        };
        let found = self.found(objects.head(&self.path(id)).await)?;
        Ok(found.is_some())
    }

    /// Removes files. One that stays is in the log, and without a row it is removed later.
    pub(super) async fn remove(&self, ids: &[String]) {
        let removals = stream::iter(ids).for_each_concurrent(REMOVALS, async |id| {
            if let Err(error) = self.remove_one(id).await {
                tracing::warn!(id, "a file that was deleted is not removed yet: {error}");
            }
        });
        removals.await;
    }

    async fn remove_one(&self, id: &str) -> Result<()> {
        let Some(objects) = self.objects().await? else {
            return Ok(());
        };
        self.found(objects.delete(&self.path(id)).await)?;
        Ok(())
    }

    /// Returns all files that have an id of this service. Those that are being received are no part
    /// of it.
    pub(super) async fn list(&self) -> Result<BoxStream<'static, Result<ListedFile>>> {
        let Some(objects) = self.objects().await? else {
            return Ok(stream::empty().boxed());
        };
        let prefix = self.prefix();
        let depth = prefix.parts_count() + 1;
        let files = self.clone();
        let listed = objects
            .list(Some(&prefix))
            .map_err(move |error| files.failure(&error));
        let listed = listed.try_filter_map(move |file| {
            // What is deeper is nothing of this service.
            let id = file.location.filename().map(str::to_owned);
            let id = id.filter(|id| id.starts_with(PREFIX) && file.location.parts_count() == depth);
            let written = file.last_modified.timestamp();
            future::ready(Ok(id.map(|id| ListedFile { id, written })))
        });
        Ok(listed.boxed())
    }

    /// Removes what was left of files that were being received, and that nobody writes any more.
    pub(super) async fn remove_unfinished(&self, before: i64) -> Result<()> {
        match &self.place {
            FilePlace::Folder(path) => folder::remove_unfinished(path.clone(), before).await,
            // Parts of a bucket are in no list: the bucket has a rule of its own for them.
            #[cfg(feature = "s3")]
            FilePlace::Bucket(_) => Ok(()),
        }
    }

    /// Returns what is asked for files; `None` if the folder is missing.
    async fn objects(&self) -> Result<Option<Arc<dyn ObjectStore>>> {
        match &self.place {
            FilePlace::Folder(path) => folder::objects(path.clone()).await,
            #[cfg(feature = "s3")]
            FilePlace::Bucket(_) => Ok(self.bucket.as_ref().map(bucket::Client::objects)),
        }
    }

    fn path(&self, id: &str) -> Path {
        self.prefix().join(id)
    }

    fn prefix(&self) -> Path {
        match &self.place {
            FilePlace::Folder(_) => Path::default(),
            #[cfg(feature = "s3")]
            FilePlace::Bucket(bucket) => bucket.prefix.clone(),
        }
    }

    /// Returns what was found; `None` if there is nothing.
    fn found<T>(&self, found: object_store::Result<T>) -> Result<Option<T>> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(error @ object_store::Error::NotFound { .. })
                if !fault::is_missing_bucket(&error) =>
            {
                Ok(None)
            }
            Err(error) => Err(self.failure(&error)),
        }
    }

    /// Returns the error for a failure of the place.
    pub(super) fn failure(&self, error: &object_store::Error) -> Error {
        Error::FileStore {
            place: self.place.to_string(),
            cause: fault::describe(error),
        }
    }
}
