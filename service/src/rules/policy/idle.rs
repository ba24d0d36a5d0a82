//! Rules that name no tool, which protect nobody: a misspelt `deny` most of all; and rules that
//! compare a path by its letters.

use super::{Policy, Rule, is_wildcard};
use crate::settings::similar::similar;

impl Policy {
    /// Returns a sentence for each rule of the agent that is about none of these tools; it proposes
    /// a tool where the rule may be misspelt.
    pub(crate) fn idle_rule_faults(&self, tools: &[String]) -> impl Iterator<Item = String> {
        let own = self.idle_rules(tools).filter(|rule| !rule.of_service);
        own.map(|rule| format!("policy: {}", fault(rule, "this agent", tools)))
    }

    /// Returns a sentence for each rule of the service that is about none of these tools. It is the
    /// same for each agent, so that it proposes no other name.
    pub(crate) fn idle_service_rule_faults(
        &self,
        tools: &[String],
    ) -> impl Iterator<Item = String> {
        let of_service = self.idle_rules(tools).filter(|rule| rule.of_service);
        of_service.map(|rule| format!("policy.toml: {}", fault(rule, "any agent", &[])))
    }

    /// Returns a warning for each rule with a `glob` that compares a path letter by letter,
    /// although a path can be spelled in many ways.
    pub(crate) fn path_glob_faults(&self) -> impl Iterator<Item = String> {
        self.rules.iter().flat_map(|rule| {
            let (action, pattern) = (rule.action.as_str(), rule.tool.glob().glob());
            rule.when.globs_of_paths().map(move |pointer| {
                format!(
                    "policy: the rule that says {action} for {pattern:?} compares {pointer} letter \
                     by letter (glob), and a path has many spellings; path = {{ glob = … }} or \
                     {{ under = … }} compares where it leads"
                )
            })
        })
    }

    fn idle_rules(&self, tools: &[String]) -> impl Iterator<Item = &Rule> {
        let rules = self.rules.iter();
        let idle = rules.filter(|rule| !tools.iter().any(|tool| rule.tool.is_match(tool)));
        idle.filter(|rule| !is_precaution(rule.tool.glob().glob(), tools))
    }
}

/// Returns true for a pattern that may stand for tools to come: it is about any server, or about
/// many tools of a server whose tools are known.
fn is_precaution(pattern: &str, tools: &[String]) -> bool {
    let (server, tool) = pattern.split_once('/').unwrap_or((pattern, ""));
    let mut servers = tools.iter().filter_map(|tool| tool.split_once('/'));
    is_wildcard(server) || is_wildcard(tool) && servers.any(|(known, _)| known == server)
}

fn fault(rule: &Rule, whose: &str, tools: &[String]) -> String {
    let pattern = rule.tool.glob().glob();
    let meant = similar(pattern, tools.iter().map(String::as_str));
    let meant = meant.map_or_else(String::new, |tool| format!("; did you mean {tool:?}?"));
    let action = rule.action.as_str();
    format!("the rule that says {action} for {pattern:?} names no tool of {whose}{meant}")
}
