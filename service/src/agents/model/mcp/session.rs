//! One session of a tool server: a process, or a connection to an address. It is started when it is
//! first needed, and again when it has ended, after a pause that grows.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex as SyncMutex, MutexGuard, PoisonError, atomic::Ordering},
    time::Duration,
};

use reqwest::header::HeaderName;
use rmcp::ClientCacheConfig;
use tokio::{
    sync::{Mutex, OwnedSemaphorePermit, Semaphore},
    task::JoinSet,
    time::{Instant, timeout},
};
use tokio_util::sync::CancellationToken;

use super::{
    backoff::Backoff,
    calls::Calls,
    client::Client,
    start::{RunningServer, Transport, start},
};
use crate::settings::secret::Secret;

/// Most sentences about the list of one server's tools that are in the log.
const MAX_LOGGED_SENTENCES: usize = 1000;

/// All that the sessions of one server have in common.
#[derive(Debug)]
pub(super) struct Setup {
    /// The server's id in the agent file.
    pub(super) id: String,
    pub(super) transport: Transport,
    /// The header that tells the user's id to an address; `None`: it is not told.
    pub(super) forward_user: Option<HeaderName>,
    /// The keys that the server was given, which are removed from everything that it says.
    pub(super) secrets: Vec<Secret>,
    /// True if each session works for one thread or one user, and so has state of theirs.
    pub(super) has_state: bool,
    /// The time that a start may take.
    pub(super) start_timeout: Duration,
    /// The time that one call may take.
    pub(super) call_timeout: Duration,
    /// The longest that a call may take whose reports of progress each give it `call_timeout` anew;
    /// `None`: reports give no time.
    pub(super) progress_extends: Option<Duration>,
    /// Longest result of a call, in bytes; more of it is cut off.
    pub(super) max_result_bytes: usize,
    /// A permit for each session that runs; one that is ending still has its own.
    pub(super) slots: Arc<Semaphore>,
    /// The sentences about the list of the server's tools that are in the log already.
    pub(super) named: SyncMutex<BTreeSet<String>>,
}

impl Setup {
    /// Logs why a server cannot be used, and returns a sentence that says so.
    pub(super) fn log_fault(&self, reason: &str) -> String {
        let reason = self.without_keys(reason.to_owned());
        tracing::warn!(server = self.id, reason, "a tool server cannot be used");
        format!("The tool server {} cannot be used at the moment.", self.id)
    }

    /// Logs what is left out of the list of tools, each sentence once.
    pub(super) fn log_left_out(&self, left_out: &[String]) {
        let mut named = lock(&self.named);
        for what in left_out {
            if named.len() < MAX_LOGGED_SENTENCES && named.insert(what.clone()) {
                tracing::warn!(server = self.id, what, "a list of tools is not used whole");
            }
        }
    }

    /// Returns a text without the keys that the server was given.
    pub(super) fn without_keys(&self, text: String) -> String {
        let secrets = self.secrets.iter();
        secrets.fold(text, |text, secret| secret.remove_from(&text))
    }
}

/// One session of a tool server.
#[derive(Debug)]
pub(in crate::agents::model) struct Session {
    pub(super) setup: Arc<Setup>,
    /// The server's transport, with the header that tells the user of this session if the server is
    /// told one.
    transport: Transport,
    state: Mutex<State>,
    /// Cancels the start of the server that is under way; `None` if none is.
    starting: SyncMutex<Option<CancellationToken>>,
}

/// The present connection of a session, and its former ones.
#[derive(Debug, Default)]
struct State {
    alive: Option<LiveConnection>,
    /// The tasks of former connections, whose calls come to their end.
    replaced: JoinSet<()>,
    backoff: Backoff,
}

/// The present connection of a session: the running server, and the calls that are made to it.
#[derive(Debug)]
struct LiveConnection {
    running: RunningServer,
    calls: Arc<Calls>,
    since: Instant,
    _slot: OwnedSemaphorePermit,
}

/// A handle to the present connection of a session, through which the server is asked.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    pub(super) peer: rmcp::Peer<rmcp::RoleClient>,
    pub(super) client: Client,
    pub(super) calls: Arc<Calls>,
    /// The time at which the start of the server began.
    pub(super) since: Instant,
}

impl Session {
    /// Makes a session that does not run yet; `user` is told to a server that wants to know it.
    ///
    /// # Errors
    ///
    /// The reason, for the log, where the user cannot be told.
    pub(super) fn new(setup: Arc<Setup>, user: &str) -> Result<Self, String> {
        let transport = match &setup.forward_user {
            Some(header) => setup.transport.with_user_header(header, user)?,
            None => setup.transport.clone(),
        };
        Ok(Self {
            setup,
            transport,
            state: Mutex::default(),
            starting: SyncMutex::default(),
        })
    }

    /// Returns the server's id in the agent file.
    pub(in crate::agents::model) fn id(&self) -> &str {
        &self.setup.id
    }

    /// Returns true if the session is connected; one that is being started is not.
    pub(super) fn is_connected(&self) -> bool {
        self.state.try_lock().is_ok_and(|state| {
            let alive = state.alive.as_ref();
            alive.is_some_and(|alive| alive.running.is_alive())
        })
    }

