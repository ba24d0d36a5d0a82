//! The routes of the service and their middleware: CORS, pages of other sites, panics, log lines,
//! and JSON for every failure.

pub(crate) mod admin;
mod auth;
mod cancel;
mod executions;
mod extract;
mod failure;
mod grants;
mod health;
mod images;
mod inbox;
mod messages;
mod openapi;
mod origin;
mod pages;
mod resume;
mod threads;
mod uploads;

pub(crate) use extract::discard;

use std::time::Duration;

use axum::{
    Router,
    extract::{MatchedPath, Request},
    http::{HeaderName, HeaderValue, Method, header},
    middleware::{from_fn, from_fn_with_state, map_response},
    response::{IntoResponse as _, Response},
    routing::{delete, get, post, put},
};
use tower_http::{
    catch_panic::CatchPanicLayer,
    cors::{AllowOrigin, CorsLayer},
    trace::TraceLayer,
};
use tracing::Span;

use crate::{
    AppState, Error,
    settings::{Origins, Settings},
    telemetry::spans,
};

/// The time that a browser may cache a CORS preflight.
const PREFLIGHT_AGE: Duration = Duration::from_secs(600);

/// The header that names the extensions which the widget looks for, on every response.
const EXTENSIONS: HeaderName = HeaderName::from_static("assent-extensions");

/// The extensions of this service. `memory-id`: stored requests for approval are told whole.
/// `cancel`: an answer can be ended. `pages`: lists can be read a page at a time. `resume`: an
/// answer can be read on after any of its events. `idempotency-key`: a post can be repeated.
/// `words`: sentences of the service have keys. `grants`: calls can be allowed beforehand. `inbox`:
/// all that waits for a user is one list. `edited-arguments`: arguments can be changed before a call is
/// approved. `executions`: what became of a tool run can be read.
const OFFERED_EXTENSIONS: HeaderValue = HeaderValue::from_static(
    "memory-id, cancel, pages, resume, idempotency-key, words, grants, expiry, inbox, \
     edited-arguments, executions",
);

/// Builds the whole service as one router.
pub fn app(state: AppState) -> Router {
    let cors = cors(state.settings());
    let origin = from_fn_with_state(state.clone(), origin::check_origin);
    let told = from_fn_with_state(
        (state.clone(), origin::NamedOrigins::default()),
        origin::warn_of_origin,
    );
    let traced = TraceLayer::new_for_http()
        .make_span_with(span)
        .on_request(())
        .on_response(|response: &Response, _: Duration, span: &Span| {
            spans::record_status(span, response.status().as_u16());
        })
        .on_body_chunk(())
        .on_eos(())
        .on_failure(());
    Router::new()
        .route("/api/assistants/threads", post(threads::start))
        // One shape, two meanings: GET takes an agent's id, PUT and DELETE a thread's.
        .route(
            "/api/assistants/threads/{id}",
            get(threads::list).merge(put(threads::rename).delete(threads::delete)),
        )
        .route(
            "/api/assistants/threads/{id}/messages",
            get(messages::list).post(messages::post),
        )
        .route(
            "/api/assistants/threads/{id}/messages/stream",
            get(resume::follow),
        )
        .route(
            "/api/assistants/threads/{id}/answer",
            delete(cancel::cancel),
        )
        .route("/api/assistants/approvals", get(inbox::list))
        .route(
            "/api/assistants/uploads",
            get(uploads::list).post(uploads::upload),
        )
        .route(
            "/api/assistants/uploads/{id}",
            get(images::read).delete(uploads::remove),
        )
        .route("/api/assistants/grants", get(grants::list))
        .route("/api/assistants/grants/{id}", delete(grants::end))
        .route(
            "/api/assistants/executions/{toolExecutionId}",
            get(executions::read),
        )
        .route("/healthz", get(health::health))
        .route("/livez", get(health::live))
        .route("/readyz", get(health::ready))
        .route("/openapi.json", get(openapi::openapi))
        .fallback(async || Error::NotFound("There is nothing at this address."))
        .method_not_allowed_fallback(async || Error::MethodNotAllowed)
        .layer(origin)
        .layer(CatchPanicLayer::custom(|_| Error::Panicked.into_response()))
        .layer(cors)
        // Outside of it: the question that a browser asks first goes no further.
        .layer(told)
        .layer(from_fn(auth::hold_request))
        .layer(map_response(mark_private))
        .layer(map_response(add_extensions_header))
        .layer(traced)
        .layer(TraceLayer::new_for_http())
        .with_state(state)
}

/// Makes the span of a request to the interface, which ends with the response; requests to other
/// addresses get none. The span holds neither the address nor a method that the service does not
/// know: both are texts of the client.
fn span(request: &Request) -> Span {
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("", MatchedPath::as_str);
    if !route.starts_with("/api/") {
        return Span::none();
    }
    let known = [Method::GET, Method::POST, Method::PUT, Method::DELETE];
    let known = known.iter().chain(&[Method::HEAD, Method::OPTIONS]);
    let method = known.into_iter().find(|known| *known == request.method());
    spans::request_span(method.map(Method::as_str), route)
}

/// Marks responses as one user's own: proxies and caches may neither keep them nor guess their
/// type.
async fn mark_private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let nosniff = HeaderValue::from_static("nosniff");
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, nosniff);
    response
}

/// Says which extensions the service has, so that no client has to try.
async fn add_extensions_header(mut response: Response) -> Response {
    response
        .headers_mut()
        .insert(EXTENSIONS, OFFERED_EXTENSIONS);
    response
}

fn cors(settings: &Settings) -> CorsLayer {
    let origins = match &settings.allowed_origins {
        Origins::Any => AllowOrigin::any(),
        Origins::Listed(list) => AllowOrigin::list(list.iter().cloned()),
    };
    let headers = [
        header::AUTHORIZATION,
        header::CONTENT_TYPE,
        HeaderName::from_static("idempotency-key"),
        settings.user_id_header.clone(),
    ];
    CorsLayer::new()
        .allow_origin(origins)
        .allow_credentials(settings.allow_credentials)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers(Vec::from_iter(
            headers.into_iter().chain(settings.allowed_headers.clone()),
        ))
        // Beside a 429, of the service or of a server in front of it.
        .expose_headers([
            header::RETRY_AFTER,
            header::LINK,
            EXTENSIONS,
            resume::ANSWER,
        ])
        .max_age(PREFLIGHT_AGE)
}
