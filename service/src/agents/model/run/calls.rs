//! Calls of tools: each is claimed before it runs, and its result is stored after.

use futures_util::future::join_all;

use super::{ModelAgent, speech::Speech};
use crate::{
    Result,
    agents::model::{
        policy::Effect,
        servers::{Outcome, Server},
        tools::Tool,
    },
    transcript::{Call, CallEnd, CallResult, UNKNOWN_OUTCOME},
};

impl ModelAgent {
    /// Lists the tools of all servers; those of a server that cannot be used are left out, and the
    /// reader is told so.
    pub(super) async fn list_tools(&self, speech: &mut Speech<'_>) -> Result<Vec<Tool>> {
        let mut tools = Vec::new();
        for listed in join_all(self.servers.iter().map(Server::tools)).await {
            match listed {
                Ok(listed) => tools.extend(listed),
                Err(fault) => speech.paragraph(&format!("*{fault}*")).await?,
            }
        }
        Ok(tools)
    }

    /// Runs a tool at most once: it is claimed before, and its result is stored after.
    pub(super) async fn run_tool(
        &self,
        call: &Call,
        effect: Effect,
        speech: &mut Speech<'_>,
    ) -> Result<CallResult> {
        let (end, text) = if speech.answer.journal().claim(call).await? {
            let initiated = "NOTIFICATION_TOOL_EXECUTION_INITIATED";
            speech.notify(initiated, &call.tool).await;
            self.call(call).await
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
        speech.answer.journal().finish(&result).await?;
        if end == CallEnd::Unknown {
            let sentence = format!("*It is not known whether `{}` ran.*", call.tool);
            speech.paragraph(&sentence).await?;
        }
        Ok(result)
    }

    async fn call(&self, call: &Call) -> Outcome {
        let (id, tool) = call.tool.split_once('/').unwrap_or_default();
        let arguments = serde_json::from_str(&call.arguments).unwrap_or_default();
        match self.servers.iter().find(|server| server.id == id) {
            Some(server) => server.call(tool, arguments).await,
            None => (CallEnd::Failed, "There is no such tool.".to_owned()),
        }
    }
}