    /// Returns true if the server said that its tools have changed since they were listed.
    pub(in crate::agents::model) async fn tools_changed(&self) -> bool {
        let state = self.state.lock().await;
        let client = state
            .alive
            .as_ref()
            .map(|alive| alive.running.service.service());
        client.is_some_and(|client| client.tools_changed.load(Ordering::Acquire))
    }

    /// Tells a connection whether a call had an answer. A server that leaves several in a row
    /// without one is started anew for the next call: it would never be of use again.
    pub(super) async fn note_answer(&self, calls: &Arc<Calls>, was_answered: bool) {
        if calls.note_answer(was_answered) {
            self.drop_connection(calls).await;
        }
    }

    /// Gives up the connection that has these calls, so that the next call or list gets a new one.
    /// The calls that are under way come to their end, whosever they are, and then the former
    /// connection ends.
    pub(super) async fn drop_connection(&self, calls: &Arc<Calls>) {
        let mut state = self.state.lock().await;
        let former = state
            .alive
            .take_if(|alive| Arc::ptr_eq(&alive.calls, calls));
        // The slot is free: the former connection ends with the time of a call at the latest.
        let Some(LiveConnection { running, calls, .. }) = former else {
            return;
        };
        tracing::warn!(
            server = self.id(),
            "a tool server does not answer, and is replaced"
        );
        while state.replaced.try_join_next().is_some() {}
        state.replaced.spawn(async move {
            calls.end().await;
            running.close().await;
        });
    }

    /// Returns true if a start is under way.
    pub(super) fn is_starting(&self) -> bool {
        lock(&self.starting).is_some()
    }

    /// Ends the session, even while it starts or calls run.
    pub(super) async fn end(&self) {
        if let Some(starting) = lock(&self.starting).take() {
            starting.cancel();
        }
        let (alive, mut replaced) = {
            let mut state = self.state.lock().await;
            (state.alive.take(), std::mem::take(&mut state.replaced))
        };
        replaced.shutdown().await;
        if let Some(LiveConnection { running, _slot, .. }) = alive {
            running.close().await;
        }
    }

    /// Returns the connection to the server, which is started if it does not run. A start goes on
    /// where nobody waits for it any more: the server may have to be downloaded first, and would
    /// never be ready if each attempt began anew.
    pub(super) async fn connect(self: &Arc<Self>) -> Result<Connection, String> {
        let session = Arc::clone(self);
        let connected = tokio::spawn(async move { session.connect_or_start().await });
        connected
            .await
            .unwrap_or_else(|error| Err(error.to_string()))
    }

    async fn connect_or_start(&self) -> Result<Connection, String> {
        let mut state = self.state.lock().await;
        let now = Instant::now();
        match &state.alive {
            Some(alive) if alive.running.is_alive() => return Ok(alive.connection()),
            Some(alive) => {
                let since = alive.since;
                state.backoff.ended(since, now);
                state.alive = None;
            }
            None => {}
        }
        if !state.backoff.may_start(now) {
            return Err("it ended, and is not started again yet".to_owned());
        }
        match self.start_in_time().await {
            Ok((running, slot)) => {
                let alive = LiveConnection {
                    running,
                    calls: Arc::new(Calls::new()),
                    since: now,
                    _slot: slot,
                };
                Ok(state.alive.insert(alive).connection())
            }
            Err(reason) => {
                let now = Instant::now();
                state.backoff.ended(now, now);
                Err(reason)
            }
        }
    }

    async fn start_in_time(&self) -> Result<(RunningServer, OwnedSemaphorePermit), String> {
        let ended = CancellationToken::new();
        *lock(&self.starting) = Some(ended.clone());
        let allowed = self.setup.start_timeout;
        let started = tokio::select! {
            started = timeout(allowed, self.start()) => started.unwrap_or_else(|_| {
                let seconds = allowed.as_secs();
                Err(format!("it has not started within {seconds} s (start_seconds)"))
            }),
            () = ended.cancelled() => Err("its start was ended".to_owned()),
        };
        *lock(&self.starting) = None;
        started
    }

    async fn start(&self) -> Result<(RunningServer, OwnedSemaphorePermit), String> {
        let slots = Arc::clone(&self.setup.slots);
        let slot = slots.acquire_owned().await;
        let slot = slot.map_err(|error| error.to_string())?;
        let running = start(self.id(), &self.transport, &self.setup.secrets).await?;
        // The peer would believe a server for how long its list of tools stays as it is, up to a
        // day, and give the former list where the server gives none.
        let peer = running.service.peer();
        peer.set_response_cache_config(ClientCacheConfig::disabled())
            .await;
        Ok((running, slot))
    }
}

impl LiveConnection {
    fn connection(&self) -> Connection {
        Connection {
            peer: self.running.service.peer().clone(),
            client: self.running.service.service().clone(),
            calls: Arc::clone(&self.calls),
            since: self.since,
        }
    }
}

fn lock<T>(value: &SyncMutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
