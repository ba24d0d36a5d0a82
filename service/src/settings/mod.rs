//! Settings that the command line and tests choose, and what is common to all files that an
//! operator writes. This is keys in them ([`mod@secret`], [`key_file`]), their faults with the line
//! ([`mod@fault`]), and the name that a misspelt one was meant to be ([`mod@similar`]).

pub(crate) mod fault;
pub(crate) mod key_file;
pub mod keys;
pub mod notify;
mod origins;
pub(crate) mod secret;
pub(crate) mod similar;

use std::{
    num::{NonZeroU32, NonZeroUsize},
    path::PathBuf,
    time::Duration,
};

use axum::http::HeaderName;

pub use origins::Origins;
pub(crate) use origins::{NO_ORIGIN, origin_fault};

use self::{keys::ApiKeys, notify::NotifySettings};

/// The name of the user header in the specification, which uses a neutral word for the brand.
pub(crate) const USER_ID_HEADER: &str = "x-service-user-id";

/// The longest file that is taken by default, in bytes.
pub(crate) const MAX_UPLOAD_BYTES: usize = 10 * 1024 * 1024;

/// Settings of the service.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The keys that open the service.
    pub api_keys: ApiKeys,
    /// The name of the header with the user's id.
    pub user_id_header: HeaderName,
    /// Origins of pages that may call the service.
    pub allowed_origins: Origins,
    /// Further request headers that pages of `allowed_origins` may send.
    pub allowed_headers: Vec<HeaderName>,
    /// True if pages of `allowed_origins` may send the cookies of the service's site with their
    /// requests.
    pub allow_credentials: bool,
    /// Factor on every pause of an agent; 0 leaves pauses out.
    pub pace: f64,
    /// The time without an event on a stream after which a comment is sent on it.
    pub keep_alive: Duration,
    /// The longest time that one write waits for a client that does not read; its connection is
    /// broken then.
    pub slow_client_timeout: Duration,
    /// The time that running answers may go on after the service was told to stop.
    pub shutdown_grace: Duration,
    /// Bounds on what clients may keep open.
    pub connections: ConnectionLimits,
    /// Longest JSON body of a request, in bytes.
    pub body_limit: usize,
    /// The greatest length of a file that is sent, in bytes.
    pub upload_limit: usize,
    /// Bounds on what is stored.
    pub limits: StoreLimits,
    /// The time after which the other replicas go on with the answers of one that is not heard of any
    /// more.
    pub lease: Duration,
    /// The time between the order to stop and the moment at which no new connection is taken: until
    /// then `/readyz` says that requests are to go elsewhere.
    pub drain_delay: Duration,
    /// The days for which conversations are kept after their last message; `None` is for good.
    pub keep_days: Option<NonZeroU32>,
    /// Bounds on what one user and one key may ask for.
    pub rates: RateLimits,
    /// An issuer whose tokens open the service, beside the keys.
    pub oidc: Option<OidcSettings>,
    /// The program that reads PDFs; without one they are not read.
    pub pdf: Option<PdfSettings>,
    /// The webhook that is told of decisions that wait; without one nobody is.
    pub notify: Option<NotifySettings>,
}

/// A program that reads a PDF from its standard input (`assent-service` does, see
/// [`crate::documents::pdf_program`]), and what it may use for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdfSettings {
    /// The path of the program.
    pub program: PathBuf,
    /// The time that the program has for one PDF by the clock, and of the processor in whole
    /// seconds.
    pub time: Duration,
    /// The program's address space, in bytes; the program itself takes a part of it.
    pub memory: u64,
}

impl PdfSettings {
    /// Makes settings of a program that reads PDFs, with the usual limits of time and memory.
    #[must_use]
    pub fn new(program: PathBuf) -> Self {
        Self {
            program,
            time: Duration::from_secs(10),
            memory: 512 * 1024 * 1024,
        }
    }
}

/// An OpenID Connect issuer, and what its tokens have to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OidcSettings {
    /// The issuer, letter by letter as its tokens name it.
    pub issuer: String,
    /// The audience that tokens have to be for.
    pub audience: String,
    /// The claim of a token that is the user's id.
    pub user_claim: String,
    /// The time between two attempts to fetch the issuer's keys: tokens with unknown keys cause no
    /// more requests to it than that.
    pub refresh_interval: Duration,
    /// The time after which keys are fetched again, so that a key that was withdrawn is forgotten.
    pub max_age: Duration,
}

impl OidcSettings {
    /// Makes settings with the usual times between fetching keys.
    #[must_use]
    pub fn new(issuer: &str, audience: &str, user_claim: &str) -> Self {
        Self {
            issuer: issuer.to_owned(),
            audience: audience.to_owned(),
            user_claim: user_claim.to_owned(),
            refresh_interval: Duration::from_secs(10),
            max_age: Duration::from_secs(3600),
        }
    }
}

/// Bounds on what one user and one key may ask for; `None` is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimits {
    /// Most requests of one user in a minute.
    pub user: Option<NonZeroU32>,
    /// Most requests with one API key in a minute, whoever its users are.
    pub key: Option<NonZeroU32>,
    /// Most requests of one user that are answered at the same time.
    pub open_user: Option<NonZeroUsize>,
    /// Most requests with one API key that are answered at the same time.
    pub open_key: Option<NonZeroUsize>,
    /// Most answers that are written for one user at the same time, by all replicas together.
    pub answers: Option<NonZeroUsize>,
    /// Most answers that one process writes at the same time, for all users together.
    pub all_answers: Option<NonZeroUsize>,
}

impl Default for RateLimits {
    /// Returns generous limits: ten requests a second of one user, a thousand with one key.
    fn default() -> Self {
        Self {
            user: NonZeroU32::new(600),
            key: NonZeroU32::new(60_000),
            open_user: NonZeroUsize::new(100),
            open_key: NonZeroUsize::new(4096),
            answers: NonZeroUsize::new(16),
            all_answers: NonZeroUsize::new(1024),
        }
    }
}

/// Bounds on what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreLimits {
    /// The most text of one thread, in bytes.
    pub thread_bytes: u64,
    /// The most that all files of one user may take, in bytes.
    pub user_files: u64,
}

impl Default for StoreLimits {
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
    /// Most connections of clients that are open at the same time.
    pub max_connections: usize,
    /// The longest time without the whole head of a request, on a new connection and after an
    /// answer.
    pub header_timeout: Duration,
    /// The longest time without a byte in the body of a request.
    pub body_idle_timeout: Duration,
    /// The longest time that a whole request body may take.
    pub body_timeout: Duration,
    /// Bytes of a body that have to come in a second, on average, once `body_idle_timeout` is over.
    pub body_rate: NonZeroU32,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            max_connections: 4096,
            header_timeout: Duration::from_secs(30),
            body_idle_timeout: Duration::from_secs(30),
            body_timeout: Duration::from_secs(600),
            // A telephone at the edge of its network sends ten times as much.
            body_rate: const { NonZeroU32::new(256).unwrap() },
        }
    }
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
            shutdown_grace: Duration::from_secs(10),
            connections: ConnectionLimits::default(),
            body_limit: 1024 * 1024,
            upload_limit: MAX_UPLOAD_BYTES,
            limits: StoreLimits::default(),
            lease: Duration::from_secs(6),
            drain_delay: Duration::ZERO,
            keep_days: None,
            rates: RateLimits::default(),
            oidc: None,
            pdf: None,
            notify: None,
        }
    }
}
