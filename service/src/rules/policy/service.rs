//! The rules of the whole service, which are in a file of their own.

use serde::Deserialize;

use super::{Action, Rule, conditions::ConditionsConfig, config::RuleConfig, version::Canonical};
use crate::settings::fault::{AtPlace as _, Fault, describe_parse_error};

/// `policy.toml` beside the folders of the agents: what none of them may do.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ServicePolicyFile {
    #[serde(default)]
    deny: Vec<DenyRuleConfig>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DenyRuleConfig {
    tool: String,
    #[serde(default)]
    when: ConditionsConfig,
    #[serde(default)]
    why: String,
}

/// The rules of the whole service, which come before those of any agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServiceRules {
    pub(super) rules: Vec<Rule>,
    /// What the file says, for the versions of policies.
    pub(super) said: Canonical,
}

impl ServiceRules {
    /// Reads the text of a `policy.toml`, which has the rules of the whole service.
    ///
    /// # Errors
    ///
    /// The fault, with its line where there is one.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let file: ServicePolicyFile =
            toml::from_str(text).map_err(|error| describe_parse_error(text, &error))?;
        let rules = file.deny.into_iter().enumerate().map(|(at, deny)| {
            let rule = RuleConfig {
                tool: deny.tool,
                when: deny.when,
                action: Action::Deny,
                why: deny.why,
                effect: None,
                expires: None,
                editable: Vec::new(),
            };
            rule.compile(true).at(at).at("deny")
        });
        let rules: Result<_, Fault> = rules.collect();
        Ok(Self {
            rules: rules.map_err(|fault| fault.say(text))?,
            said: Canonical::of_service(text),
        })
    }
}
