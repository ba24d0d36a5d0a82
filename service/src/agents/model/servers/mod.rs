//! Tool servers by the Model Context Protocol: started when they are first needed, and again when
//! they have ended, after a pause that grows.
//!
//! A server gets no authority: it is offered no sampling, no roots and no elicitation, its hints
//! are hints, and a program is started with an empty environment in a process group of its own.

mod backoff;
mod call;
mod log;
mod result;
mod start;

use std::time::Duration;

use rmcp::{model::Tool as Listed, service::ServiceError};
use serde_json::Value;
use tokio::{
    sync::Mutex,
    time::{Instant, timeout},
};

use super::{limits::Limits, secret::Secret, tools::Tool};
use backoff::Backoff;
use start::{Client, Running, start};

pub(super) use call::ToolCall;
pub(super) use result::Outcome;
pub(super) use start::Place;

/// The time that a server has for its start and for the list of its tools.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// A tool server.
#[derive(Debug)]
pub(super) struct Server {
    /// Its id in the agent file.
    pub(super) id: String,
    place: Place,
    /// The keys that it was given: removed from everything that it says.
    secrets: Vec<Secret>,
    /// The time that one call may take.
    call_timeout: Duration,
    /// Longest result of a call, in bytes; more of it is cut off.
    max_result_bytes: usize,
    state: Mutex<State>,
}

/// What runs of a server, and what ran.
#[derive(Debug, Default)]
struct State {
    running: Option<(Running, Instant)>,
    backoff: Backoff,
}

/// Why there is no list of tools.
enum ListError {
    /// The connection is of no use any more.
    Lost(String),
    /// The server cannot be asked, or gives none.
    Refused(String),
}

/// The connection to a server that runs.
#[derive(Clone, Debug)]
struct Connection {
    peer: rmcp::Peer<rmcp::RoleClient>,
    client: Client,
}

impl Server {
    pub(super) fn new(id: String, place: Place, secrets: Vec<Secret>, limits: &Limits) -> Self {
        Self {
            id,
            place,
            secrets,
            call_timeout: limits.tool_timeout(),
            max_result_bytes: limits.tool_result_bytes,
            state: Mutex::default(),
        }
    }

    /// Returns the server's tools; those that no policy could speak of are left out.
    ///
    /// # Errors
    ///
    /// A sentence, where the server cannot be started or does not answer.
    pub(super) async fn tools(&self) -> Result<Vec<Tool>, String> {
        let listed = match self.list().await {
            // A server that was started anew has forgotten the connection. Asking for a list is no
            // call, so that it is asked again.
            Err(ListError::Lost(_)) if self.end().await => self.list().await,
            listed => listed,
        };
        let listed = listed.map_err(|error| match error {
            ListError::Lost(reason) | ListError::Refused(reason) => self.fault(&reason),
        })?;
        Ok(listed.iter().filter_map(|tool| self.tool(tool)).collect())
    }

    async fn list(&self) -> Result<Vec<Listed>, ListError> {
        let connection = self.connect().await.map_err(ListError::Refused)?;
        match timeout(START_TIMEOUT, connection.peer.list_all_tools()).await {
            Ok(Ok(listed)) => Ok(listed),
            Ok(Err(error @ ServiceError::McpError(_))) => {
                Err(ListError::Refused(error.to_string()))
            }
            Ok(Err(error)) => Err(ListError::Lost(error.to_string())),
            Err(_) => Err(ListError::Refused("it does not answer".to_owned())),
        }
    }

    fn tool(&self, listed: &Listed) -> Option<Tool> {
        let hints = listed.annotations.as_ref();
        let tool = Tool::new(
            &self.id,
            &listed.name,
            listed.description.as_deref().unwrap_or_default(),
            Value::Object(listed.input_schema.as_ref().clone()),
            hints.and_then(|hints| hints.read_only_hint) == Some(true),
        );
        if tool.is_none() {
            tracing::warn!(server = self.id, tool = %listed.name, "a tool has an odd name");
        }
        tool
    }

    /// Returns true if the server is connected; one that is being started is not.
    pub(super) fn is_connected(&self) -> bool {
        self.state.try_lock().is_ok_and(|state| {
            let running = state.running.as_ref();
            running.is_some_and(|(running, _)| running.is_alive())
        })
    }

    /// Ends the server, if it runs.
    pub(super) async fn close(&self) {
        self.end().await;
    }

    /// Ends the server; returns true if it ran.
    async fn end(&self) -> bool {
        let running = self.state.lock().await.running.take();
        let Some((running, _)) = running else {
            return false;
        };
        running.close().await;
        true
    }

    /// Returns the connection to the server, which is started if it does not run.
    async fn connect(&self) -> Result<Connection, String> {
        let mut state = self.state.lock().await;
        let now = Instant::now();
        match &state.running {
            Some((running, _)) if running.is_alive() => return Ok(connection(running)),
            Some((_, started)) => {
                let started = *started;
                state.backoff.ended(started, now);
                state.running = None;
            }
            None => {}
        }
        if !state.backoff.may_start(now) {
            return Err("it ended, and is not started again yet".to_owned());
        }
        let started = timeout(START_TIMEOUT, start(&self.id, &self.place, &self.secrets)).await;
        let started = started.unwrap_or_else(|_| Err("it does not answer".to_owned()));
        match started {
            Ok(running) => {
                let connection = connection(&running);
                state.running = Some((running, now));
                Ok(connection)
            }
            Err(reason) => {
                state.backoff.ended(now, now);
                Err(reason)
            }
        }
    }

    fn fault(&self, reason: &str) -> String {
        let reason = self.without_keys(reason.to_owned());
        tracing::warn!(server = self.id, reason, "a tool server cannot be used");
        format!("The tool server {} cannot be used at the moment.", self.id)
    }

    /// Returns a text without the keys that the server was given.
    fn without_keys(&self, text: String) -> String {
        let secrets = self.secrets.iter();
        secrets.fold(text, |text, secret| secret.remove_from(&text))
    }
}

fn connection(running: &Running) -> Connection {
    Connection {
        peer: running.service.peer().clone(),
        client: running.service.service().clone(),
    }
}
