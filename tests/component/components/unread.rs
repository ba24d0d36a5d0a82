//! Unreadable requests cannot be approved: before the renderer is loaded, when it comes, and when
//! it fails.

use assent_conversation::{Intent, Verdict};
use assent_protocol::ContentItem;
use assent_widget::components::{Lazy, set_renderer};
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Element;

use crate::renderer::{draw_with, renderer_module_with};
use crate::widget::{Widget, fill, load_renderer, tick, tool};

const READING: &str = "Reading the request…";
const CANNOT: &str =
    "This request cannot be shown, so that it cannot be approved. Try again, or reload the page.";

/// Returns a widget with two pending tools.
async fn asked() -> Widget {
    let mut widget = Widget::new();
    let stream = widget.send("do it").await;
    let tools = [tool("refund", r#""amount":"1""#), tool("mail", "")];
    widget.request_tools(stream, &tools).await;
    widget
}

/// Returns such a widget without a renderer.
async fn unread() -> Widget {
    set_renderer(Lazy::Loading);
    asked().await
}

/// Loads a renderer with this class `ToolRequest`.
async fn comes(class: &str) {
    let class = Function::new_no_args(class);
    let module = renderer_module_with(&class);
    draw_with(&module);
    tick().await;
}

/// Tries everything that a person, or a script of the page, could do to approve.
async fn force(widget: &mut Widget) -> Vec<Intent> {
    let script = "element.disabled = false; element.focus(); \
         for (const key of ['Enter', ' ', 'ArrowUp', 'ArrowLeft']) for (const ctrlKey of [false, true]) \
             for (const type of ['keydown', 'keypress', 'keyup']) \
                 element.dispatchEvent(new KeyboardEvent(type, { key, ctrlKey, bubbles: true, cancelable: true, composed: true })); \
         element.click(); element.disabled = false; \
         element.dispatchEvent(new Event('change', { bubbles: true }));";
    let force = Function::new_with_args("element", script);
    let mut places: Vec<Element> = Vec::new();
    for selector in [
        "[part=approval-tool]",
        ".approve",
        ".decisions button",
        ".feedback-input",
    ] {
        places.extend(widget.all(selector).into_iter().map(Element::from));
    }
    let mut intents = Vec::new();
    for place in places {
        let name = place.text_content().unwrap();
        if place.is_connected() && name != "Deny all" && name != "Deny all with a note…" {
            force.call1(&JsValue::NULL, &place).unwrap();
            intents.extend(widget.settle().await);
        }
    }
    intents
}

fn approves(intents: &[Intent]) -> bool {
    intents.iter().any(|intent| {
        matches!(
            intent,
            Intent::Decide(_, _, Verdict::Approve)
                | Intent::DecideAll(_, _, Verdict::Approve)
                | Intent::Answer(_, _, Verdict::Approve)
        )
    })
}

/// Checks that nothing can be approved, for this reason, and that everything else can be done.
fn is_shut(widget: &Widget, why: &str) {
    for approve in widget.all(".approve") {
        assert!(approve.has_attribute("disabled"));
    }
    let all = widget.button("Approve all");
    assert!(all.has_attribute("disabled"));
    assert!(widget.description(&all).contains(why));
    for choices in widget.all(".approve") {
        assert_eq!(widget.description(&choices), why);
    }
    for deny in widget.all(".deny") {
        assert!(!deny.has_attribute("disabled"));
    }
    for name in ["Deny all", "Deny all with a note…"] {
        assert!(!widget.button(name).has_attribute("disabled"), "{name}");
    }
}

#[wasm_bindgen_test]
async fn before_the_reader_is_there_a_request_can_be_denied_and_stopped_but_not_approved() {
    let mut widget = unread().await;
    is_shut(&widget, READING);
    let tool = widget.all("[part=approval-tool]")[0].clone();
    assert!(
        tool.text_content()
            .unwrap()
            .starts_with("RefundReading the request…Approve")
    );
    assert!(widget.all("dl, dd").is_empty());
    assert!(!approves(&force(&mut widget).await));
    assert!(widget.all("[aria-pressed=true]").len() < 3);
    widget.press("Deny all").await;
    widget.submit().await;
    let (_, content) = widget.post();
    let [ContentItem::ToolApprovalResult(results)] = content.as_slice() else {
        panic!("{content:?}")
    };
    assert!(results.iter().all(|it| it.as_str().contains("DENIED")));
}

#[wasm_bindgen_test]
async fn no_key_in_the_feedback_approves_either() {
    let mut widget = unread().await;
    widget.begin_note().await;
    fill(&widget.one(".feedback-input"), "ask");
    assert!(!approves(&force(&mut widget).await));
    widget.press("Deny and send").await;
    let (_, content) = widget.post();
    let [
        ContentItem::ToolApprovalResult(results),
        ContentItem::Text(_),
    ] = content.as_slice()
    else {
        panic!("{content:?}")
    };
    let is_stopped = |it: &str| it.contains("ABORTED_WITH_FEEDBACK");
    assert!(results.iter().all(|it| is_stopped(it.as_str())));
}

#[wasm_bindgen_test]
async fn the_card_fills_in_when_the_reader_comes_and_nothing_else_changes() {
    let mut widget = unread().await;
    let said = widget.said().await;
    let deny = widget.all(".deny")[1].clone();
    deny.focus().unwrap();
    deny.click();
    widget.settle().await;
    load_renderer();
    tick().await;
    assert_eq!(widget.read("dd.argument-value"), "1");
    assert!(!widget.read("[part=approval]").contains(READING));
    assert!(deny.is_same_node(widget.focused().as_deref()));
    assert_eq!(widget.all(".deny[aria-pressed=true]").len(), 1);
    assert_eq!(widget.said().await, said);
    widget.look().await;
    assert!(!widget.button("Approve all").has_attribute("disabled"));
    assert_eq!(widget.description(&widget.all(".approve")[0]), "");
    widget.all(".approve")[0].click();
    let wanted = widget.settle().await;
    assert!(approves(&wanted), "{wanted:?}");
}

#[wasm_bindgen_test]
async fn without_a_reader_the_card_says_that_it_cannot_be_shown() {
    let mut widget = unread().await;
    set_renderer(Lazy::Unavailable);
    tick().await;
    is_shut(&widget, CANNOT);
    assert!(!approves(&force(&mut widget).await));
    load_renderer();
    tick().await;
    assert_eq!(widget.read("dd.argument-value"), "1", "the next try");
}

#[wasm_bindgen_test]
async fn a_request_that_cannot_be_drawn_cannot_be_approved() {
    let mut widget = unread().await;
    comes("throw new Error('boom')").await;
    is_shut(&widget, CANNOT);
    assert!(!approves(&force(&mut widget).await));
    widget.press("Deny all").await;
    assert!(!widget.submit_button().has_attribute("disabled"));
}

#[wasm_bindgen_test]
async fn a_reader_that_fails_at_one_request_is_not_trusted_with_the_others() {
    let widget = unread().await;
    comes("if (arguments[0].name === 'mail') throw new Error('boom'); return { free() {} };").await;
    is_shut(&widget, CANNOT);
}

#[wasm_bindgen_test]
async fn what_was_approved_is_not_sent_once_it_cannot_be_read_any_more() {
    load_renderer();
    let mut widget = asked().await;
    widget.approve_all().await;
    let submit = widget.submit_button();
    assert!(!submit.has_attribute("disabled"));
    set_renderer(Lazy::Unavailable);
    tick().await;
    assert!(submit.has_attribute("disabled"));
    assert!(widget.description(&submit).contains(CANNOT));
    let wanted = force(&mut widget).await;
    let submits = |it: &Intent| matches!(it, Intent::SubmitDecisions(_));
    assert!(!approves(&wanted) && !wanted.iter().any(submits));
    widget.press("Deny all").await;
    assert!(!submit.has_attribute("disabled"));
}

#[wasm_bindgen_test]
async fn the_arguments_of_what_was_decided_say_why_they_are_not_there() {
    let mut widget = unread().await;
    widget.press("Deny all").await;
    widget.submit().await;
    widget.accept().await;
    assert!(!widget.read("[part=approval]").contains(READING));
    widget.press("Arguments of Refund").await;
    assert!(widget.read("[part=approval]").contains(READING));
    load_renderer();
    tick().await;
    assert_eq!(widget.read("dd.argument-value"), "1");
}
