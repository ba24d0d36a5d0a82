//! The connection to an address, over streamable HTTP.

use std::{
    error,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use reqwest::{
    Url,
    header::{HeaderName, HeaderValue},
    redirect,
};
use rmcp::{
    RoleClient,
    service::{ClientInitializeError, ClientLifecycleMode, ClientServiceExt as _, RunningService},
    transport::{
        StreamableHttpClientTransport,
        streamable_http_client::{StreamableHttpClientTransportConfig, StreamableHttpError},
    },
};

use super::client::Client;
use crate::{error::cause, http_client::client_for};

/// Most requests to an address at the same time: more than there ever are, so that none of them
/// waits for another.
const MAX_REQUESTS: usize = 64;

/// The longest time of connecting to the address of a tool server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Most redirects that are followed while connecting to one tool server.
const MAX_REDIRECTS: usize = 3;

/// The reason why there is no connection.
enum ConnectError {
    /// The server redirects to this address.
    Redirected(Url),
    Failed(String),
}

/// Connects to an address and shakes hands, with the newest protocol or with an older one. A
/// redirect is followed to another path of the same server only: a key goes to the server that the
/// operator named, and nowhere else. Redirects are followed here, since the HTTP client would turn
/// some redirected requests into ones without a body.
///
/// # Errors
///
/// The reason, for the log.
pub(super) async fn connect(
    client: Client,
    url: &Url,
    headers: &[(HeaderName, HeaderValue)],
    lifecycle: ClientLifecycleMode,
) -> Result<RunningService<RoleClient, Client>, String> {
    let mut url = url.clone();
    for _ in 0..=MAX_REDIRECTS {
        let connected = match connect_to(client.clone(), &url, headers, lifecycle.clone()).await {
            // Not every older server refuses the newest protocol in a way that can be known.
            Err(ConnectError::Failed(_)) => {
                let older = client.clone().with_older_protocol();
                connect_to(older, &url, headers, ClientLifecycleMode::Initialize).await
            }
            connected => connected,
        };
        match connected {
            Ok(service) => return Ok(service),
            Err(ConnectError::Failed(reason)) => return Err(reason),
            Err(ConnectError::Redirected(to)) if to.origin() == url.origin() => url = to,
            Err(ConnectError::Redirected(to)) => {
                let to = to.origin().ascii_serialization();
                return Err(format!("it redirects to {to}, which is another server"));
            }
        }
    }
    Err("it redirects too often".to_owned())
}
async fn connect_to(
    client: Client,
    url: &Url,
    headers: &[(HeaderName, HeaderValue)],
    lifecycle: ClientLifecycleMode,
) -> Result<RunningService<RoleClient, Client>, ConnectError> {
    let redirected = Arc::new(Mutex::new(None));
    let to = Arc::clone(&redirected);
    let http = client_for(url)
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(redirect::Policy::custom(move |attempt| {
            *to.lock().unwrap_or_else(PoisonError::into_inner) = Some(attempt.url().clone());
            attempt.stop()
        }))
        .build()
        .map_err(|error| ConnectError::Failed(error.to_string()))?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str())
        // It would send a call again by itself, which may have run.
        .reinit_on_expired_session(false);
    // The session bounds the calls, and lists are asked for beside them.
    config.max_concurrent_requests = MAX_REQUESTS;
    config.custom_headers = headers.iter().cloned().collect();
    let transport = StreamableHttpClientTransport::with_client(http, config);
    let started = client.serve_with_lifecycle(transport, lifecycle).await;
    let redirected = || {
        let mut to = redirected.lock().unwrap_or_else(PoisonError::into_inner);
        to.take()
    };
    started.map_err(|error| match redirected() {
        Some(to) => ConnectError::Redirected(to),
        None => ConnectError::Failed(reason(&error)),
    })
}

/// Returns the innermost cause of a transport's error, which itself does not name the error of the
/// HTTP client.
fn transport_cause(error: &(dyn error::Error + 'static)) -> String {
    let http = error.downcast_ref::<StreamableHttpError<reqwest::Error>>();
    match (http, error.source()) {
        (Some(StreamableHttpError::Client(client)), _) => cause(client),
        (_, Some(source)) => transport_cause(source),
        _ => error.to_string(),
    }
}

/// Returns the reason why a handshake failed, from its innermost cause.
pub(super) fn reason(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::TransportError { error, .. } => transport_cause(&*error.error),
        ClientInitializeError::LegacyFallbackFailed { fallback, .. } => reason(fallback),
        error => error.to_string(),
    }
}
