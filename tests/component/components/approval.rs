//! The approval card: the whole batch decided, one post.

use assent_conversation::{Command, Input, StreamEnd};
use assent_protocol::ContentItem;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::widget::{Widget, fill, load_renderer, tick, tool};

const TWO: &str = r#""content":"","toolExecutionApprovalRequest":[
    {"toolId":"i1","toolName":"refund","toolProvider":"Shop","toolCategory":"Payments","toolExecutionId":"e1","toolExecutionBatchId":"b1","toolMemoryId":"m1","toolArguments":{"amount":"0.10"},"extra":0.10,"approvalResult":"PENDING_HUMAN_APPROVAL"},
    {"toolId":"i2","toolName":"mail","toolProvider":"Post","toolCategory":"","toolExecutionId":"e2","toolExecutionBatchId":"b1","toolMemoryId":"m2","toolArguments":{}}]"#;

async fn asked() -> Widget {
    load_renderer();
    let mut widget = Widget::new();
    let stream = widget.send("refund it").await;
    widget.event(stream, "TOOL_EXECUTION_APPROVAL_REQUEST", TWO);
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    widget
}

fn radio(widget: &Widget, tool: usize, choice: usize) -> web_sys::HtmlElement {
    widget.all(&format!(
        "[part=approval-tool]:nth-of-type({}) input",
        tool + 1
    ))[choice]
        .clone()
}

fn posted(widget: &Widget) -> Vec<Vec<ContentItem>> {
    let posts = widget.commands.iter().filter_map(|command| match command {
        Command::Post { content, .. } => Some(content.clone()),
        _ => None,
    });
    posts.skip(1).collect()
}

#[wasm_bindgen_test]
async fn decisions_can_be_submitted_only_when_every_tool_is_decided() {
    let mut widget = asked().await;
    let card = widget.one("[part=approval]");
    assert_eq!(card.get_attribute("aria-label").unwrap(), "Approval needed");
    assert_eq!(card.get_attribute("data-state").unwrap(), "pending");
    assert!(widget.button("Submit decisions").has_attribute("disabled"));
    radio(&widget, 0, 0).click();
    widget.settle().await;
    assert!(
        widget.button("Submit decisions").has_attribute("disabled"),
        "one of two"
    );
    radio(&widget, 1, 1).click();
    widget.settle().await;
    assert!(!widget.button("Submit decisions").has_attribute("disabled"));
}

