//! One session of a tool server: a process, or a connection to an address. It is started when it is
//! first needed, and again when it has ended, after a pause that grows.

use std::{sync::Arc, time::Duration};

use reqwest::header::HeaderName;
use rmcp::{
    ClientCacheConfig,
    model::{PaginatedRequestParams, Tool as Listed},
    service::ServiceError,
};
use serde_json::Value;
use tokio::{
    sync::{Mutex, OwnedSemaphorePermit, Semaphore},
    task::JoinSet,
    time::{Instant, timeout},
};

use super::{
    backoff::Backoff,
    calls::Calls,
    start::{Client, Place, Running, start},
};
use crate::agents::model::{secret::Secret, tools::Tool};

/// The time that a server has for its start and for the list of its tools.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// Most tools of a server, and most pages of its list.
const MAX_TOOLS: usize = 500;
const MAX_PAGES: usize = 100;

/// All that the sessions of one server have in common.
#[derive(Debug)]
pub(super) struct Setup {
    /// The server's id in the agent file.
    pub(super) id: String,
    pub(super) place: Place,
    /// The header in which an address is told the user.
    pub(super) forward_user: Option<HeaderName>,
    /// The keys that it was given: removed from everything that it says.
    pub(super) secrets: Vec<Secret>,
    /// The time that one call may take.
    pub(super) call_timeout: Duration,
    /// Longest result of a call, in bytes; more of it is cut off.
    pub(super) max_result_bytes: usize,
    /// The places of sessions that run: one that is ending still has its own.
    pub(super) places: Arc<Semaphore>,
}

impl Setup {
    /// Logs why a server cannot be used, and returns a sentence that says so.
    pub(super) fn fault(&self, reason: &str) -> String {
        let reason = self.without_keys(reason.to_owned());
        tracing::warn!(server = self.id, reason, "a tool server cannot be used");
        format!("The tool server {} cannot be used at the moment.", self.id)
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
    /// The server's place, with the user of this session where it is told that.
    place: Place,
    state: Mutex<State>,
}

/// A session's present run, and its former ones.
#[derive(Debug, Default)]
struct State {
    alive: Option<Alive>,
    /// Former ones whose calls come to their end.
    replaced: JoinSet<()>,
    backoff: Backoff,
}

/// A session that runs.
#[derive(Debug)]
struct Alive {
    running: Running,
    calls: Arc<Calls>,
    since: Instant,
    _place: OwnedSemaphorePermit,
}

/// The reason why there is no list of tools.
enum ListError {
    /// The connection is of no use any more.
    Lost(String),
    /// The server cannot be started, does not answer, or gives none.
    Refused(String),
}

/// The connection to a server that runs.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    pub(super) peer: rmcp::Peer<rmcp::RoleClient>,
    pub(super) client: Client,
    pub(super) calls: Arc<Calls>,
}

impl Session {
    /// Makes a session that does not run yet; `user` is told to a server that wants to know it.
    ///
    /// # Errors
    ///
    /// The reason, for the log, where the user cannot be told.
    pub(super) fn new(setup: Arc<Setup>, user: &str) -> Result<Self, String> {
        let place = match &setup.forward_user {
            Some(header) => setup.place.on_behalf_of(header, user)?,
            None => setup.place.clone(),
        };
        Ok(Self {
            setup,
            place,
            state: Mutex::default(),
        })
    }

    /// Returns the server's id in the agent file.
    pub(in crate::agents::model) fn id(&self) -> &str {
        &self.setup.id
    }

    /// Returns the server's tools; those that no policy could speak of are left out.
    ///
    /// # Errors
    ///
    /// A sentence, where the server cannot be started or does not answer.
    pub(in crate::agents::model) async fn tools(&self) -> Result<Vec<Tool>, String> {
        let tools = self.listed_tools().await;
        tools.map_err(|reason| self.setup.fault(&reason))
    }

    /// The same for an operator, who is told the reason.
    ///
    /// # Errors
    ///
    /// The reason, without keys.
    pub(in crate::agents::model) async fn checked_tools(&self) -> Result<Vec<Tool>, String> {
        let tools = self.listed_tools().await;
        tools.map_err(|reason| self.setup.without_keys(reason))
    }

    async fn listed_tools(&self) -> Result<Vec<Tool>, String> {
        let listed = match self.list().await {
            // A server that was started anew has forgotten the connection. Asking for a list is no
            // call, so that it is asked again.
            Err(ListError::Lost(_)) => self.list().await,
            listed => listed,
        };
        let listed = listed.map_err(|error| match error {
            ListError::Lost(reason) | ListError::Refused(reason) => reason,
        })?;
        Ok(listed.iter().filter_map(|tool| self.tool(tool)).collect())
    }

