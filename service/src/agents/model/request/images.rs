//! The images of a conversation, as a model is given them: small enough, and of a known type.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::{Result, agents::agent::Files, documents::media::image_type, transcript::Transcript};

/// Longest image that a model is given, in bytes.
const MAX_IMAGE_BYTES: u64 = 5 * 1024 * 1024;

/// Most images that a model is given: the latest ones.
const MAX_IMAGES: usize = 8;

/// Images of all answers of this process together that are in memory at the same time: 5 MiB each at
/// most, which are there about three times while a request is sent.
const MAX_IMAGES_IN_MEMORY: usize = 48;

/// The words in the place of an image that is not one of the latest.
const EARLIER_IMAGE_TEXT: &str = "an earlier image";

/// One permit for each image that may be in memory, for all answers of this process together.
static IMAGE_PERMITS: Semaphore = Semaphore::const_new(MAX_IMAGES_IN_MEMORY);

/// The images of a transcript by their ids.
pub(in crate::agents::model) type Images = BTreeMap<String, Image>;

/// The images of a transcript in memory, and the permits by which they may be there.
#[derive(Debug, Default)]
pub(in crate::agents::model) struct LoadedImages {
    pub(in crate::agents::model) images: Images,
    _room: Option<SemaphorePermit<'static>>,
}

/// Reads the images of a transcript once there is room for them. They are not kept while tools run,
/// which may take long.
pub(in crate::agents::model) async fn load_with_permits(
    transcript: &Transcript,
    files: &mut dyn Files,
) -> Result<LoadedImages> {
    let count = transcript.images().take(MAX_IMAGES).count();
    if count == 0 {
        return Ok(LoadedImages::default());
    }
    // `IMAGE_PERMITS` is never closed.
    let room = IMAGE_PERMITS.acquire_many(u32::try_from(count).unwrap_or(u32::MAX));
    let room = room.await.ok();
    Ok(LoadedImages {
        images: load(transcript, files).await?,
        _room: room,
    })
}

/// Returns the images of a transcript without their bytes, to measure how long a request is.
pub(in crate::agents::model) fn images_without_bytes(transcript: &Transcript) -> Images {
    let mut images = Images::new();
    for id in transcript.images() {
        let image = if images.len() < MAX_IMAGES {
            Image::Data(String::new())
        } else {
            Image::Missing(EARLIER_IMAGE_TEXT.to_owned())
        };
        images.entry(id.to_owned()).or_insert(image);
    }
    images
}

/// An image of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::agents::model) enum Image {
    /// The bytes of the image, as an address with the scheme `data`.
    Data(String),
    /// The reason why the image is not there: half a sentence, which the model reads instead.
    Missing(String),
}

/// Reads the images of a transcript. Only files of this service are read: an address of somebody
/// else's is never asked, neither by the service nor by the model's server.
async fn load(transcript: &Transcript, files: &mut dyn Files) -> Result<Images> {
    let mut images = Images::new();
    for id in transcript.images() {
        if images.contains_key(id) {
            continue;
        }
        let image = if images.len() < MAX_IMAGES {
            read(id, files).await?
        } else {
            Image::Missing(EARLIER_IMAGE_TEXT.to_owned())
        };
        images.insert(id.to_owned(), image);
    }
    Ok(images)
}

async fn read(id: &str, files: &mut dyn Files) -> Result<Image> {
    let Some(file) = files.read_file(id, MAX_IMAGE_BYTES).await? else {
        return Ok(Image::Missing("an image that cannot be shown".to_owned()));
    };
    Ok(match file.content.as_deref() {
        None => Image::Missing("an image that is too large to be shown".to_owned()),
        Some(bytes) => data_url(bytes),
    })
}

/// Returns an image as an address with the scheme `data`; its type is read from its bytes, whatever
/// its sender called it.
fn data_url(bytes: &[u8]) -> Image {
    match image_type(bytes) {
        Some(kind) => Image::Data(format!("data:{kind};base64,{}", STANDARD.encode(bytes))),
        None => Image::Missing("a file that is no PNG, JPEG, GIF or WebP".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt as _, future::BoxFuture};

    use super::{
        Image, MAX_IMAGE_BYTES, MAX_IMAGES, MAX_IMAGES_IN_MEMORY, load, load_with_permits,
    };
    use crate::{
        Result,
        agents::agent::{Document, Files, UserFile},
        transcript::{Item, Transcript},
    };

    struct Folder;

    impl Files for Folder {
        fn read_file<'a>(
            &'a mut self,
            id: &'a str,
            max_bytes: u64,
        ) -> BoxFuture<'a, Result<Option<UserFile>>> {
            assert_eq!(max_bytes, MAX_IMAGE_BYTES);
            let content = match id {
                "png" => Some(b"\x89PNG\r\n\x1a\nrest".to_vec()),
                "page" => Some(b"<html>".to_vec()),
                "large" => None,
                _ => return Box::pin(async { Ok(None) }),
            };
            let file = UserFile {
                name: "a.png".to_owned(),
                media_type: "image/png".to_owned(),
                content,
            };
            Box::pin(async move { Ok(Some(file)) })
        }

        fn read_document<'a>(&'a mut self, _: &'a str) -> BoxFuture<'a, Result<Option<Document>>> {
            Box::pin(async { Ok(None) })
        }
    }

    fn said(images: &[&str]) -> Transcript {
        let user = Item::User {
            text: "Look.".to_owned(),
            images: images.iter().map(|id| (*id).to_owned()).collect(),
            documents: Vec::new(),
        };
        Transcript {
            items: vec![user],
            ..Transcript::default()
        }
    }

    #[tokio::test]
    async fn an_image_is_known_by_its_bytes_and_everything_else_is_named() {
        let ids = ["png", "page", "large", "https://example.com/a.png"];
        let images = load(&said(&ids), &mut Folder).await.unwrap();
        let data = "data:image/png;base64,iVBORw0KGgpyZXN0".to_owned();
        assert_eq!(images.get("png"), Some(&Image::Data(data)));
        for (id, why) in [
            ("page", "a file that is no PNG, JPEG, GIF or WebP"),
            ("large", "an image that is too large to be shown"),
            ("https://example.com/a.png", "an image that cannot be shown"),
        ] {
            assert_eq!(images.get(id), Some(&Image::Missing(why.to_owned())));
        }
    }

    #[tokio::test]
    async fn images_wait_until_there_is_room_for_them() {
        let eight = said(&["png"; MAX_IMAGES]);
        let mut held = Vec::new();
        for _ in 0..MAX_IMAGES_IN_MEMORY / MAX_IMAGES {
            held.push(load_with_permits(&eight, &mut Folder).await.unwrap());
        }
        let mut folder = Folder;
        let mut waiting = Box::pin(load_with_permits(&eight, &mut folder));
        assert!(waiting.as_mut().now_or_never().is_none());
        // Who has none waits for nobody.
        let none = load_with_permits(&said(&[]), &mut Folder).now_or_never();
        assert!(none.is_some());
        held.pop();
        assert_eq!(waiting.await.unwrap().images.len(), 1);
    }

    #[tokio::test]
    async fn the_latest_images_are_given() {
        let ids: Vec<String> = (0..=MAX_IMAGES).map(|n| format!("no-{n}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let images = load(&said(&ids), &mut Folder).await.unwrap();
        let earlier = Image::Missing("an earlier image".to_owned());
        assert_eq!(images.get("no-0"), Some(&earlier));
        assert_ne!(images.get("no-1"), Some(&earlier));
    }
}
