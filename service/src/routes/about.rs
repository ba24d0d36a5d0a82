//! Extensions that need no key: whether the service is up, and its interface description.

use axum::{Json, extract::State, response::IntoResponse};
use serde_json::json;

use crate::{AppState, Error, Result, openapi};

/// Whether the service is up and its database answers.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "about",
    responses(
        (status = 200, description = "It is."),
        (status = 500, description = "It is not.", body = openapi::schema::Error),
    ),
)]
pub(crate) async fn health(State(state): State<AppState>) -> Result<impl IntoResponse, Error> {
    state.store().ping().await?;
    Ok(Json(json!({ "status": "ok" })))
}

/// This description.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "about",
    responses((status = 200, description = "An OpenAPI 3.1 document.")),
)]
pub(crate) async fn openapi(State(state): State<AppState>) -> impl IntoResponse {
    Json(openapi::document(state.settings()))
}
