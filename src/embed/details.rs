//! The details of events, as plain objects (README, "Methods and events").
//!
//! They hold what the page may know: never a key, and nothing of a request that only its answer needs.

use assent_conversation::{BatchId, Claim, Decision, ThreadId, ToolRun};
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::JsValue;

use crate::ui::actions_need_approval;

/// Detail of `assent:approval-requested`.
pub(super) fn request(thread: &ThreadId, batch: &BatchId, tools: &[ToolRun]) -> JsValue {
    object(&[
        ("threadId", thread.as_str().into()),
        ("batchId", batch.as_str().into()),
        ("tools", tools.iter().map(tool).collect::<Array>().into()),
    ])
}

/// Detail of `assent:before-approval` and `assent:approval-answered`.
pub(super) fn answer(claim: &Claim) -> JsValue {
    let decisions: Array = claim.decisions.iter().map(decision).collect();
    let feedback = claim.feedback.as_deref();
    object(&[
        ("threadId", claim.thread.as_str().into()),
        ("batchId", claim.batch.as_str().into()),
        ("decisions", decisions.into()),
        ("feedback", feedback.map_or(JsValue::NULL, JsValue::from)),
    ])
}

/// What the launcher shows: the number of actions, and a text that says it.
pub(super) fn pending(count: usize) -> JsValue {
    // A number that people can wait for fits.
    let number = JsValue::from(u32::try_from(count).unwrap_or(u32::MAX));
    object(&[
        ("count", number),
        ("text", actions_need_approval(count).into()),
    ])
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

fn object(members: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in members {
        // A plain object takes any property.
        Reflect::set(&object, &(*name).into(), value).ok();
    }
    object.into()
}
