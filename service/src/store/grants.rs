//! Grants as rows: given by the operator or by a person with a decision, used by calls, and ended by
//! their time, with their thread or by a person.

use sqlx::FromRow;

use super::{
    Store, ThreadKey, Transaction, audit,
    database::{query, query_as, query_scalar},
};
use crate::{
    Result,
    generate::{format_time, new_id, now},
    rules::audit::{AuditEntry, AuditedThread, Decision, DecisionSource},
    rules::grant::{Grant, GrantScope, WantedGrant},
    transcript::{Call, Effect},
};

/// The most grants that are ended in one transaction because their time is over.
const ENDED_AT_ONCE: i64 = 50;

/// The columns of an [`OwnedGrant`].
macro_rules! grant_columns {
    () => {
        "user_id, id, agent_id, tool, arguments, definition, granted_at, revoked_at, thread_id, \
         until, names, execution_id, uses"
    };
}
pub(super) use grant_columns;

/// A grant with its owner.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct OwnedGrant {
    /// The user's id.
    pub user_id: String,
    /// The grant's id.
    pub id: String,
    /// The agent's id.
    pub agent_id: String,
    /// The tool as `server/tool`.
    pub tool: String,
    /// Conditions on arguments, as a JSON object.
    pub arguments: String,
    /// Hash of the tool's definition for which the grant was given.
    pub definition: String,
    /// The time at which the grant was given.
    pub granted_at: String,
    /// The time from which on the grant is of no effect; `None` while it is in effect.
    pub revoked_at: Option<String>,
    /// The id of the one thread whose calls are allowed; `None` for all of the user with the agent.
    pub thread_id: Option<String>,
    /// The end of the grant, if it has one.
    pub until: Option<String>,
    /// The names of the arguments that the person saw, as a JSON array; `None` for a grant of the
    /// operator.
    pub names: Option<String>,
    /// The id of the call with whose approval the grant was given; empty for one of the operator.
    pub execution_id: String,
    /// The number of calls that began because of it.
    pub uses: i64,
}

impl Store {
    /// Takes a grant back, for the operator; returns false if there is none with this id that is in
    /// effect.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn revoke_grant(&self, id: &str) -> Result<bool> {
        self.write(|writing| {
            Box::pin(async move {
                let ended: Vec<OwnedGrant> = query_as(concat!(
                    "UPDATE grants SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL \
                     RETURNING ",
                    grant_columns!()
                ))
                .bind(now())
                .bind(id)
                .fetch_all(&mut *writing)
                .await?;
                note_end(writing, &ended, DecisionSource::Person).await?;
                Ok(!ended.is_empty())
            })
        })
        .await
    }

    /// Takes a grant of a user back; returns false if the user has none with this id that is in
    /// effect.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn end_grant(&self, user_id: &str, id: &str) -> Result<bool> {
        self.write(|writing| {
            Box::pin(async move {
                let ended: Vec<OwnedGrant> = query_as(concat!(
                    "UPDATE grants SET revoked_at = $1 \
                     WHERE user_id = $2 AND id = $3 AND revoked_at IS NULL \
                     AND (until IS NULL OR until > $1) RETURNING ",
                    grant_columns!()
                ))
                .bind(now())
                .bind(user_id)
                .bind(id)
                .fetch_all(&mut *writing)
                .await?;
                note_end(writing, &ended, DecisionSource::Person).await?;
                Ok(!ended.is_empty())
            })
        })
        .await
    }

    /// Ends grants whose time is over, as far as their end is not in the audit yet; returns false if
    /// there may be more. They are of no effect before that.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn end_old_grants(&self) -> Result<bool> {
        self.write(|writing| {
            Box::pin(async move {
                let ended: Vec<OwnedGrant> = query_as(concat!(
                    "UPDATE grants SET revoked_at = until WHERE revoked_at IS NULL \
                     AND (user_id, id) IN (SELECT user_id, id FROM grants \
                     WHERE until <= $1 AND revoked_at IS NULL ORDER BY until LIMIT $2) RETURNING ",
                    grant_columns!()
                ))
                .bind(now())
                .bind(ENDED_AT_ONCE)
                .fetch_all(&mut *writing)
                .await?;
                note_end(writing, &ended, DecisionSource::Timeout).await?;
                Ok(ended.len() < usize::try_from(ENDED_AT_ONCE).unwrap_or(usize::MAX))
            })
        })
        .await
    }

    /// Returns all grants, those that ended included.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn grants(&self) -> Result<Vec<OwnedGrant>> {
        let grants = query_as(concat!(
            "SELECT ",
            grant_columns!(),
            " FROM grants ORDER BY granted_at, id"
        ))
        .fetch_all(&self.readers)
        .await?;
        Ok(grants)
    }

    /// Returns the grants of a user that are in effect, newest first.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn grants_of_user(&self, user_id: &str) -> Result<Vec<OwnedGrant>> {
        let grants = query_as(concat!(
            "SELECT ",
            grant_columns!(),
            " FROM grants WHERE user_id = $1 AND revoked_at IS NULL \
             AND (until IS NULL OR until > $2) ORDER BY granted_at DESC, id"
        ))
        .bind(user_id)
        .bind(now())
        .fetch_all(&self.readers)
        .await?;
        Ok(grants)
    }
}

