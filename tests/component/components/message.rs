//! The surroundings of a message's text: its day and time, its author, its actions, and the
//! contributors.

use assent_conversation::{Command, Input, Intent, StreamEnd, StreamId};
use assent_protocol::{SessionThread, StoredMessage};
use assent_widget::store::ActivityLevel;
use js_sys::{Function, Promise};
use leptos::prelude::Set;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::renderer::draw_with;
use crate::replaced_property::ReplacedProperty;
use crate::widget::{Widget, tick, tool};

fn script(text: &str) -> JsValue {
    Function::new_no_args(text).call0(&JsValue::NULL).unwrap()
}

/// Sets the clock, until the value ends, to noon of this day of August 2026 in the browser's zone,
/// and these minutes later.
pub(super) fn it_is(day: i32, minutes: i32) -> ReplacedProperty {
    let now = format!("() => new Date(2026, 7, {day}, 12, {minutes}).getTime()");
    ReplacedProperty::new("Date.now", &now)
}

/// Returns noon of this day of August 2026 in the browser's zone, and these minutes later, as the
/// service writes it.
pub(super) fn stamp(day: i32, minutes: i32) -> String {
    let stamp = format!("return new Date(2026, 7, {day}, 12, {minutes}).toISOString()");
    script(&stamp).as_string().unwrap()
}

fn said(role: &str, handle: &str, content: &str, time: &str) -> String {
    format!(
        r#"{{"id":"{content}","role":"{role}","handle":"{handle}","content":"{content}","timestamp":"{time}"}}"#
    )
}

/// Returns a widget that shows these stored messages.
async fn stored(messages: &[String]) -> Widget {
    let mut widget = Widget::new();
    widget.input(Input::Intent(Intent::OpenThread("t1".into())));
    let loads = widget.commands.iter().rev().find_map(|it| match it {
        Command::LoadMessages {
            conversation, load, ..
        } => Some((*conversation, *load)),
        _ => None,
    });
    let (conversation, load) = loads.expect("a reading");
    let stored: Vec<StoredMessage> =
        serde_json::from_str(&format!("[{}]", messages.join(","))).unwrap();
    widget.input(Input::Messages {
        conversation,
        load,
        result: Ok(stored),
    });
    tick().await;
    widget
}

fn texts(widget: &Widget, selector: &str) -> Vec<String> {
    let found = widget.all(selector);
    found.iter().map(|it| it.text_content().unwrap()).collect()
}

async fn answered(text: &str) -> Widget {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    let content = format!(r#""content":"{text}""#);
    widget.event(stream, "AGENT_RESPONSE_CHUNK", &content);
    tick().await;
    assert_eq!(
        texts(&widget, "[data-role=assistant] .message-actions"),
        [""; 0],
        "nothing to copy before its end"
    );
    widget.event(stream, "AGENT_RESPONSE_COMPLETE", &content);
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    widget
}

/// Records writes to the clipboard in `written`, until the value ends: an object of texts by their
/// kinds.
fn listen_to_the_clipboard() -> ReplacedProperty {
    script("globalThis.written = null");
    ReplacedProperty::new(
        "navigator.clipboard",
        "{
           async write([item]) {
             const texts = {};
             for (const kind of item.types) texts[kind] = await (await item.getType(kind)).text();
             globalThis.written = texts;
           },
           async writeText(text) { globalThis.written = { 'text/plain': text }; },
         }",
    )
}

/// Returns the last written text of this kind.
async fn written(kind: &str) -> Option<String> {
    let wait = "return (async () => { while (!written) await new Promise(requestAnimationFrame); return written[kind]; })()";
    let wait = Function::new_with_args("kind", wait);
    let wait: Promise = wait.call1(&JsValue::NULL, &kind.into()).unwrap().into();
    JsFuture::from(wait).await.unwrap().as_string()
}

/// Waits until a button below the message has this name.
async fn settled(widget: &Widget, name: &str) {
    for _ in 0..20 {
        if texts(widget, ".message-actions button").contains(&name.to_owned()) {
            return;
        }
        tick().await;
    }
    panic!("{:?}", texts(widget, ".message-actions button"));
}

