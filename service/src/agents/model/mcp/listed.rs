//! The tools that a session has, and for how long an answer waits for them.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use rmcp::service::ServiceError;
use tokio::time::{Instant, timeout_at};

use super::{
    list::{PageError, ToolList, read_list},
    session::Session,
};
use crate::{rules::policy::Tool, sentence::Sentence};

/// The time that a server that has started has for the list of its tools.
const LIST_TIMEOUT: Duration = Duration::from_secs(30);

/// The least time that the list of a server's tools is waited for, however long the start took.
const LEAST_LIST_TIMEOUT: Duration = Duration::from_secs(5);

/// The reason why there is no list of tools.
enum ListError {
    /// The connection broke, for this reason.
    Lost(String),
    /// The server cannot be started, does not answer, or what it lists is no list, for this reason.
    Refused(String),
    /// The server is still starting.
    Starting,
}

impl ListError {
    fn reason(self) -> String {
        match self {
            Self::Lost(reason) | Self::Refused(reason) => reason,
            Self::Starting => "it is still starting".to_owned(),
        }
    }
}

/// How long a start of a server is waited for, measured by the time that a start may take.
#[derive(Clone, Copy, Debug)]
pub(in crate::agents::model) enum StartPatience {
    /// Half of the time that a start may take.
    Half,
    /// All of the time that a start may take, and the time for a list after it.
    Whole,
}

impl StartPatience {
    fn start_time_limit(self, start: Duration) -> Duration {
        match self {
            Self::Half => start / 2,
            Self::Whole => start + LIST_TIMEOUT,
        }
    }
}

impl Session {
    /// Returns the server's tools; those that are malformed, or that no policy could speak of, are
    /// left out. A start that takes longer than `patience` goes on, and is not waited for.
    ///
    /// # Errors
    ///
    /// A sentence, where the server cannot be started, does not answer, or is still starting.
    pub(in crate::agents::model) async fn tools(
        self: &Arc<Self>,
        patience: StartPatience,
    ) -> Result<Vec<Tool>, Sentence> {
        let id = || self.id().to_owned();
        match self.listed_tools(patience).await {
            Ok(list) => Ok(list.tools),
            Err(ListError::Starting) => Err(Sentence::ToolServerStarting(id())),
            Err(error) => {
                self.setup.log_fault(&error.reason());
                Err(Sentence::ToolServer(id()))
            }
        }
    }

    /// Returns the list of the server's tools for an operator, with sentences about what of it is
    /// left out.
    ///
    /// # Errors
    ///
    /// The reason, without keys.
    pub(in crate::agents::model) async fn checked_tools(
        self: &Arc<Self>,
    ) -> Result<ToolList, String> {
        let list = self.listed_tools(StartPatience::Whole).await;
        list.map_err(|error| self.setup.without_keys(error.reason()))
    }

    async fn listed_tools(
        self: &Arc<Self>,
        patience: StartPatience,
    ) -> Result<ToolList, ListError> {
        let until = Instant::now() + patience.start_time_limit(self.setup.start_timeout);
        let listed = match self.list(until).await {
            // A server that was started anew has forgotten the connection. Asking for a list is no
            // call, so that it is asked again.
            Err(ListError::Lost(_)) => self.list(until).await,
            listed => listed,
        };
        let mut listed = listed?;
        for what in &mut listed.left_out {
            *what = self.setup.without_keys(std::mem::take(what));
        }
        self.setup.log_left_out(&listed.left_out);
        Ok(listed)
    }

    async fn list(self: &Arc<Self>, until: Instant) -> Result<ToolList, ListError> {
        let connected = timeout_at(until, self.connect()).await;
        let connected = connected.map_err(|_| ListError::Starting)?;
        let connection = connected.map_err(ListError::Refused)?;
        // Some servers are there before they have loaded what they are asked for.
        let now = Instant::now();
        let is_new = now < connection.since + self.setup.start_timeout;
        let until = match is_new {
            true => until.max(now + LEAST_LIST_TIMEOUT),
            false => now + LIST_TIMEOUT,
        };
        let changed = &connection.client.tools_changed;
        changed.store(false, Ordering::Release);
        let error = match timeout_at(until, read_list(self.id(), &connection.peer)).await {
            Ok(Ok(listed)) => return Ok(listed),
            Ok(Err(error @ PageError::Malformed)) => {
                return Err(ListError::Refused(error.to_string()));
            }
            Ok(Err(error @ PageError::Service(ServiceError::McpError(_)))) => {
                ListError::Refused(error.to_string())
            }
            Ok(Err(error)) => ListError::Lost(error.to_string()),
            Err(_) if is_new => return Err(ListError::Starting),
            Err(_) => ListError::Refused("it does not answer".to_owned()),
        };
        // The server is started anew for the next turn; calls that are under way come to their end.
        self.drop_connection(&connection.calls).await;
        Err(error)
    }
}
