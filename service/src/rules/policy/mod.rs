//! The policy: which tool may run by itself, which one a person is asked about, which one never
//! runs. It is outside of the model, which has no say in it.
//!
//! Deny of the service beats deny of the agent, which beats ask, a grant, automatic, the hint of a
//! trusted server, and the default, in this order. A rule whose conditions cannot be evaluated
//! denies or asks, and lets nothing run.
//!
//! - `config` – the policy as files have it.
//! - [`conditions`] – conditions on arguments.
//! - [`editable`] – arguments that a person may change.
//! - [`grants`] – what a person allowed for good.
//! - [`paths`] – conditions on where a path leads.
//! - `ruling` – what was decided about a call.
//! - `service` – the rules of the whole service.
//! - `told` – what a person is told of a call's effect.
//! - [`tool`] – a tool as its server describes it.
//! - `version` – the short hash that names a policy.
//! - `idle` – rules that name no tool, or do not say what they seem to.

mod action;
mod always;
mod conditions;
mod config;
mod editable;
mod grants;
mod idle;
mod paths;
mod ruling;
mod service;
mod told;
mod tool;
mod version;

use globset::GlobMatcher;
use jiff::SignedDuration;
use serde_json::{Map, Value};

use crate::{
    rules::{audit::DecisionSource, grant::GrantOffer},
    transcript::Effect,
};
use conditions::Conditions;
use config::is_wildcard;
use editable::{ArgumentPointer, editable_arguments};
use ruling::DefinitionChange;

pub(crate) use action::Action;
pub(crate) use config::PolicyConfig;
pub(crate) use editable::EditableArgument;
pub(crate) use grants::{Grants, check_grant, check_wanted, conditions_like};
pub(crate) use ruling::Ruling;
pub(crate) use service::ServiceRules;
pub(crate) use told::ToldEffect;
pub(crate) use tool::{Acceptance, Tool};

/// Longest arguments of a call, in bytes: nobody can read more before deciding.
pub(crate) const MAX_ARGUMENT_BYTES: usize = 64 * 1024;

/// A policy that is ready to decide.
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    default: Action,
    trust_read_only: Vec<String>,
    grants: GrantOffer,
    expires: Option<SignedDuration>,
    /// The rules, those of the service first.
    rules: Vec<Rule>,
    /// The policy's version; empty until it is known what the files say.
    version: String,
}

#[derive(Clone, Debug)]
struct Rule {
    /// The rule's name in the audit.
    name: String,
    /// True for a rule of the service (`policy.toml`), false for one of the agent.
    of_service: bool,
    tool: GlobMatcher,
    when: Conditions,
    action: Action,
    why: String,
    effect: Option<Effect>,
    expires: Option<SignedDuration>,
    editable: Vec<ArgumentPointer>,
}

impl Rule {
    /// Returns true if the conditions of the rule hold for these arguments; `None` if that cannot
    /// be said.
    fn holds(&self, arguments: &Map<String, Value>) -> Option<bool> {
        self.when.all_hold(arguments, self.action.extent())
    }

    /// Returns the reason that the rule gives, and a list of the conditions that could not be
    /// checked for these arguments.
    fn reason(&self, arguments: &Map<String, Value>) -> String {
        let unclear = self.when.unclear_pointers(arguments, self.action.extent());
        if unclear.is_empty() {
            return self.why.clone();
        }
        let unclear = format!("Could not be checked: {}.", unclear.join(", "));
        format!("{} {unclear}", self.why).trim().to_owned()
    }
}

impl Policy {
    /// Puts the rules of the service before those of the agent.
    pub(crate) fn with_service_rules(mut self, service: &ServiceRules) -> Self {
        self.rules = [service.rules.clone(), self.rules].concat();
        self
    }

    /// Gives the policy its version, by the text of its agent file and the rules of the service.
    pub(crate) fn with_version(mut self, agent_file: &str, service: &ServiceRules) -> Self {
        self.version = version::version(agent_file, &service.said);
        self
    }

