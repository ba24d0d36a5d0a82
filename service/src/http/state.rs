//! State that all requests share: store, agents, running answers and settings.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

use crate::{
    agents::Agents,
    answers::current_agents::{CurrentAgents, HeldAgents},
    answers::event_log::EventLog,
    answers::rates::Rates,
    answers::run::Runs,
    answers::stream::Reader,
    answers::writer::Resources,
    documents::DocumentReader,
    http::oidc::Issuer,
    settings::Settings,
    store::{Store, ThreadKey},
    telemetry::metrics::Metrics,
};

/// The state that all requests share; cheap to clone.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

struct Shared {
    store: Store,
    agents: CurrentAgents,
    metrics: Metrics,
    log: EventLog,
    runs: Runs,
    rates: Rates,
    issuer: Option<Arc<Issuer>>,
    health: Health,
    settings: Settings,
}

/// What this process knows of its own fitness to serve.
#[derive(Debug)]
pub(crate) struct Health {
    is_draining: AtomicBool,
    /// The last time that the lease of this replica was renewed; `None` before the first.
    last_beat: Mutex<Option<Instant>>,
}

impl Health {
    /// Notes that the service is about to stop: requests are to go to other replicas.
    pub(crate) fn drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
    }

    /// Returns true once the service is about to stop.
    pub(crate) fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    /// Notes that the lease of this replica was renewed.
    pub(crate) fn note_beat(&self) {
        *self
            .last_beat
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Returns true if a lease of this length is over, because it could not be renewed.
    pub(crate) fn lease_is_over(&self, lease: Duration) -> bool {
        let last_beat = *self
            .last_beat
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        last_beat.is_some_and(|beat| beat.elapsed() > lease)
    }
}

impl AppState {
    /// Creates the state of a service over `store` with these agents; no answer is running yet.
    #[must_use]
    pub fn new(store: Store, agents: Agents, settings: Settings) -> Self {
        let store = store.with_limits(settings.limits);
        let store = store.with_user_answers(settings.rates.answers);
        let store = store.with_notices(settings.notify.as_ref().map(|notify| notify.delay));
        let metrics = Metrics::default();
        let log = EventLog::new(store.clone());
        let runs = Runs::new(Resources {
            store: store.clone(),
            log: log.clone(),
            metrics: metrics.clone(),
            documents: Arc::new(DocumentReader::new(settings.pdf.clone())),
            upload_limit: settings.upload_limit,
            pace: settings.pace,
        });
        Self(Arc::new(Shared {
            store,
            agents: CurrentAgents::new(agents),
            metrics,
            log,
            runs,
            rates: Rates::new(settings.rates, settings.connections.max_connections),
            issuer: settings
                .oidc
                .clone()
                .map(|oidc| Arc::new(Issuer::new(oidc))),
            health: Health {
                is_draining: AtomicBool::new(false),
                last_beat: Mutex::default(),
            },
            settings,
        }))
    }

    /// Returns the store of threads, messages and approvals.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// Returns the present agents; what they run is not ended while the returned value exists.
    #[must_use]
    pub fn agents(&self) -> HeldAgents {
        self.0.agents.hold()
    }

    /// Replaces the agents. Answers that are being written go on with the agents that they began
    /// with; what these run is ended after the last of those answers.
    pub fn replace_agents(&self, agents: Agents) {
        self.0.agents.replace(agents);
    }

    /// Ends what the agents run, such as tool servers.
    pub(crate) async fn close_agents(&self) {
        self.0.agents.close().await;
    }

    /// Returns the counters that the operator can read.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Returns the logs of the answers that are being written.
    #[must_use]
    pub fn log(&self) -> &EventLog {
        &self.0.log
    }

    /// Returns a reader of the events of a run after the one with the number `after`.
    pub(crate) fn read_log(&self, thread: &ThreadKey, run: &str, after: i64) -> Reader {
        let (log, keep_alive) = (self.log(), self.settings().keep_alive);
        Reader::new(log, thread, run, after, keep_alive, self.metrics())
    }

    /// Returns the answers that are being written.
    #[must_use]
    pub fn runs(&self) -> &Runs {
        &self.0.runs
    }

    /// Returns the rate limits, with what users and keys have used of them.
    pub(crate) fn rates(&self) -> &Rates {
        &self.0.rates
    }

    /// Returns the issuer whose tokens open the service, if there is one.
    pub(crate) fn issuer(&self) -> Option<&Arc<Issuer>> {
        self.0.issuer.as_ref()
    }

    /// Returns what this process knows of its own fitness to serve.
    pub(crate) fn health(&self) -> &Health {
        &self.0.health
    }

    /// Returns the settings of the service.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }
}
