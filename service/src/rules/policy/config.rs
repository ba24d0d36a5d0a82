//! The policy as the file of an agent gives it, and the rules of the whole service: read, checked and
//! compiled.

use globset::GlobMatcher;
use serde::Deserialize;

use super::{
    Action, Policy, Rule,
    conditions::{Conditions, ConditionsConfig, glob},
    editable::ArgumentPointer,
    grants::{GrantsConfig, WaitingTime},
};
use crate::{
    settings::{
        fault::{AtPlace as _, Fault},
        similar::similar,
    },
    transcript::Effect,
};

/// The policy as an agent file gives it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PolicyConfig {
    /// The action for a call that no rule decides about.
    #[serde(default)]
    pub(super) default: Action,
    /// Ids of servers whose hint `readOnlyHint` may mean that a tool runs by itself.
    #[serde(default)]
    pub(crate) trust_read_only: Vec<String>,
    /// The grants that a person may give with a decision.
    #[serde(default)]
    pub(super) grants: GrantsConfig,
    /// The time for which a person who is asked may decide; for ever where it is left out.
    #[serde(default)]
    pub(super) expires: Option<WaitingTime>,
    #[serde(default)]
    pub(super) rule: Vec<RuleConfig>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleConfig {
    /// Pattern of the tools that the rule is about, as `server/tool`.
    pub(super) tool: String,
    /// Conditions on arguments; without any the rule is about every call of the tool.
    #[serde(default)]
    pub(super) when: ConditionsConfig,
    #[serde(rename = "do")]
    pub(super) action: Action,
    /// The reason that the model is told where the rule denies, and the person where it asks.
    #[serde(default)]
    pub(super) why: String,
    /// The effect of the tool, which the operator knows and the server only hints at.
    #[serde(default)]
    pub(super) effect: Option<Effect>,
    /// The time for which a person whom the rule asks may decide, in place of the policy's.
    #[serde(default)]
    pub(super) expires: Option<WaitingTime>,
    /// The arguments that a person whom the rule asks may change before approving.
    #[serde(default)]
    pub(super) editable: Vec<ArgumentPointer>,
}

impl PolicyConfig {
    /// Compiles the patterns; `servers` are the ids that a policy may name.
    ///
    /// # Errors
    ///
    /// The fault, with its place.
    pub(crate) fn compile(&self, servers: &[&str]) -> Result<Policy, Fault> {
        for (at, id) in self.trust_read_only.iter().enumerate() {
            if !servers.contains(&id.as_str()) {
                let fault = format!("{id:?} is no server");
                return Err(fault).at(at).at("trust_read_only");
            }
        }
        let rules = self.rule.iter().enumerate();
        let rules = rules.map(|(at, rule)| {
            let known = rule.check_server(servers).at("tool");
            known.and_then(|()| rule.compile(false)).at(at).at("rule")
        });
        Ok(Policy {
            default: self.default,
            trust_read_only: self.trust_read_only.clone(),
            grants: self.grants.0.clone(),
            expires: self.expires.map(|WaitingTime(time)| time),
            rules: rules.collect::<Result<_, Fault>>()?,
            version: String::new(),
        })
    }
}

impl RuleConfig {
    /// Checks that the rule's pattern, if it names a single server, names one of `servers`.
    fn check_server(&self, servers: &[&str]) -> Result<(), String> {
        let Some((server, _)) = self.tool.split_once('/') else {
            return Ok(());
        };
        if is_wildcard(server) || servers.contains(&server) {
            return Ok(());
        }
        let meant = similar(server, servers.iter().copied());
        let meant = meant.map_or_else(String::new, |it| format!("; did you mean {it:?}?"));
        Err(format!("there is no server {server:?}{meant}"))
    }

    pub(super) fn compile(&self, of_service: bool) -> Result<Rule, Fault> {
        let place = if of_service { "service: " } else { "" };
        if self.expires.is_some() && self.action != Action::Ask {
            let fault = "a rule has an end to waiting only with do = \"ask\"";
            return Err(fault.to_owned()).at("expires");
        }
        if !self.editable.is_empty() && self.action != Action::Ask {
            let fault = "a rule lets arguments be changed only with do = \"ask\"";
            return Err(fault.to_owned()).at("editable");
        }
        Ok(Rule {
            name: format!("{place}{} {}", self.action.as_str(), self.tool),
            of_service,
            tool: compile_tool_pattern(&self.tool).at("tool")?,
            when: Conditions::compile(&self.when).at("when")?,
            action: self.action,
            why: self.why.clone(),
            effect: self.effect,
            expires: self.expires.map(|WaitingTime(time)| time),
            editable: self.editable.clone(),
        })
    }
}

/// Compiles a pattern that names tools as `server/tool`.
fn compile_tool_pattern(pattern: &str) -> Result<GlobMatcher, String> {
    if !pattern.contains('/') && pattern != "**" {
        return Err(format!(
            "{pattern:?} names no tool: they are written SERVER/TOOL"
        ));
    }
    glob(pattern)
}

/// Returns true for a part of a pattern that stands for more than one name.
pub(super) fn is_wildcard(part: &str) -> bool {
    part.contains(['*', '?', '[', '{'])
}
