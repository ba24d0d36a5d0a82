//! Threads in which an agent asked for approval, and helpers to inspect them.

use assent_conversation::{
    ApprovalBatch, BatchPhase, CachedRequest, Command, Failure, FailureKind, Feedback, Intent,
    Millis, PageEvent, Verdict,
};
use assent_protocol::{BatchId, ContentItem};
use serde_json::{Value, json};

use crate::world::{World, request};

pub(crate) const DECIDING: BatchPhase = BatchPhase::Deciding {
    feedback: None,
    failure: None,
};

/// Returns a thread in which the agent asked for these and waits.
pub(crate) fn asked(requests: Value) -> World {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("MESSAGE_RECEIVED", "hi");
    world.event("AGENT_RESPONSE_CHUNK", "May I?");
    world.asks(requests);
    world.ends();
    world
}

/// Returns one batch, `b1`, of two runs, `x1` and `x2`.
pub(crate) fn asked_two() -> World {
    asked(json!([
        request("b1", "x1", "mail"),
        request("b1", "x2", "call")
    ]))
}

pub(crate) fn b1() -> BatchId {
    "b1".into()
}

pub(crate) fn batch(world: &World) -> &ApprovalBatch {
    &world.message(1).approvals[0]
}

pub(crate) fn statuses(world: &World) -> Vec<&str> {
    batch(world)
        .tools
        .iter()
        .map(|tool| tool.status.as_str())
        .collect()
}

pub(crate) fn choices(world: &World) -> Vec<Option<Verdict>> {
    batch(world).tools.iter().map(|tool| tool.choice).collect()
}

pub(crate) fn decide(world: &mut World, execution: &str, verdict: Verdict) {
    world.decide(b1(), execution, verdict);
}

/// Returns both runs decided, one each way, and submitted.
pub(crate) fn submitted() -> World {
    let mut world = asked_two();
    decide(&mut world, "x1", Verdict::Approve);
    decide(&mut world, "x2", Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    world
}

/// Returns the batch stopped with this text and submitted.
pub(crate) fn stopped(words: &str) -> World {
    let mut world = asked_two();
    world.intend(Intent::BeginFeedback(b1()));
    world.intend(Intent::EditFeedback(b1(), words.to_owned()));
    world.intend(Intent::SubmitFeedback(b1()));
    world
}

pub(crate) fn posted_results(world: &World) -> Vec<(String, String)> {
    let results = world.commands.iter().find_map(|command| match command {
        Command::Post { content, .. } => match content.first() {
            Some(ContentItem::ToolApprovalResult(results)) => Some(results.clone()),
            _ => None,
        },
        _ => None,
    });
    let results = results.expect("a post with results");
    let each = results.iter().map(|raw| raw.read().unwrap());
    each.map(|read| {
        (
            read.tool_execution_id.0,
            read.approval_result.as_str().to_owned(),
        )
    })
    .collect()
}

pub(crate) fn stored_asking(first: &str, second: &str) -> Value {
    json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "May I?", "toolExecutionHumanApprovalRequest": [
            stored_half(&request("b1", "x1", "mail"), first),
            stored_half(&request("b1", "x2", "call"), second),
        ]},
    ])
}

/// Returns a request as the service stores it.
pub(crate) fn stored_half(request: &Value, status: &str) -> Value {
    json!({
        "toolId": request["toolId"],
        "name": request["toolName"],
        "provider": request["toolProvider"],
        "category": request["toolCategory"],
        "toolExecutionId": request["toolExecutionId"],
        "executionBatchId": request["toolExecutionBatchId"],
        "toolArguments": request["toolArguments"],
        "status": status,
    })
}

/// Returns feedback without files.
pub(crate) fn words(text: &str) -> Feedback {
    Feedback {
        text: text.to_owned(),
        files: Vec::new(),
    }
}

/// Returns the same as `stored_asking`, both in this status.
pub(crate) fn stored_both(status: &str) -> Value {
    stored_asking(status, status)
}

/// Returns the thread whose batch was stopped with these words.
pub(crate) fn stored_stop(words: &str) -> Value {
    let mut stored = stored_both("ABORTED_WITH_FEEDBACK");
    let said = json!({"id": "m3", "role": "user", "content": words});
    stored.as_array_mut().unwrap().push(said);
    stored
}

pub(crate) const PENDING: &str = "PENDING_HUMAN_APPROVAL";

/// Returns the phase of deciding, with this feedback, after a refusal for this reason.
pub(crate) fn refused(feedback: Option<Feedback>, kind: FailureKind) -> BatchPhase {
    BatchPhase::Deciding {
        feedback,
        failure: Some(Failure::of(kind)),
    }
}

/// Returns this request in its stored form.
pub(crate) fn kept(thread: &str, at: i64, request: Value) -> CachedRequest {
    let raw = serde_json::from_str(&request.to_string()).unwrap();
    CachedRequest::new(thread.into(), Millis(at), raw).unwrap()
}

/// Returns the executions that the last input stored.
pub(crate) fn keeps(world: &World) -> Vec<&str> {
    let all = world.commands.iter().map(|command| match command {
        Command::KeepRequests(requests) => requests.as_slice(),
        _ => &[],
    });
    executions(all)
}

/// Returns the executions that the last input removed from the storage.
pub(crate) fn forgets(world: &World) -> Vec<&str> {
    let all = world.commands.iter().map(|command| match command {
        Command::ForgetRequests(requests) => requests.as_slice(),
        _ => &[],
    });
    executions(all)
}

fn executions<'a>(all: impl Iterator<Item = &'a [CachedRequest]>) -> Vec<&'a str> {
    all.flatten().map(|it| it.execution.as_str()).collect()
}

/// Returns the executions that are stored.
pub(crate) fn in_vault(world: &World) -> Vec<&str> {
    executions([world.state.cached_requests.as_slice()].into_iter())
}

/// Returns the host page's approval events since the beginning.
pub(crate) fn page_events(world: &World) -> Vec<&PageEvent> {
    let page_events = world.done.iter().filter_map(|command| match command {
        Command::NotifyPage(
            event @ (PageEvent::ApprovalRequested { .. } | PageEvent::ApprovalAnswered(_)),
        ) => Some(event),
        _ => None,
    });
    page_events.collect()
}

/// Returns the texts of the last post.
pub(crate) fn posted_texts(world: &World) -> Vec<&str> {
    let posts = world.commands.iter().filter_map(|command| match command {
        Command::Post { content, .. } => Some(content),
        _ => None,
    });
    let texts = posts.flatten().filter_map(|item| match item {
        ContentItem::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}
