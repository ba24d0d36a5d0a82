//! The approval card: the whole batch decided, one post.

use assent_conversation::{Command, Input, Intent, StreamEnd};
use assent_protocol::ContentItem;
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::approval_request::{TYPE, asking, tool_run};
use crate::replaced_property::ReplacedProperty;
use crate::widget::{Widget, fill, frames, load_renderer, tick, tool};

const TWO: &str = r#""content":"","toolExecutionApprovalRequest":[
    {"toolId":"i1","toolName":"refund","toolProvider":"Shop","toolCategory":"Payments","toolExecutionId":"e1","toolExecutionBatchId":"b1","toolMemoryId":"m1","toolArguments":{"amount":"0.10"},"extra":0.10,"approvalResult":"PENDING_HUMAN_APPROVAL"},
    {"toolId":"i2","toolName":"mail","toolProvider":"Post","toolCategory":"","toolExecutionId":"e2","toolExecutionBatchId":"b1","toolMemoryId":"m2","toolArguments":{}}]"#;

async fn asked() -> Widget {
    load_renderer();
    let mut widget = Widget::new();
    let stream = widget.send("refund it").await;
    widget.event(stream, TYPE, TWO);
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    widget
}

fn toggle(widget: &Widget, tool: usize, choice: usize) -> web_sys::HtmlElement {
    widget.all(&format!(
        "[part=approval-tool]:nth-of-type({}) .choice",
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
    assert!(widget.submit_button().has_attribute("disabled"));
    toggle(&widget, 0, 0).click();
    widget.settle().await;
    assert!(
        widget.submit_button().has_attribute("disabled"),
        "one of two"
    );
    toggle(&widget, 1, 1).click();
    widget.settle().await;
    assert!(!widget.submit_button().has_attribute("disabled"));
}

#[wasm_bindgen_test]
async fn a_double_click_posts_the_batch_once_and_echoes_it() {
    let mut widget = asked().await;
    toggle(&widget, 0, 0).click();
    toggle(&widget, 1, 1).click();
    widget.settle().await;
    let submit = widget.submit_button();
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
    let checked = widget.all("[part=approval-tool] .deny[aria-pressed=true]");
    assert_eq!(checked.len(), 2);
}

#[wasm_bindgen_test]
async fn stopping_excludes_deciding_and_back_keeps_the_decisions() {
    let mut widget = asked().await;
    toggle(&widget, 0, 0).click();
    widget.settle().await;
    widget.begin_note().await;
    assert!(widget.all("[part=approval] .choice").is_empty());
    let feedback = widget.one(".feedback-input");
    fill(&feedback, "ask");
    widget.settle().await;
    assert!(
        feedback.is_same_node(Some(&widget.one(".feedback-input"))),
        "typing goes on"
    );
    widget.button("Back").click();
    widget.settle().await;
    assert_eq!(
        widget
            .all("[part=approval-tool] .approve[aria-pressed=true]")
            .len(),
        1
    );
}

#[wasm_bindgen_test]
async fn a_stop_aborts_the_whole_batch_with_the_feedback() {
    let mut widget = asked().await;
    widget.begin_note().await;
    fill(&widget.one(".feedback-input"), "Ask my colleague first");
    widget.button("Deny and send").click();
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
    widget.submit_button().click();
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
    assert!(widget.all("[part=approval] .choice").is_empty());
    assert!(widget.all("[part=approval] dd").is_empty(), "folded");
    widget.button("Arguments of Refund").click();
    tick().await;
    assert_eq!(
        widget.one("[part=approval] dd").text_content().unwrap(),
        "0.10"
    );
}

fn request(batch: &str, execution: &str, amount: &str) -> String {
    let amount = format!(r#""amount":"{amount}""#);
    asking(&[tool_run(["refund", "refund"], [batch, execution], &amount)])
}

#[wasm_bindgen_test]
async fn a_second_batch_leaves_the_first_one_alive() {
    load_renderer();
    let mut widget = Widget::new();
    let stream = widget.send("refund it").await;
    widget.event(stream, TYPE, &request("a/b", "c", "1"));
    tick().await;
    // Joined, the ids are the same.
    widget.event(stream, TYPE, &request("a", "b/c", "2"));
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    assert_eq!(widget.all("[part=approval]").len(), 2);
    widget.all("[part=approval] .approve")[0].click();
    widget.settle().await;
    let states = widget.all("[part=approval]");
    let states = states.iter().map(|card| card.get_attribute("data-state"));
    let states: Vec<_> = states.flatten().collect();
    assert_eq!(states, ["submitting", "pending"]);
}

#[wasm_bindgen_test]
async fn what_is_asked_again_otherwise_is_shown_and_decided_anew() {
    load_renderer();
    let mut widget = Widget::new();
    let stream = widget.send("refund it").await;
    let ask = |widget: &mut Widget, execution, amount| {
        let request = request("b1", execution, amount);
        widget.event(stream, TYPE, &request);
    };
    ask(&mut widget, "e1", "1");
    ask(&mut widget, "e2", "2");
    tick().await;
    widget.all("[part=approval] .approve")[0].click();
    widget.settle().await;
    assert_eq!(widget.all("[part=approval] [aria-pressed=true]").len(), 1);
    ask(&mut widget, "e1", "1000000");
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    let shown = widget.all("[part=approval-tool] dd")[0].text_content();
    assert_eq!(shown.unwrap(), "1000000");
    assert!(widget.all("[part=approval] [aria-pressed=true]").is_empty());
    assert!(widget.submit_button().has_attribute("disabled"));
}

#[wasm_bindgen_test]
async fn nothing_can_be_submitted_while_the_stream_that_asked_is_open() {
    for count in [1, 2] {
        load_renderer();
        let mut widget = Widget::new();
        let stream = widget.send("refund it").await;
        for execution in ["e1", "e2"].iter().take(count) {
            let request = request("b1", execution, "1");
            widget.event(stream, TYPE, &request);
        }
        tick().await;
        let sends = match count {
            1 => widget.one(".approve"),
            _ => {
                widget.approve_all().await;
                widget.submit_button()
            }
        };
        assert!(sends.has_attribute("disabled"), "{count}");
        let said = "You can decide when the agent has finished speaking.";
        assert_eq!(widget.description(&sends), said);
        widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
        tick().await;
        assert!(!sends.has_attribute("disabled"), "{count}");
        assert_eq!(widget.description(&sends), "");
    }
}

#[wasm_bindgen_test]
async fn a_click_on_a_request_that_another_one_replaced_decides_nothing() {
    for late in [".approve", ".deny", "Approve all", "Deny all"] {
        let tools = |amount: &str| {
            let refund = tool("refund", &format!(r#""amount":"{amount}""#));
            [refund, tool("mail", "")]
        };
        load_renderer();
        let mut widget = Widget::new();
        let stream = widget.send("refund it").await;
        let asks = |widget: &mut Widget, amount| {
            let message = asking(&tools(amount));
            let event = format!(r#"{{"type":"{TYPE}","eventMessage":{{{message}}}}}"#);
            let event = Box::new(serde_json::from_str(&event).unwrap());
            widget.input_before_frame(Input::StreamEvent(stream, event))
        };
        let changes = asks(&mut widget, "1");
        widget.show(&changes);
        widget.look().await;
        let place = match late.starts_with('.') {
            true => widget.all(late)[0].clone(),
            false => widget.button(late),
        };
        assert!(!place.has_attribute("disabled"), "{late}");
        let changes = asks(&mut widget, "1000000");
        place.click();
        assert_eq!(widget.settle().await.len(), 1, "{late}");
        widget.show(&changes);
        tick().await;
        assert_eq!(widget.read("dd.argument-value"), "1000000");
        let first = widget.all(".tool")[0].query_selector("[aria-pressed=true]");
        assert!(first.unwrap().is_none(), "{late}");
        assert!(widget.submit_button().has_attribute("disabled"));
    }
}

/// Makes the browser's window lose the focus, or get it back. While it is lost, `frame` says whether
/// a frame of the page has it.
fn window_focus(event: &str, frame: bool) {
    let script = "document.hasFocus = () => event === 'focus' || frame; \
         dispatchEvent(new FocusEvent(event)); delete document.hasFocus;";
    let tell = Function::new_with_args("event, frame", script);
    tell.call2(&JsValue::NULL, &event.into(), &frame.into())
        .unwrap();
}

/// Lets it be long ago that the window got the focus back: other tests click, too.
fn forget_window() {
    window_focus("blur", false);
    let script = "const event = new FocusEvent('focus'); \
         Object.defineProperty(event, 'timeStamp', { value: -1000 }); dispatchEvent(event);";
    Function::new_no_args(script).call0(&JsValue::NULL).unwrap();
}

#[wasm_bindgen_test]
async fn a_click_that_brings_back_the_window_chooses_nothing() {
    // The event of the window comes before the press or after it.
    for is_first in [true, false] {
        for name in [".tool .approve", ".tool .deny"] {
            let mut widget = Widget::asked(&[tool("refund", ""), tool("mail", "")]).await;
            let button = widget.all(name)[0].clone();
            window_focus("blur", false);
            if is_first {
                window_focus("focus", false);
            }
            press(&button, 50);
            window_focus("focus", false);
            assert_eq!(widget.settle().await, [], "{name} {is_first}");
            press(&button, 50);
            assert_eq!(widget.settle().await, [], "a double click");
            press_later(&button);
            assert_eq!(widget.settle().await.len(), 1, "the window was there");
            forget_window();
        }
    }
}

#[wasm_bindgen_test]
async fn a_click_counts_whatever_else_had_the_focus_before_it() {
    let mut widget = Widget::asked(&[tool("refund", ""), tool("mail", "")]).await;
    let button = widget.all(".tool .deny")[0].clone();
    // Nothing was lost: a window that never had the focus is no reason.
    window_focus("focus", false);
    press(&button, 50);
    assert_eq!(widget.settle().await.len(), 1);
    // A frame of the page had it.
    window_focus("blur", true);
    window_focus("focus", false);
    press(&button, 50);
    assert_eq!(widget.settle().await.len(), 1);
    // A key or a screen reader comes without a press.
    window_focus("blur", false);
    window_focus("focus", false);
    button.click();
    assert_eq!(widget.settle().await.len(), 1);
    // The focus came back by itself before the pointer was pressed.
    press_later(&button);
    assert_eq!(widget.settle().await.len(), 1);
    forget_window();
}

#[wasm_bindgen_test]
async fn decisions_are_not_sent_by_the_click_that_brings_back_the_window() {
    let mut widget = Widget::asked(&[tool("refund", ""), tool("mail", "")]).await;
    widget.approve_all().await;
    let submit = widget.submit_button();
    window_focus("blur", false);
    press(&submit, 50);
    assert_eq!(widget.settle().await, []);
    window_focus("focus", false);
    press_later(&submit);
    assert_eq!(widget.settle().await.len(), 1);
    forget_window();
}

/// Presses a pointer on an element where it rests, and clicks.
fn press(element: &web_sys::Element, moved: i32) {
    press_at(element, moved, 0);
}

/// Does the same with a pointer that moved, some time later.
fn press_later(element: &web_sys::Element) {
    press_at(element, 50, 400);
}

/// Does the same, this many milliseconds later by the clock of events.
fn press_at(element: &web_sys::Element, moved: i32, later: i32) {
    let script = "const press = (type, more) => { \
             const event = new PointerEvent(type, { bubbles: true, composed: true, \
                 cancelable: true, pointerType: 'mouse', ...more }); \
             Object.defineProperty(event, 'timeStamp', { value: event.timeStamp + later }); \
             element.dispatchEvent(event); }; \
         if (moved) press('pointermove', { movementX: moved }); \
         press('pointerdown'); press('pointerup'); press('click', { detail: 1 });";
    let press = Function::new_with_args("element, moved, later", script);
    press
        .call3(&JsValue::NULL, element, &moved.into(), &later.into())
        .unwrap();
}

#[wasm_bindgen_test]
async fn one_tool_is_decided_and_sent_by_one_click() {
    for (name, verdict) in [("Approve", "APPROVED"), ("Deny", "DENIED")] {
        let mut widget = Widget::asked(&[tool("refund", r#""amount":"1""#)]).await;
        for gone in ["Approve all", "Deny all", "Submit"] {
            let buttons = widget.all("[part=approval] button");
            let mut names = buttons.iter().map(|it| it.text_content().unwrap());
            assert!(!names.any(|it| it.starts_with(gone)), "{gone}");
        }
        assert!(widget.all("[aria-pressed]").is_empty());
        widget.button("Deny with a note…");
        widget.press(name).await;
        let posts = posted(&widget);
        let [ContentItem::ToolApprovalResult(results)] = posts[0].as_slice() else {
            panic!("{posts:?}")
        };
        assert!(results[0].as_str().contains(verdict));
        let input = widget.one("[part=input]");
        assert!(
            input.is_same_node(widget.focused().as_deref()),
            "the focus goes to the box"
        );
    }
}

#[wasm_bindgen_test]
async fn a_second_tool_turns_the_decision_into_a_choice() {
    let mut widget = asked().await;
    toggle(&widget, 0, 0).click();
    widget.settle().await;
    assert!(posted(&widget).is_empty());
    let pressed = |place| toggle(&widget, 0, place).get_attribute("aria-pressed");
    assert_eq!(pressed(0).as_deref(), Some("true"));
    assert_eq!(pressed(1).as_deref(), Some("false"));
}

/// Sets the clock, in milliseconds.
fn clock(now: u32) -> ReplacedProperty {
    ReplacedProperty::new("Date.now", &format!("() => {now}"))
}

#[wasm_bindgen_test]
async fn a_click_where_the_button_only_just_appeared_decides_nothing_unless_the_pointer_moved() {
    let one = [tool("refund", r#""amount":"1""#)];
    let _clock = clock(1000);
    let mut widget = Widget::asked(&one).await;
    let _clock = clock(1299);
    press(&widget.button("Deny"), 0);
    assert!(widget.settle().await.is_empty(), "it rests");
    press(&widget.button("Deny"), 3);
    assert!(widget.settle().await.is_empty(), "a hand is never still");
    press(&widget.button("Deny"), 8);
    assert!(!widget.settle().await.is_empty(), "the pointer moved");
    drop(widget);

    let mut widget = Widget::asked(&one).await;
    let _clock = clock(2000);
    press(&widget.button("Deny"), 0);
    assert!(!widget.settle().await.is_empty(), "it was there for long");
}

#[wasm_bindgen_test]
async fn a_card_that_moved_under_the_pointer_takes_no_click() {
    let _clock = clock(1000);
    let mut widget = asked().await;
    frames().await;
    let _clock = clock(2000);
    // The messages become narrower.
    let style = widget.one(".transcript-content").style();
    style.set_property("padding-inline-start", "90px").unwrap();
    frames().await;
    press(&widget.button("Deny all"), 0);
    let wanted = widget.settle().await;
    let decides = |it: &Intent| matches!(it, Intent::DecideAll(..));
    assert!(!wanted.iter().any(decides), "{wanted:?}");
    press(&widget.button("Deny all"), 8);
    assert!(!widget.settle().await.is_empty());
}

/// Presses a key at the focused element; returns true if it was handled.
fn key(widget: &Widget, key: &str, more: &str) -> bool {
    let script = "const event = new KeyboardEvent('keydown', \
             { key, bubbles: true, cancelable: true, composed: true, ...JSON.parse(more) }); \
         return !element.dispatchEvent(event);";
    let press = Function::new_with_args("element, key, more", script);
    let focused = widget.focused().unwrap();
    let handled = press.call3(&JsValue::NULL, &focused, &key.into(), &more.into());
    handled.unwrap().as_bool().unwrap()
}

#[wasm_bindgen_test]
async fn three_tools_are_decided_with_three_keys_and_sent_with_the_fourth() {
    let names = ["refund", "mail", "delete"];
    let mut widget = Widget::asked(&names.map(|name| tool(name, ""))).await;
    widget.one("[part=input]").focus().unwrap();
    assert!(key(&widget, "ArrowUp", r#"{"altKey":true}"#));
    let has_focus = |widget: &Widget, place: usize| {
        let tool = widget.all("[part=approval-tool]")[place].clone();
        tool.is_same_node(widget.focused().as_deref())
    };
    assert!(has_focus(&widget, 0));
    for ignored in [
        r#"{"repeat":true}"#,
        r#"{"ctrlKey":true}"#,
        r#"{"altKey":true}"#,
    ] {
        assert!(!key(&widget, "a", ignored), "{ignored}");
        let wanted = widget.settle().await;
        assert!(wanted.is_empty(), "{ignored} {wanted:?}");
    }
    assert!(key(&widget, "a", "{}"));
    widget.settle().await;
    assert!(has_focus(&widget, 1));
    assert!(key(&widget, "d", "{}"));
    widget.settle().await;
    assert!(has_focus(&widget, 2));
    assert!(key(&widget, "A", "{}"));
    widget.settle().await;
    tick().await;
    let submit = widget.submit_button();
    assert!(submit.is_same_node(widget.focused().as_deref()));
    assert_eq!(
        submit.text_content().unwrap(),
        "Submit: 2 approved, 1 denied"
    );
    assert!(key(&widget, "Enter", r#"{"repeat":true}"#), "held down");
    assert!(!key(&widget, "Enter", "{}"));
    assert!(key(&widget, "ArrowDown", r#"{"altKey":true}"#));
    let input = widget.one("[part=input]");
    assert!(input.is_same_node(widget.focused().as_deref()), "and back");
}

#[wasm_bindgen_test]
async fn a_key_approves_nothing_that_is_locked_and_runs_no_single_tool() {
    let long = format!(r#""text":"{}""#, "x".repeat(700));
    let mut widget = Widget::asked(&[tool("refund", &long), tool("mail", "")]).await;
    let first = widget.all("[part=approval-tool]")[0].clone();
    first.focus().unwrap();
    assert!(!key(&widget, "a", "{}"));
    assert!(widget.settle().await.is_empty());
    assert!(first.is_same_node(widget.focused().as_deref()), "it stays");

    let mut widget = Widget::asked(&[tool("refund", "")]).await;
    widget.one("[part=approval-tool]").focus().unwrap();
    for name in ["a", "d"] {
        assert!(!key(&widget, name, "{}"));
    }
    assert!(widget.settle().await.is_empty());
}

#[wasm_bindgen_test]
async fn of_two_requests_each_has_its_number_and_the_focus_goes_to_the_next() {
    load_renderer();
    let mut widget = Widget::new();
    let stream = widget.send("refund it").await;
    for batch in ["b1", "b2"] {
        let request = request(batch, &format!("e-{batch}"), "1");
        widget.event(stream, TYPE, &request);
    }
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    let titles = widget.all(".approval-title");
    let titles: Vec<_> = titles.iter().map(|it| it.text_content().unwrap()).collect();
    let title = |number| format!("Approval needed Request {number} of 2");
    assert_eq!(titles, [title(1), title(2)]);
    widget.all(".deny")[0].click();
    widget.settle().await;
    let second = widget.all("[part=approval-tool]")[1].clone();
    assert!(second.is_same_node(widget.focused().as_deref()));
}

#[wasm_bindgen_test]
async fn tools_are_headings_below_that_of_the_card() {
    let widget = asked().await;
    let headings = widget.all("[part=approval] :is(h3, [role=heading])");
    let level = |it: &web_sys::HtmlElement| it.get_attribute("aria-level");
    let levels: Vec<_> = headings.iter().map(level).collect();
    assert_eq!(levels, [None, Some("4".into()), Some("4".into())]);
    assert!(headings[1].text_content().unwrap().starts_with("Refund"));
}

#[wasm_bindgen_test]
async fn the_note_has_a_label_and_its_button_does_not_warn() {
    let mut widget = asked().await;
    widget.press("Deny all with a note…").await;
    assert_eq!(widget.read(".feedback-label"), "Note");
    assert!(widget.all("label > .feedback-input").len() == 1);
    assert!(!widget.button("Deny and send").matches(".danger").unwrap());
}
