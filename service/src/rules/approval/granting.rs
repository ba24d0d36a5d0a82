//! A grant that a person gives with an approval: its form, and whether the request lets it be given.

use assent_protocol::ApprovalRequest;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};

use super::Verdict;
use crate::rules::{
    grant::{GrantScope, WantedGrant},
    policy::check_wanted,
};

/// How much later than allowed an end may be: the clock of whoever sends it may be fast.
const FAST_CLOCK: SignedDuration = SignedDuration::from_mins(1);

/// Reads the field `grant` of a decision.
///
/// # Errors
///
/// The fault, a sentence.
pub(super) fn read_grant(grant: &Value) -> Result<WantedGrant, String> {
    let Some(fields) = grant.as_object() else {
        return Err("grant must be an object.".to_owned());
    };
    let known = ["scope", "until", "when"];
    if let Some(name) = fields.keys().find(|name| !known.contains(&name.as_str())) {
        return Err(format!(
            "grant has the field {name:?}; scope, until and when are known."
        ));
    }
    let scope = fields.get("scope").and_then(Value::as_str);
    let scope = scope.and_then(GrantScope::read);
    let until = match fields.get("until") {
        None => None,
        Some(text) => {
            let time = text.as_str().and_then(|it| it.parse::<Timestamp>().ok());
            Some(time.ok_or("until of grant must be a date-time such as 2026-01-31T12:00:00Z.")?)
        }
    };
    let when = match fields.get("when") {
        None => Map::new(),
        Some(when) => when
            .as_object()
            .cloned()
            .ok_or("when of grant must be an object.")?,
    };
    check_wanted(&when).map_err(|fault| format!("when of grant cannot be read: {fault}."))?;
    Ok(WantedGrant {
        scope: scope.ok_or("scope of grant must be \"thread\" or \"agent\".")?,
        until,
        when,
    })
}

/// Checks whether a request lets a grant be given with this verdict at `now`. An end that is too late
/// is refused: nothing is shortened without being said.
///
/// # Errors
///
/// The fault, a sentence.
pub(super) fn check(
    grant: &WantedGrant,
    request: &ApprovalRequest,
    verdict: Verdict,
    now: Timestamp,
) -> Result<(), String> {
    if verdict != Verdict::Approved {
        return Err("grant goes with APPROVED alone.".to_owned());
    }
    let scope = grant.scope.as_str();
    if !request.grant_scopes.iter().any(|it| it == scope) {
        return Err(format!(
            "The policy lets nobody allow this beforehand with the scope {scope:?}."
        ));
    }
    let max = request.grant_max_seconds.unwrap_or_default();
    let max = SignedDuration::from_secs(i64::try_from(max).unwrap_or(i64::MAX));
    match grant.until {
        None if grant.scope == GrantScope::Agent => {
            Err("grant with the scope \"agent\" needs an end (until).".to_owned())
        }
        Some(until) if until <= now => Err("until of grant is over already.".to_owned()),
        Some(until) if until.duration_since(now) > max.saturating_add(FAST_CLOCK) => Err(format!(
            "until of grant is too late: the policy allows {max:#} at most."
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_no_grant_is_refused_with_a_sentence() {
        let bad = [
            (json!("thread"), "must be an object"),
            (json!({}), "scope"),
            (json!({ "scope": "everywhere" }), "scope"),
            (json!({ "scope": "agent", "until": "tomorrow" }), "until"),
            (json!({ "scope": "agent", "until": null }), "until"),
            (json!({ "scope": "thread", "when": [] }), "when"),
            (
                json!({ "scope": "thread", "when": { "path": { "same": 1 } } }),
                "JSON pointer",
            ),
            (
                json!({ "scope": "thread", "when": { "/path": { "is": 1 } } }),
                "when",
            ),
            (
                json!({ "scope": "thread", "when": { "/path": "alike" } }),
                "when",
            ),
            (json!({ "scope": "thread", "whenn": {} }), "whenn"),
        ];
        for (grant, part) in bad {
            let fault = read_grant(&grant).unwrap_err();
            assert!(fault.contains(part), "{grant}: {fault}");
        }
        let whole = json!({
            "scope": "agent", "until": "2026-01-31T12:00:00Z", "when": { "/path": { "same": 1 } },
        });
        let read = read_grant(&whole).unwrap();
        assert_eq!(Value::Object(read.when), whole["when"]);
    }

    #[test]
    fn a_grant_is_given_as_far_as_its_request_lets_it() {
        let now: Timestamp = "2026-01-31T12:00:00Z".parse().unwrap();
        let hours = |hours: i64| Some(now + SignedDuration::from_hours(hours));
        let request = |scopes: &[&str]| ApprovalRequest {
            grant_scopes: scopes.iter().map(|it| (*it).to_owned()).collect(),
            grant_max_seconds: Some(8 * 3600),
            ..ApprovalRequest::default()
        };
        let both = request(&["thread", "agent"]);
        let grant = |scope, until| WantedGrant {
            scope,
            until,
            when: Map::new(),
        };
        let fault = |grant, request, verdict| check(&grant, request, verdict, now).err();
        use GrantScope::{Agent, Thread};
        use Verdict::{Aborted, Approved, Denied};
        assert_eq!(fault(grant(Thread, None), &both, Approved), None);
        assert_eq!(fault(grant(Thread, hours(8)), &both, Approved), None);
        assert_eq!(fault(grant(Agent, hours(8)), &both, Approved), None);
        let none = request(&[]);
        let thread = request(&["thread"]);
        for (grant, request, verdict, part) in [
            (grant(Agent, None), &both, Approved, "needs an end"),
            (grant(Agent, hours(9)), &both, Approved, "8h at most"),
            (grant(Thread, hours(9)), &both, Approved, "8h at most"),
            (grant(Agent, hours(0)), &both, Approved, "over already"),
            (grant(Agent, hours(1)), &thread, Approved, "\"agent\""),
            (grant(Thread, None), &none, Approved, "\"thread\""),
            (grant(Thread, None), &both, Denied, "APPROVED"),
            (grant(Thread, None), &both, Aborted, "APPROVED"),
        ] {
            let fault = fault(grant, request, verdict).unwrap();
            assert!(fault.contains(part), "{fault}");
        }
    }
}
