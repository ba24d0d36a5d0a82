//! Check of an answer against the approval requests (specification, Batch rules), and its
//! decisions.

use assent_protocol::{ApprovalStatus, BadPost, InvalidState, Issue, RejectedMix};
use jiff::Timestamp;
use serde_json::Value;

use super::{
    Approval, SubmittedDecision, Verdict, answer::rejected, edits::edited_arguments, granting,
    transition::transition,
};
use crate::rules::grant::WantedGrant;

/// One tool run and the decision about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The tool run, with the status that follows from the decision.
    pub approval: Approval,
    /// The verdict, from which `approval.status` follows.
    pub verdict: Verdict,
    /// As [`SubmittedDecision::accepts_definition`]: false where this call alone is approved, and
    /// not its tool as it is defined now.
    pub accepts_definition: bool,
    /// The calls that are allowed beforehand, if any are.
    pub grant: Option<WantedGrant>,
}

/// Checks an answer at the time `now` against all approvals of its thread, decided ones included.
///
/// The decisions come in the order in which the tools were asked about.
///
/// # Errors
///
/// The rejection, in one of the two shapes of the specification; nothing is decided then.
pub fn decide(
    asked: &[Approval],
    submitted: &[SubmittedDecision],
    now: Timestamp,
) -> Result<Vec<Decision>, BadPost> {
    let mut batches: Vec<&str> = Vec::new();
    for result in submitted {
        if !batches.contains(&result.batch_id.as_str()) {
            batches.push(&result.batch_id);
        }
    }
    let mut decisions = Vec::new();
    for batch_id in batches {
        let results: Vec<_> = submitted
            .iter()
            .filter(|r| r.batch_id == batch_id)
            .collect();
        refuse_mixed_abort(batch_id, &results)?;
        let batch: Vec<_> = asked.iter().filter(|a| a.batch_id() == batch_id).collect();
        decisions.extend(decide_batch(batch_id, &batch, &results, now)?);
    }
    Ok(decisions)
}

/// Refuses a mixture of aborts and other verdicts (rule 3): an abort is for the whole batch or for
/// none of it.
fn refuse_mixed_abort(batch_id: &str, results: &[&SubmittedDecision]) -> Result<(), BadPost> {
    let aborts = results
        .iter()
        .filter(|r| r.verdict == Verdict::Aborted)
        .count();
    if aborts == 0 || aborts == results.len() {
        return Ok(());
    }
    let mut states: Vec<String> = Vec::new();
    for result in results {
        let state = result.verdict.as_str().to_owned();
        if !states.contains(&state) {
            states.push(state);
        }
    }
    let invalid = results.iter().map(|result| InvalidState {
        tool_execution_id: result.execution_id.as_str().into(),
        state: result.verdict.as_str().to_owned(),
    });
    Err(BadPost::Mix(RejectedMix {
        message:
            "Stopping is for all actions of a batch: either stop them all, or approve or deny each."
                .to_owned(),
        error: "Conflicting approval states".to_owned(),
        batch_id: batch_id.into(),
        conflicting_states: states,
        invalid_states: invalid.collect(),
    }))
}

