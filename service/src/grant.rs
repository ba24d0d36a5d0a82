//! Grants, and everything else that the service knows of a user before an agent answers.

use std::collections::BTreeSet;

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
    /// Tokens that the user has used today (UTC).
    pub tokens_today: u64,
}
