//! The standing of users with agents: definitions of tools that were accepted, and tokens.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    OwnedGrant, Reservation, RunKey, Store, StoredRun, ThreadKey, Transaction,
    database::{query, query_as, query_scalar},
    grants, threads,
};
use crate::{
    Result,
    generate::{new_id, now},
    rules::audit::AuditedThread,
    rules::grant::{Definition, DefinitionFields, UserStanding},
};

/// The user's id with which definitions are stored that a server had when the service first saw it;
/// no user has this id.
const SERVICE_USER_ID: &str = "";

/// The length of the date at the beginning of a time.
const DATE_LENGTH: usize = "2026-01-31".len();

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
        self.write(|writing| {
            Box::pin(async move {
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
                let grant = OwnedGrant {
                    user_id: user_id.to_owned(),
                    id: new_id(),
                    agent_id: agent_id.to_owned(),
                    tool: tool.to_owned(),
                    arguments: arguments.to_owned(),
                    definition,
                    granted_at: now(),
                    revoked_at: None,
                    thread_id: None,
                    until: None,
                    names: None,
                    execution_id: String::new(),
                    uses: 0,
                };
                grants::insert(writing, &grant).await?;
                Ok(Some(grant.id))
            })
        })
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
    let mut place = threads::audited_thread(reading, &run.answer.thread).await?;
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
    let grants = grants::of_turn(reading, &place).await?;
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
    let standing = UserStanding {
        grants,
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