#[wasm_bindgen_test]
async fn a_double_click_posts_the_batch_once_and_echoes_it() {
    let mut widget = asked().await;
    radio(&widget, 0, 0).click();
    radio(&widget, 1, 1).click();
    widget.settle().await;
    let submit = widget.button("Submit decisions");
    submit.click();
    submit.click();
    widget.settle().await;
    let posts = posted(&widget);
    assert_eq!(posts.len(), 1);
    let [ContentItem::ToolApprovalResult(results)] = posts[0].as_slice() else {
        panic!("{posts:?}")
    };
    assert!(
        results[0]
            .as_str()
            .contains(r#""extra":0.10,"approvalResult":"APPROVED""#)
    );
    assert!(results[1].as_str().contains(r#""approvalResult":"DENIED""#));
    assert_eq!(
        widget
            .one("[part=approval]")
            .get_attribute("data-state")
            .unwrap(),
        "submitting"
    );
}

#[wasm_bindgen_test]
async fn deny_all_decides_every_tool() {
    let mut widget = asked().await;
    widget.button("Deny all").click();
    widget.settle().await;
    let checked = widget.all("[part=approval-tool] .deny input:checked");
    assert_eq!(checked.len(), 2);
}

#[wasm_bindgen_test]
async fn stopping_excludes_deciding_and_back_keeps_the_decisions() {
    let mut widget = asked().await;
    radio(&widget, 0, 0).click();
    widget.settle().await;
    widget.button("Stop and give feedback").click();
    widget.settle().await;
    assert!(widget.all("[part=approval] input[type=radio]").is_empty());
    let feedback = widget.one("textarea[aria-label=Feedback]");
    fill(&feedback, "ask");
    widget.settle().await;
    assert!(
        feedback.is_same_node(Some(&widget.one("textarea[aria-label=Feedback]"))),
        "typing goes on"
    );
    widget.button("Back").click();
    widget.settle().await;
    assert_eq!(
        widget
            .all("[part=approval-tool] .approve input:checked")
            .len(),
        1
    );
}

#[wasm_bindgen_test]
async fn a_stop_aborts_the_whole_batch_with_the_feedback() {
    let mut widget = asked().await;
    widget.button("Stop and give feedback").click();
    widget.settle().await;
    fill(
        &widget.one("textarea[aria-label=Feedback]"),
        "Ask my colleague first",
    );
    widget.button("Stop these actions").click();
    widget.settle().await;
    let posts = posted(&widget);
    let [
        ContentItem::ToolApprovalResult(results),
        ContentItem::Text(text),
    ] = posts[0].as_slice()
    else {
        panic!("{posts:?}")
    };
    assert!(
        results
            .iter()
            .all(|it| it.as_str().contains("ABORTED_WITH_FEEDBACK"))
    );
    assert_eq!(
        (results.len(), text.as_str()),
        (2, "Ask my colleague first")
    );
}

#[wasm_bindgen_test]
async fn an_accepted_answer_folds_the_card_to_one_line_a_tool() {
    let mut widget = asked().await;
    widget.approve_all().await;
    widget.button("Submit decisions").click();
    widget.settle().await;
    let stream = widget
        .commands
        .iter()
        .rev()
        .find_map(|command| match command {
            Command::Post { stream, .. } => Some(*stream),
            _ => None,
        });
    let stream = stream.unwrap();
    widget.input(Input::StreamOpened(stream));
    widget.event(
        stream,
        "NOTIFICATION_TOOL_EXECUTION_APPROVAL_ACCEPTED",
        r#""content":"""#,
    );
    tick().await;
    assert_eq!(
        widget
            .one("[part=approval]")
            .get_attribute("data-state")
            .unwrap(),
        "answered"
    );
    let tools = widget.all("[part=approval-tool]");
    assert_eq!(tools.len(), 2);
    for tool in tools {
        assert_eq!(tool.get_attribute("data-state").unwrap(), "APPROVED");
        assert!(tool.text_content().unwrap().contains("Approved"));
    }
    assert!(widget.all("[part=approval] input").is_empty());
    assert!(widget.all("[part=approval] dd").is_empty(), "folded");
    widget.button("Arguments of Refund").click();
    tick().await;
    assert_eq!(
        widget.one("[part=approval] dd").text_content().unwrap(),
        "0.10"
    );
}

fn request(batch: &str, execution: &str, amount: &str) -> String {
    format!(
        r#""content":"","toolExecutionApprovalRequest":[{{"toolName":"refund","toolExecutionId":"{execution}","toolExecutionBatchId":"{batch}","toolMemoryId":"m","toolArguments":{{"amount":"{amount}"}}}}]"#
    )
}

#[wasm_bindgen_test]
async fn a_second_batch_leaves_the_first_one_alive() {
    load_renderer();
    let mut widget = Widget::new();
    let stream = widget.send("refund it").await;
    widget.event(
        stream,
        "TOOL_EXECUTION_APPROVAL_REQUEST",
        &request("a/b", "c", "1"),
    );
    tick().await;
    // Joined, the ids are the same.
    widget.event(
        stream,
        "TOOL_EXECUTION_APPROVAL_REQUEST",
        &request("a", "b/c", "2"),
    );
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    assert_eq!(widget.all("[part=approval]").len(), 2);
    widget.all("[part=approval] .approve input")[0].click();
    widget.settle().await;
    let submits = widget.all("[part=approval] .primary");
    assert!(!submits[0].has_attribute("disabled") && submits[1].has_attribute("disabled"));
    widget.all("[part=approval] .deny input")[1].click();
    widget.settle().await;
    assert_eq!(widget.all("[part=approval] input:checked").len(), 2);
}

#[wasm_bindgen_test]
async fn what_is_asked_again_otherwise_is_shown_and_decided_anew() {
    load_renderer();
    let mut widget = Widget::new();
    let stream = widget.send("refund it").await;
    widget.event(
        stream,
        "TOOL_EXECUTION_APPROVAL_REQUEST",
        &request("b1", "e1", "1"),
    );
    tick().await;
    widget.one("[part=approval] .approve input").click();
    widget.settle().await;
    widget.event(
        stream,
        "TOOL_EXECUTION_APPROVAL_REQUEST",
        &request("b1", "e1", "1000000"),
    );
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    assert_eq!(
        widget
            .one("[part=approval-tool] dd")
            .text_content()
            .unwrap(),
        "1000000"
    );
    assert!(widget.all("[part=approval] input:checked").is_empty());
    assert!(widget.button("Submit decisions").has_attribute("disabled"));
}

#[wasm_bindgen_test]
async fn nothing_can_be_submitted_while_the_stream_that_asked_is_open() {
    load_renderer();
    let mut widget = Widget::new();
    let stream = widget.send("refund it").await;
    widget.event(
        stream,
        "TOOL_EXECUTION_APPROVAL_REQUEST",
        &request("b1", "e1", "1"),
    );
    tick().await;
    widget.approve_all().await;
    assert!(widget.button("Submit decisions").has_attribute("disabled"));
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    assert!(!widget.button("Submit decisions").has_attribute("disabled"));
}

#[wasm_bindgen_test]
async fn a_click_on_a_request_that_another_one_replaced_decides_nothing() {
    for late in [".approve input", ".deny input", "Approve all", "Deny all"] {
        let tools = |amount: &str| [tool("refund", &format!(r#""amount":"{amount}""#))];
        load_renderer();
        let mut widget = Widget::new();
        let stream = widget.send("refund it").await;
        let asks = |widget: &mut Widget, amount| {
            let tools = tools(amount).join(",");
            let event = format!(
                r#"{{"type":"TOOL_EXECUTION_APPROVAL_REQUEST","eventMessage":{{"content":"","toolExecutionApprovalRequest":[{tools}]}}}}"#
            );
            let event = Box::new(serde_json::from_str(&event).unwrap());
            widget.input_before_frame(Input::StreamEvent(stream, event))
        };
        let changes = asks(&mut widget, "1");
        widget.show(&changes);
        widget.look().await;
        let place = match late.starts_with('.') {
            true => widget.one(late),
            false => widget.button(late),
        };
        assert!(!place.has_attribute("disabled"), "{late}");
        let changes = asks(&mut widget, "1000000");
        place.click();
        assert_eq!(widget.settle().await.len(), 1, "{late}");
        widget.show(&changes);
        tick().await;
        assert_eq!(widget.read("dd.argument-value"), "1000000");
        assert!(
            widget.all("[part=approval] input:checked").is_empty(),
            "{late}"
        );
        assert!(widget.button("Submit decisions").has_attribute("disabled"));
    }
}
