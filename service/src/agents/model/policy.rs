//! The policy: which tool may run by itself, which one a person is asked about, which one never
//! runs. It is outside of the model, which has no say in it.
//!
//! Deny beats ask, ask beats automatic, automatic beats the default. What cannot be evaluated asks.

use std::collections::BTreeMap;

use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The policy as an agent file gives it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PolicyFile {
    /// The action for a tool that no rule names.
    #[serde(default)]
    default: Action,
    /// Ids of servers whose hint `readOnlyHint` may mean that a tool runs by itself.
    #[serde(default)]
    pub(super) trust_read_only: Vec<String>,
    #[serde(default)]
    rule: Vec<RuleFile>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    /// Pattern of `server/tool`.
    tool: String,
    /// Conditions on arguments, by JSON pointer; all of them must hold.
    #[serde(default)]
    when: BTreeMap<String, Condition>,
    #[serde(rename = "do")]
    action: Action,
    /// The reason that the model is told where the rule denies.
    #[serde(default)]
    why: String,
    /// The effect of the tool, which the operator knows and the server only hints at.
    #[serde(default)]
    effect: Option<Effect>,
}

/// The decision of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Action {
    /// The tool runs by itself.
    Auto,
    /// A person is asked.
    #[default]
    Ask,
    /// The tool never runs.
    Deny,
}

/// The effect of a call that may have been made twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Effect {
    /// It changes nothing.
    Read,
    /// Once or twice is the same.
    Idempotent,
    /// Twice is not the same as once.
    #[default]
    Write,
}

/// A condition on one argument: exactly one of these.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
enum Condition {
    /// A number above this one.
    Over(f64),
    /// A number below this one.
    Under(f64),
    /// A text equal to this one.
    Equals(String),
    /// A text, usually a path, that this pattern matches as a whole.
    Glob(String),
}

/// A policy that is ready to decide.
#[derive(Clone, Debug)]
pub(super) struct Policy {
    default: Action,
    trust_read_only: Vec<String>,
    rules: Vec<Rule>,
}

#[derive(Clone, Debug)]
struct Rule {
    tool: GlobMatcher,
    when: Vec<(String, Check)>,
    action: Action,
    why: String,
    effect: Option<Effect>,
}

#[derive(Clone, Debug)]
enum Check {
    Over(f64),
    Under(f64),
    Equals(String),
    Glob(GlobMatcher),
}

/// The decision about one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ruling {
    /// The action.
    pub(super) action: Action,
    /// The effect of the call.
    pub(super) effect: Effect,
    /// The reason for a person or the model; may be empty.
    pub(super) why: String,
}

/// Returns true if the condition holds, `None` if that cannot be said.
type Holds = Option<bool>;

impl PolicyFile {
    /// Compiles the patterns; `servers` are the ids that a policy may name.
    pub(super) fn compile(&self, servers: &[&str]) -> Result<Policy, String> {
        if let Some(id) = self
            .trust_read_only
            .iter()
            .find(|id| !servers.contains(&id.as_str()))
        {
            return Err(format!("trust_read_only names {id:?}, which is no server"));
        }
        let rules = self.rule.iter().map(|rule| {
            let when = rule.when.iter().map(|(pointer, condition)| {
                if !pointer.starts_with('/') {
                    return Err(format!("{pointer:?} is no JSON pointer: it begins with /"));
                }
                Ok((pointer.clone(), condition.compile()?))
            });
            Ok(Rule {
                tool: glob(&rule.tool)?,
                when: when.collect::<Result<_, String>>()?,
                action: rule.action,
                why: rule.why.clone(),
                effect: rule.effect,
            })
        });
        Ok(Policy {
            default: self.default,
            trust_read_only: self.trust_read_only.clone(),
            rules: rules.collect::<Result<_, String>>()?,
        })
    }
}

impl Condition {
    fn compile(&self) -> Result<Check, String> {
        Ok(match self {
            Self::Over(bound) => Check::Over(*bound),
            Self::Under(bound) => Check::Under(*bound),
            Self::Equals(text) => Check::Equals(text.clone()),
            Self::Glob(pattern) => Check::Glob(glob(pattern)?),
        })
    }
}

