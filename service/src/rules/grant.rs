//! Grants, and everything else that the service knows of a user before an agent answers.

use std::collections::{BTreeMap, BTreeSet};

/// What a server says of a tool, by names such as `description`.
pub type Said = Vec<(String, String)>;

/// The definition of a tool as its server gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The tool as `server/tool`.
    pub tool: String,
    /// Hash of all that the server says of it.
    pub hash: String,
    /// The same in words.
    pub said: Said,
}

/// A grant: calls of one tool, as it was defined then, that a person need not be asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Its identifier.
    pub id: String,
    /// The tool as `server/tool`.
    pub tool: String,
    /// Conditions on arguments, as a JSON object: those of `when` in an agent file.
    pub arguments: String,
    /// Hash of the tool's definition.
    pub definition: String,
}

/// The standing of a user with an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The grants of the user.
    pub grants: Vec<Grant>,
    /// Definitions of tools that the user accepted, and those that a server had when the service
    /// first saw it: as `server/tool` and hash.
    pub accepted: BTreeSet<(String, String)>,
    /// What was said of tools, as `server/tool`, when they were last accepted: of those alone that
    /// are defined otherwise now.
    pub formerly: BTreeMap<String, Said>,
    /// Tokens that the user has used today (UTC).
    pub tokens_today: u64,
}
