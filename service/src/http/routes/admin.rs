//! Answers on the operator's listener: its metrics, which no other has, and the checks whether the
//! service lives, which no connection of a client keeps from being answered here. No key is asked
//! for there.

use axum::{
    Router,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
    routing::get,
};

use super::health;
use crate::{AppState, Error, Result, telemetry::metrics::MEDIA_TYPE};

/// Builds the routes of the operator's listener.
pub(crate) fn app(state: AppState) -> Router {
    Router::new()
        .route("/metrics", get(metrics))
        .route("/healthz", get(health::health))
        .route("/readyz", get(health::ready))
        .fallback(async || Error::NotFound("There is nothing at this address."))
        .method_not_allowed_fallback(async || Error::MethodNotAllowed)
        .with_state(state)
}

async fn metrics(State(state): State<AppState>) -> Result<Response> {
    let pending = state.store().pending_approvals().await?;
    let servers = state.agents().servers();
    let text = state.metrics().text(pending, &servers)?;
    Ok(([(header::CONTENT_TYPE, MEDIA_TYPE)], text).into_response())
}
