//! A pending decision: announcements, marks, and the question before a message is sent.

use assent_conversation::{CachedRequest, Input, Intent, Millis, StreamEnd};
use assent_protocol::{ContentItem, RawApprovalRequest, SessionThread};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::widget::{Widget, tick, tool};

async fn asked() -> Widget {
    Widget::asked(&[tool("refund", r#""amount":"1""#), tool("mail", "")]).await
}

/// Returns a widget with a pending approval and a text that was sent meanwhile.
async fn interrupted() -> Widget {
    let mut widget = asked().await;
    widget.one("[part=input]").focus().unwrap();
    widget.type_text("wait");
    widget.key("[part=input]", "Enter", false);
    widget.settle().await;
    widget
}

fn value(widget: &Widget) -> String {
    let value = js_sys::Reflect::get(&widget.one("[part=input]"), &"value".into()).unwrap();
    value.as_string().unwrap()
}

fn has_focus(widget: &Widget, selector: &str) -> bool {
    let element = widget.one(selector);
    element.is_same_node(widget.focused().as_deref())
}

#[wasm_bindgen_test]
async fn a_request_is_announced_once_as_one_sentence_and_leaves_the_focus() {
    let mut widget = Widget::new();
    let stream = widget.send("do it").await;
    widget.one("[part=input]").focus().unwrap();
    let tools = [tool("refund", ""), tool("mail\u{202e}", "")];
    widget.ask(stream, &tools).await;
    assert_eq!(
        widget.said().await[1],
        "2 actions need your approval: Refund, mail [U+202E] ."
    );
    assert!(has_focus(&widget, "[part=input]"));
}

#[wasm_bindgen_test]
async fn names_of_any_language_are_said_as_they_are_and_what_deceives_with_its_code() {
    for (name, said) in [
        ("Für Grüße", "Für Grüße"),
        ("Оплата заказа", "Оплата заказа"),
        ("Tiếng Việt", "Tiếng Việt"),
        ("می\u{200c}خواهم", "می\u{200c}خواهم"),
        ("👩\u{200d}👧 ❤\u{fe0f}", "👩\u{200d}👧 ❤\u{fe0f}"),
        ("支払いPDF", "支払いPDF"),
        ("p\u{430}y", "p\u{430} [U+0430] y"),
        ("pay\u{200d}pal", "pay [U+200D] pal"),
        ("a\u{e0041}b", "a [U+E0041] b"),
        ("a\u{2800}b", "a [U+2800] b"),
        // A space of another width is seen, and a picture of a typeface has no agreed meaning.
        ("9.41\u{202f}Uhr", "9.41\u{202f}Uhr"),
        ("a\u{e000}b", "a [U+E000] b"),
    ] {
        let widget = Widget::asked(&[tool(name, "")]).await;
        let label = widget
            .one("[part=approval-tool]")
            .get_attribute("aria-label");
        assert_eq!(label.as_deref(), Some(said));
        // `read` writes every space alike.
        let said = said.replace('\u{202f}', " ");
        let announced = format!("1 action needs your approval: {said}.");
        assert_eq!(widget.said().await[1], announced);
    }
}

#[wasm_bindgen_test]
async fn a_request_elsewhere_is_announced_with_the_name_of_its_conversation() {
    let mut widget = Widget::new();
    let stream = widget.send("do it").await;
    list(&mut widget);
    widget.input(Input::Intent(Intent::NewThread));
    widget.ask(stream, &[tool("refund", "")]).await;
    assert_eq!(
        widget.said().await[1],
        "1 action needs your approval in “Lamps”: Refund."
    );
}

#[wasm_bindgen_test]
async fn what_is_said_of_a_request_has_an_end() {
    let mut widget = Widget::new();
    let stream = widget.send("do it").await;
    list(&mut widget);
    let intent = Intent::RenameThread("t1".into(), format!("La\u{202e}mps {}", "x".repeat(80)));
    widget.input(Input::Intent(intent));
    widget.input(Input::Intent(Intent::NewThread));
    let mut tools = vec![tool(&"n".repeat(61), "")];
    tools.extend((1..200).map(|place| tool(&format!("t{place}"), "")));
    widget.ask(stream, &tools).await;
    let [_, said] = widget.said().await;
    let (start, names) = said.split_once("”: ").unwrap();
    assert!(start.starts_with("200 actions need your approval in “La [U+202E] mps x"));
    assert!(start.ends_with("x…"), "{start}");
    let first = format!("{}…", "n".repeat(60));
    assert_eq!(names, format!("{first}, T1, T2, T3, T4 and 195 more."));
}

/// Answers the list with the conversation that is open, and another one.
fn list(widget: &mut Widget) {
    let thread = |id: &str, name: &str| SessionThread {
        id: id.into(),
        thread_name: name.into(),
        ..SessionThread::default()
    };
    widget.input(Input::Threads(Ok(vec![
        thread("t1", "Lamps"),
        thread("t2", "Islands"),
        thread("t3", ""),
    ])));
}

#[wasm_bindgen_test]
async fn conversations_that_wait_are_marked_in_the_list_and_at_the_button() {
    let mut widget = asked().await;
    list(&mut widget);
    tick().await;
    let toggle = widget.one("[part=threads-toggle]");
    if toggle.get_attribute("aria-expanded").unwrap() == "false" {
        toggle.click();
        tick().await;
    }
    let rows = widget.all("[part=thread]");
    assert_eq!(rows[0].get_attribute("aria-label").unwrap(), "Lamps");
    assert_eq!(widget.description(&rows[0]), "Needs approval");
    // What is beside the name is not in the button, whose name is that of the conversation alone.
    assert_eq!(rows[0].text_content().unwrap(), "Lamps");
    assert_eq!(widget.description(&rows[1]), "");
    let unnamed = rows[2].get_attribute("aria-label").unwrap();
    assert_eq!(unnamed, "Untitled conversation");
    widget.one(&format!("[aria-label='Actions for {unnamed}']"));
    assert_eq!(widget.description(&toggle), "", "it is the open one");
    widget.input(Input::Intent(Intent::NewThread));
    tick().await;
    assert_eq!(
        widget.description(&toggle),
        "2 actions need your approval in other conversations"
    );
    assert_eq!(widget.read(".toggle-badge"), "2");

    let raw: RawApprovalRequest = serde_json::from_str(&tool("refund", "")).unwrap();
    let kept = CachedRequest::new("t2".into(), Millis(1_700_000_000_000), raw).unwrap();
    widget.input(Input::CachedRequests(vec![kept]));
    tick().await;
    assert_eq!(
        widget.description(&widget.all("[part=thread]")[1]),
        "Needs approval"
    );
}

#[wasm_bindgen_test]
async fn sending_meanwhile_asks_what_is_meant_and_leads_to_the_question() {
    let widget = interrupted().await;
    let question = widget.one(".held");
    assert_eq!(question.get_attribute("role").unwrap(), "group");
    assert_eq!(
        question.get_attribute("aria-label").unwrap(),
        "What should happen with your message?"
    );
    let buttons: Vec<_> = widget
        .all(".held button")
        .iter()
        .map(|button| button.text_content().unwrap())
        .collect();
    let expected = ["Deny and send now", "Send after I decide", "Cancel"];
    assert_eq!(buttons, expected);
    assert!(has_focus(&widget, ".held"), "none of the answers");
    assert_eq!(value(&widget), "wait", "it is still the draft");
}

#[wasm_bindgen_test]
async fn escape_keeps_writing_and_goes_back_to_the_box() {
    let mut widget = interrupted().await;
    assert!(widget.key(".held", "Escape", false));
    assert_eq!(widget.settle().await, [Intent::KeepAsDraft]);
    assert!(widget.all(".held").is_empty());
    assert!(has_focus(&widget, "[part=input]"));
    assert_eq!(value(&widget), "wait");
}

#[wasm_bindgen_test]
async fn enter_again_goes_to_the_question_again() {
    let mut widget = interrupted().await;
    widget.one("[part=input]").focus().unwrap();
    widget.key("[part=input]", "Enter", false);
    assert!(widget.settle().await.is_empty());
    assert!(has_focus(&widget, ".held"));
}

#[wasm_bindgen_test]
async fn a_message_of_the_page_asks_without_taking_the_focus() {
    let mut widget = asked().await;
    widget.button("Deny all").focus().unwrap();
    widget.input(Input::Intent(Intent::EditDraft("wait".into())));
    widget.input(Input::Intent(Intent::Send));
    tick().await;
    widget.one(".held");
    assert!(
        widget
            .button("Deny all")
            .is_same_node(widget.focused().as_deref())
    );
}

#[wasm_bindgen_test]
async fn as_feedback_it_stops_the_actions() {
    let mut widget = interrupted().await;
    widget.press("Deny and send now").await;
    let (_, content) = widget.post();
    let [
        ContentItem::ToolApprovalResult(results),
        ContentItem::Text(text),
    ] = content.as_slice()
    else {
        panic!("{content:?}")
    };
    assert_eq!((results.len(), text.as_str()), (2, "wait"));
    assert!(widget.all(".held").is_empty());
    assert!(has_focus(&widget, "[part=input]"));
    assert_eq!(value(&widget), "");
}

#[wasm_bindgen_test]
async fn what_waits_is_shown_and_can_be_taken_back() {
    let mut widget = interrupted().await;
    widget.press("Send after I decide").await;
    assert_eq!(
        widget.read(".held"),
        "waitSends when the answer is doneEditRemove"
    );
    assert_eq!(value(&widget), "");
    assert!(has_focus(&widget, "[part=input]"));
    widget.press("Edit").await;
    assert!(widget.all(".held").is_empty());
    assert_eq!(value(&widget), "wait");
    assert!(has_focus(&widget, "[part=input]"));
}

#[wasm_bindgen_test]
async fn with_several_requests_it_says_that_the_first_one_is_stopped() {
    let mut widget = Widget::new();
    let stream = widget.send("do it").await;
    let second = tool("mail", "").replace(r#""b""#, r#""b2""#);
    widget.ask(stream, &[tool("refund", ""), second]).await;
    widget.type_text("wait");
    widget.key("[part=input]", "Enter", false);
    widget.settle().await;
    assert!(widget.read(".held-text").contains("the first request"));
}

#[wasm_bindgen_test]
async fn the_hint_says_what_a_message_can_do_and_what_is_open() {
    let mut widget = asked().await;
    assert_eq!(widget.read(".composer-hint"), "Waiting for your decision ↑");
    for element in [widget.one("[part=input]"), widget.button("Send")] {
        assert_eq!(widget.description(&element), widget.read(".composer-hint"));
    }
    widget.approve_all().await;
    widget.submit().await;
    let (stream, _) = widget.post();
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    widget.type_text("wait");
    tick().await;
    assert!(widget.read(".composer-hint").contains("still open"));
    assert!(widget.button("Send").has_attribute("disabled"));
    widget.key("[part=input]", "Enter", false);
    assert!(!widget.settle().await.contains(&Intent::Send));
}
