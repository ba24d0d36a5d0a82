//! Images that tools made: kept for the reader, given to a model that sees images, and what the model
//! is told of those that are left out.

use assent_protocol::ToolImage;

use crate::{
    Result,
    agents::agent::Journal,
    error::format_size,
    transcript::{Call, ImageKeeping, Item},
};

/// The images of a call's result that are kept as files of the user.
pub(super) struct MadeImages {
    /// The ids of the images that are kept.
    pub(super) ids: Vec<String>,
    /// Lines for the model about the images that are not kept; empty if there are none.
    pub(super) left_out: String,
}

impl MadeImages {
    /// Keeps the images of a result, as far as there is room for them. Where the model sees images,
    /// they become an entry of the transcript.
    pub(super) async fn keep(
        call: &Call,
        images: Vec<Vec<u8>>,
        model_sees_images: bool,
        journal: &dyn Journal,
    ) -> Result<Self> {
        let count = images.len();
        let mut made = Self {
            ids: Vec::new(),
            left_out: String::new(),
        };
        for (at, bytes) in images.into_iter().enumerate() {
            let why = match journal.keep_image(&call.tool, bytes).await? {
                ImageKeeping::Kept(id) => {
                    made.ids.push(id);
                    continue;
                }
                ImageKeeping::NoImage => "it is no PNG, JPEG, GIF or WebP".to_owned(),
                ImageKeeping::TooLarge(limit) => {
                    format!("it is larger than {}", format_size(limit))
                }
                ImageKeeping::NoRoom => "the user's files have no room for it".to_owned(),
            };
            let line = format!("\n(Image {} of {count} was left out: {why}.)", at + 1);
            made.left_out.push_str(&line);
        }
        if !made.ids.is_empty() && model_sees_images {
            let item = Item::Images {
                call: call.id.clone(),
                images: made.ids.clone(),
            };
            journal.append(&[item], &[]).await?;
        }
        Ok(made)
    }

    /// Returns the images as the reader's page is told of them; `tool` is the tool that made them.
    pub(super) fn to_tool_images(&self, tool: &str) -> Vec<ToolImage> {
        let told = |id: &String| ToolImage {
            image_id: id.clone(),
            tool: tool.to_owned(),
        };
        self.ids.iter().map(told).collect()
    }
}
