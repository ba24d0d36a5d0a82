//! The tools that models called: each is allowed or asked about, claimed once, and ended.

use sqlx::FromRow;

use super::{
    OwnedRun, Store, ThreadKey, Transaction, audit,
    database::{query, query_as, query_scalar},
    grants::{self, GrantOfCall},
    replicas, threads,
};
use crate::{
    Result,
    generate::now,
    rules::approval::Verdict,
    rules::audit::{AuditEntry, AuditedThread, Decision, DecisionSource},
    transcript::{Call, CallResult, Claim, Effect},
};

#[derive(FromRow)]
struct CallRow {
    id: String,
    tool: String,
    arguments: String,
    definition: String,
    effect: String,
    agent_id: String,
    policy: String,
}

/// A call of a tool, with its effect and the agent that made it.
pub(super) struct KnownCall {
    pub(super) call: Call,
    pub(super) effect: Effect,
    /// The id of the agent that called the tool.
    pub(super) agent_id: String,
    /// The version of the policy by which the call was judged.
    pub(super) policy: String,
}

impl CallRow {
    fn known(self) -> KnownCall {
        let effect = match self.effect.as_str() {
            "read" => Effect::Read,
            "idempotent" => Effect::Idempotent,
            _ => Effect::Write,
        };
        let call = Call {
            id: self.id,
            tool: self.tool,
            arguments: self.arguments,
            definition: self.definition,
        };
        KnownCall {
            call,
            effect,
            agent_id: self.agent_id,
            policy: self.policy,
        }
    }
}

impl Store {
    /// Records that a call is about to be made, unless it may not be made or was started before, by
    /// anybody.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NotFound`] if the thread was deleted; [`crate::Error::TakenOver`] if the
    /// answer is another replica's; [`crate::Error::Database`].
    pub async fn claim_call(&self, run: &OwnedRun, call: &Call) -> Result<Claim> {
        self.write_by_thread(|writing| Box::pin(claim(writing, run, call)))
            .await
    }
}

/// Records a call that may run, or that a person is asked about.
pub(super) async fn propose(
    writing: &mut Transaction<'_>,
    place: &AuditedThread,
    entry: &AuditEntry,
) -> Result<()> {
    let state = match entry.decision {
        Decision::Allowed => "allowed",
        Decision::Asked => "asked",
        // The others cannot be claimed, and what a person decided is recorded with the message.
        _ => return Ok(()),
    };
    query(
        "INSERT INTO tool_calls \
         (user_id, id, thread_id, agent_id, tool, arguments, definition, effect, state, \
          grant_id, policy) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
         ON CONFLICT (user_id, id) DO UPDATE SET \
         state = excluded.state, effect = excluded.effect, grant_id = excluded.grant_id, \
         policy = excluded.policy \
         WHERE tool_calls.state IN ('allowed', 'asked')",
    )
    .bind(&place.user_id)
    .bind(&entry.call.id)
    .bind(&place.thread_id)
    .bind(&place.agent_id)
    .bind(&entry.call.tool)
    .bind(&entry.call.arguments)
    .bind(&entry.call.definition)
    // What cannot be undone is a write here: the column says whether a call may run once more.
    .bind(entry.effect.min(Effect::Write).as_str())
    .bind(state)
    .bind(match entry.source {
        DecisionSource::Grant => &entry.rule,
        _ => "",
    })
    .bind(&entry.policy)
    .execute(writing)
    .await?;
    Ok(())
}

async fn claim(writing: &mut Transaction<'_>, run: &OwnedRun, call: &Call) -> Result<Claim> {
    replicas::hold(writing, run).await?;
    let thread = &run.thread;
    let grant = match grants::use_for(writing, thread, call).await? {
        GrantOfCall::None => None,
        GrantOfCall::Used(grant) => Some(grant),
        GrantOfCall::Ended(grant) => return Ok(Claim::Withdrawn(grant)),
    };
    let claimed = query(
        "UPDATE tool_calls SET state = 'running', attempts = attempts + 1, started_at = $1 \
         WHERE user_id = $2 AND id = $3 AND thread_id = $4 AND state IN ('allowed', 'approved') \
         AND COALESCE(edited_arguments, arguments) = $5",
    )
    .bind(now())
    .bind(&thread.user_id)
    .bind(&call.id)
    .bind(&thread.id)
    // Nothing runs with other arguments than those that were shown or written by a person.
    .bind(&call.arguments)
    .execute(writing)
    .await?;
    Ok(if claimed == 1 {
        Claim::Ours(grant)
    } else {
        Claim::Refused
    })
}

