//! Calls of tools: each is claimed before it runs, and its result is stored after.

use std::{pin::pin, time::Duration};

use futures_util::future::join_all;
use tokio::{sync::mpsc, time::sleep};

use super::{ModelAgent, speech::Speech, turn::Turn};
use crate::{
    Result,
    agents::{
        agent::Owner,
        model::{
            own_tools::OWN,
            servers::{Lease, Outcome, ToolCall},
            tools::Tool,
        },
    },
    audit::{Decision, Entry, Source},
    grant::Standing,
    transcript::{Call, CallEnd, CallResult, Effect, UNKNOWN_OUTCOME},
};

/// The time after which the reader is told that a call still runs, if its server says nothing.
const REPORT_INTERVAL: Duration = Duration::from_secs(5);

/// Reports of a server that wait to be told.
const MAX_REPORTS: usize = 4;

impl ModelAgent {
    /// Takes all servers for this turn, and lists their tools and the user's standing with them; a
    /// server that cannot be used is left out, and the reader is told so.
    pub(super) async fn list_tools(
        &self,
        owner: &Owner,
        speech: &mut Speech<'_>,
    ) -> Result<(Vec<Lease>, Vec<Tool>, Standing)> {
        let listed = self.servers.iter().map(|server| async move {
            let lease = server.lease(owner).await?;
            let tools = lease.tools().await?;
            Ok::<_, String>((lease, tools))
        });
        let mut servers = Vec::new();
        let mut tools = Vec::new();
        for listed in join_all(listed).await {
            match listed {
                Ok((lease, listed)) => {
                    servers.push(lease);
                    tools.extend(listed);
                }
                Err(fault) => speech.paragraph(&format!("*{fault}*")).await?,
            }
        }
        tools.extend(self.own_tools());
        let pinned = |tool: &Tool| self.pinned.contains(&tool.server);
        let definition = |tool: &Tool| (tool.name(), tool.definition.clone());
        let definitions: Vec<_> = tools.iter().filter(|t| pinned(t)).map(definition).collect();
        let standing = speech.answer.journal().standing(&definitions).await?;
        for tool in &mut tools {
            tool.accepted = !pinned(tool) || standing.accepted.contains(&definition(tool));
        }
        Ok((servers, tools, standing))
    }

    /// Runs a tool at most once: it is claimed before, and its result is stored after.
    pub(super) async fn run_tool(
        &self,
        call: &Call,
        effect: Effect,
        turn: &mut Turn<'_>,
    ) -> Result<CallResult> {
        let Turn {
            servers, speech, ..
        } = turn;
        let (end, text) = if speech.answer.journal().claim(call).await? {
            let initiated = "NOTIFICATION_TOOL_EXECUTION_INITIATED";
            speech.notify(initiated, &call.tool).await;
            self.call(call, servers, speech).await?
        } else {
            (CallEnd::Unknown, UNKNOWN_OUTCOME.to_owned())
        };
        let (end, text) = match end {
            CallEnd::Unknown if effect != Effect::Write => (
                CallEnd::Failed,
                "There was no answer. It may be tried again.".to_owned(),
            ),
            _ => (end, text),
        };
        let result = CallResult {
            call: call.id.clone(),
            end,
            text,
        };
        let unknown = (end == CallEnd::Unknown).then(|| Entry {
            call: call.clone(),
            effect,
            decision: Decision::Unknown,
            source: Source::Timeout,
            rule: String::new(),
        });
        tracing::debug!(
            execution = call.id,
            ?end,
            "a tool ended; this is to be stored"
        );
        speech
            .answer
            .journal()
            .finish(&result, unknown.as_slice())
            .await?;
        if end == CallEnd::Unknown {
            let sentence = format!("*It is not known whether `{}` ran.*", call.tool);
            speech.paragraph(&sentence).await?;
        }
        Ok(result)
    }

    /// Calls a tool; the reader sees that it goes on.
    async fn call(
        &self,
        call: &Call,
        servers: &[Lease],
        speech: &mut Speech<'_>,
    ) -> Result<Outcome> {
        let (id, tool) = call.tool.split_once('/').unwrap_or_default();
        let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
        if id == OWN {
            return self.call_own(tool, &arguments, speech).await;
        }
        let Some(server) = servers.iter().find(|server| server.id() == id) else {
            return Ok((CallEnd::Failed, "There is no such tool.".to_owned()));
        };
        let (sender, mut reports) = mpsc::channel(MAX_REPORTS);
        let request = ToolCall {
            tool,
            arguments,
            execution_id: &call.id,
        };
        let mut called = pin!(server.call(request, &sender));
        loop {
            let report = tokio::select! {
                outcome = &mut called => return Ok(outcome),
                Some(report) = reports.recv() => format!("{}: {report}", call.tool),
                () = sleep(REPORT_INTERVAL) => call.tool.clone(),
            };
            let in_progress = "NOTIFICATION_TOOL_EXECUTION_IN_PROGRESS";
            speech.notify(in_progress, &report).await;
        }
    }
}
