//! Stability while something else changes: announced nodes, the focus, and nodes that a page kept.

use assent_conversation::{Failure, FailureKind, Input, Intent, StreamEnd, StreamId, UploadId};
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::approval_request::{TYPE, asking};
use crate::widget::{Widget, fill, load_renderer, tick, tool};

#[wasm_bindgen_test]
async fn a_refusal_is_said_once_whatever_is_chosen_and_typed_after_it() {
    let mut widget = Widget::asked(&[tool("refund", ""), tool("mail", "")]).await;
    widget.approve_all().await;
    widget.submit().await;
    let failure = Failure {
        message: Some("It does not fit.".into()),
        conflicting: vec!["APPROVED".into(), "DENIED".into()],
        ..Failure::of(FailureKind::Rejected)
    };
    let (stream, _) = widget.post();
    let end = StreamEnd::Failed(failure);
    widget.input(Input::StreamEnded(stream, end.clone()));
    tick().await;
    let said = widget.all("[part=approval] [role=alert]");
    assert_eq!(said.len(), 2);
    let stays = |widget: &Widget| {
        let now = widget.all("[part=approval] [role=alert]");
        now.len() == 2 && said.iter().zip(&now).all(|(a, b)| a.is_same_node(Some(b)))
    };
    widget.all(".deny")[0].click();
    widget.settle().await;
    assert!(stays(&widget), "after a choice");
    widget.begin_note().await;
    fill(&widget.one(".feedback-input"), "ask");
    widget.settle().await;
    assert!(stays(&widget), "after typing");
    widget.press("Back").await;
    widget.approve_all().await;
    widget.submit().await;
    assert!(widget.all("[part=approval] [role=alert]").is_empty());
    let (stream, _) = widget.post();
    widget.input(Input::StreamEnded(stream, end));
    tick().await;
    assert_eq!(widget.all("[part=approval] [role=alert]").len(), 2);
    assert!(!stays(&widget), "the next refusal is said anew");
}

#[wasm_bindgen_test]
async fn a_file_that_failed_is_said_once_whatever_is_typed_after_it() {
    let mut widget = Widget::asked(&[tool("refund", "")]).await;
    widget.begin_note().await;
    widget.input(Input::Intent(Intent::AttachFile {
        batch: Some("b".into()),
        upload: UploadId(1),
        name: "setup.exe".into(),
        size: 812,
    }));
    widget.input(Input::Uploaded(UploadId(1), Err("Not taken.".into())));
    tick().await;
    let said = widget.one(".file [role=alert]");
    fill(&widget.one(".feedback-input"), "ask");
    widget.settle().await;
    assert!(said.is_same_node(Some(&widget.one(".file [role=alert]"))));
}

/// Makes the agent ask for these tools, and go on.
async fn ask(widget: &mut Widget, stream: StreamId, tools: &[String]) {
    widget.event(stream, TYPE, &asking(tools));
    tick().await;
}

#[wasm_bindgen_test]
async fn the_focus_in_a_tool_that_is_asked_for_otherwise_moves_to_its_new_choice() {
    load_renderer();
    let mut widget = Widget::new();
    let stream = widget.send("do it").await;
    let pay = |amount: &str| tool("pay", &format!(r#""amount":"{amount}""#));
    ask(&mut widget, stream, &[tool("mail", ""), pay("1")]).await;
    let before = widget.all(".approve")[1].clone();
    before.focus().unwrap();
    ask(&mut widget, stream, &[pay("1000000")]).await;
    let now = widget.all(".approve")[1].clone();
    assert!(!before.is_same_node(Some(&now)), "drawn anew");
    assert!(now.is_same_node(widget.focused().as_deref()));
    ask(&mut widget, stream, &[pay(&"1".repeat(700))]).await;
    let deny = widget.all(".deny")[1].clone();
    assert!(
        deny.is_same_node(widget.focused().as_deref()),
        "what can be chosen"
    );
    widget.one("[part=input]").focus().unwrap();
    ask(&mut widget, stream, &[pay("2")]).await;
    let input = widget.one("[part=input]");
    assert!(
        input.is_same_node(widget.focused().as_deref()),
        "who is elsewhere stays there"
    );
}

#[wasm_bindgen_test]
async fn a_node_that_is_gone_takes_events_without_an_error() {
    let mut widget = Widget::asked(&[tool("refund", "")]).await;
    widget.begin_note().await;
    let back = widget.button("Back");
    widget.press("Back").await;
    assert!(!back.is_connected());
    let script = "let errors = 0; const count = () => errors++; addEventListener('error', count); \
         node.dispatchEvent(new MouseEvent('click')); removeEventListener('error', count); return errors;";
    let click = Function::new_with_args("node", script);
    let errors = click.call1(&JsValue::NULL, &back).unwrap();
    assert_eq!(errors.as_f64(), Some(0.0));
    assert!(widget.settle().await.is_empty());
}
