//! An answer that is being written: what shows that it goes on, and what is queued meanwhile.

use assent_conversation::{FailureKind, Input, Intent, StreamEnd, StreamId};
use assent_widget::store::ActivityLevel;
use js_sys::Function;
use leptos::prelude::Set;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::approval_request::{TYPE, asking};
use crate::replaced_property::ReplacedProperty;
use crate::widget::{Widget, tick, tool};

const THINKS: &str = "NOTIFICATION_AGENT_THINKING_STARTED";
const THOUGHT: &str = "NOTIFICATION_AGENT_THINKING_COMPLETE";
const TOOL: &str = "NOTIFICATION_TOOL_EXECUTION_INITIATED";
const ROUTES: &str = "NOTIFICATION_REQUEST_ORCHESTRATION_COMPLEX";

fn script(text: &str) {
    Function::new_no_args(text).call0(&JsValue::NULL).unwrap();
}

/// A clock whose seconds pass when the test says so.
struct Clock(#[expect(dead_code, reason = "it ends with the value")] [ReplacedProperty; 3]);

impl Clock {
    fn new() -> Self {
        script("Object.assign(globalThis, { seconds: 1_000_000, each: new Map() })");
        Self([
            ReplacedProperty::new("Date.now", "() => seconds * 1000"),
            ReplacedProperty::new(
                "globalThis.setInterval",
                "(act) => { const id = each.size + 1; each.set(id, act); return id; }",
            ),
            ReplacedProperty::new("globalThis.clearInterval", "(id) => each.delete(id)"),
        ])
    }

    async fn pass(&self, seconds: u32) {
        script(&format!(
            "seconds += {seconds}; for (const act of each.values()) act()"
        ));
        tick().await;
    }
}

fn state(widget: &Widget) -> String {
    let activity = widget.one("[part=activity]");
    activity.get_attribute("data-state").unwrap()
}

async fn ends(widget: &mut Widget, stream: StreamId) {
    widget.event(stream, "AGENT_RESPONSE_COMPLETE", r#""content":"So.""#);
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
}

#[wasm_bindgen_test]
async fn a_line_below_an_answer_says_for_how_long_nothing_has_come_until_its_end() {
    let clock = Clock::new();
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    let is_seen = |widget: &Widget| widget.one(".working[data-seen]").get_attribute("data-seen");
    assert_eq!(widget.read(".working"), "Working…");
    assert_eq!(is_seen(&widget).unwrap(), "true");
    clock.pass(12).await;
    assert_eq!(widget.read(".working"), "Working… 12 s");
    assert!(
        widget
            .one(".working")
            .closest("[aria-live]")
            .unwrap()
            .is_none(),
        "it is not announced"
    );
    widget.event(stream, "AGENT_RESPONSE_CHUNK", r#""content":"So""#);
    tick().await;
    assert_eq!(widget.read(".working"), "Working…", "something came");
    assert_eq!(is_seen(&widget).unwrap(), "false", "it moves itself");
    clock.pass(75).await;
    assert_eq!(is_seen(&widget).unwrap(), "true");
    assert_eq!(widget.read(".working"), "Working… 1 min 15 s");
    widget.event(stream, THOUGHT, r#""content":"""#);
    tick().await;
    assert_eq!(widget.read(".working"), "Working…");
    assert_eq!(state(&widget), "running", "the answer is not complete");
    ends(&mut widget, stream).await;
    assert!(widget.all(".working").is_empty());
    assert_eq!(state(&widget), "done");
}

#[wasm_bindgen_test]
async fn an_agent_that_waits_for_a_decision_does_not_work() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    widget.event(stream, TYPE, &asking(&[tool("refund", "")]));
    tick().await;
    assert!(widget.all(".working").is_empty());
}

#[wasm_bindgen_test]
async fn an_activity_that_has_ended_is_summed_up() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    let line = |widget: &Widget| widget.read("[part=activity] .activity-line");
    widget.event(stream, TOOL, r#""content":"Starting a tool: stock_level""#);
    tick().await;
    assert_eq!(line(&widget), "Running stock_level1 step");
    widget.wait(4_000);
    widget.event(stream, THINKS, r#""content":"""#);
    widget.event(stream, THOUGHT, r#""content":"""#);
    ends(&mut widget, stream).await;
    assert_eq!(line(&widget), "Worked for 4 s · 2 steps");

    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    for kind in [
        "NOTIFICATION_KNOWLEDGE_RETRIEVAL_FAILED",
        "NOTIFICATION_CONTEXT_MEMORIES_RETRIEVAL_FAILED",
        THOUGHT,
    ] {
        widget.event(stream, kind, r#""content":"""#);
    }
    ends(&mut widget, stream).await;
    assert_eq!(line(&widget), "2 of 3 steps failed");
    assert_eq!(state(&widget), "failed");
}

#[wasm_bindgen_test]
async fn how_the_request_was_taken_is_shown_in_full_alone() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    widget.event(stream, ROUTES, r#""content":"""#);
    tick().await;
    assert!(widget.all("[part=activity]").is_empty());
    widget.event(stream, THOUGHT, r#""content":"""#);
    ends(&mut widget, stream).await;
    widget.one(".activity-line").click();
    tick().await;
    assert_eq!(widget.read(".steps"), "Thought it through");
    widget.settings.activity.set(ActivityLevel::Full);
    tick().await;
    assert_eq!(widget.all(".step").len(), 2);
}

#[wasm_bindgen_test]
async fn enter_queues_while_an_answer_is_written_and_stop_stays() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    assert!(widget.all("[part=send]").is_empty());
    for text in ["one", "two"] {
        widget.type_text(text);
        tick().await;
        widget.button("Stop");
        widget.button("Send");
        widget.key("[part=input]", "Enter", false);
        assert_eq!(
            widget.settle().await,
            [Intent::EditDraft(text.into()), Intent::Send]
        );
    }
    let queued = widget.all("[role=group][aria-label=Queued]");
    assert_eq!(queued.len(), 2);
    assert_eq!(
        queued[0].text_content().unwrap(),
        "oneSends when the answer is doneEditRemove"
    );
    assert!(widget.said().await[0].contains("Sends when the answer is done"));
    assert!(widget.all("[part=send]").is_empty());

    let remove = queued[1].query_selector("button:last-of-type").unwrap();
    let remove: web_sys::HtmlElement = wasm_bindgen::JsCast::unchecked_into(remove.unwrap());
    remove.focus().unwrap();
    remove.click();
    widget.settle().await;
    let input = widget.one("[part=input]");
    assert!(input.is_same_node(widget.focused().as_deref()));
    widget.press("Edit").await;
    assert!(widget.all(".queued").is_empty());
    assert!(input.is_same_node(widget.focused().as_deref()));

    widget.key("[part=input]", "Enter", false);
    widget.settle().await;
    ends(&mut widget, stream).await;
    assert_ne!(widget.post().0, stream, "it was sent");
    assert!(widget.all(".queued").is_empty());
}

#[wasm_bindgen_test]
async fn arrow_up_brings_the_last_message_back_into_an_empty_box() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    let value = |widget: &Widget| {
        let value = js_sys::Reflect::get(&widget.one("[part=input]"), &"value".into());
        value.unwrap().as_string().unwrap()
    };
    widget.type_text("more");
    assert!(
        !widget.key("[part=input]", "ArrowUp", false),
        "the caret moves"
    );
    widget.key("[part=input]", "Enter", false);
    widget.settle().await;
    assert!(widget.key("[part=input]", "ArrowUp", false));
    widget.settle().await;
    assert_eq!(value(&widget), "more", "what is queued is taken back");
    widget.type_text("");
    widget.settle().await;
    ends(&mut widget, stream).await;
    assert!(widget.key("[part=input]", "ArrowUp", false));
    assert_eq!(widget.settle().await, [Intent::EditDraft("hello".into())]);
    assert_eq!(value(&widget), "hello");
}

#[wasm_bindgen_test]
async fn escape_stops_an_answer_and_asks_while_a_tool_runs() {
    let mut widget = Widget::new();
    assert!(
        !widget.key("[part=input]", "Escape", false),
        "nothing to stop"
    );
    let stream = widget.send("hello").await;
    widget.event(stream, TOOL, r#""content":"Starting a tool: refund""#);
    tick().await;
    assert!(widget.key("[part=input]", "Escape", false));
    assert_eq!(widget.settle().await, []);
    let dialog = widget.one("[role=alertdialog]").text_content().unwrap();
    assert!(dialog.starts_with("Stop the answer?"), "{dialog}");
    assert!(widget.key("[role=alertdialog]", "Escape", false));
    assert_eq!(widget.settle().await, []);
    assert!(widget.all("[role=alertdialog]").is_empty());
    let input = widget.one("[part=input]");
    assert!(input.is_same_node(widget.focused().as_deref()));
    widget.event(
        stream,
        "NOTIFICATION_TOOL_EXECUTION_APPROVAL_DENIED",
        r#""content":"""#,
    );
    widget.key("[part=input]", "Escape", false);
    widget.settle().await;
    widget.one("[role=alertdialog] .danger").click();
    assert_eq!(widget.settle().await, [Intent::Stop]);

    let mut widget = Widget::new();
    widget.send("hello").await;
    assert!(widget.key("[part=input]", "Escape", false));
    assert_eq!(widget.settle().await, [Intent::Stop]);
}

#[wasm_bindgen_test]
async fn a_stopped_or_failed_answer_can_be_tried_again() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    widget.event(stream, "AGENT_RESPONSE_CHUNK", r#""content":"So""#);
    widget.press("Stop").await;
    assert!(widget.read(".footnote").starts_with("Stopped."));
    widget.press("Try again").await;
    assert_eq!(widget.all("[data-role=user]").len(), 2);
    let (stream, _) = widget.post();
    widget.event(stream, "MESSAGE_RECEIVED", r#""content":"""#);
    widget.event(stream, "ERROR", r#""content":"No model""#);
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    assert!(widget.all(".footnote button").is_empty() || widget.read(".footnote") != "Try again");
    let wanted = widget.press("Try again").await;
    assert!(matches!(wanted[..], [Intent::RetryMessage(_)]));
    assert_eq!(widget.all("[data-role=user]").len(), 3);
}

#[wasm_bindgen_test]
async fn after_dismiss_the_focus_is_in_the_box() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    let refused = assent_conversation::Failure::of(FailureKind::Agent);
    widget.event(stream, "ERROR", r#""content":"No model""#);
    widget.input(Input::StreamEnded(stream, StreamEnd::Failed(refused)));
    tick().await;
    widget.press("Dismiss").await;
    let input = widget.one("[part=input]");
    assert!(input.is_same_node(widget.focused().as_deref()));
}

#[wasm_bindgen_test]
async fn a_divider_stands_before_the_first_answer_that_nobody_saw() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    widget.input(Input::VisibilityChanged(false));
    ends(&mut widget, stream).await;
    widget.input(Input::VisibilityChanged(true));
    tick().await;
    let messages = widget.all("[part=message]");
    let divider = |at: usize| messages[at].query_selector(".new[role=separator]").unwrap();
    assert!(divider(0).is_none());
    assert_eq!(divider(1).unwrap().text_content().unwrap(), "New");
    widget.send("thanks").await;
    assert!(widget.all(".new[role=separator]").is_empty());
}
