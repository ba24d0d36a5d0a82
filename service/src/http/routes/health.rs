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

/// Check that the process answers at all; the database may be away.
#[utoipa::path(
    get,
    path = "/livez",
    operation_id = "checkLife",
    tag = "about",
    responses((status = 200, description = "It does.")),
)]
pub(crate) async fn live() -> impl IntoResponse {
    Json(json!({ "status": "ok" }))
}

/// Check that what is posted can be stored, and that the service is not about to stop.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "checkReadiness",
    tag = "about",
    responses(
        (status = 200, description = "It can."),
        (
            status = 503,
            description = "It cannot: the database cannot be written at the moment, or the service \
                           is about to stop.",
            body = Failure,
        ),
    ),
)]
pub(crate) async fn ready(State(state): State<AppState>) -> Result<impl IntoResponse, Error> {
    if state.health().is_draining() {
        return Err(Error::Draining);
    }
    if state.health().lease_is_over(state.settings().lease) || state.runs().unstored_count() > 0 {
        return Err(Error::NotReady);
    }
    state.store().check_writable().await?;
    Ok(Json(json!({ "status": "ok" })))
}
