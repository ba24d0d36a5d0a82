//! Tools that a rule denies whatever their arguments are: no model need be offered them.

use super::{Action, Policy, Tool};

impl Policy {
    /// Returns true if a rule denies every call of the tool.
    pub(crate) fn always_denies(&self, tool: &Tool) -> bool {
        let name = tool.id();
        self.rules.iter().any(|rule| {
            rule.action == Action::Deny && rule.when.is_empty() && rule.tool.is_match(&name)
        })
    }
}
