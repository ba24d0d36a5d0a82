//! Extension: the images of tools' results, which the service keeps as files of the user.

use crate::wire_type::wire_type;

wire_type! {
    /// Extension: an image that a tool made.
    pub struct ToolImage {
        /// The identifier of the image's file, which `GET /api/assistants/uploads/{id}` returns.
        pub image_id: String = "imageId" required,
        /// The tool that made the image, as `server/tool`.
        pub tool: String = "tool",
    }
}
