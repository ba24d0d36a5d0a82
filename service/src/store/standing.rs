//! The standing of users with agents: definitions of tools that were accepted, grants, and tokens.

use std::collections::{BTreeMap, BTreeSet};

use sqlx::FromRow;

use super::{
    Reservation, RunKey, Store, StoredRun, ThreadKey, Transaction, audit,
    database::{query, query_as, query_scalar},
    threads,
};
use crate::{
    Result,
    generate::{new_id, now},
    rules::audit::AuditedThread,
    rules::grant::{Definition, DefinitionFields, Grant, UserStanding},
};

/// The user's id with which definitions are stored that a server had when the service first saw it;
/// no user has this id.
const SERVICE_USER_ID: &str = "";

/// The length of the date at the beginning of a time.
const DATE_LENGTH: usize = "2026-01-31".len();

/// The columns of an [`OwnedGrant`].
macro_rules! grant_columns {
    () => {
        "user_id, id, agent_id, tool, arguments, definition, granted_at, revoked_at"
    };
}
pub(super) use grant_columns;

/// A grant with its owner, for the operator.
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
}

impl StoredRun {
    /// Returns the standing of the thread's user with the agent. `definitions` are those that the
    /// servers' tools have now; they are accepted if no tool of the server was seen before.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NotFound`] if the thread was deleted; [`crate::Error::Database`].
    pub async fn standing(&self, definitions: &[Definition]) -> Result<UserStanding> {
        let (place, mut standing) = self
            .store
            .read(|reading| Box::pin(read(reading, &self.place, definitions)))
            .await?;
        let known: BTreeSet<&str> = standing
            .accepted
            .iter()
            .map(|(tool, _)| server(tool))
            .collect();
        let new: Vec<_> = definitions
            .iter()
            .filter(|definition| !known.contains(server(&definition.tool)))
            .cloned()
            .collect();
        if !new.is_empty() {
            self.store
                .write(|writing| Box::pin(accept(writing, SERVICE_USER_ID, &place.agent_id, &new)))
                .await?;
            let new = new.into_iter().map(|it| (it.tool, it.hash));
            standing.accepted.extend(new);
        }
        Ok(standing)
    }
}

impl Store {
    /// Grants a user calls of a tool as it is defined now; `arguments` are conditions as in an agent
    /// file. Returns the grant's identifier, or `None` if the tool was never seen.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn grant(
        &self,
        user_id: &str,
        agent_id: &str,
        tool: &str,
        arguments: &str,
    ) -> Result<Option<String>> {
        self.write(|writing| Box::pin(grant(writing, user_id, agent_id, tool, arguments)))
            .await
    }

    /// Reserves tokens of a user for a request to a model, and returns those that other requests
    /// under way have reserved before.
    #[must_use]
    pub fn reserve(&self, user_id: &str, tokens: u64) -> (Reservation, u64) {
        self.reservations.take(user_id, tokens)
    }

    /// Adds to the tokens that the user of a thread has used today.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NotFound`] if the thread was deleted; [`crate::Error::Database`].
    pub async fn spend(&self, thread: &ThreadKey, tokens: u64) -> Result<()> {
        if tokens == 0 {
            return Ok(());
        }
        self.write(|writing| {
            Box::pin(async move {
                threads::check(writing, thread).await?;
                spend(writing, &thread.user_id, tokens).await
            })
        })
        .await
    }

    /// Takes a grant back; returns false if there is none with this id that is in effect.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn revoke_grant(&self, id: &str) -> Result<bool> {
        self.write(|writing| {
            Box::pin(async move {
                let revoked =
                    query("UPDATE grants SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL")
                        .bind(now())
                        .bind(id)
                        .execute(writing)
                        .await?;
                Ok(revoked == 1)
            })
        })
        .await
    }

    /// Returns all grants, revoked ones included.
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
}

/// Returns the server of `server/tool`.
fn server(tool: &str) -> &str {
    tool.split_once('/').map_or(tool, |(server, _)| server)
}

