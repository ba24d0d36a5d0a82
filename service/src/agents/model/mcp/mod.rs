//! Tool servers by the Model Context Protocol.
//!
//! A server gets no authority: it is offered no sampling, no roots and no elicitation, its hints
//! are hints, and a program is started with an empty environment in a process group of its own.
//!
//! - [`session`] – one process of a server, or one connection to it; [`start`] and [`backoff`] – its
//!   start; [`stdio`], [`http`], [`client`] – the connection and both of its ends; [`log`] – what it
//!   says beside the protocol.
//! - [`list`], [`listed`] – its tools, and for how long they are waited for.
//! - [`call`] and [`result`] – calls of tools, and what comes of them; [`calls`] – those of one
//!   connection.
//!
//! A server has one session for all, or one for each thread or each user. Those are bounded in
//! number, and one that nobody uses ends.

mod backoff;
mod call;
mod calls;
mod client;
mod http;
mod list;
mod listed;
mod log;
mod result;
mod session;
mod start;
mod stdio;

use std::{
    collections::HashMap,
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};

use futures_util::future::join_all;
use reqwest::header::HeaderName;
use serde::Deserialize;
use tokio::{
    sync::Semaphore,
    time::{Instant, sleep},
};

use super::core::limits::Limits;
use crate::{
    settings::secret::Secret,
    store::{StateScope, ThreadKey},
};
use session::{Session, Setup};

pub(super) use call::ToolCall;
pub(super) use listed::StartPatience;
pub(super) use result::CallOutcome;
pub(super) use start::Transport;

/// The users and threads that share a session of a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Scope {
    /// All users of the agent share one session.
    #[default]
    Agent,
    /// The turns of one thread share a session.
    Thread,
    /// The threads of one user share a session.
    User,
}

impl Scope {
    /// Returns the key of a thread's session: the id of the thread or its user, or an empty text for
    /// the one that all share.
    fn key(self, thread: &ThreadKey) -> &str {
        match self {
            Self::Agent => "",
            Self::Thread => &thread.id,
            Self::User => &thread.user_id,
        }
    }
}

/// How many sessions a server may have, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SessionBounds {
    /// Most sessions of the server at once.
    pub(super) max_sessions: usize,
    /// The time without a turn after which a session ends; `None`: it stays.
    pub(super) idle: Option<Duration>,
}

/// What an agent file says about a tool server.
pub(super) struct ServerParameters {
    /// The server's id in the agent file.
    pub(super) id: String,
    pub(super) transport: Transport,
    pub(super) scope: Scope,
    pub(super) bounds: SessionBounds,
    /// The time that a start of the server may take.
    pub(super) start_timeout: Duration,
    /// True if reports of progress extend the time of a call.
    pub(super) progress_extends: bool,
    /// The header that tells the user's id to an address; `None`: it is not told. With a header, no
    /// session is for all.
    pub(super) forward_user: Option<HeaderName>,
    /// The keys in `transport`.
    pub(super) secrets: Vec<Secret>,
}

/// A tool server of an agent, with its sessions.
#[derive(Debug)]
pub(super) struct ToolServer {
    setup: Arc<Setup>,
    scope: Scope,
    bounds: SessionBounds,
    sessions: Arc<Sessions>,
}

/// The sessions of a server, by the id of the thread or user that each belongs to; the text is
/// empty for one that all share.
type Sessions = Mutex<HashMap<String, UsedSession>>;

/// A session, and who uses it.
#[derive(Debug)]
struct UsedSession {
    session: Arc<Session>,
    /// The id of the user whose turns use the session, unless it is for everybody.
    user: String,
    /// The number of turns that use the session now.
    turns: usize,
    /// The time at which the last turn that used the session ended.
    since: Instant,
}

/// A session that one turn uses: as long as this value lives, the session is not ended for being
/// idle.
#[derive(Debug)]
pub(super) struct Lease {
    session: Arc<Session>,
    key: String,
    sessions: Arc<Sessions>,
}

impl Deref for Lease {
    type Target = Arc<Session>;

    fn deref(&self) -> &Arc<Session> {
        &self.session
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut sessions = lock(&self.sessions);
        let held = sessions.get_mut(&self.key);
        if let Some(held) = held.filter(|held| Arc::ptr_eq(&held.session, &self.session)) {
            held.turns -= 1;
            held.since = Instant::now();
        }
    }
}

impl ToolServer {
    pub(super) fn new(parameters: ServerParameters, limits: &Limits) -> Self {
        let ServerParameters { scope, bounds, .. } = parameters;
        let setup = Setup {
            id: parameters.id,
            transport: parameters.transport,
            forward_user: parameters.forward_user,
            secrets: parameters.secrets,
            has_state: scope != Scope::Agent,
            start_timeout: parameters.start_timeout,
            call_timeout: limits.tool_timeout(),
            progress_extends: parameters
                .progress_extends
                .then(|| Duration::from_secs(limits.seconds)),
            max_result_bytes: limits.tool_result_bytes,
            slots: Arc::new(Semaphore::new(bounds.max_sessions)),
            named: Mutex::default(),
        };
        Self {
            setup: Arc::new(setup),
            scope,
            bounds,
            sessions: Arc::default(),
        }
    }

