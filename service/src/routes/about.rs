//! Extensions that need no key: whether the service is up, and its interface description.

use axum::{Json, response::IntoResponse};
use serde_json::json;

use crate::openapi;

/// Up, and able to answer.
pub(super) async fn health() -> impl IntoResponse {
    Json(json!({ "status": "ok" }))
}

/// The OpenAPI document.
pub(super) async fn openapi() -> impl IntoResponse {
    Json(openapi::document())
}
