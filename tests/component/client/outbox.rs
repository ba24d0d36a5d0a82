//! Drafts and unsent messages beyond the life of a page, in the browser's storage.

use std::{cell::RefCell, rc::Rc};

use assent_client::{ChangeSink, Connection, Credentials, FirstThread, Runtime, StorageKind};
use assent_conversation::{Intent, LoadState, MessageStatus, PostStatus, ReadingPosition, State};
use assent_protocol::{AgentId, ThreadId};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fake_service::*;
use crate::replaced_property::ReplacedProperty;

const SCOPE: &str = "assent:https://service.example|agent|user:";
const MESSAGES: &str = "/api/assistants/threads/t1/messages";

/// Returns a widget that shows `t1`.
fn widget() -> Runtime {
    widget_with(StorageKind::Local)
}

fn widget_with(storage: StorageKind) -> Runtime {
    widget_that_shows(storage, Box::new(|_, _| {}))
}

fn widget_that_shows(storage: StorageKind, sink: ChangeSink) -> Runtime {
    let connection = Connection {
        base_url: "https://service.example".to_owned(),
        agent: AgentId::from("agent"),
        every_agent: false,
        user_id: "user".to_owned(),
        user_id_header: "X-Service-User-Id".to_owned(),
        api_key: None,
        credentials: Credentials::Omit,
        storage,
    };
    let runtime = Runtime::new(connection, page(), sink);
    runtime.start(FirstThread::Thread(ThreadId::from("t1")));
    runtime
}

/// Scripts a service that has `t1` without messages, and answers posts with a stream.
async fn script() {
    install().await;
    answer(&format!("GET {MESSAGES}"), 200, JSON, "[]");
    answer(
        "GET /api/assistants/threads/agent",
        200,
        JSON,
        r#"[{"id":"t1"}]"#,
    );
    answer_with_stream(&format!("POST {MESSAGES}"));
}

fn type_in(runtime: &Runtime, text: &str) {
    runtime.queue_intent(Intent::EditDraft(text.to_owned()));
}

fn draft(runtime: &Runtime) -> String {
    runtime.with_state(|state: &State| state.open_conversation().unwrap().draft.clone())
}

fn statuses(runtime: &Runtime) -> Vec<(String, MessageStatus)> {
    runtime.with_state(|state: &State| {
        let messages = &state.open_conversation().unwrap().messages;
        let pairs = messages
            .iter()
            .map(|it| (it.text.clone(), it.status.clone()));
        pairs.collect()
    })
}

fn kept(key: &str) -> String {
    text(&format!("localStorage.getItem('{SCOPE}{key}')"))
}

/// Counts the stored values of this kind. A draft that was removed is an empty one for a while.
fn count(kind: &str) -> usize {
    let keys = format!("Object.keys(localStorage).filter((it) => it.startsWith('{SCOPE}{kind}'))");
    let there = "(it) => JSON.parse(localStorage.getItem(it)).text !== ''";
    text(&format!("{keys}.filter({there}).length"))
        .parse()
        .unwrap()
}

/// Writes the draft of `t1` as another tab would, after the writes in `after`.
fn write_elsewhere(words: &str, after: &str) {
    js(&format!(
        "localStorage.setItem('{SCOPE}draft:t1', JSON.stringify({{
           version: 1, at: Date.now(), line: 'elsewhere,{after}', text: {words:?}, files: [] }}))"
    ));
    changed("draft:t1");
}

/// Returns the list of writes of the draft of `t1`.
fn line() -> String {
    text(&format!(
        "JSON.parse(localStorage.getItem('{SCOPE}draft:t1')).line"
    ))
}

/// Dispatches a storage event of this value as another tab would cause it.
fn changed(key: &str) {
    js(&format!(
        "dispatchEvent(new StorageEvent('storage', {{ key: '{SCOPE}{key}' }}))"
    ));
}

#[wasm_bindgen_test]
async fn a_draft_is_written_after_a_rest_and_found_by_the_next_page() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "half a word");
    until("the value", || kept("draft:t1").contains("half a word")).await;
    drop(runtime);
    assert_eq!(draft(&widget()), "half a word");
}

#[wasm_bindgen_test]
async fn a_draft_is_shown_before_anything_can_be_typed() {
    script().await;
    write_elsewhere("kept", "");
    let shown = Rc::new(RefCell::new(String::new()));
    let sink = {
        let shown = shown.clone();
        move |state: &State, _: &[_]| {
            shown.replace(state.open_conversation().unwrap().draft.clone());
        }
    };
    let _widget = widget_that_shows(StorageKind::Local, Box::new(sink));
    assert_eq!(*shown.borrow(), "kept");
}

