//! Grants: what a person allowed for good, for one tool as it was defined then, and for arguments of
//! one form. A grant lifts the question that is asked by default, and nothing else.

use std::fmt;

use jiff::{SignedDuration, Span, SpanRelativeTo};
use serde::{
    Deserialize, Deserializer,
    de::{Error as _, MapAccess, Visitor, value::MapAccessDeserializer},
};
use serde_json::{Map, Value, json};

use super::conditions::{Conditions, ConditionsConfig, Extent};
use crate::rules::grant::{Grant, GrantOffer, GrantScope};

/// The longest time for which a policy may let a person give a grant.
const LONGEST: SignedDuration = SignedDuration::from_hours(366 * 24);

/// The time for which a person may give a grant where the policy says nothing.
const DEFAULT_MAX: SignedDuration = SignedDuration::from_hours(8);

/// The grants that a policy lets a person give, as an agent file has them: `"never"`, or a table with
/// `scopes` and `max`.
#[derive(Clone, Debug)]
pub(super) struct GrantsConfig(pub(super) GrantOffer);

impl Default for GrantsConfig {
    fn default() -> Self {
        Self(GrantOffer {
            scopes: vec![GrantScope::Thread],
            max: DEFAULT_MAX,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GrantsTable {
    scopes: Option<Vec<GrantScope>>,
    max: Option<String>,
}

impl<'de> Deserialize<'de> for GrantsConfig {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Grants;

        impl<'de> Visitor<'de> for Grants {
            type Value = GrantsConfig;

            fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str("\"never\", or a table with scopes and max")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<GrantsConfig, E> {
                if text != "never" {
                    return Err(E::invalid_value(serde::de::Unexpected::Str(text), &self));
                }
                let GrantsConfig(GrantOffer { max, .. }) = GrantsConfig::default();
                let scopes = Vec::new();
                Ok(GrantsConfig(GrantOffer { scopes, max }))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<GrantsConfig, A::Error> {
                let table = GrantsTable::deserialize(MapAccessDeserializer::new(map))?;
                let GrantsConfig(mut offer) = GrantsConfig::default();
                if let Some(max) = table.max {
                    offer.max = parse_time(&max).map_err(A::Error::custom)?;
                }
                if let Some(scopes) = table.scopes {
                    offer.scopes = scopes;
                }
                Ok(GrantsConfig(offer))
            }
        }

        from.deserialize_any(Grants)
    }
}

/// A time such as `24h` for which a person may decide.
#[derive(Clone, Copy, Debug)]
pub(super) struct WaitingTime(pub(super) SignedDuration);

impl<'de> Deserialize<'de> for WaitingTime {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        parse_time(&text).map(Self).map_err(D::Error::custom)
    }
}

/// Reads a time such as `8h` or `7d`; a day has 24 hours.
fn parse_time(text: &str) -> Result<SignedDuration, String> {
    let days = SpanRelativeTo::days_are_24_hours();
    let time = text.parse::<Span>().and_then(|it| it.to_duration(days));
    time.ok()
        .filter(|time| (SignedDuration::from_secs(1)..=LONGEST).contains(time))
        .ok_or_else(|| format!("{text:?} is no time such as \"8h\" or \"7d\", of a year at most"))
}

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

    /// Returns the id of the first grant that allows the call, if there is one; those of people
    /// count only where the policy lets a person give one still.
    pub(super) fn allows(
        &self,
        tool: &str,
        definition: &str,
        arguments: &Map<String, Value>,
        counts_people: bool,
    ) -> Option<&str> {
        let found = self.0.iter().find(|(grant, conditions)| {
            (counts_people || grant.names.is_none())
                && grant.tool == tool
                && grant.definition == definition
                && knows_all(grant, arguments)
                && conditions.all_hold(arguments, Extent::All) == Some(true)
        });
        found.map(|(grant, _)| grant.id.as_str())
    }
}

/// Returns true if a call has no argument that the person did not see with the call for which the
/// grant was given.
fn knows_all(grant: &Grant, arguments: &Map<String, Value>) -> bool {
    let Some(names) = &grant.names else {
        return true;
    };
    arguments.keys().all(|name| names.contains(name))
}

/// Returns the conditions that a person set for calls like the one with these arguments, as a JSON
/// object; `None` if they do not hold for that call itself, or cannot be read. The word `same` becomes
/// the value that the call has.
pub(crate) fn conditions_like(when: &Map<String, Value>, arguments: &str) -> Option<String> {
    let arguments: Value = serde_json::from_str(arguments).ok()?;
    let when = when.iter().map(|(pointer, condition)| {
        let condition = match condition {
            Value::String(word) if word == "same" => json!({ "same": arguments.pointer(pointer)? }),
            other => other.clone(),
        };
        Some((pointer.clone(), condition))
    });
    let when = Value::Object(when.collect::<Option<_>>()?).to_string();
    let holds = conditions(&when)
        .ok()?
        .all_hold(arguments.as_object()?, Extent::All);
    (holds == Some(true)).then_some(when)
}

/// Checks the form of conditions that a person sets: those of `when` in an agent file, or the word
/// `same`.
///
/// # Errors
///
/// The fault.
pub(crate) fn check_wanted(when: &Map<String, Value>) -> Result<(), String> {
    let mut when = when.clone();
    for condition in when.values_mut().filter(|it| *it == "same") {
        *condition = json!({ "same": null });
    }
    check_grant(&Value::Object(when).to_string())
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