fn decide_batch(
    batch_id: &str,
    batch: &[&Approval],
    results: &[&SubmittedDecision],
    now: Timestamp,
) -> Result<Vec<Decision>, BadPost> {
    let mut issues = Vec::new();
    let mut issue = |execution_id: &str, error: &str| {
        issues.push(Issue {
            tool_execution_id: execution_id.into(),
            error: error.to_owned(),
        });
    };
    for result in results {
        if !batch
            .iter()
            .any(|a| a.execution_id() == result.execution_id)
        {
            issue(
                &result.execution_id,
                "No tool of this batch was asked about under this id.",
            );
        }
    }
    let mut decisions = Vec::new();
    for approval in batch {
        let id = approval.execution_id();
        let mut own = results.iter().filter(|r| r.execution_id == id);
        let Some(result) = own.next() else {
            issue(
                id,
                "No decision was sent; a batch is answered as a whole in one message.",
            );
            continue;
        };
        if own.next().is_some() {
            issue(id, "More than one decision was sent.");
        }
        for field in differing_fields(approval, result) {
            issue(
                id,
                &format!("The field {field} differs from the request; send it back unchanged."),
            );
        }
        if let Some(grant) = &result.grant
            && let Err(fault) = granting::check(grant, &approval.request, result.verdict, now)
        {
            issue(id, &fault);
        }
        let edited = result.edited.as_ref().map_or(Ok(None), |edited| {
            edited_arguments(edited, &approval.request, result.verdict)
        });
        let edited = edited.unwrap_or_else(|faults| {
            faults.iter().for_each(|fault| issue(id, fault));
            None
        });
        if result.verdict != Verdict::Expired && approval.has_ended(now) {
            issue(id, "No decision came in time: nothing is done any more.");
        }
        match transition(&approval.status, result.verdict) {
            Some(status) => decisions.push(Decision {
                approval: Approval {
                    request: approval.request.clone(),
                    status,
                    is_expired: result.verdict == Verdict::Expired,
                    edited,
                },
                verdict: result.verdict,
                accepts_definition: result.accepts_definition,
                grant: result.grant.clone(),
            }),
            None => issue(id, "It was already decided."),
        }
    }
    if issues.is_empty() {
        return Ok(decisions);
    }
    let decided = batch.iter().all(|a| a.status != ApprovalStatus::Pending);
    let message = if batch.is_empty() {
        "There is no such request in this conversation."
    } else if decided {
        "This request was already answered."
    } else {
        "The answer does not fit the request. Decide about every action of the batch in one message."
    };
    Err(BadPost::Form(rejected(batch_id, message, issues)))
}

/// Returns the fields of the echo that differ from the request; `toolArguments` may be left out,
/// being no required field.
fn differing_fields(approval: &Approval, result: &SubmittedDecision) -> Vec<String> {
    let request = serde_json::to_value(&approval.request).unwrap_or_default();
    let Value::Object(request) = request else {
        return Vec::new();
    };
    request
        .iter()
        .filter(|(name, _)| *name != "approvalResult")
        .filter(|(name, value)| result.echo.get(*name).is_some_and(|echo| echo != *value))
        .map(|(name, _)| name.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use assent_protocol::{ApprovalRequest, ApprovalStatus, BadPost, Timestamp as Time};
    use jiff::Timestamp;
    use serde_json::Map;

    use super::{Approval, SubmittedDecision, Verdict, decide};

    fn at(time: &str) -> Timestamp {
        time.parse().unwrap()
    }

    fn decided(verdict: Verdict, now: &str) -> Result<ApprovalStatus, BadPost> {
        let asked = Approval {
            request: ApprovalRequest {
                tool_execution_id: "e".into(),
                tool_execution_batch_id: "b".into(),
                expires_at: Some(Time("2026-01-31T12:00:00.000Z".to_owned())),
                ..ApprovalRequest::default()
            },
            status: ApprovalStatus::Pending,
            is_expired: false,
            edited: None,
        };
        let submitted = SubmittedDecision {
            execution_id: "e".to_owned(),
            batch_id: "b".to_owned(),
            verdict,
            accepts_definition: false,
            grant: None,
            edited: None,
            echo: Map::new(),
        };
        let decisions = decide(&[asked], &[submitted], at(now))?;
        assert_eq!(
            decisions[0].approval.is_expired,
            verdict == Verdict::Expired
        );
        Ok(decisions[0].approval.status.clone())
    }

    #[test]
    fn a_person_decides_until_the_end_and_not_after_it() {
        let (before, after) = ("2026-01-31T11:59:59.999Z", "2026-01-31T12:00:00Z");
        for verdict in [Verdict::Approved, Verdict::Denied, Verdict::Aborted] {
            assert!(decided(verdict, before).is_ok());
            let Err(BadPost::Form(refused)) = decided(verdict, after) else {
                panic!("{verdict:?} after the end");
            };
            let error = &refused.details.issues[0].error;
            assert_eq!(error, "No decision came in time: nothing is done any more.");
        }
        let ended = decided(Verdict::Expired, after).unwrap();
        assert_eq!(ended, ApprovalStatus::Denied);
    }
}