#[wasm_bindgen_test]
async fn a_draft_is_written_at_once_when_the_page_is_left_or_the_widget_ends() {
    script().await;
    let runtime = widget();
    for (text, event) in [("left", "pagehide"), ("hidden", "visibilitychange")] {
        type_in(&runtime, text);
        js(&format!("dispatchEvent(new Event('{event}'))"));
        assert!(kept("draft:t1").contains(text));
    }
    type_in(&runtime, "ended");
    drop(runtime);
    assert!(kept("draft:t1").contains("ended"));
}

#[wasm_bindgen_test]
async fn a_draft_that_is_taken_away_is_no_longer_kept() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "half");
    until("the value", || count("draft:") == 1).await;
    type_in(&runtime, " ");
    until("no value", || count("draft:") == 0).await;
}

#[wasm_bindgen_test]
async fn what_another_tab_types_is_the_draft() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "here");
    until("the value", || count("draft:") == 1).await;
    js(&format!(
        r#"localStorage.setItem('{SCOPE}draft:t1', '{{"version":1,"at":1,"text":"there","files":[]}}')"#
    ));
    changed("draft:t1");
    until("the other text", || draft(&runtime) == "there").await;
    write_elsewhere("", &line());
    until("no text", || draft(&runtime).is_empty()).await;
}

#[wasm_bindgen_test]
async fn what_two_tabs_type_at_the_same_moment_is_kept_together() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "here");
    js(&format!(
        r#"localStorage.setItem('{SCOPE}draft:t1', '{{"version":1,"at":1,"text":"there","files":[]}}')"#
    ));
    until("both", || draft(&runtime) == "there\n\nhere").await;
    assert!(kept("draft:t1").contains(r"there\n\nhere"));
    // While another tab types, the text that is sent here is not the whole.
    js(&format!(
        r#"localStorage.setItem('{SCOPE}draft:t1', '{{"version":1,"at":1,"text":"more","files":[]}}')"#
    ));
    runtime.queue_intent(Intent::Send);
    until("the rest", || draft(&runtime) == "more").await;
}

#[wasm_bindgen_test]
async fn two_widgets_of_a_page_share_drafts_without_a_storage() {
    script().await;
    let (one, other) = (
        widget_with(StorageKind::None),
        widget_with(StorageKind::None),
    );
    type_in(&one, "both");
    until("the other's", || draft(&other) == "both").await;
    assert_eq!(text("localStorage.length"), "0");
    type_in(&one, "");
    until("nothing", || draft(&other).is_empty()).await;
}

#[wasm_bindgen_test]
async fn a_message_is_kept_before_it_is_posted_and_looked_for_by_the_next_page() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "Hello");
    runtime.queue_intent(Intent::Send);
    assert_eq!(count("outbox:"), 1);
    assert_eq!(count("draft:"), 0);
    until("the post", || holds("fake.streams.length === 1")).await;
    drop(runtime);
    assert_eq!(count("outbox:"), 1);
    let stored = r#"[{"id":"m1","role":"user","content":"Hello"},{"id":"m2","role":"assistant","content":"Hi"}]"#;
    answer(&format!("GET {MESSAGES}"), 200, JSON, stored);
    let after = widget();
    let sent = ("Hello".to_owned(), MessageStatus::Sent);
    until("the message", || statuses(&after).first() == Some(&sent)).await;
    until("nothing kept", || count("outbox:") == 0).await;
    assert_eq!(text("fake.streams.length"), "1");
}

#[wasm_bindgen_test]
async fn what_a_living_widget_sent_is_left_to_it() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "Hello");
    runtime.queue_intent(Intent::Send);
    until("the post", || holds("fake.streams.length === 1")).await;
    let other = widget();
    // It looks three times; the first look is over when a draft that was typed later is kept.
    type_in(&other, "later");
    until("the draft", || kept("draft:t1").contains("later")).await;
    assert_eq!(statuses(&other), []);
    drop(runtime);
    until("the message", || !statuses(&other).is_empty()).await;
    assert_eq!(count("outbox:"), 1);
}