    async fn list(&self) -> Result<Vec<Listed>, ListError> {
        let connection = self.connect().await.map_err(ListError::Refused)?;
        let error = match timeout(START_TIMEOUT, self.list_pages(&connection.peer)).await {
            Ok(Ok(listed)) => return Ok(listed),
            Ok(Err(error @ ServiceError::McpError(_))) => ListError::Refused(error.to_string()),
            Ok(Err(error)) => ListError::Lost(error.to_string()),
            Err(_) => ListError::Refused("it does not answer".to_owned()),
        };
        self.replace(&connection.calls).await;
        Err(error)
    }

    /// Reads the list page by page, up to the bounds: no model could use more tools than that.
    async fn list_pages(
        &self,
        peer: &rmcp::Peer<rmcp::RoleClient>,
    ) -> Result<Vec<Listed>, ServiceError> {
        let mut listed = Vec::new();
        let mut cursor = None;
        for _ in 0..MAX_PAGES {
            let from = PaginatedRequestParams::default().with_cursor(cursor);
            let page = peer.list_tools(Some(from)).await?;
            listed.extend(page.tools);
            cursor = page.next_cursor;
            if cursor.is_none() || listed.len() > MAX_TOOLS {
                break;
            }
        }
        if cursor.is_some() || listed.len() > MAX_TOOLS {
            listed.truncate(MAX_TOOLS);
            tracing::warn!(
                server = self.id(),
                "a tool server lists more than {MAX_TOOLS} tools or {MAX_PAGES} pages; the rest is left out"
            );
        }
        Ok(listed)
    }

    fn tool(&self, listed: &Listed) -> Option<Tool> {
        let hints = listed.annotations.as_ref();
        let tool = Tool::new(
            self.id(),
            &listed.name,
            listed.description.as_deref().unwrap_or_default(),
            Value::Object(listed.input_schema.as_ref().clone()),
            hints.and_then(|hints| hints.read_only_hint) == Some(true),
        );
        if tool.is_none() {
            tracing::warn!(server = self.id(), tool = %listed.name, "a tool has an odd name");
        }
        if let Some(Err(why)) = tool.as_ref().map(|tool| &tool.offered) {
            tracing::warn!(server = self.id(), tool = %listed.name, "a tool is left out: {why}");
        }
        tool
    }

    /// Returns true if it is connected; one that is being started is not.
    pub(super) fn is_connected(&self) -> bool {
        self.state.try_lock().is_ok_and(|state| {
            let alive = state.alive.as_ref();
            alive.is_some_and(|alive| alive.running.is_alive())
        })
    }

    /// Notes whether a call of a connection had an answer. A server that leaves one after the other
    /// without is started anew for the next one: it would never be of use again.
    pub(super) async fn note_answer(&self, calls: &Arc<Calls>, was_answered: bool) {
        if calls.note_answer(was_answered) {
            self.replace(calls).await;
        }
    }

    /// Lets the next call or list have a new connection. The calls of the former one come to their
    /// end, whosever they are, and then it ends.
    async fn replace(&self, calls: &Arc<Calls>) {
        let mut state = self.state.lock().await;
        let former = state
            .alive
            .take_if(|alive| Arc::ptr_eq(&alive.calls, calls));
        // Its place is free: it ends with the time of a call at the latest.
        let Some(Alive { running, calls, .. }) = former else {
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

    /// Ends it, whatever runs.
    pub(super) async fn end(&self) {
        let (alive, mut replaced) = {
            let mut state = self.state.lock().await;
            (state.alive.take(), std::mem::take(&mut state.replaced))
        };
        replaced.shutdown().await;
        if let Some(Alive {
            running, _place, ..
        }) = alive
        {
            running.close().await;
        }
    }

    /// Returns the connection to the server, which is started if it does not run.
    pub(super) async fn connect(&self) -> Result<Connection, String> {
        let mut state = self.state.lock().await;
        let now = Instant::now();
        match &state.alive {
            Some(alive) if alive.running.is_alive() => return Ok(connection(alive)),
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
        let started = timeout(START_TIMEOUT, self.start()).await;
        let started = started.unwrap_or_else(|_| Err("it does not answer".to_owned()));
        match started {
            Ok((running, place)) => {
                let alive = state.alive.insert(Alive {
                    running,
                    calls: Arc::new(Calls::new()),
                    since: now,
                    _place: place,
                });
                Ok(connection(alive))
            }
            Err(reason) => {
                state.backoff.ended(now, now);
                Err(reason)
            }
        }
    }

    async fn start(&self) -> Result<(Running, OwnedSemaphorePermit), String> {
        let places = Arc::clone(&self.setup.places);
        let place = places.acquire_owned().await;
        let place = place.map_err(|error| error.to_string())?;
        let running = start(self.id(), &self.place, &self.setup.secrets).await?;
        // It would believe a server for how long its list of tools stays as it is, up to a day, and
        // give the former list where the server gives none.
        let peer = running.service.peer();
        peer.set_response_cache_config(ClientCacheConfig::disabled())
            .await;
        Ok((running, place))
    }
}

fn connection(alive: &Alive) -> Connection {
    let service = &alive.running.service;
    Connection {
        peer: service.peer().clone(),
        client: service.service().clone(),
        calls: Arc::clone(&alive.calls),
    }
}
