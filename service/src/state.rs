//! State that all requests share: store, agents, running answers and settings.

use std::sync::Arc;

use crate::{agents::Agents, run::Runs, settings::Settings, store::Store};

/// The state that all requests share; cheap to clone.
#[derive(Clone)]
pub struct AppState(Arc<Shared>);

struct Shared {
    store: Store,
    agents: Agents,
    runs: Runs,
    settings: Settings,
}

impl AppState {
    /// Creates the state of a service over `store` with these agents; no answer is running yet.
    #[must_use]
    pub fn new(store: Store, agents: Agents, settings: Settings) -> Self {
        let store = store.with_limits(settings.limits);
        let runs = Runs::new(store.clone(), settings.pace);
        Self(Arc::new(Shared {
            store,
            agents,
            runs,
            settings,
        }))
    }

    /// Threads, messages and approvals.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The agents of the service.
    #[must_use]
    pub fn agents(&self) -> &Agents {
        &self.0.agents
    }

    /// The answers being written.
    #[must_use]
    pub fn runs(&self) -> &Runs {
        &self.0.runs
    }

    /// The settings of the service.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.0.settings
    }
}