#[wasm_bindgen_test]
async fn a_widget_that_ends_while_it_looks_leaves_what_it_found() {
    script().await;
    js(&format!(
        r#"localStorage.setItem('{SCOPE}outbox:a', '{{"version":1,"at":0,"messages":[{{"text":"kept"}}]}}');
           globalThis.isAsked = false;
           globalThis.isOpen = new Promise((resolve) => globalThis.letIn = resolve)"#
    ));
    let locks = ReplacedProperty::new(
        "navigator.locks.request",
        "function (name, ...rest) {
            const go = () => real.call(this, name, ...rest);
            if (!name.endsWith('outbox:a')) return go();
            isAsked = true;
            return isOpen.then(go);
        }",
    );
    let runtime = widget();
    until("the look", || holds("isAsked")).await;
    drop(runtime);
    drop(locks);
    js("letIn()");
    let next = widget();
    next.queue_intent(Intent::NewThread);
    until("what was left", || draft(&next) == "kept").await;
    assert_eq!(count("outbox:"), 0);
}

#[wasm_bindgen_test]
async fn what_cannot_be_read_is_removed_and_what_is_newer_is_left() {
    script().await;
    js(&format!(
        r#"localStorage.setItem('{SCOPE}draft:t1', '{{"version":1,');
           localStorage.setItem('{SCOPE}draft:t2', '{{"version":2,"text":5}}');
           localStorage.setItem('{SCOPE}outbox:a', '7');
           localStorage.setItem('{SCOPE}outbox:b', '{{"version":1,"at":0,"messages":[5,{{"text":"kept"}}]}}')"#
    ));
    let runtime = widget();
    assert_eq!(draft(&runtime), "");
    runtime.queue_intent(Intent::NewThread);
    until("what was readable", || draft(&runtime) == "kept").await;
    assert_eq!(count("outbox:"), 0);
    assert_eq!(kept("draft:t1"), "null");
    assert!(kept("draft:t2").contains("version"));
}

#[wasm_bindgen_test]
async fn many_drafts_are_all_kept() {
    script().await;
    js(&format!(
        r#"for (let at = 0; at < 203; at++)
             localStorage.setItem('{SCOPE}draft:n' + at, JSON.stringify({{ version: 1, at, text: "x", files: [] }}))"#
    ));
    let _runtime = widget();
    assert_eq!(count("draft:"), 203);
}

fn unstored(runtime: &Runtime) -> Vec<Option<ThreadId>> {
    runtime.with_state(|state: &State| state.unstored_drafts.clone())
}

#[wasm_bindgen_test]
async fn a_draft_that_is_too_long_stays_in_the_page_and_removes_no_other() {
    script().await;
    js(&format!(
        r#"localStorage.setItem('{SCOPE}draft:t2', '{{"version":1,"at":1,"text":"other","files":[]}}')"#
    ));
    let runtime = widget();
    let long = "é".repeat(600_000);
    type_in(&runtime, &long);
    until("the sentence", || {
        unstored(&runtime) == [Some(ThreadId::from("t1"))]
    })
    .await;
    changed("draft:t2");
    let next = widget();
    assert_eq!(draft(&next), long);
    assert_eq!(draft(&runtime), long);
    assert!(kept("draft:t2").contains("other"));
    type_in(&runtime, "short");
    until("the short one", || kept("draft:t1").contains("short")).await;
    until("no sentence", || unstored(&runtime).is_empty()).await;
}

#[wasm_bindgen_test]
async fn a_full_storage_loses_no_draft_of_the_page() {
    script().await;
    let runtime = widget();
    let full = full_storage();
    type_in(&runtime, "too much");
    let there = [Some(ThreadId::from("t1"))];
    until("the sentence", || unstored(&runtime) == there).await;
    drop(runtime);
    let after = widget();
    drop(full);
    assert_eq!(draft(&after), "too much");
    type_in(&after, "");
    drop(after);
}

#[wasm_bindgen_test]
async fn a_storage_that_is_cleared_empties_no_box() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "here");
    until("the value", || kept("draft:t1").contains("here")).await;
    js("localStorage.clear(); dispatchEvent(new StorageEvent('storage', { key: null }))");
    let other = r#"{ version: 1, at: Date.now(), line: "", text: "there", files: [] }"#;
    js(&format!(
        "localStorage.setItem('{SCOPE}draft:t2', JSON.stringify({other}))"
    ));
    changed("draft:t2");
    let is_read = |state: &State| state.drafts().iter().any(|it| it.text == "there");
    until("the read", || runtime.with_state(is_read)).await;
    assert_eq!(draft(&runtime), "here");
    type_in(&runtime, "in front of here");
    until("the value", || {
        kept("draft:t1").contains("in front of here")
    })
    .await;
    assert_eq!(draft(&runtime), "in front of here");
}

