//! An extension that needs no key: the health check.

use axum::{Json, extract::State, response::IntoResponse};
use serde_json::json;

use super::schema;
use crate::{AppState, Error, Result};

/// Check that the service is up and its database answers.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "about",
    responses(
        (status = 200, description = "It is."),
        (status = 500, description = "It is not.", body = schema::Error),
    ),
)]
pub(crate) async fn health(State(state): State<AppState>) -> Result<impl IntoResponse, Error> {
    state.store().ping().await?;
    Ok(Json(json!({ "status": "ok" })))
}
