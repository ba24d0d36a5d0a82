//! The details of events, as plain objects (`docs/API.md`).
//!
//! They hold only data that the page may know: never a key, and nothing of a request that only its
//! answer needs.

use assent_conversation::{
    AnswerSummary, BatchId, ComposerState, ContentItem, Conversation, Decision, Failure, State,
    ThreadId, ToolRun,
};
use assent_i18n::Texts;
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::JsValue;

use crate::components::{decisions_wait_text, failure_text, new_messages};

/// Returns the detail of `assent:approval-requested`.
pub(super) fn request_detail(thread: &ThreadId, batch: &BatchId, tools: &[ToolRun]) -> JsValue {
    object(&[
        ("threadId", thread.as_str().into()),
        ("batchId", batch.as_str().into()),
        ("tools", tools.iter().map(tool).collect::<Array>().into()),
    ])
}

/// Returns the detail of `assent:before-approval` and `assent:approval-answered`.
pub(super) fn answer_detail(summary: &AnswerSummary) -> JsValue {
    let decisions: Array = summary.decisions.iter().map(decision).collect();
    let feedback = summary.feedback.as_deref();
    object(&[
        ("threadId", summary.thread.as_str().into()),
        ("batchId", summary.batch.as_str().into()),
        ("decisions", decisions.into()),
        ("feedback", feedback.map_or(JsValue::NULL, JsValue::from)),
    ])
}

/// Returns the detail of `assent:thread-change`.
pub(super) fn thread_detail(thread: Option<&ThreadId>) -> JsValue {
    object(&[("threadId", id(thread))])
}

/// Returns the detail of `assent:before-send` and `assent:message-sent`.
pub(super) fn message_detail(thread: Option<&ThreadId>, content: &[ContentItem]) -> JsValue {
    let content: Array = content.iter().map(item).collect();
    object(&[("threadId", id(thread)), ("content", content.into())])
}

/// Returns the detail of `assent:answer-complete`.
pub(super) fn answer_complete_detail(thread: &ThreadId, text: &str) -> JsValue {
    object(&[("threadId", thread.as_str().into()), ("text", text.into())])
}

/// Returns the detail of `assent:unread`.
pub(super) fn unread_detail(count: u32) -> JsValue {
    object(&[("count", count.into())])
}

/// Returns the detail of `assent:error`.
pub(super) fn failure_detail(texts: Texts, failure: &Failure) -> JsValue {
    let object = object(&[("message", failure_text(texts, failure).into())]);
    add_failure_detail(&object, failure);
    object
}

/// Returns the value that a promise is rejected with: an `Error` with the members of the detail of
/// `assent:error`.
pub(super) fn rejection_error(texts: Texts, failure: &Failure) -> JsValue {
    let error = js_sys::Error::new(&failure_text(texts, failure)).into();
    add_failure_detail(&error, failure);
    error
}

fn add_failure_detail(error: &JsValue, failure: &Failure) {
    set_member(error, "code", &failure.kind.code().into());
    if let Some(status) = failure.status {
        set_member(error, "status", &status.into());
    }
    set_member(error, "recoverable", &failure.is_recoverable().into());
}

/// Returns the part of the element's `state` that the widget knows.
pub(super) fn snapshot(state: &State) -> JsValue {
    let open = state.open_conversation();
    let is_streaming = open.is_some_and(|open| open.composer_state() == ComposerState::Streaming);
    object(&[
        ("threadId", id(open.and_then(Conversation::thread_id))),
        ("streaming", is_streaming.into()),
        ("unread", state.unread.into()),
        ("pendingApprovals", number(count_waiting(state))),
    ])
}

/// Returns the number of tool runs that wait for approval.
pub(super) fn count_waiting(state: &State) -> usize {
    state
        .undecided_by_thread()
        .iter()
        .map(|(_, count)| count)
        .sum()
}

/// Returns the launcher's data: a count and a text for it. It counts the actions that wait for
/// approval, or if there are none the unread answers.
pub(super) fn launcher_data(texts: Texts, waiting: usize, unread: usize) -> JsValue {
    let (count, text) = match waiting {
        0 => (unread, new_messages(texts, unread)),
        _ => (waiting, decisions_wait_text(texts, waiting)),
    };
    object(&[("count", number(count)), ("text", text.into())])
}

fn tool(tool: &ToolRun) -> JsValue {
    let argument = |(name, value): &(String, String)| Array::of2(&name.into(), &value.into());
    let arguments: Array = tool.arguments.iter().map(argument).collect();
    object(&[
        ("executionId", tool.execution.as_str().into()),
        ("toolId", tool.tool.as_str().into()),
        ("name", tool.name.as_str().into()),
        ("provider", tool.provider.as_str().into()),
        ("category", tool.category.as_str().into()),
        ("arguments", arguments.into()),
    ])
}

fn decision(decision: &Decision) -> JsValue {
    object(&[
        ("executionId", decision.execution.as_str().into()),
        ("name", decision.name.as_str().into()),
        ("decision", decision.status.as_str().into()),
    ])
}

fn item(item: &ContentItem) -> JsValue {
    let (kind, name, value) = match item {
        ContentItem::Text(text) => ("text", "text", text.as_str()),
        ContentItem::Document(id) => ("document", "fileId", id.as_str()),
        ContentItem::Image(id) => ("image", "imageId", id.as_str()),
        // Answers to approvals are no messages.
        ContentItem::ToolApprovalResult(_) => ("tool_approval_result", "text", ""),
    };
    object(&[("type", kind.into()), (name, value.into())])
}

fn id(thread: Option<&ThreadId>) -> JsValue {
    thread.map_or(JsValue::NULL, |thread| thread.as_str().into())
}

fn number(count: usize) -> JsValue {
    // Any realistic number fits.
    u32::try_from(count).unwrap_or(u32::MAX).into()
}

fn object(members: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in members {
        set_member(&object, name, value);
    }
    object.into()
}

fn set_member(object: &JsValue, name: &str, value: &JsValue) {
    // For listeners of the page alone, to which `assent.d.ts` says what is there; nothing in here
    // reads it. A plain object takes any property.
    Reflect::set(object, &name.into(), value).ok();
}