    /// Returns the version of the policy: the beginning of a hash of what the files say.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Decides about a call of a tool.
    pub(crate) fn decide(
        &self,
        tool: &Tool,
        arguments: &Map<String, Value>,
        grants: &Grants,
    ) -> Ruling {
        let name = tool.id();
        let trusted = self.trusts(tool);
        // Rules that hold, and rules of which that cannot be said.
        let (mut certain, mut doubtful) = (None, None);
        let mut declared: Option<Effect> = None;
        for rule in self.rules.iter().filter(|rule| rule.tool.is_match(&name)) {
            match rule.holds(arguments) {
                Some(true) => certain = stricter(certain, rule),
                None if rule.action != Action::Auto => doubtful = stricter(doubtful, rule),
                None => {}
                Some(false) => continue,
            }
            declared = declared.max(rule.effect);
        }
        let is_closed = !trusted && self.default == Action::Deny;
        let chosen = match (certain, doubtful) {
            // A question would be more than such a call gets where the rule is surely not about it.
            (None, Some(rule)) if rule.action == Action::Ask && is_closed => None,
            (Some(_), Some(rule)) => stricter(certain, rule),
            (certain, doubtful) => certain.or(doubtful),
        };
        let hinted = if trusted { Effect::Read } else { Effect::Write };
        let said = chosen.and_then(|rule| rule.effect).or(declared);
        let effect = said.unwrap_or(hinted);
        let ruling = |action, why: &str, source, rule: &str| Ruling {
            action,
            effect,
            why: why.to_owned(),
            source,
            rule: rule.to_owned(),
            told: ToldEffect::new(said, tool),
            change: None,
            grants: None,
            expires: chosen
                .and_then(|rule| rule.expires)
                .or(self.expires)
                .filter(|_| action == Action::Ask),
            editable: match chosen {
                Some(rule) if action == Action::Ask => {
                    editable_arguments(&rule.editable, &tool.parameters, arguments)
                }
                _ => Vec::new(),
            },
        };
        let by_rule = DecisionSource::Rule;
        let decided = match chosen {
            Some(rule) => ruling(rule.action, &rule.reason(arguments), by_rule, &rule.name),
            None if trusted => ruling(Action::Auto, "", by_rule, "trusted hint"),
            None => ruling(self.default, "", by_rule, "default"),
        };
        if decided.action == Action::Deny {
            return decided;
        }
        if let Acceptance::Pending { formerly } = &tool.acceptance {
            let change = DefinitionChange::new(tool, formerly);
            let why = change.reason(&decided.why);
            return Ruling {
                change: Some(change),
                ..ruling(Action::Ask, &why, by_rule, "definition changed")
            };
        }
        let asked_by_default = chosen.is_none() && decided.action == Action::Ask;
        if !asked_by_default {
            return decided;
        }
        let offer = self.offer(tool);
        match grants.allows(&name, &tool.definition, arguments, offer.is_some()) {
            Some(id) => ruling(Action::Auto, "", DecisionSource::Grant, id),
            None => Ruling {
                grants: offer,
                ..decided
            },
        }
    }

    /// Returns the reason why a call that a person changed before approving it may not run; `None` if
    /// it may. `tool` is written `server/tool`.
    ///
    /// What only the server says of the tool is judged right before it runs.
    pub(crate) fn refusal(&self, tool: &str, arguments: &Map<String, Value>) -> Option<String> {
        let (server, name) = tool.split_once('/').unwrap_or_default();
        let tool = Tool::new(server, name, "", Value::Null, false)?;
        let ruling = self.decide(&tool, arguments, &Grants::default());
        (ruling.action == Action::Deny).then_some(ruling.why)
    }

    /// Returns the grants that a person who is asked about a call by default may give; `None` if none:
    /// a tool without a definition could not be told from another one of its name.
    fn offer(&self, tool: &Tool) -> Option<GrantOffer> {
        let is_offered = !self.grants.scopes.is_empty() && !tool.definition.is_empty();
        is_offered.then(|| self.grants.clone())
    }

    fn trusts(&self, tool: &Tool) -> bool {
        tool.read_only && self.trust_read_only.contains(&tool.server)
    }

    /// Says how calls of a tool are decided, as far as that is known without arguments.
    pub(crate) fn describe(&self, tool: &Tool) -> String {
        let name = tool.id();
        let rules = || self.rules.iter().filter(|rule| rule.tool.is_match(&name));
        let without_arguments = Self {
            rules: rules()
                .filter(|rule| rule.when.is_empty())
                .cloned()
                .collect(),
            ..self.clone()
        };
        let ruling = without_arguments.decide(tool, &Map::new(), &Grants::default());
        let reason = if rules().any(|rule| rule.when.is_empty()) {
            "by a rule"
        } else if self.trusts(tool) {
            "the server says that it changes nothing, and is trusted in that"
        } else {
            "by default"
        };
        let mut text = format!("{}, {reason}", ruling.action.as_str());
        if !ruling.why.is_empty() {
            text = format!("{text} ({})", ruling.why);
        }
        for rule in rules().filter(|rule| !rule.when.is_empty()) {
            let names = rule.when.pointers().join(", ");
            let action = rule.action.as_str();
            text = format!("{text}; {action} for some values of {names}");
        }
        text
    }
}

/// Returns the stricter one of two rules, and of two with the same action the first one.
fn stricter<'a>(before: Option<&'a Rule>, rule: &'a Rule) -> Option<&'a Rule> {
    let stays = before.filter(|before| before.action >= rule.action);
    stays.or(Some(rule))
}

#[cfg(test)]
mod any_call_tests;
#[cfg(test)]
mod doubts_tests;
#[cfg(test)]
mod tests;
