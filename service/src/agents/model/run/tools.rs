//! The tools of a turn: listed by their servers before the turn begins, and again when a server
//! says that its tools changed; with what the user accepted of them.

use assent_protocol::notification;

use std::{
    collections::BTreeSet,
    pin::pin,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use futures_util::future::join_all;
use tokio::time::sleep;

use super::{ModelAgent, speech::Speech, turn::TurnState};
use crate::{
    Result,
    agents::{
        agent::{Turn as Asked, TurnInput},
        model::{
            mcp::{Lease, StartPatience, ToolServer},
            tools::offered::OfferedTool,
        },
    },
    rules::{
        grant::UserStanding,
        policy::{Acceptance, Tool},
    },
    sentence::Sentence,
};

/// The time after which the reader is told which servers an answer waits for.
const START_REPORT_DELAY: Duration = Duration::from_secs(2);

/// Returns the sessions of all tool servers for this turn, their tools, and what the user has
/// granted and accepted of them. A server that cannot be used is left out, and the reader is told
/// so. A decision waits for as long as a start may take, since it is about a tool; other turns wait
/// for half of that.
pub(super) async fn list_tools(
    agent: &ModelAgent,
    asked: &Asked,
    speech: &mut Speech<'_>,
) -> Result<(Vec<Lease>, Vec<OfferedTool>, UserStanding)> {
    let patience = match asked.input {
        TurnInput::Decided(_) => StartPatience::Whole,
        TurnInput::Message(_) => StartPatience::Half,
    };
    let ids = agent.servers.iter().map(ToolServer::id);
    let waiting = Mutex::new(ids.collect::<BTreeSet<_>>());
    let listed = agent.servers.iter().map(async |server| {
        let listed = async {
            // The reason is in the log.
            let unusable = |_| Sentence::ToolServer(server.id().to_owned());
            let lease = server.lease(&asked.thread).await.map_err(unusable)?;
            let tools = lease.tools(patience).await?;
            Ok::<_, Sentence>((lease, tools))
        };
        let listed = listed.await;
        lock(&waiting).remove(server.id());
        listed
    });
    let mut listing = pin!(join_all(listed));
    let listed = tokio::select! {
        listed = &mut listing => listed,
        () = sleep(START_REPORT_DELAY) => {
            let ids: Vec<_> = lock(&waiting).iter().copied().collect();
            let servers = if ids.len() == 1 { "server" } else { "servers" };
            let ids = ids.join(", ");
            let event = notification::PLAN_ORCHESTRATION_TOOL_USAGE_IN_PROGRESS;
            let told = format!("Waiting for the start of the tool {servers} {ids}");
            speech.tell(event, &told).await;
            listing.await
        }
    };
    let mut servers = Vec::new();
    let mut tools = Vec::new();
    for listed in listed {
        match listed {
            Ok((lease, listed)) => {
                servers.push(lease);
                tools.extend(listed);
            }
            Err(sentence) => speech.sentence(&sentence).await?,
        }
    }
    tools.extend(agent.own_tools().list());
    let mut tools: Vec<OfferedTool> = agent.chosen.offer(tools, &agent.policy).collect();
    let standing = mark_accepted_tools(agent, &mut tools, speech).await?;
    Ok((servers, tools, standing))
}

/// Lists the tools anew of the servers that said within the turn that their tools changed.
pub(super) async fn renew_tools(agent: &ModelAgent, turn: &mut TurnState<'_>) -> Result<()> {
    let mut changed = false;
    for server in &turn.servers {
        if !server.tools_changed().await {
            continue;
        }
        changed = true;
        turn.tools.retain(|it| it.tool.server != server.id());
        match server.tools(StartPatience::Half).await {
            Ok(tools) => turn.tools.extend(agent.chosen.offer(tools, &agent.policy)),
            Err(sentence) => turn.speech.sentence(&sentence).await?,
        }
    }
    if changed {
        mark_accepted_tools(agent, &mut turn.tools, &mut turn.speech).await?;
    }
    Ok(())
}

/// Marks the tools whose definitions the user has not accepted, of those servers whose new tools
/// have to be accepted (`pinned`). Returns what the user has granted and accepted.
async fn mark_accepted_tools(
    agent: &ModelAgent,
    tools: &mut [OfferedTool],
    speech: &mut Speech<'_>,
) -> Result<UserStanding> {
    let pinned = |tool: &Tool| agent.pinned.contains(&tool.server);
    let definitions = tools.iter().map(|it| &it.tool).filter(|tool| pinned(tool));
    let definitions: Vec<_> = definitions.map(Tool::definition).collect();
    let journal = speech.answer.journal();
    let mut standing = journal.stored().standing(&definitions).await?;
    let tools = tools.iter_mut().map(|it| &mut it.tool);
    for tool in tools.filter(|tool| pinned(tool)) {
        let definition = (tool.id(), tool.definition.clone());
        if !standing.accepted.contains(&definition) {
            let formerly = standing.formerly.remove(&definition.0).unwrap_or_default();
            tool.acceptance = Acceptance::Pending { formerly };
        }
    }
    Ok(standing)
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
