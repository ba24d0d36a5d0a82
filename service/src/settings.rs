//! Settings that the command line and tests choose.

use std::time::Duration;

use axum::http::{HeaderName, HeaderValue};

use crate::keys::ApiKeys;

/// The name of the user header in the specification, which uses a neutral word for the brand.
pub(crate) const USER_ID_HEADER: &str = "x-service-user-id";

/// The longest file that is taken by default, in bytes.
pub(crate) const MAX_UPLOAD_BYTES: usize = 10 * 1024 * 1024;

/// Settings of the service.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The keys that open the service.
    pub api_keys: ApiKeys,
    /// Name of the user header.
    pub user_id_header: HeaderName,
    /// Origins of pages that may call the service.
    pub allowed_origins: Origins,
    /// Further request headers that those pages may send.
    pub allowed_headers: Vec<HeaderName>,
    /// True if those pages may send the cookies of the service's site with their requests.
    pub allow_credentials: bool,
    /// Factor on every pause of an agent; 0 leaves pauses out.
    pub pace: f64,
    /// Silence on a stream after which a comment is sent.
    pub keep_alive: Duration,
    /// The longest time that one answer waits, in all, for a client that does not keep up, and one
    /// write for a client that does not read.
    pub slow_client_timeout: Duration,
    /// Events queued for a client that does not keep up.
    pub max_queued_events: usize,
    /// Bytes of events queued for a client that does not keep up; a longer event is queued alone.
    pub max_queued_bytes: u32,
    /// The time that running answers may go on after the service was told to stop.
    pub shutdown_grace: Duration,
    /// Bounds on what clients may keep open.
    pub connections: ConnectionLimits,
    /// Longest request body in bytes.
    pub body_limit: usize,
    /// Longest file in bytes.
    pub upload_limit: usize,
    /// Bounds on what is stored.
    pub limits: Limits,
}

/// Bounds on what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most text of one thread, in bytes.
    pub thread_bytes: u64,
    /// The most that all files of one user may take, in bytes.
    pub user_files: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            thread_bytes: 16 * 1024 * 1024,
            user_files: 256 * 1024 * 1024,
        }
    }
}

/// Bounds on what clients may keep open; an answer may take as long as it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Connections that are open at the same time.
    pub max_connections: usize,
    /// The longest time without the whole head of a request, on a new connection and after an
    /// answer.
    pub header_timeout: Duration,
    /// The longest silence in a request's body.
    pub body_idle_timeout: Duration,
    /// The longest time that a whole request body may take.
    pub body_timeout: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            max_connections: 4096,
            header_timeout: Duration::from_secs(30),
            body_idle_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(600),
        }
    }
}

/// Origins of the pages whose scripts may call the service (CORS).
#[derive(Clone, Debug)]
pub enum Origins {
    /// These; none if empty.
    Listed(Vec<HeaderValue>),
    /// All.
    Any,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            api_keys: ApiKeys::default(),
            user_id_header: HeaderName::from_static(USER_ID_HEADER),
            allowed_origins: Origins::Listed(Vec::new()),
            allowed_headers: Vec::new(),
            allow_credentials: false,
            pace: 1.0,
            keep_alive: Duration::from_secs(15),
            slow_client_timeout: Duration::from_secs(30),
            max_queued_events: 256,
            max_queued_bytes: 4 * 1024 * 1024,
            shutdown_grace: Duration::from_secs(10),
            connections: ConnectionLimits::default(),
            body_limit: 1024 * 1024,
            upload_limit: MAX_UPLOAD_BYTES,
            limits: Limits::default(),
        }
    }
}
