//! Grants, and everything else that the service knows of a user before an agent answers.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value};

/// What a server says of a tool, by names such as `description`.
pub type DefinitionFields = Vec<(String, String)>;

/// The definition of a tool as its server gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The tool as `server/tool`.
    pub tool: String,
    /// Hash of all that the server says of the tool.
    pub hash: String,
    /// What the server says of the tool, in words.
    pub said: DefinitionFields,
}

/// Where the calls of a grant are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GrantScope {
    /// In one thread.
    Thread,
    /// In all threads of the user with the agent.
    Agent,
}

impl GrantScope {
    /// Returns the scope as the interface spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Thread => "thread",
            Self::Agent => "agent",
        }
    }

    /// Returns the scope that the interface spells so.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        [Self::Thread, Self::Agent]
            .into_iter()
            .find(|it| it.as_str() == text)
    }
}

/// The grants that a policy lets a person give with a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantOffer {
    /// Where calls may be allowed; none where a person may give no grant.
    pub scopes: Vec<GrantScope>,
    /// The longest time for which they may be.
    pub max: SignedDuration,
}

/// A grant that a person gives with an approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedGrant {
    /// Where calls are allowed.
    pub scope: GrantScope,
    /// The end; `None` for a grant that ends with its thread.
    pub until: Option<Timestamp>,
    /// Conditions on arguments: those of `when` in an agent file, or the word `same` for the value that
    /// the approved call has.
    pub when: Map<String, Value>,
}

/// A grant: calls of one tool that a person need not be asked about, as long as the tool is defined
/// as it was when the grant was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The grant's id.
    pub id: String,
    /// The tool as `server/tool`.
    pub tool: String,
    /// Conditions on arguments, as a JSON object: those of `when` in an agent file.
    pub arguments: String,
    /// Hash of the tool's definition for which the grant is given.
    pub definition: String,
    /// The names of the arguments that the person saw: a call with others is asked about. `None` for a
    /// grant of the operator.
    pub names: Option<Vec<String>>,
}

/// What the service knows of a user with an agent before the agent answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserStanding {
    /// The grants of the user.
    pub grants: Vec<Grant>,
    /// Definitions of tools that the user accepted, and those that a server had when the service
    /// first saw that server: as `server/tool` and hash.
    pub accepted: BTreeSet<(String, String)>,
    /// What servers said of tools, by `server/tool`, when the user last accepted these: only of
    /// tools that are defined otherwise now.
    pub formerly: BTreeMap<String, DefinitionFields>,
    /// Tokens that the user has used today (UTC).
    pub tokens_today: u64,
}
