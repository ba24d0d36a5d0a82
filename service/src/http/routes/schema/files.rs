//! Files: uploads, and what stored messages tell about theirs.

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, schema::Type},
};

/// The bytes of a file, at least one.
pub struct File;

impl PartialSchema for File {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
            .min_length(Some(1))
            .into()
    }
}

impl ToSchema for File {}

/// Extension: an image that a tool made.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ToolImage {
    /// The id of the file, which `GET /api/assistants/uploads/{id}` returns.
    pub image_id: String,
    /// The tool, as `server/tool`.
    pub tool: String,
}

/// The id of an uploaded file in a message: an image has one field, a document the other.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum Uploaded {
    #[schema(title = "UploadedDocument", rename_all = "camelCase")]
    Document { file_id: String },
    #[schema(title = "UploadedImage", rename_all = "camelCase")]
    Image { image_id: String },
}

/// An uploaded file in the list.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct Upload {
    pub id: String,
    pub name: String,
    pub media_type: String,
    /// In bytes.
    pub size: i64,
    pub stored_at: String,
}

/// Extension: a file of a stored message, with the field by which the message named it.
#[derive(ToSchema)]
#[serde(untagged)]
pub enum StoredFile {
    #[schema(title = "StoredDocument", rename_all = "camelCase")]
    Document {
        file_id: String,
        /// May be empty.
        name: String,
        media_type: String,
        /// In bytes.
        size: i64,
    },
    #[schema(title = "StoredImage", rename_all = "camelCase")]
    Image {
        image_id: String,
        /// May be empty.
        name: String,
        media_type: String,
        /// In bytes.
        size: i64,
    },
}