#[wasm_bindgen_test]
async fn a_message_that_failed_is_kept_again_after_the_page_cleared_the_storage() {
    script().await;
    answer(&format!("POST {MESSAGES}"), 500, JSON, "{}");
    let runtime = widget();
    type_in(&runtime, "not lost");
    runtime.queue_intent(Intent::Send);
    until("the value", || count_kept("not lost") == 1).await;
    js("localStorage.clear()");
    assert_eq!(count_kept("not lost"), 0);
    type_in(&runtime, "more");
    until("the draft", || kept("draft:t1").contains("more")).await;
    assert_eq!(count_kept("not lost"), 1);
}

/// Counts the outboxes that hold this text.
fn count_kept(text_of: &str) -> usize {
    let keys = format!("Object.keys(localStorage).filter((it) => it.startsWith('{SCOPE}outbox:'))");
    let holds = format!("(it) => localStorage.getItem(it).includes('{text_of}')");
    text(&format!("{keys}.filter({holds}).length"))
        .parse()
        .unwrap()
}

#[wasm_bindgen_test]
async fn what_was_sent_elsewhere_does_not_come_back() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "sent");
    until("the value", || kept("draft:t1").contains("sent")).await;
    // The other tab sent it, which this one does not know so far.
    let line = line();
    js(&format!(
        "localStorage.setItem('{SCOPE}draft:t1', JSON.stringify({{
           version: 1, at: Date.now(), line: 'elsewhere,{line}', text: '', files: [] }}))"
    ));
    type_in(&runtime, "in front\n\nsent");
    js("dispatchEvent(new Event('pagehide'))");
    assert_eq!(draft(&runtime), "in front");
    assert!(!kept("draft:t1").contains("sent"));
}

#[wasm_bindgen_test]
async fn what_another_tab_put_in_front_stays_when_the_rest_is_sent() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "sent");
    until("the value", || kept("draft:t1").contains("sent")).await;
    js(&format!(
        "localStorage.setItem('{SCOPE}draft:t1', JSON.stringify({{
           version: 1, at: 1, text: 'in front\\n\\nsent', files: [] }}))"
    ));
    runtime.queue_intent(Intent::Send);
    assert_eq!(draft(&runtime), "in front");
    assert!(!kept("draft:t1").contains("sent"));
}

#[wasm_bindgen_test]
async fn a_later_tab_has_the_last_word() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "here");
    until("the value", || kept("draft:t1").contains("here")).await;
    write_elsewhere("there", &line());
    until("the other text", || draft(&runtime) == "there").await;
    write_elsewhere("", &line());
    until("no text", || draft(&runtime).is_empty()).await;
    assert_eq!(count("draft:"), 0);
}

#[wasm_bindgen_test]
async fn what_two_tabs_write_without_having_seen_it_is_kept_together() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "begun");
    until("the value", || kept("draft:t1").contains("begun")).await;
    let known = line();
    type_in(&runtime, "in front\n\nbegun");
    until("both", || kept("draft:t1").contains("front")).await;
    // The other tab sent the draft that it knew, and its value came later.
    write_elsewhere("", &known);
    until("the rest", || draft(&runtime) == "in front").await;
    assert!(!kept("draft:t1").contains("begun"));
    // The same if this tab sent it.
    let known = line();
    runtime.queue_intent(Intent::Send);
    assert_eq!(draft(&runtime), "");
    write_elsewhere("more\n\nin front", &known);
    until("what is more", || draft(&runtime) == "more").await;
}

#[wasm_bindgen_test]
async fn a_draft_that_was_sent_long_ago_is_gone_for_the_next_page() {
    script().await;
    let empty = |at: &str, thread: &str| {
        js(&format!(
            "localStorage.setItem('{SCOPE}draft:{thread}', JSON.stringify({{
               version: 1, at: {at}, line: 'elsewhere,', text: '', files: [] }}))"
        ));
    };
    empty("Date.now()", "t1");
    empty("Date.now() - 61_000", "t2");
    let _runtime = widget();
    assert_ne!(kept("draft:t1"), "null");
    assert_eq!(kept("draft:t2"), "null");
}

