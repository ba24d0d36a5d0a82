//! An extension: images among the files of a user, for the page that shows them.

use assent_protocol::Failure;
use axum::{
    body::Body,
    extract::State,
    http::{HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};

use super::{auth::Caller, extract::PathParameter, uploads::File};
use crate::{AppState, Result};

/// The policy for an image that is opened by its address: a browser may do nothing but show it.
const IMAGE_PAGE_POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");

/// The header that keeps pages of other sites from showing an image by its address.
const SAME_ORIGIN: (HeaderName, HeaderValue) = (
    HeaderName::from_static("cross-origin-resource-policy"),
    HeaderValue::from_static("same-origin"),
);

/// Extension: read an image that the user sent or a tool made. Other files cannot be read.
#[utoipa::path(
    get,
    path = "/api/assistants/uploads/{id}",
    operation_id = "readImage",
    tag = "uploads",
    params(("id" = String, Path, description = "The `imageId`.")),
    responses(
        Caller,
        (
            status = 200,
            description = "The image; its type is told by its first bytes.",
            content(
                (File = "image/png"),
                (File = "image/jpeg"),
                (File = "image/gif"),
                (File = "image/webp"),
            ),
        ),
        (
            status = 404,
            description = "The user has no such file, or it is no PNG, JPEG, GIF or WebP.",
            body = Failure,
        ),
        (
            status = 503,
            description = "Files cannot be read at the moment, or the issuer of the tokens cannot \
                           be reached.",
            body = Failure,
        ),
    ),
    security(("apiKey" = [], "userId" = [])),
)]
pub(crate) async fn read(
    State(state): State<AppState>,
    caller: Caller,
    PathParameter(id): PathParameter,
) -> Result<Response> {
    let image = state.store().open_image(&caller.user_id, &id).await?;
    let headers = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(image.media_type),
        ),
        (header::CONTENT_LENGTH, HeaderValue::from(image.size)),
        (header::CONTENT_SECURITY_POLICY, IMAGE_PAGE_POLICY),
        SAME_ORIGIN,
    ];
    Ok((headers, Body::from_stream(image.pieces())).into_response())
}
