//! What the receiver is told of a batch that waits.

use serde::Serialize;

use crate::{Result, settings::notify::NotifySettings, store::Waiting};
use assent_protocol::ApprovalRequest;

/// The most that all arguments of a message may take, in bytes: receivers bound what they read.
const MAX_ARGUMENTS: usize = 16 * 1024;

#[derive(Serialize)]
struct Message<'a> {
    r#type: &'static str,
    /// The time at which the person was asked.
    timestamp: &'a str,
    data: Data<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    user_id: &'a str,
    agent_id: &'a str,
    agent_name: &'a str,
    thread_id: &'a str,
    tool_execution_batch_id: &'a str,
    /// The end of waiting, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_at: Option<&'a str>,
    count: usize,
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tool<'a> {
    tool_id: &'a str,
    tool_name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_arguments: Option<serde_json::Map<String, serde_json::Value>>,
}

/// Returns the end of waiting for these requests, which end together; `None` if they wait for ever.
pub(super) fn end(requests: &[ApprovalRequest]) -> Option<&str> {
    let end = requests.first()?.expires_at.as_ref()?;
    Some(end.0.as_str())
}

/// Returns the text of a message about the requests of a batch that waits; `reminds` if it was told
/// of before. It names nothing by which somebody could decide.
pub(super) fn message(
    user: &str,
    waiting: &Waiting,
    requests: &[ApprovalRequest],
    reminds: bool,
    settings: &NotifySettings,
) -> Result<String> {
    let all = requests.iter().flat_map(|request| &request.tool_arguments);
    let bytes: usize = all.map(|(name, value)| name.len() + value.len()).sum();
    let tells_arguments = settings.tells_arguments && bytes <= MAX_ARGUMENTS;
    let tool = |request| tool(request, tells_arguments);
    let ids = [user, &waiting.agent_id, &waiting.thread_id];
    let message = Message {
        r#type: match reminds {
            true => "approval.reminder",
            false => "approval.waiting",
        },
        timestamp: &waiting.position.asked_at,
        data: Data {
            user_id: user,
            agent_id: &waiting.agent_id,
            agent_name: &waiting.agent_name,
            thread_id: &waiting.thread_id,
            tool_execution_batch_id: &waiting.batch_id,
            expires_at: end(requests),
            count: requests.len(),
            tools: requests.iter().map(tool).collect(),
            link: settings.link.as_ref().map(|link| link.fill(ids)),
        },
    };
    Ok(serde_json::to_string(&message)?)
}

fn tool(request: &ApprovalRequest, tells_arguments: bool) -> Tool<'_> {
    let arguments = request.tool_arguments.iter();
    let arguments = arguments.map(|(name, value)| (name.clone(), value.clone().into()));
    Tool {
        tool_id: &request.tool_id,
        tool_name: &request.tool_name,
        reason: &request.reason,
        tool_arguments: tells_arguments.then(|| arguments.collect()),
    }
}
