//! The endpoints of the operator's listener: the metrics, which no other listener has, and the
//! checks whether the service lives and can store. Clients' connections cannot keep these from
//! being answered, and no key is needed.

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
        .route("/livez", get(health::live))
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
