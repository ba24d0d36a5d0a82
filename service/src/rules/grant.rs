//! Grants, and everything else that the service knows of a user before an agent answers.

use std::collections::{BTreeMap, BTreeSet};

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