#[wasm_bindgen_test]
async fn a_draft_of_a_later_version_is_not_written_over() {
    script().await;
    js(&format!(
        r#"localStorage.setItem('{SCOPE}draft:t1', '{{"version":2,"text":"later"}}')"#
    ));
    let runtime = widget();
    type_in(&runtime, "here");
    drop(runtime);
    assert!(kept("draft:t1").contains("later"));
}

#[wasm_bindgen_test]
async fn a_list_of_writings_that_is_none_does_no_harm() {
    // A cut of the first would be inside a letter; the second would end its own string.
    for line in ["x".repeat(44) + "éé", "a\"b".to_owned()] {
        script().await;
        write_elsewhere("there", "");
        js(&format!(
            "const key = '{SCOPE}draft:t1';
             localStorage.setItem(key, JSON.stringify({{ ...JSON.parse(localStorage.getItem(key)), line: {line:?} }}))"
        ));
        let runtime = widget();
        assert_eq!(draft(&runtime), "there");
        type_in(&runtime, "here");
        drop(runtime);
        assert_eq!(draft(&widget()), "here");
    }
}

#[wasm_bindgen_test]
async fn words_that_come_back_by_themselves_are_written_at_once() {
    script().await;
    let runtime = widget();
    runtime.queue_intent(Intent::NewThread);
    type_in(&runtime, "Hello");
    // No thread can be made for it, and another conversation is shown meanwhile.
    runtime.queue_intent(Intent::Send);
    runtime.queue_intent(Intent::OpenThread(ThreadId::from("t1")));
    assert_eq!(kept("draft:"), "null");
    let is_back = |state: &State| state.drafts().iter().any(|it| it.text == "Hello");
    until("the words", || runtime.with_state(is_back)).await;
    assert!(kept("draft:").contains("Hello"));
}

#[wasm_bindgen_test]
async fn what_is_not_typing_is_written_at_once() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "half a word");
    assert_eq!(kept("draft:t1"), "null");
    runtime.queue_intent(Intent::NewThread);
    assert!(kept("draft:t1").contains("half a word"));
}

#[wasm_bindgen_test]
async fn a_message_that_is_sent_is_written_once() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "Hello");
    until("the draft", || kept("draft:t1").contains("Hello")).await;
    js("globalThis.reads = []");
    let reads = ReplacedProperty::new(
        "Storage.prototype.getItem",
        "function (key) { globalThis.reads.push(key); return real.call(this, key) }",
    );
    runtime.queue_intent(Intent::Send);
    drop(reads);
    // A write looks whether another tab has changed the draft.
    let count = "globalThis.reads.filter((it) => it.endsWith('draft:t1')).length";
    assert_eq!(text(count), "1");
}

#[wasm_bindgen_test]
async fn what_the_service_took_is_written_at_once() {
    script().await;
    let runtime = widget();
    type_in(&runtime, "Hello");
    runtime.queue_intent(Intent::Send);
    let is_accepted = |state: &State| {
        let unsent = state.unsent_messages();
        unsent.iter().any(|it| it.status == PostStatus::Accepted)
    };
    until("the post", || holds("fake.streams.length === 1")).await;
    push(0, &frame("AGENT_RESPONSE_CHUNK", "e1", "Hi"));
    until("the answer", || runtime.with_state(is_accepted)).await;
    let outbox = format!("(it) => it.startsWith('{SCOPE}outbox:')");
    let written = text(&format!(
        "Object.keys(localStorage).filter({outbox}).map((it) => localStorage.getItem(it)).join()"
    ));
    assert!(written.contains(r#""standing":"accepted""#), "{written}");
}

#[wasm_bindgen_test]
async fn where_the_reader_is_is_found_by_the_next_page() {
    script().await;
    let runtime = widget();
    let place = ReadingPosition {
        message: 3,
        below: -40,
    };
    let is_ready = |state: &State| state.open_conversation().unwrap().load == LoadState::Ready;
    until("the messages", || runtime.with_state(is_ready)).await;
    runtime.queue_intent(Intent::ReadAt(Some(place)));
    until("the value", || kept("position:t1").contains("-40")).await;
    drop(runtime);
    let runtime = widget();
    let found = |state: &State| state.open_conversation().unwrap().position;
    assert_eq!(runtime.with_state(found), Some(place));
    until("the messages", || runtime.with_state(is_ready)).await;
    runtime.queue_intent(Intent::ReadAt(None));
    until("the end", || kept("position:t1") == "null").await;
}