impl Policy {
    /// Decides about a call of `server/tool`; `read_only` is the server's own hint.
    pub(super) fn decide(
        &self,
        server: &str,
        tool: &str,
        arguments: &Map<String, Value>,
        read_only: bool,
    ) -> Ruling {
        let name = format!("{server}/{tool}");
        let trusted = read_only && self.trust_read_only.iter().any(|id| id == server);
        let mut effect = if trusted { Effect::Read } else { Effect::Write };
        // Of rules with the same action the first one counts.
        let mut chosen: Option<(Action, &str)> = None;
        for rule in self.rules.iter().filter(|rule| rule.tool.is_match(&name)) {
            let action = match rule.holds(arguments) {
                Some(true) => rule.action,
                Some(false) => continue,
                None => Action::Ask,
            };
            if action == rule.action
                && let Some(declared) = rule.effect
            {
                effect = declared;
            }
            if chosen.is_none_or(|(before, _)| rank(action) > rank(before)) {
                chosen = Some((action, &rule.why));
            }
        }
        let by_default = if trusted { Action::Auto } else { self.default };
        let (action, why) = chosen.unwrap_or((by_default, ""));
        Ruling {
            action,
            effect,
            why: why.to_owned(),
        }
    }
}

impl Policy {
    /// Says how calls of a tool are decided, as far as that is known without arguments.
    pub(super) fn describe(&self, server: &str, tool: &str, read_only: bool) -> String {
        let name = format!("{server}/{tool}");
        let rules = || self.rules.iter().filter(|rule| rule.tool.is_match(&name));
        let without_arguments = Self {
            rules: rules()
                .filter(|rule| rule.when.is_empty())
                .cloned()
                .collect(),
            ..self.clone()
        };
        let ruling = without_arguments.decide(server, tool, &Map::new(), read_only);
        let reason = if rules().any(|rule| rule.when.is_empty()) {
            "by a rule"
        } else if read_only && self.trust_read_only.iter().any(|id| id == server) {
            "the server says that it changes nothing, and is trusted in that"
        } else {
            "by default"
        };
        let mut text = format!("{}, {reason}", ruling.action.as_str());
        if !ruling.why.is_empty() {
            text = format!("{text} ({})", ruling.why);
        }
        for rule in rules().filter(|rule| !rule.when.is_empty()) {
            let names: Vec<&str> = rule.when.iter().map(|(name, _)| name.as_str()).collect();
            let action = rule.action.as_str();
            text = format!("{text}; {action} for some values of {}", names.join(", "));
        }
        text
    }
}

impl Action {
    fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

impl Rule {
    /// All conditions hold; one that surely does not settles it.
    fn holds(&self, arguments: &Map<String, Value>) -> Holds {
        let mut known = true;
        for (pointer, check) in &self.when {
            match check.holds(at(arguments, pointer)) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => known = false,
            }
        }
        known.then_some(true)
    }
}

impl Check {
    fn holds(&self, value: Option<&Value>) -> Holds {
        match self {
            Self::Over(bound) => Some(value?.as_f64()? > *bound),
            Self::Under(bound) => Some(value?.as_f64()? < *bound),
            Self::Equals(text) => Some(value?.as_str()? == text),
            Self::Glob(pattern) => {
                let text = value?.as_str()?;
                // Such a path may lead anywhere, whatever its letters match.
                let odd = |part: &str| matches!(part, "." | "..");
                if text.split(['/', '\\']).any(odd) || text.contains('\0') {
                    return None;
                }
                Some(pattern.is_match(text))
            }
        }
    }
}

/// Follows a JSON pointer into the arguments.
fn at<'a>(arguments: &'a Map<String, Value>, pointer: &str) -> Option<&'a Value> {
    let (first, rest) = pointer
        .strip_prefix('/')?
        .split_once('/')
        .map_or((pointer.strip_prefix('/')?, ""), |(first, rest)| {
            (first, rest)
        });
    let name = first.replace("~1", "/").replace("~0", "~");
    let value = arguments.get(&name)?;
    if rest.is_empty() {
        return Some(value);
    }
    value.pointer(&format!("/{rest}"))
}

fn glob(pattern: &str) -> Result<GlobMatcher, String> {
    GlobBuilder::new(pattern)
        .literal_separator(true)
        .build()
        .map(|glob| glob.compile_matcher())
        .map_err(|error| error.to_string())
}

fn rank(action: Action) -> u8 {
    match action {
        Action::Auto => 0,
        Action::Ask => 1,
        Action::Deny => 2,
    }
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