    /// Returns which turns share a session of the server; `None` if all do.
    pub(super) fn state_scope(&self) -> Option<StateScope> {
        match self.scope {
            Scope::Agent => None,
            Scope::Thread => Some(StateScope::Thread),
            Scope::User => Some(StateScope::User),
        }
    }

    /// Returns the server's id in the agent file.
    pub(super) fn id(&self) -> &str {
        &self.setup.id
    }

    /// Returns the time that a start of the server may take.
    pub(super) fn start_timeout(&self) -> Duration {
        self.setup.start_timeout
    }

    /// Returns true if the server has to be told a user before it lists or runs anything.
    pub(super) fn needs_user(&self) -> bool {
        self.setup.forward_user.is_some()
    }

    /// Returns a thread's session for the time of a turn, and makes it if there is none. Where
    /// there are as many as allowed, the one that nobody has used for the longest time ends.
    ///
    /// # Errors
    ///
    /// A sentence: all sessions are in use, or the server cannot be told the user.
    pub(super) async fn lease(&self, thread: &ThreadKey) -> Result<Lease, String> {
        let (lease, ended) = self.take(thread)?;
        if let Some(session) = ended {
            session.end().await;
        }
        Ok(lease)
    }

    /// Returns a thread's session, and a session that gives its slot to it and has to be ended;
    /// `None` if there is room.
    fn take(&self, thread: &ThreadKey) -> Result<(Lease, Option<Arc<Session>>), String> {
        let key = self.scope.key(thread);
        let lease = |session: &Arc<Session>| Lease {
            session: Arc::clone(session),
            key: key.to_owned(),
            sessions: Arc::clone(&self.sessions),
        };
        let mut sessions = lock(&self.sessions);
        if let Some(held) = sessions.get_mut(key) {
            held.turns += 1;
            return Ok((lease(&held.session), None));
        }
        let session = Session::new(Arc::clone(&self.setup), &thread.user_id);
        let session = session.map_err(|reason| self.setup.log_fault(&reason))?;
        let session = Arc::new(session);
        let mut ended = None;
        // One user leaves half of the sessions for others.
        let is_own = |held: &UsedSession| held.user == thread.user_id;
        let own = sessions.values().filter(|held| is_own(held)).count();
        let has_share = own >= self.bounds.max_sessions.div_ceil(2);
        if has_share || sessions.len() >= self.bounds.max_sessions {
            let unused = sessions.iter().filter(|(_, held)| held.turns == 0);
            let unused = unused.filter(|(_, held)| !has_share || is_own(held));
            let longest = unused.min_by_key(|(_, held)| held.since);
            let longest = longest.map(|(key, _)| key.clone());
            let longest =
                longest.ok_or_else(|| self.setup.log_fault("all its sessions are in use"))?;
            ended = sessions.remove(&longest).map(|held| held.session);
        }
        let lease = lease(&session);
        if let Some(idle) = self.bounds.idle {
            let (sessions, session) = (Arc::downgrade(&self.sessions), Arc::downgrade(&session));
            tokio::spawn(end_when_idle(sessions, key.to_owned(), session, idle));
        }
        let held = UsedSession {
            session,
            user: thread.user_id.clone(),
            turns: 1,
            since: Instant::now(),
        };
        sessions.insert(key.to_owned(), held);
        Ok((lease, ended))
    }

    /// Returns the number of the server's sessions that are connected; one that is being started is
    /// not.
    pub(super) fn connected_sessions(&self) -> usize {
        let sessions = lock(&self.sessions);
        let connected = |held: &&UsedSession| held.session.is_connected();
        sessions.values().filter(connected).count()
    }

    /// Ends the session of a thread that was deleted, if it has one to itself.
    pub(super) async fn thread_deleted(&self, thread_id: &str) {
        if self.scope == Scope::Thread {
            let held = lock(&self.sessions).remove(thread_id);
            if let Some(held) = held {
                held.session.end().await;
            }
        }
    }

    /// Ends all sessions of the server.
    pub(super) async fn close(&self) {
        let all: Vec<UsedSession> = lock(&self.sessions).drain().map(|(_, held)| held).collect();
        join_all(all.iter().map(|held| held.session.end())).await;
    }
}

/// Ends a session once no turn has used it for the time `idle`; returns then, or once the session
/// has ended for another reason.
async fn end_when_idle(
    sessions: Weak<Sessions>,
    key: String,
    session: Weak<Session>,
    idle: Duration,
) {
    let mut wait = idle;
    loop {
        sleep(wait).await;
        let (Some(sessions), Some(session)) = (sessions.upgrade(), session.upgrade()) else {
            return;
        };
        {
            let mut sessions = lock(&sessions);
            let held = sessions.get(&key);
            let Some(held) = held.filter(|held| Arc::ptr_eq(&held.session, &session)) else {
                return;
            };
            wait = match held.turns {
                0 if !session.is_starting() => idle.saturating_sub(held.since.elapsed()),
                _ => idle,
            };
            if !wait.is_zero() {
                continue;
            }
            sessions.remove(&key);
        }
        session.end().await;
        return;
    }
}

fn lock(sessions: &Sessions) -> MutexGuard<'_, HashMap<String, UsedSession>> {
    sessions.lock().unwrap_or_else(PoisonError::into_inner)
}