#[wasm_bindgen_test]
async fn times_are_relative_and_exact_for_who_asks() {
    let _now = it_is(20, 0);
    let mut widget = stored(&[
        said("user", "", "a", &stamp(3, 0)),
        said("assistant", "@bot", "b", &stamp(19, 0)),
        said("user", "", "c", &stamp(20, -130)),
        said("assistant", "@bot", "d", &stamp(20, -2)),
        said("user", "", "e", &stamp(20, 0)),
    ])
    .await;
    let ago = texts(&widget, "time");
    assert_eq!(ago[1..], ["yesterday", "2 hr. ago", "2 min. ago", "now"]);
    assert!(ago[0].contains("Aug") && ago[0].contains('3'), "{ago:?}");
    let shown = widget.all("time");
    assert_eq!(shown[3].get_attribute("datetime").unwrap(), stamp(20, -2));
    let title = shown[3].get_attribute("title").unwrap();
    assert!(
        title.contains("Thursday") && title.contains("11:58"),
        "{title}"
    );
    let name = widget.all("[part=message]")[4].get_attribute("aria-label");
    assert!(name.clone().unwrap().starts_with("You, 12:00"), "{name:?}");

    let _later = it_is(20, 3);
    script("document.dispatchEvent(new Event('visibilitychange'))");
    tick().await;
    assert_eq!(texts(&widget, "time")[3..], ["5 min. ago", "3 min. ago"]);
    widget.input(Input::Intent(Intent::NewThread));
    tick().await;
    assert!(widget.all("time").is_empty());
}

#[wasm_bindgen_test]
async fn a_clock_that_was_set_changes_no_order_and_no_time_is_negative() {
    let _now = it_is(20, 0);
    let widget = stored(&[
        said("user", "", "a", &stamp(21, 0)),
        said("assistant", "@bot", "b", &stamp(21, 1)),
        said("user", "", "c", &stamp(19, 0)),
        said("assistant", "@bot", "d", &stamp(20, 1)),
    ])
    .await;
    assert_eq!(texts(&widget, ".bubble, .answer"), ["a", "b", "c", "d"]);
    assert_eq!(texts(&widget, "time"), ["now", "now", "yesterday", "now"]);
}

#[wasm_bindgen_test]
async fn one_timer_runs_while_a_time_is_shown_on_a_page_that_is() {
    script("globalThis.timers = new Set(); globalThis.isHidden = false");
    let _set = ReplacedProperty::new(
        "globalThis.setTimeout",
        "(act, after) => { const id = real(act, after); if (after === 60000) timers.add(id); return id; }",
    );
    let _clear = ReplacedProperty::new(
        "globalThis.clearTimeout",
        "(id) => { timers.delete(id); real(id); }",
    );
    let _hidden = ReplacedProperty::getting("document.hidden", "() => isHidden");
    let running = || script("return timers.size").as_f64().unwrap();
    let _now = it_is(20, 0);
    let mut widget = stored(&[
        said("user", "", "a", &stamp(3, 0)),
        said("assistant", "@bot", "b", &stamp(19, 0)),
    ])
    .await;
    assert!((running() - 1.0).abs() < 0.1);
    let hide = |hidden: bool| {
        script(&format!("globalThis.isHidden = {hidden}"));
        script("document.dispatchEvent(new Event('visibilitychange'))");
    };
    hide(true);
    assert!(running() < 0.1);
    hide(false);
    assert!((running() - 1.0).abs() < 0.1);
    widget.input(Input::Intent(Intent::NewThread));
    tick().await;
    assert!(running() < 0.1, "nothing says how long ago it was");
}

#[wasm_bindgen_test]
async fn each_day_begins_with_its_name() {
    let _now = it_is(20, 0);
    let widget = stored(&[
        said("user", "", "a", &stamp(3, 0)),
        said("assistant", "@bot", "b", &stamp(3, 1)),
        said("user", "", "c", &stamp(19, 0)),
        said("user", "", "d", &stamp(20, -10)),
        said("assistant", "@bot", "e", &stamp(20, -9)),
    ])
    .await;
    let days = texts(&widget, "[part=message] [role=separator]");
    assert_eq!(days[1..], ["Yesterday", "Today"]);
    assert!(
        days[0].contains("Monday") && days[0].contains("2026"),
        "{days:?}"
    );
    let first: Vec<_> = widget
        .all("[part=message]")
        .iter()
        .map(|it| it.query_selector("[role=separator]").unwrap().is_some())
        .collect();
    assert_eq!(first, [true, false, true, true, false]);
    let _later = it_is(21, 0);
    script("document.dispatchEvent(new Event('visibilitychange'))");
    tick().await;
    let days = texts(&widget, "[role=separator]");
    assert_eq!(days[2], "Yesterday");
}