/// Returns the grants that are in effect in a thread.
pub(super) async fn of_turn(
    reading: &mut Transaction<'_>,
    place: &AuditedThread,
) -> Result<Vec<Grant>> {
    let grants: Vec<OwnedGrant> = query_as(concat!(
        "SELECT ",
        grant_columns!(),
        " FROM grants WHERE user_id = $1 AND agent_id = $2 AND revoked_at IS NULL \
         AND (thread_id IS NULL OR thread_id = $3) AND (until IS NULL OR until > $4) \
         ORDER BY granted_at, id"
    ))
    .bind(&place.user_id)
    .bind(&place.agent_id)
    .bind(&place.thread_id)
    .bind(now())
    .fetch_all(reading)
    .await?;
    let read = |grant: OwnedGrant| {
        let names = grant.names.map(|names| serde_json::from_str(&names));
        Ok(Grant {
            id: grant.id,
            tool: grant.tool,
            arguments: grant.arguments,
            definition: grant.definition,
            names: names.transpose()?,
        })
    };
    grants.into_iter().map(read).collect()
}

/// Records a grant that a person gives with the approval of a call; `when` has its conditions, and
/// `approved` is what the audit says of the approval.
pub(super) async fn give(
    writing: &mut Transaction<'_>,
    place: &AuditedThread,
    approved: AuditEntry,
    wanted: &WantedGrant,
    when: String,
) -> Result<()> {
    let call = &approved.call;
    let arguments: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&call.arguments)?;
    let names: Vec<&String> = arguments.keys().collect();
    let grant = OwnedGrant {
        user_id: place.user_id.clone(),
        id: new_id(),
        agent_id: place.agent_id.clone(),
        tool: call.tool.clone(),
        arguments: when,
        definition: call.definition.clone(),
        granted_at: now(),
        revoked_at: None,
        thread_id: (wanted.scope == GrantScope::Thread).then(|| place.thread_id.clone()),
        until: wanted.until.map(format_time),
        names: Some(serde_json::to_string(&names)?),
        execution_id: call.id.clone(),
        uses: 0,
    };
    insert(writing, &grant).await?;
    let entry = AuditEntry {
        decision: Decision::Granted,
        rule: grant.id,
        ..approved
    };
    audit::append(writing, place, &[entry]).await
}

/// The grant by which a call was allowed.
pub(super) enum GrantOfCall {
    /// There is none: another rule allowed the call, or a person approved it.
    None,
    /// The grant with this id, which now counts the call.
    Used(String),
    /// The grant with this id, which is of no effect any more, so that the call may not begin.
    Ended(String),
}

/// Counts a call that begins because of a grant.
pub(super) async fn use_for(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    call: &Call,
) -> Result<GrantOfCall> {
    let grant: Option<String> = query_scalar(
        "SELECT grant_id FROM tool_calls WHERE user_id = $1 AND id = $2 AND thread_id = $3 \
         AND state = 'allowed' AND grant_id <> ''",
    )
    .bind(&thread.user_id)
    .bind(&call.id)
    .bind(&thread.id)
    .fetch_optional(&mut *writing)
    .await?;
    let Some(grant) = grant else {
        return Ok(GrantOfCall::None);
    };
    let used = query(
        "UPDATE grants SET uses = uses + 1 WHERE user_id = $1 AND id = $2 \
         AND revoked_at IS NULL AND (until IS NULL OR until > $3)",
    )
    .bind(&thread.user_id)
    .bind(&grant)
    .bind(now())
    .execute(writing)
    .await?;
    Ok(match used {
        0 => GrantOfCall::Ended(grant),
        _ => GrantOfCall::Used(grant),
    })
}

/// Ends the grants of a thread that is about to be deleted.
pub(super) async fn end_with_thread(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
) -> Result<()> {
    let ended: Vec<OwnedGrant> = query_as(concat!(
        "UPDATE grants SET revoked_at = $1 \
         WHERE user_id = $2 AND thread_id = $3 AND revoked_at IS NULL RETURNING ",
        grant_columns!()
    ))
    .bind(now())
    .bind(&thread.user_id)
    .bind(&thread.id)
    .fetch_all(&mut *writing)
    .await?;
    note_end(writing, &ended, DecisionSource::Person).await
}

/// Adds the end of grants that a person gave to the audit.
async fn note_end(
    writing: &mut Transaction<'_>,
    ended: &[OwnedGrant],
    source: DecisionSource,
) -> Result<()> {
    for grant in ended.iter().filter(|grant| !grant.execution_id.is_empty()) {
        let place = AuditedThread {
            user_id: grant.user_id.clone(),
            agent_id: grant.agent_id.clone(),
            thread_id: grant.thread_id.clone().unwrap_or_default(),
        };
        let entry = AuditEntry {
            call: Call {
                id: grant.execution_id.clone(),
                tool: grant.tool.clone(),
                arguments: grant.arguments.clone(),
                definition: grant.definition.clone(),
            },
            edited: None,
            effect: Effect::Write,
            decision: Decision::Ended,
            source,
            rule: grant.id.clone(),
            policy: String::new(),
        };
        audit::append(writing, &place, &[entry]).await?;
    }
    Ok(())
}

/// Records a grant.
pub(super) async fn insert(writing: &mut Transaction<'_>, grant: &OwnedGrant) -> Result<()> {
    query(
        "INSERT INTO grants (user_id, id, agent_id, tool, arguments, definition, granted_at, \
         thread_id, until, names, execution_id) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(&grant.user_id)
    .bind(&grant.id)
    .bind(&grant.agent_id)
    .bind(&grant.tool)
    .bind(&grant.arguments)
    .bind(&grant.definition)
    .bind(&grant.granted_at)
    .bind(grant.thread_id.as_deref())
    .bind(grant.until.as_deref())
    .bind(grant.names.as_deref())
    .bind(&grant.execution_id)
    .execute(writing)
    .await?;
    Ok(())
}
