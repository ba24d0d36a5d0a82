//! The connection: the service's address, the agent, the user, and the kind of storage. Sending is
//! the business of `api`.

use assent_protocol::AgentId;

use super::StorageKind;

/// Which requests carry the browser's own credentials (cookies, client certificates).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Credentials {
    /// Requests to the page's own origin carry credentials, others do not.
    #[default]
    SameOrigin,
    /// Requests to any origin carry credentials.
    Include,
    /// No requests carry credentials.
    Omit,
}

/// Everything that a request needs besides its path and body, and the kind of storage for values
/// that outlive the page. Fixed for the life of a runtime.
///
/// It has no `Debug`, because it holds the key.
#[derive(Clone, PartialEq, Eq)]
pub struct Connection {
    /// The service's address without a slash at its end; it may have a path. All paths are appended
    /// to it.
    pub base_url: String,
    /// The agent whose threads are shown, and with which new ones are created.
    pub agent: AgentId,
    /// True if what waits is that of all agents (extension `inbox`). A thread of another agent may be
    /// opened then, so that none is remembered as the last one.
    pub every_agent: bool,
    /// Value of the user header (specification, Authentication). A valid header value.
    pub user_id: String,
    /// Name of the user header. A valid header name.
    pub user_id_header: String,
    /// The bearer token, if the page holds one. A valid header value.
    pub api_key: Option<String>,
    /// Which requests carry the credentials that the browser adds by itself.
    pub credentials: Credentials,
    /// The kind of storage for values that outlive the page.
    pub storage: StorageKind,
}

impl Connection {
    /// Returns the prefix of the keys of stored values, so that two services, agents or users share
    /// nothing.
    #[must_use]
    pub fn storage_prefix(&self) -> String {
        let [base, agent, user] =
            [&self.base_url, &self.agent.0, &self.user_id].map(|part| escaped(part));
        // The colon ends the prefix, so that none may be in its last part.
        let user = user.replace(':', "%3A");
        format!("assent:{base}|{agent}|{user}:")
    }
}

/// Returns one part of a key, in which the separator of parts is escaped.
pub(super) fn escaped(part: &str) -> String {
    part.replace('%', "%25").replace('|', "%7C")
}