#[wasm_bindgen_test]
async fn the_handle_stands_beside_a_name_that_says_something_else() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    let message = r#""content":"Hi","agent":{"id":"a","name":"Ann","handle":"researcher"}"#;
    widget.event(stream, "AGENT_RESPONSE_COMPLETE", message);
    tick().await;
    assert_eq!(texts(&widget, ".author"), ["You", "Ann"]);
    assert_eq!(texts(&widget, ".handle"), ["@researcher"]);
    let name = widget.all("[part=message]")[1].get_attribute("aria-label");
    assert!(name.unwrap().starts_with("Ann, "));

    let message = r#""content":"Ho","agent":{"id":"b","name":"bob","handle":"@bob"}"#;
    widget.event(stream, "AGENT_RESPONSE_COMPLETE", message);
    tick().await;
    assert_eq!(texts(&widget, ".author")[2], "bob");
    assert_eq!(texts(&widget, ".handle"), ["@researcher"]);
}

#[wasm_bindgen_test]
async fn an_answer_without_a_handle_of_its_own_has_that_of_the_conversations_agent() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    let thread = SessionThread {
        id: "t1".into(),
        agent_name: "Ann".to_owned(),
        agent_handle: "@researcher".to_owned(),
        ..SessionThread::default()
    };
    widget.input(Input::Threads(Ok(vec![thread])));
    for agent in [
        "null",
        r#"{"id":"a","name":"Ann"}"#,
        r#"{"id":"b","name":"Bob"}"#,
    ] {
        let message = format!(r#""content":"Hi","agent":{agent}"#);
        widget.event(stream, "AGENT_RESPONSE_COMPLETE", &message);
    }
    tick().await;
    let authors = texts(&widget, ".message-head");
    let authors: Vec<_> = authors
        .iter()
        .map(|it| it.contains("@researcher"))
        .collect();
    assert_eq!(authors.first(), Some(&false), "the person");
    assert_eq!(authors.last(), Some(&false), "another agent");
    assert_eq!(authors.get(1), Some(&true));
}

#[wasm_bindgen_test]
async fn who_draws_an_answer_copies_it() {
    let _clipboard = listen_to_the_clipboard();
    let module = script(
        "class Answer { push() {} finish() {} reset() {} free() {} } \
         return { Answer, copy: async (root, text) => { globalThis.written = { 'text/plain': text, 'text/html': root.className }; } };",
    );
    draw_with(&module);
    let widget = answered("One *two*\\n\\nthree").await;
    copy_button(&widget).click();
    assert_eq!(written("text/plain").await.unwrap(), "One *two*\n\nthree");
    settled(&widget, "Copied").await;
    assert_eq!(written("text/html").await.unwrap(), "answer");
}

/// Returns the one button below the answer.
fn copy_button(widget: &Widget) -> HtmlElement {
    let buttons = widget.all("[data-role=assistant] .message-actions button");
    assert_eq!(buttons.len(), 1, "one kind of copying");
    buttons[0].clone()
}

#[wasm_bindgen_test]
async fn copied_is_said_until_the_button_is_left() {
    let _clipboard = listen_to_the_clipboard();
    let widget = answered("Yes").await;
    let button = copy_button(&widget);
    button.focus().unwrap();
    button.click();
    settled(&widget, "Copied").await;
    assert_eq!(button.text_content().unwrap(), "Copied");
    widget.one("[part=input]").focus().unwrap();
    tick().await;
    assert_eq!(button.text_content().unwrap(), "Copy");
}

#[wasm_bindgen_test]
async fn copied_is_said_for_a_moment() {
    let _clipboard = listen_to_the_clipboard();
    let widget = answered("Yes").await;
    // What is to happen after a second or more happens when the test says so.
    script("globalThis.later = []");
    let timers = "(call, delay) => delay < 1000 ? real.call(window, call, delay) : globalThis.later.push(call)";
    let _timers = ReplacedProperty::new("window.setTimeout", timers);
    let button = copy_button(&widget);
    button.click();
    settled(&widget, "Copied").await;
    script("for (const call of globalThis.later) call()");
    tick().await;
    assert_eq!(button.text_content().unwrap(), "Copy");
}

