//! Changes of the storage by other tabs and other widgets of the page, and their notification.

use assent_client::{Connection, Credentials, FirstThread, Runtime, StorageKind};
use assent_conversation::{BatchPhase, Intent, State, Verdict};
use assent_protocol::AgentId;
use wasm_bindgen_test::wasm_bindgen_test;

use super::approval_lock::decide;
use crate::fake_service::*;
use crate::replaced_property::ReplacedProperty;

const SCOPE: &str = "assent:https://service.example|agent|user:";
const MESSAGES: &str = "/api/assistants/threads/t1/messages";

fn widget(user: &str) -> Runtime {
    widget_with(user, StorageKind::Local)
}

fn widget_with(user: &str, storage: StorageKind) -> Runtime {
    let connection = Connection {
        base_url: "https://service.example".to_owned(),
        agent: AgentId::from("agent"),
        every_agent: false,
        user_id: user.to_owned(),
        user_id_header: "X-Service-User-Id".to_owned(),
        api_key: None,
        credentials: Credentials::Omit,
        storage,
    };
    let runtime = Runtime::new(connection, page(), Box::new(|_, _| {}));
    runtime.start(FirstThread::New);
    runtime
}

async fn script() {
    install().await;
    answer(
        "GET /api/assistants/threads/agent",
        200,
        JSON,
        r#"[{"id":"t1","threadName":"Refunds"}]"#,
    );
    answer("GET *", 200, JSON, "[]");
    answer("POST /api/assistants/threads", 200, JSON, r#"{"id":"t1"}"#);
    answer_with_stream(&format!("POST {MESSAGES}"));
}

/// Makes the agent of this widget ask for two runs.
async fn ask(runtime: &Runtime) {
    runtime.queue_intent(Intent::EditDraft("Refund both".to_owned()));
    runtime.queue_intent(Intent::Send);
    until("the post", || holds("fake.streams.length === 1")).await;
    push(0, &asks("1", &[request("b1", "x1"), request("b1", "x2")]));
    until("the request", || waiting(runtime) == 2).await;
    js("fake.streams[0].close()");
    let ended = |state: &State| state.open_conversation().unwrap().stream().is_none();
    until("the end of the stream", || runtime.with_state(ended)).await;
}

/// Returns the only widget, with two stored runs.
async fn alone() -> Runtime {
    script().await;
    ask(&widget("user")).await;
    let runtime = widget("user");
    assert_eq!(waiting(&runtime), 2);
    runtime
}

fn waiting(runtime: &Runtime) -> usize {
    runtime.with_state(|state| {
        state
            .undecided_by_thread()
            .iter()
            .map(|(_, count)| count)
            .sum()
    })
}

/// Dispatches a storage event as another tab would cause it. `key` is JavaScript.
fn changed(key: &str) {
    js(&format!(
        "dispatchEvent(new StorageEvent('storage', {{ key: {key} }}))"
    ));
}

/// Waits long enough for reading after a notification.
async fn a_moment() {
    for _ in 0..20 {
        turn().await;
    }
}

#[wasm_bindgen_test]
async fn what_other_tabs_change_is_read() {
    let runtime = alone().await;
    js(&format!("localStorage.removeItem('{SCOPE}approval:b1|x1')"));
    changed(&format!("'{SCOPE}approval:b1|x1'"));
    until("one less", || waiting(&runtime) == 1).await;
    js("localStorage.clear()");
    changed("'assent:https://service.example|agent|other:approval:b1|x1'");
    changed(&format!("'{SCOPE}last-thread'"));
    a_moment().await;
    assert_eq!(waiting(&runtime), 1);
    changed("null");
    until("none", || waiting(&runtime) == 0).await;
}

#[wasm_bindgen_test]
async fn many_changes_are_read_once_and_none_is_missed() {
    let runtime = alone().await;
    js("globalThis.reads = 0");
    let reading =
        "function (key) { reads += key.includes('approval:'); return real.call(this, key); }";
    let reading = ReplacedProperty::new("Storage.prototype.getItem", reading);
    for run in 0..50 {
        changed(&format!("'{SCOPE}approval:b1|{run}'"));
    }
    until("the reading", || holds("reads > 0")).await;
    a_moment().await;
    assert_eq!(text("reads"), "2");
    drop(reading);
    js(&format!("localStorage.removeItem('{SCOPE}approval:b1|x1')"));
    changed(&format!("'{SCOPE}approval:b1|x1'"));
    until("one less", || waiting(&runtime) == 1).await;
}

#[wasm_bindgen_test]
async fn a_page_that_comes_back_from_the_cache_reads_again() {
    let runtime = alone().await;
    js(&format!("localStorage.removeItem('{SCOPE}approval:b1|x1')"));
    js("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: false }))");
    a_moment().await;
    assert_eq!(waiting(&runtime), 2);
    js("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    until("one less", || waiting(&runtime) == 1).await;
}

#[wasm_bindgen_test]
async fn the_widgets_of_a_page_hear_of_each_other() {
    script().await;
    let [first, second, other] = ["user", "user", "other"].map(widget);
    ask(&first).await;
    until("what is kept", || waiting(&second) == 2).await;
    assert_eq!(waiting(&other), 0);
    for run in ["x1", "x2"] {
        decide(&first, run, Verdict::Deny);
    }
    first.queue_intent(Intent::SubmitDecisions("b1".into()));
    until("the answer", || holds("fake.streams.length === 2")).await;
    push(1, &frame("MESSAGE_RECEIVED", "2", ""));
    until("what is forgotten", || waiting(&second) == 0).await;
    let answered = |state: &State| {
        let messages = &state.open_conversation().unwrap().messages;
        let mut batches = messages.iter().flat_map(|message| &message.approvals);
        batches.all(|batch| batch.phase == BatchPhase::Answered)
    };
    assert!(first.with_state(answered));
}

#[wasm_bindgen_test]
async fn widgets_that_keep_their_values_elsewhere_hear_nothing_and_read_nothing() {
    for kind in [StorageKind::Session, StorageKind::None] {
        script().await;
        let [first, same, local] =
            [kind, kind, StorageKind::Local].map(|kind| widget_with("user", kind));
        ask(&first).await;
        until("what is kept", || waiting(&same) == 2).await;
        a_moment().await;
        assert_eq!(waiting(&local), 0, "{kind:?}");
        assert!(holds("localStorage.length === 0"), "{kind:?}");
        let expected = match kind {
            StorageKind::Session => "approval:b1|x1,approval:b1|x2,last-thread",
            _ => "",
        };
        // The arrival of the message is stored a moment later.
        let keys = "Object.keys(sessionStorage).sort().map((key) => key.split('user:')[1])";
        until("what is kept in the tab", || text(keys) == expected).await;
        assert_eq!(
            waiting(&widget_with("user", kind)),
            2,
            "the next one is shown them"
        );
        assert_eq!(waiting(&widget("user")), 0, "{kind:?}");
        for run in ["x1", "x2"] {
            decide(&first, run, Verdict::Deny);
        }
        first.queue_intent(Intent::SubmitDecisions("b1".into()));
        until("the answer", || holds("fake.streams.length === 2")).await;
        push(1, &frame("MESSAGE_RECEIVED", "2", ""));
        until("what is forgotten", || waiting(&same) == 0).await;
    }
}

#[wasm_bindgen_test]
async fn nobody_reads_the_storage_because_of_one_who_has_none() {
    script().await;
    // Unreadable values are removed when the widget has looked for what other pages left behind.
    js(&format!("localStorage['{SCOPE}outbox:x'] = '7'"));
    let local = widget("user");
    until("the look", || {
        holds(&format!("!('{SCOPE}outbox:x' in localStorage)"))
    })
    .await;
    js("globalThis.reads = 0");
    let _reading = ["getItem", "key"].map(|name| {
        let counting = "function (of) { reads++; return real.call(this, of); }";
        ReplacedProperty::new(&format!("Storage.prototype.{name}"), counting)
    });
    js("localStorage.setItem('a key of', 'the page')");
    let none = widget_with("user", StorageKind::None);
    ask(&none).await;
    a_moment().await;
    assert_eq!(text("reads"), "0");
    drop(local);
}

#[wasm_bindgen_test]
async fn without_a_storage_what_an_earlier_page_left_is_neither_read_nor_removed() {
    script().await;
    ask(&widget("user")).await;
    js("localStorage.setItem('assent:user-id', 'left');
        globalThis.before = JSON.stringify(localStorage)");
    let runtime = widget_with("user", StorageKind::None);
    changed("null");
    a_moment().await;
    assert_eq!(waiting(&runtime), 0);
    assert!(holds("JSON.stringify(localStorage) === before"));
}

#[wasm_bindgen_test]
async fn nobody_listens_after_the_end() {
    script().await;
    js("globalThis.listeners = []");
    let _noting = [
        ("add", "listeners.push(type)"),
        ("remove", "listeners.splice(listeners.indexOf(type), 1)"),
    ]
    .map(|(verb, note)| {
        let noting = format!(
            "function (type, ...rest) {{ {note}; return real.call(this, type, ...rest); }}"
        );
        ReplacedProperty::new(&format!("window.{verb}EventListener"), &noting)
    });
    let runtime = widget("user");
    assert_eq!(
        text("listeners.filter((type) => /storage|pageshow/.test(type)).sort()"),
        "pageshow,pageshow,storage,storage"
    );
    drop(runtime);
    assert!(!holds(
        "listeners.some((type) => /storage|pageshow/.test(type))"
    ));
}
