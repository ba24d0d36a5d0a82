//! An extension: files are sent here before a message names them, and removed here.

use assent_protocol::Failure;
use axum::{
    Json,
    extract::{Query, Request, State, rejection::QueryRejection},
    http::{StatusCode, header},
};
use serde::{Deserialize, Serialize};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, schema::Type},
};

use super::{
    auth::Caller,
    extract::{BodyPieces, PathParameter, declared_length},
};
use crate::{
    AppState, Error, Result,
    documents::media::image_type,
    store::{IncomingFile, UploadInfo},
};

/// Maximum length of a file name, in characters; longer names are cut.
const MAX_NAME_LENGTH: usize = 255;

/// Maximum length of a media type, in bytes; a longer one counts as none.
const MAX_TYPE_LENGTH: usize = 100;

/// The number of first bytes of a file that tell its type.
const HEAD_BYTES: usize = 12;

const UNKNOWN_TYPE: &str = "application/octet-stream";

#[derive(Deserialize)]
pub(crate) struct UploadName {
    #[serde(default)]
    name: String,
}

/// The schema of a body that is a file: bytes, at least one.
pub(crate) enum File {}

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

/// The id of an uploaded file in a message: an image has one field, a document the other.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum Uploaded {
    #[serde(rename_all = "camelCase")]
    #[schema(title = "UploadedDocument")]
    Document { file_id: String },
    #[serde(rename_all = "camelCase")]
    #[schema(title = "UploadedImage")]
    Image { image_id: String },
}

/// Extension, not part of the specification: store a file, and return its id for a message.
#[utoipa::path(
    post,
    path = "/api/assistants/uploads",
    operation_id = "uploadFile",
    tag = "uploads",
    params((
        "name" = Option<String>,
        Query,
        description = "The file's name; it is kept for people and is never a path.",
    )),
    request_body(
        content = File,
        content_type = "application/octet-stream",
        description = "The file itself. Any content type is taken.",
    ),
    responses(
        Caller,
        (
            status = 201,
            description = "It is kept. PNG, JPEG, GIF and WebP by their first bytes are images, \
                           all else is a document.",
            body = Uploaded,
            links(
                // An image has the field `imageId` instead.
                ("removeUpload" = (
                    operation_id = "removeUpload",
                    parameters(("id" = "$response.body#/fileId")),
                )),
            ),
        ),
        (
            status = 400,
            description = "The file is empty, or could not be read to its end.",
            body = Failure,
        ),
        (status = 408, description = "The body was not sent in time.", body = Failure),
        (
            status = 413,
            description = "The file is too long, or the user's files take too much already.",
            body = Failure,
        ),
        (
            status = 503,
            description = "Files cannot be stored at the moment, or the issuer of the tokens \
                           cannot be reached.",
            body = Failure,
        ),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn upload(
    State(state): State<AppState>,
    caller: Caller,
    query: Result<Query<UploadName>, QueryRejection>,
    request: Request,
) -> Result<(StatusCode, Json<Uploaded>)> {
    let Query(UploadName { name }) =
        query.map_err(|_| Error::BadRequest("The address names the file twice.".to_owned()))?;
    let (parts, body) = request.into_parts();
    let settings = state.settings();
    let pieces = BodyPieces::new(
        "file",
        &parts.headers,
        body,
        settings.upload_limit,
        &settings.connections,
    )?;
    let length = declared_length(&parts.headers).and_then(|length| u64::try_from(length).ok());
    let mut file = state.store().begin_upload(&caller.user_id, length).await?;
    let head = receive(pieces, &mut file).await?;
    let image = image_type(&head);
    let declared = parts.headers.get(header::CONTENT_TYPE);
    let declared = declared.and_then(|value| value.to_str().ok());
    let declared = declared.filter(|value| value.len() <= MAX_TYPE_LENGTH);
    let name = name.chars().filter(|letter| !letter.is_control());
    let info = UploadInfo {
        name: name.take(MAX_NAME_LENGTH).collect(),
        media_type: image.or(declared).unwrap_or(UNKNOWN_TYPE).to_owned(),
    };
    // A task of its own: a client that goes away now must not leave a file without its row, or the
    // other way round.
    let keeping = tokio::spawn(async move {
        let store = state.store();
        store.keep_upload(&caller.user_id, file, info).await
    });
    let id = keeping.await.map_err(|_| Error::Panicked)??;
    let uploaded = if image.is_some() {
        Uploaded::Image { image_id: id }
    } else {
        Uploaded::Document { file_id: id }
    };
    Ok((StatusCode::CREATED, Json(uploaded)))
}

/// An uploaded file in the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Upload)]
pub(crate) struct ListedUpload {
    id: String,
    name: String,
    media_type: String,
    /// In bytes.
    size: i64,
    stored_at: String,
}

/// Extension: list the user's files, the newest first.
#[utoipa::path(
    get,
    path = "/api/assistants/uploads",
    operation_id = "listUploads",
    tag = "uploads",
    responses(
        Caller,
        (status = 200, description = "All files.", body = Vec<ListedUpload>),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<Vec<ListedUpload>>> {
    let uploads = state.store().uploads(&caller.user_id).await?;
    let listed = uploads.into_iter().map(|upload| ListedUpload {
        id: upload.id,
        name: upload.name,
        media_type: upload.media_type,
        size: upload.size,
        stored_at: upload.stored_at,
    });
    Ok(Json(listed.collect()))
}

/// Extension: remove a file. Messages that name it stay as they are; later ones cannot name it.
#[utoipa::path(
    delete,
    path = "/api/assistants/uploads/{id}",
    operation_id = "removeUpload",
    tag = "uploads",
    params(("id" = String, Path, description = "The `fileId` or `imageId`.")),
    responses(
        Caller,
        (status = 204, description = "It is gone."),
        (status = 404, description = "The user has no such file.", body = Failure),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn remove(
    State(state): State<AppState>,
    caller: Caller,
    PathParameter(id): PathParameter,
) -> Result<StatusCode> {
    state.store().remove_upload(&caller.user_id, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Writes a body to `file` as it comes, and returns its first bytes, at most `HEAD_BYTES`. An empty
/// body is an error.
async fn receive(mut pieces: BodyPieces, file: &mut IncomingFile) -> Result<Vec<u8>> {
    let mut head = Vec::new();
    while let Some(piece) = pieces.next().await? {
        let missing = HEAD_BYTES.saturating_sub(head.len());
        head.extend(piece.iter().take(missing));
        file.write(piece).await?;
    }
    if head.is_empty() {
        return Err(Error::BadRequest("The file is empty.".to_owned()));
    }
    Ok(head)
}