#[wasm_bindgen_test]
async fn nothing_is_copied_below_a_request_that_waits_for_a_decision() {
    let _clipboard = listen_to_the_clipboard();
    let mut widget = Widget::new();
    let stream = widget.send("do it").await;
    widget.event(stream, "AGENT_RESPONSE_CHUNK", r#""content":"May I?""#);
    widget.ask(stream, &[tool("pay", r#""amount":"1""#)]).await;
    let actions = "[data-role=assistant] .message-actions";
    assert!(widget.all(actions).is_empty());
}

#[wasm_bindgen_test]
async fn without_a_renderer_the_markdown_is_copied() {
    let _clipboard = listen_to_the_clipboard();
    let widget = answered("*Yes*").await;
    copy_button(&widget).click();
    assert_eq!(written("text/plain").await.unwrap(), "*Yes*");
}

#[wasm_bindgen_test]
async fn own_messages_are_copied_too() {
    let _clipboard = listen_to_the_clipboard();
    let widget = answered("Yes").await;
    widget.button("Copy").click();
    assert_eq!(written("text/plain").await.unwrap(), "hello");
}

#[wasm_bindgen_test]
async fn a_page_without_a_clipboard_has_nothing_to_copy_with() {
    let _clipboard = ReplacedProperty::new("navigator.clipboard", "undefined");
    let widget = answered("Yes").await;
    assert!(widget.all(".message-actions").is_empty());
    assert_eq!(widget.one(".answer").text_content().unwrap(), "Yes");
}

/// Returns a widget in which two agents work together, and the stream of their answer.
async fn together() -> (Widget, StreamId) {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    let started = "NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_STARTED";
    widget.event(stream, started, r#""content":"""#);
    for (id, name, text) in [("a", "Ann", "An"), ("b", "Bob", "Bo")] {
        let message = format!(
            r#""content":"{text}","collaborationId":"c","agent":{{"id":"{id}","name":"{name}"}}"#
        );
        widget.event(stream, "AGENT_RESPONSE_CHUNK", &message);
    }
    tick().await;
    (widget, stream)
}

#[wasm_bindgen_test]
async fn each_agent_of_a_collaboration_has_a_block_that_opens() {
    let (mut widget, stream) = together().await;
    let blocks = widget.all("[part=contribution]");
    let names: Vec<_> = blocks
        .iter()
        .map(|it| it.get_attribute("aria-label").unwrap())
        .collect();
    assert_eq!(names, ["Contribution of Ann", "Contribution of Bob"]);
    assert_eq!(blocks[0].get_attribute("data-state").unwrap(), "running");
    let lines = widget.all("[part=contribution] > button");
    assert_eq!(lines[0].get_attribute("aria-expanded").unwrap(), "false");
    lines[0].click();
    tick().await;
    assert_eq!(texts(&widget, ".contribution .answer"), ["An"]);
    let paragraph = widget.one(".contribution .answer p");
    let whole =
        r#""content":"Answer of Ann","collaborationId":"c","agent":{"id":"a","name":"Ann"}"#;
    let more = r#""content":"swer","collaborationId":"c","agent":{"id":"a","name":"Ann"}"#;
    widget.event(stream, "AGENT_RESPONSE_CHUNK", more);
    tick().await;
    assert_eq!(
        paragraph.text_content().unwrap(),
        "Answer",
        "it grows in place"
    );
    widget.event(stream, "AGENT_RESPONSE_COMPLETE", whole);
    widget.event(stream, "AGENT_RESPONSE_COMPLETE", r#""content":"Together""#);
    tick().await;
    assert_eq!(texts(&widget, ".contribution .answer"), ["Answer of Ann"]);
    assert_eq!(blocks[0].get_attribute("data-state").unwrap(), "done");
    assert_eq!(texts(&widget, "[part=message] > .answer"), ["Together"]);
    assert_eq!(widget.all("[part=message]").len(), 2);
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    assert_eq!(blocks[1].get_attribute("data-state").unwrap(), "failed");
    assert!(blocks[1].text_content().unwrap().contains("cut short"));
    assert!(blocks[0].is_connected());
}

#[wasm_bindgen_test]
async fn contributions_follow_how_much_activity_is_shown() {
    let (widget, _stream) = together().await;
    widget.settings.activity.set(ActivityLevel::Full);
    tick().await;
    assert_eq!(texts(&widget, ".contribution .answer"), ["An", "Bo"]);
    widget.settings.activity.set(ActivityLevel::Off);
    tick().await;
    assert!(widget.all("[part=contribution]").is_empty());
}

#[wasm_bindgen_test]
async fn contributions_that_stand_by_themselves_become_messages() {
    let (mut widget, stream) = together().await;
    let separate = "NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_NO_UNIFIED_RESPONSE_REQUIRED";
    widget.event(stream, separate, r#""content":"""#);
    tick().await;
    assert!(widget.all("[part=contribution]").is_empty());
    assert_eq!(texts(&widget, ".author"), ["You", "Ann", "Bob"]);
    assert_eq!(texts(&widget, ".answer"), ["An", "Bo"]);
}
