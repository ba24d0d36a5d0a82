//! The question to a person about calls, and what the decisions mean for them.

use assent_protocol::{ApprovalRequest, ApprovalStatus};
use jiff::Timestamp;

use crate::{
    agents::model::core::judge::JudgedCall,
    generate::{format_time, new_id},
    rules::{
        approval::{Approval, Question, Verdict},
        arguments::Arguments,
        grant::{DefinitionFields, GrantOffer},
    },
    transcript::Call,
};

/// The category that a request for approval names for all tools of servers.
const CATEGORY: &str = "MCP";

pub(super) fn call_verdict(approval: &Approval) -> Option<(String, Verdict)> {
    let verdict = match approval.status {
        ApprovalStatus::Approved => Verdict::Approved,
        ApprovalStatus::Denied if approval.is_expired => Verdict::Expired,
        ApprovalStatus::Denied => Verdict::Denied,
        ApprovalStatus::Aborted => Verdict::Aborted,
        ApprovalStatus::Pending | ApprovalStatus::Other(_) => return None,
    };
    Some((approval.execution_id().to_owned(), verdict))
}

/// Returns a call with the arguments that a person approved in place of those that the model wrote, if
/// there are any.
pub(super) fn as_decided(call: Call, decided: &[Approval]) -> Call {
    let approval = decided.iter().find(|it| it.execution_id() == call.id);
    let edited = approval.and_then(|approval| approval.edited.clone());
    Call {
        arguments: edited.unwrap_or(call.arguments),
        ..call
    }
}

fn scopes(offer: &GrantOffer) -> impl Iterator<Item = String> {
    offer.scopes.iter().map(|it| it.as_str().to_owned())
}

/// Returns the question about calls: one batch, whose decision begins the next run. `colleague` is
/// the name of the colleague that asks, or `None` for the thread's agent: both may have a server of
/// the same name.
pub(super) fn question(asked: &[JudgedCall], colleague: Option<&str>, now: Timestamp) -> Question {
    let memory_id = new_id();
    let batch_id = new_id();
    // A batch is decided as a whole, and ends as one.
    let time = asked.iter().filter_map(|it| it.ruling.expires).min();
    let end = time.and_then(|time| now.checked_add(time).ok());
    let request = |JudgedCall { call, ruling, .. }: &JudgedCall| {
        let change = ruling.change.as_ref();
        let (server, tool) = call.tool.split_once('/').unwrap_or_default();
        let mut request = ApprovalRequest {
            tool_id: call.tool.clone(),
            tool_name: tool.to_owned(),
            tool_provider: match colleague {
                Some(name) => format!("{server} ({name})"),
                None => server.to_owned(),
            },
            tool_category: CATEGORY.to_owned(),
            tool_execution_id: call.id.as_str().into(),
            tool_execution_batch_id: batch_id.as_str().into(),
            tool_memory_id: memory_id.clone(),
            // They are those that run: both are read from the same text.
            tool_arguments: Arguments::parse(&call.arguments)
                .unwrap_or_default()
                .into_display(),
            reason: ruling.why.clone(),
            definition_changed: change.is_some(),
            definition: change.map_or_else(DefinitionFields::new, |it| it.now.clone()),
            accepted_definition: change
                .map_or_else(DefinitionFields::new, |it| it.formerly.clone()),
            grant_scopes: ruling.grants.iter().flat_map(scopes).collect(),
            grant_max_seconds: ruling
                .grants
                .as_ref()
                .map(|it| it.max.as_secs().unsigned_abs()),
            editable: ruling
                .editable
                .iter()
                .map(|it| it.pointer.clone())
                .collect(),
            editable_schemas: ruling
                .editable
                .iter()
                .filter(|it| !it.schema.is_empty())
                .map(|it| (it.pointer.clone(), it.schema.clone()))
                .collect(),
            expires_at: end.map(|end| assent_protocol::Timestamp(format_time(end))),
            ..ApprovalRequest::default()
        };
        if let Some(told) = ruling.told {
            told.write(&mut request);
        }
        request
    };
    Question {
        requests: asked.iter().map(request).collect(),
        memory_id,
        // The transcript knows the rest.
        memory: String::new(),
    }
}
