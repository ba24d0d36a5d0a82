//! What all requests share: store, agents, running answers and settings.

use std::{sync::Arc, time::Duration};

use axum::http::{HeaderName, HeaderValue};

use crate::{
    agents::Agents,
    auth::{ApiKeys, USER_ID_HEADER},
    run::Runs,
    store::Store,
};

/// How long a file may be by default, in bytes.
pub(crate) const MAX_UPLOAD_BYTES: usize = 10 * 1024 * 1024;

/// Settings that the command line and tests choose.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The keys that open the service.
    pub api_keys: ApiKeys,
    /// Name of the user header.
    pub user_id_header: HeaderName,
    /// Origins of pages that may call the service.
    pub allowed_origins: Origins,
    /// Factor on every pause of an agent; 0 leaves pauses out.
    pub pace: f64,
    /// Silence on a stream after which a comment is sent.
    pub keep_alive: Duration,
    /// How long one answer waits, in all, for a reader that does not keep up, and one write for a reader that does not
    /// read.
    pub reader_patience: Duration,
    /// Events held for a reader that does not keep up.
    pub reader_buffer: usize,
    /// Bytes of events held for a reader that does not keep up; a longer event is held alone.
    pub reader_bytes: u32,
    /// How long running answers may go on after the service was told to stop.
    pub shutdown_grace: Duration,
    /// Longest request body in bytes.
    pub body_limit: usize,
    /// Longest file in bytes.
    pub upload_limit: usize,
}

/// Which pages' scripts may call the service (CORS).
#[derive(Clone, Debug)]
pub enum Origins {
    /// Those of these origins; none if empty.
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
            pace: 1.0,
            keep_alive: Duration::from_secs(15),
            reader_patience: Duration::from_secs(30),
            reader_buffer: 256,
            reader_bytes: 4 * 1024 * 1024,
            shutdown_grace: Duration::from_secs(10),
            body_limit: 1024 * 1024,
            upload_limit: MAX_UPLOAD_BYTES,
        }
    }
}

/// Shared by all requests; cheap to clone.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

struct Shared {
    store: Store,
    agents: Agents,
    runs: Runs,
    settings: Settings,
}

impl AppState {
    /// A service over `store` with these agents; no answer is running yet.
    #[must_use]
    pub fn new(store: Store, agents: Agents, settings: Settings) -> Self {
        Self(Arc::new(Shared {
            store,
            agents,
            runs: Runs::default(),
            settings,
        }))
    }

    /// Threads, messages and approvals.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// Who can be talked to.
    #[must_use]
    pub fn agents(&self) -> &Agents {
        &self.0.agents
    }

    /// The answers being written.
    #[must_use]
    pub fn runs(&self) -> &Runs {
        &self.0.runs
    }

    /// What the command line chose.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }
}
