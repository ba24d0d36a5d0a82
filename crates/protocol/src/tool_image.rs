//! Extension: the images of tools' results, which the service keeps as files of the user.

use crate::wire_type::wire_type;

wire_type! {
    /// Extension: an image that a tool made.
    pub struct ToolImage {
        /// The id under which the service gives it to its user.
        pub image_id: String = "imageId" required,
        /// The tool, as `server/tool`.
        pub tool: String = "tool",
    }
}