/// Records how a call ended. A call that has an end already keeps it, even an unknown one.
pub(super) async fn end(
    writing: &mut Transaction<'_>,
    user_id: &str,
    result: &CallResult,
) -> Result<()> {
    query(
        "UPDATE tool_calls SET state = $1, ended_at = $2 \
         WHERE user_id = $3 AND id = $4 \
         AND state IN ('allowed', 'asked', 'approved', 'denied', 'running')",
    )
    .bind(result.end.as_str())
    .bind(now())
    .bind(user_id)
    .bind(&result.call)
    .execute(writing)
    .await?;
    Ok(())
}

/// Records what a person decided about a call that was asked about: only what is approved can be
/// claimed, with the arguments that the person changed. Returns the call as it was asked about, if a
/// model made it.
pub(super) async fn record_verdict(
    writing: &mut Transaction<'_>,
    user_id: &str,
    decision: &crate::rules::approval::Decision,
) -> Result<Option<KnownCall>> {
    let state = match decision.verdict {
        Verdict::Approved => "approved",
        Verdict::Denied | Verdict::Expired => "denied",
        Verdict::Aborted => "skipped",
    };
    let row: Option<CallRow> = query_as(
        "UPDATE tool_calls SET state = $1, edited_arguments = $4 \
         WHERE user_id = $2 AND id = $3 AND state = 'asked' \
         RETURNING id, tool, arguments, definition, effect, agent_id, policy",
    )
    .bind(state)
    .bind(user_id)
    .bind(decision.approval.execution_id())
    .bind(decision.approval.edited.as_deref())
    .fetch_optional(writing)
    .await?;
    Ok(row.map(CallRow::known))
}

/// Marks the calls that a thread's answer left running as calls whose outcome nobody knows; returns
/// the names of their tools.
pub(super) async fn abandon(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
) -> Result<Vec<String>> {
    let rows: Vec<CallRow> = query_as(
        "UPDATE tool_calls SET state = 'unknown', ended_at = $1 \
         WHERE user_id = $2 AND thread_id = $3 AND state = 'running' \
         RETURNING id, tool, arguments, definition, effect, agent_id, policy",
    )
    .bind(now())
    .bind(&thread.user_id)
    .bind(&thread.id)
    .fetch_all(&mut *writing)
    .await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut place = threads::audited_thread(writing, thread).await?;
    let mut tools = Vec::new();
    for known in rows.into_iter().map(CallRow::known) {
        tools.push(known.call.tool.clone());
        place.agent_id = known.agent_id;
        let entry = AuditEntry {
            call: known.call,
            edited: None,
            effect: known.effect,
            decision: Decision::Unknown,
            source: DecisionSource::Crash,
            rule: String::new(),
            policy: known.policy,
        };
        audit::append(writing, &place, &[entry]).await?;
    }
    tools.sort_unstable();
    Ok(tools)
}

/// Returns true if a call of the thread was started whose outcome nobody knows, and which must not
/// be made again.
pub(super) async fn has_unknown_outcome(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
) -> Result<bool> {
    let unknown = query_scalar(
        "SELECT EXISTS (SELECT 1 FROM tool_calls \
         WHERE user_id = $1 AND thread_id = $2 AND state = 'running' AND effect = 'write')",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .fetch_one(reading)
    .await?;
    Ok(unknown)
}

/// Lets those calls of a thread be made again that were running when the service ended, and whose
/// effect allows that.
pub(super) async fn allow_again(writing: &mut Transaction<'_>, thread: &ThreadKey) -> Result<()> {
    query(
        "UPDATE tool_calls SET state = 'allowed' \
         WHERE user_id = $1 AND thread_id = $2 AND state = 'running' \
         AND effect IN ('read', 'idempotent')",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .execute(writing)
    .await?;
    Ok(())
}
