//! Grants: what a person allowed for good, for one tool as it was defined then, and for arguments of
//! one form. A grant lifts the question that is asked by default, and nothing else.

use serde_json::{Map, Value};

use super::conditions::{Conditions, ConditionsConfig, Extent};
use crate::rules::grant::Grant;

/// Grants of one user that are ready to be evaluated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grants(Vec<(Grant, Conditions)>);

impl Grants {
    /// Compiles grants; one that cannot be read grants nothing.
    pub(crate) fn new(grants: Vec<Grant>) -> Self {
        let compiled = grants.into_iter().filter_map(|grant| {
            let conditions = conditions(&grant.arguments);
            if let Err(fault) = &conditions {
                tracing::warn!(grant = grant.id, fault, "a grant cannot be read");
            }
            Some((grant, conditions.ok()?))
        });
        Self(compiled.collect())
    }

    /// Returns the id of the first grant that allows the call, if there is one.
    pub(super) fn allows(
        &self,
        tool: &str,
        definition: &str,
        arguments: &Map<String, Value>,
    ) -> Option<&str> {
        let found = self.0.iter().find(|(grant, conditions)| {
            grant.tool == tool
                && grant.definition == definition
                && conditions.all_hold(arguments, Extent::All) == Some(true)
        });
        found.map(|(grant, _)| grant.id.as_str())
    }
}

/// Checks the conditions of a grant, a JSON object as in `when` of an agent file.
///
/// # Errors
///
/// The fault.
pub(crate) fn check_grant(arguments: &str) -> Result<(), String> {
    conditions(arguments).map(drop)
}

/// Compiles the conditions of a grant, a JSON object as in an agent file's `when`.
fn conditions(text: &str) -> Result<Conditions, String> {
    let file: ConditionsConfig = serde_json::from_str(text).map_err(|error| error.to_string())?;
    Conditions::compile(&file).map_err(|fault| fault.to_string())
}
