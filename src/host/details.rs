//! The `detail` objects of the widget's DOM events, as plain objects (`docs/API.md`).
//!
//! They hold only data that the page may know: never a key, and no part of a request for approval
//! that is there only to be echoed in the answer to its batch.

use assent_conversation::{
    AnswerSummary, BatchId, ComposerState, ContentItem, Conversation, Decision, Failure, State,
    ThreadId, ToolRun,
};
use assent_i18n::Texts;
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::JsValue;

use crate::components::{decisions_wait_text, failure_text, new_messages};

/// Returns the `detail` of the DOM event `assent:approval-requested`: the ids of thread and batch,
/// and the tool runs that need approval.
pub(super) fn request_detail(thread: &ThreadId, batch: &BatchId, tools: &[ToolRun]) -> JsValue {
    object(&[
        ("threadId", thread.as_str().into()),
        ("batchId", batch.as_str().into()),
        ("tools", tools.iter().map(tool).collect::<Array>().into()),
    ])
}

/// Returns the `detail` of the DOM events `assent:before-approval` and `assent:approval-answered`:
/// the decisions on a batch, and the person's feedback or `null`.
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

/// Returns the `detail` of the DOM event `assent:thread-change`: the id of the open thread, or
/// `null` for a conversation that has no id yet.
pub(super) fn thread_detail(thread: Option<&ThreadId>) -> JsValue {
    object(&[("threadId", id(thread))])
}

/// Returns the `detail` of the DOM events `assent:before-send` and `assent:message-sent`: the
/// content of a message, and the id of its thread or `null`.
pub(super) fn message_detail(thread: Option<&ThreadId>, content: &[ContentItem]) -> JsValue {
    let content: Array = content.iter().map(item).collect();
    object(&[("threadId", id(thread)), ("content", content.into())])
}

/// Returns the `detail` of the DOM event `assent:answer-complete`: the thread's id and the text of
/// the answer.
pub(super) fn answer_complete_detail(thread: &ThreadId, text: &str) -> JsValue {
    object(&[("threadId", thread.as_str().into()), ("text", text.into())])
}

/// Returns the `detail` of the DOM event `assent:unread`: the number of unread answers.
pub(super) fn unread_detail(count: u32) -> JsValue {
    object(&[("count", count.into())])
}

/// Returns the `detail` of the DOM event `assent:error`: a sentence for people, the kind of failure
/// as a code, and whether another attempt may help.
pub(super) fn failure_detail(texts: Texts, failure: &Failure) -> JsValue {
    let object = object(&[("message", failure_text(texts, failure).into())]);
    add_failure_detail(&object, failure);
    object
}

/// Returns the value with which the promise of an element's method is rejected: an `Error` with the
/// members of the `detail` of `assent:error`.
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

/// Returns an object for the element's property `state`: the open thread's id, whether an answer is
/// being written, and the numbers of unread answers and of tool runs that wait for approval.
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

/// Returns the number of tool runs that wait for approval, in all conversations together.
pub(super) fn count_waiting(state: &State) -> usize {
    state
        .undecided_by_thread()
        .iter()
        .map(|(_, count)| count)
        .sum()
}

/// Returns what the launcher shows, a number and a text with it: the number `waiting` of tool runs
/// that wait for approval, or if it is 0 the number `unread` of unread answers.
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

/// Returns a number of things as a number of JavaScript.
pub(super) fn number(count: usize) -> JsValue {
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
