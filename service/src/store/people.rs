//! Decisions of people: the status of the request, the state of the call, the audit, and that the
//! tool's definition is accepted, all in the transaction of the message.

use super::{
    ThreadKey, Transaction, approvals, audit,
    calls::{self, KnownCall},
    grants, notices, standing, threads,
};
use crate::{
    Error, Result,
    rules::approval::{Decision, EditJudge, Verdict, refuse_one},
    rules::arguments::exact_arguments,
    rules::audit::{AuditEntry, DecisionSource},
    rules::grant::Definition,
    rules::policy::conditions_like,
    transcript::{Call, Effect},
};

/// Records decisions of the person whose thread it is, or that none came in time.
pub(super) async fn record_decisions(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    decisions: &[Decision],
    judge: EditJudge<'_>,
) -> Result<()> {
    let mut place = threads::audited_thread(writing, thread).await?;
    let agent_id = place.agent_id.clone();
    for decision in decisions {
        approvals::save_status(writing, thread, &decision.approval).await?;
        let call = calls::record_verdict(writing, &place.user_id, decision).await?;
        let known = match call {
            Some(known) => known,
            // What was changed is kept with the call alone.
            None if decision.approval.edited.is_some() => {
                let why = "This cannot be changed: its agent keeps no record of calls.";
                let refused = refuse_one(&decision.approval.request, why);
                return Err(Error::RejectedApproval(Box::new(refused)));
            }
            None => KnownCall {
                call: asked_call(decision)?,
                effect: Effect::Write,
                agent_id: agent_id.clone(),
                policy: String::new(),
            },
        };
        place.agent_id = known.agent_id;
        let edited = edited_call(decision, &known.call);
        if let Some(edited) = &edited
            && let Some(why) = judge(&place.agent_id, edited)
        {
            let why = format!("What was changed is not allowed. {why}");
            let refused = refuse_one(&decision.approval.request, why.trim());
            return Err(Error::RejectedApproval(Box::new(refused)));
        }
        if let Some(definition) = accepted_definition(decision, &known.call) {
            standing::accept(writing, &place.user_id, &place.agent_id, &[definition]).await?;
        }
        let entry = AuditEntry {
            call: known.call,
            edited: decision.approval.edited.clone(),
            effect: known.effect,
            decision: match decision.verdict {
                Verdict::Approved => crate::rules::audit::Decision::Approved,
                Verdict::Denied | Verdict::Expired => crate::rules::audit::Decision::Denied,
                Verdict::Aborted => crate::rules::audit::Decision::Aborted,
            },
            source: match decision.verdict {
                Verdict::Expired => DecisionSource::Timeout,
                _ => DecisionSource::Person,
            },
            rule: String::new(),
            policy: known.policy,
        };
        audit::append(writing, &place, std::slice::from_ref(&entry)).await?;
        if let Some(grant) = &decision.grant {
            let ran = edited.as_ref().unwrap_or(&entry.call);
            let Some(when) = conditions_like(&grant.when, &ran.arguments) else {
                let fault = "when of grant does not hold for this very call.";
                let refused = refuse_one(&decision.approval.request, fault);
                return Err(Error::RejectedApproval(Box::new(refused)));
            };
            grants::give(writing, &place, entry, grant, when).await?;
        }
    }
    notices::remove_decided(writing, thread).await
}

/// Returns the definition that is accepted with a call: one that was shown with the request, where
/// the answer does not say that this call alone is approved; `None` if none is accepted.
fn accepted_definition(decision: &Decision, call: &Call) -> Option<Definition> {
    let said = &decision.approval.request.definition;
    let accepts = decision.verdict == Verdict::Approved && decision.accepts_definition;
    (accepts && !said.is_empty()).then(|| Definition {
        tool: call.tool.clone(),
        hash: call.definition.clone(),
        said: said.clone(),
    })
}

/// Returns the call as the person changed it; `None` if nothing was changed.
fn edited_call(decision: &Decision, call: &Call) -> Option<Call> {
    let arguments = decision.approval.edited.clone()?;
    Some(Call {
        arguments,
        ..call.clone()
    })
}

/// Returns the call of an agent without a model, as it was asked about.
fn asked_call(decision: &Decision) -> Result<Call> {
    let request = &decision.approval.request;
    Ok(Call {
        id: request.tool_execution_id.as_str().to_owned(),
        tool: format!("{}/{}", request.tool_provider, request.tool_name),
        arguments: exact_arguments(&request.tool_arguments),
        definition: String::new(),
    })
}
