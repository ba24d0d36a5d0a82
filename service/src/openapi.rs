//! The interface description (OpenAPI 3.1), generated from code.

use utoipa::{OpenApi, openapi};

#[derive(OpenApi)]
struct Document;

/// The document that is served at `/openapi.json`.
#[must_use]
pub fn document() -> openapi::OpenApi {
    Document::openapi()
}