async fn read(
    reading: &mut Transaction<'_>,
    run: &RunKey,
    definitions: &[Definition],
) -> Result<(AuditedThread, UserStanding)> {
    let mut place = audit::audited_thread(reading, &run.answer.thread).await?;
    place.agent_id.clone_from(&run.agent_id);
    let accepted: Vec<(String, String)> = query_as(
        "SELECT tool, definition FROM tool_definitions \
         WHERE user_id IN ($1, $2) AND agent_id = $3",
    )
    .bind(SERVICE_USER_ID)
    .bind(&place.user_id)
    .bind(&place.agent_id)
    .fetch_all(&mut *reading)
    .await?;
    let grants: Vec<OwnedGrant> = query_as(concat!(
        "SELECT ",
        grant_columns!(),
        " FROM grants WHERE user_id = $1 AND agent_id = $2 AND revoked_at IS NULL \
         ORDER BY granted_at, id"
    ))
    .bind(&place.user_id)
    .bind(&place.agent_id)
    .fetch_all(&mut *reading)
    .await?;
    let accepted: BTreeSet<(String, String)> = accepted.into_iter().collect();
    let mut formerly = BTreeMap::new();
    for Definition { tool, hash, .. } in definitions {
        if !accepted.contains(&(tool.clone(), hash.clone())) {
            let said = last_accepted_fields(reading, &place, tool).await?;
            formerly.extend(said.map(|said| (tool.clone(), said)));
        }
    }
    let tokens: Option<i64> =
        query_scalar("SELECT tokens FROM token_use WHERE user_id = $1 AND day = $2")
            .bind(&place.user_id)
            .bind(today())
            .fetch_optional(reading)
            .await?;
    let grants = grants.into_iter().map(|grant| Grant {
        id: grant.id,
        tool: grant.tool,
        arguments: grant.arguments,
        definition: grant.definition,
    });
    let standing = UserStanding {
        grants: grants.collect(),
        accepted,
        formerly,
        tokens_today: tokens.map_or(0, |tokens| u64::try_from(tokens).unwrap_or_default()),
    };
    Ok((place, standing))
}

/// Returns what was said of a tool when it was last accepted, if it ever was and that is known.
async fn last_accepted_fields(
    reading: &mut Transaction<'_>,
    place: &AuditedThread,
    tool: &str,
) -> Result<Option<DefinitionFields>> {
    let said: Option<String> = query_scalar(
        "SELECT said FROM tool_definitions \
         WHERE user_id IN ($1, $2) AND agent_id = $3 AND tool = $4 AND said <> '' \
         ORDER BY accepted_at DESC LIMIT 1",
    )
    .bind(SERVICE_USER_ID)
    .bind(&place.user_id)
    .bind(&place.agent_id)
    .bind(tool)
    .fetch_optional(reading)
    .await?;
    let said = said.map(|said| serde_json::from_str(&said));
    said.transpose().map_err(crate::Error::from)
}

/// Records definitions of tools that are accepted by a user, or by [`SERVICE_USER_ID`].
pub(super) async fn accept(
    writing: &mut Transaction<'_>,
    user_id: &str,
    agent_id: &str,
    definitions: &[Definition],
) -> Result<()> {
    for definition in definitions {
        query(
            "INSERT INTO tool_definitions \
             (user_id, agent_id, tool, definition, accepted_at, said) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (user_id, agent_id, tool, definition) \
             DO UPDATE SET accepted_at = excluded.accepted_at, said = excluded.said",
        )
        .bind(user_id)
        .bind(agent_id)
        .bind(&definition.tool)
        .bind(&definition.hash)
        .bind(now())
        .bind(serde_json::to_string(&definition.said)?)
        .execute(&mut *writing)
        .await?;
    }
    Ok(())
}

async fn grant(
    writing: &mut Transaction<'_>,
    user_id: &str,
    agent_id: &str,
    tool: &str,
    arguments: &str,
) -> Result<Option<String>> {
    let definition: Option<String> = query_scalar(
        "SELECT definition FROM tool_definitions \
         WHERE user_id IN ($1, $2) AND agent_id = $3 AND tool = $4 \
         ORDER BY accepted_at DESC LIMIT 1",
    )
    .bind(SERVICE_USER_ID)
    .bind(user_id)
    .bind(agent_id)
    .bind(tool)
    .fetch_optional(&mut *writing)
    .await?;
    let Some(definition) = definition else {
        return Ok(None);
    };
    let id = new_id();
    query(
        "INSERT INTO grants (user_id, id, agent_id, tool, arguments, definition, granted_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(user_id)
    .bind(&id)
    .bind(agent_id)
    .bind(tool)
    .bind(arguments)
    .bind(definition)
    .bind(now())
    .execute(writing)
    .await?;
    Ok(Some(id))
}

/// Adds to the tokens that a user has used today.
pub(super) async fn spend(writing: &mut Transaction<'_>, user_id: &str, tokens: u64) -> Result<()> {
    query(
        "INSERT INTO token_use (user_id, day, tokens) VALUES ($1, $2, $3) \
         ON CONFLICT (user_id, day) DO UPDATE SET tokens = token_use.tokens + excluded.tokens",
    )
    .bind(user_id)
    .bind(today())
    .bind(i64::try_from(tokens).unwrap_or(i64::MAX))
    .execute(writing)
    .await?;
    Ok(())
}

fn today() -> String {
    now().chars().take(DATE_LENGTH).collect()
}
