//! Extensions that need no key: the checks whether the service lives, and whether it can store.

use assent_protocol::Failure;
use axum::{Json, extract::State, response::IntoResponse};
use serde_json::json;

use crate::{AppState, Error, Result};

/// Check that the service is up and its database can be read.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "checkHealth",
    tag = "about",
    responses(
        (status = 200, description = "It is."),
        (status = 500, description = "It is not.", body = Failure),
    ),
)]
pub(crate) async fn health(State(state): State<AppState>) -> Result<impl IntoResponse, Error> {
    state.store().ping().await?;
    Ok(Json(json!({ "status": "ok" })))
}

/// Check that what is posted can be stored.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "checkReadiness",
    tag = "about",
    responses(
        (status = 200, description = "It can."),
        (
            status = 503,
            description = "It cannot: the database cannot be written at the moment.",
            body = Failure,
        ),
    ),
)]
pub(crate) async fn ready(State(state): State<AppState>) -> Result<impl IntoResponse, Error> {
    if state.runs().unstored_count() > 0 {
        return Err(Error::NotReady);
    }
    state.store().check_writable().await?;
    Ok(Json(json!({ "status": "ok" })))
}
