//! Answers that the service is writing for another page: after a reload, on another device, or in
//! another tab. The service has the extension `resume`.

use assent_client::{FirstThread, Runtime};
use assent_conversation::{Input, Intent};
use wasm_bindgen_test::wasm_bindgen_test;

use super::runtime::{connection, transcript};
use crate::fake_service::*;
use crate::replaced_property::ReplacedProperty;

const THREAD: &str = "/prefix/api/assistants/threads/t1/messages";
const EXTENSION: &str = r#""assent-extensions": "cancel, resume""#;
const ASKED: &str = r#"[{"id":"m1","role":"user","content":"Hello"}]"#;
const ANSWERED: &str = r#"[
    {"id":"m1","role":"user","content":"Hello"},
    {"id":"m2","role":"assistant","content":"Good morning."}
]"#;

/// Scripts the stored messages, and how far the answer is that is being written, if one is.
fn store(messages: &str, after: Option<&str>) {
    js(&format!("fake.answers.delete('GET {THREAD}')"));
    answer(&format!("GET {THREAD}"), 200, JSON, messages);
    let after = after.map_or_else(String::new, |after| {
        format!(r#", "assent-answer": "{after}""#)
    });
    add_headers(THREAD, &["{", EXTENSION, &after, "}"].concat());
}

/// Scripts what the log answers next, in order; the last one again and again.
fn log_answers(statuses: &[i32]) {
    let log = format!("GET {THREAD}/stream");
    js(&format!("fake.answers.delete('{log}')"));
    for status in statuses {
        match status {
            200 => answer_with_stream(&log),
            status => answer(&log, *status, JSON, "{}"),
        }
    }
}

/// Returns a page that opens a thread whose answer is being written.
async fn opened(after: &str) -> Runtime {
    install().await;
    add_headers("*", &["{", EXTENSION, "}"].concat());
    store(ASKED, Some(after));
    open()
}

fn open() -> Runtime {
    answer("GET /prefix/api/assistants/threads/agent", 200, JSON, "[]");
    log_answers(&[200]);
    let runtime = Runtime::new(connection(), page(), Box::new(|_, _| {}));
    runtime.start(FirstThread::Thread("t1".into()));
    runtime
}

fn chunk(number: u32, content: &str) -> String {
    numbered("r1", number, "AGENT_RESPONSE_CHUNK", content)
}

fn end(number: u32) -> String {
    numbered("r1", number, "AGENT_RESPONSE_COMPLETE", "Good morning.")
}

/// Returns the events after which the log was asked, in order.
fn asked() -> String {
    text(
        "fake.requests.filter(({ path }) => path.endsWith('/stream')).map(({ url }) => url.split('=')[1])",
    )
}

async fn until_text(runtime: &Runtime, what: &str) {
    until(what, || transcript(runtime).ends_with(what)).await;
}

async fn until_streams(count: u32) {
    until("the connection", || {
        holds(&format!("fake.streams.length === {count}"))
    })
    .await;
}

#[wasm_bindgen_test]
async fn an_answer_that_is_being_written_is_followed_to_its_end() {
    let runtime = opened("r1/0").await;
    until_streams(1).await;
    assert_eq!(asked(), "r1%2F0");
    push(0, &numbered("r1", 1, "MESSAGE_RECEIVED", "Hello"));
    push(0, &chunk(2, "Good"));
    until_text(&runtime, "|Good|Streaming").await;
    // A connection that breaks is replaced, and what is repeated is shown once.
    js("fake.streams[0].breakOff()");
    until_streams(2).await;
    assert_eq!(asked(), "r1%2F0,r1%2F2");
    push(1, &chunk(2, "Good"));
    push(1, &chunk(3, " morning."));
    until_text(&runtime, "|Good morning.|Streaming").await;
    store(ANSWERED, None);
    push(1, &end(4));
    js("fake.streams[1].close()");
    until_text(&runtime, "|Good morning.|Complete").await;
    let has_ids = || {
        runtime.with_state(|state| {
            let messages = &state.open_conversation().unwrap().messages;
            messages.iter().all(|it| it.id.is_some())
        })
    };
    until("the stored messages", has_ids).await;
    assert_eq!(transcript(&runtime).lines().count(), 2);
    assert_eq!(asked(), "r1%2F0,r1%2F2");
}

#[wasm_bindgen_test]
async fn a_log_that_has_forgotten_the_place_is_asked_for_another_one() {
    let runtime = opened("r1/0").await;
    log_answers(&[410, 200]);
    until("the first request", || asked() == "r1%2F0").await;
    // The same place is not asked for twice.
    until("the second load", || {
        holds(&format!(
            "fake.requests.filter(({{ path }}) => path === '{THREAD}').length > 1"
        ))
    })
    .await;
    store(ANSWERED, Some("r1/8"));
    until_streams(1).await;
    assert_eq!(asked(), "r1%2F0,r1%2F8");
    push(0, &chunk(9, "And"));
    until_text(
        &runtime,
        "|Good morning.|Complete\nAgent(\"\")|And|Streaming",
    )
    .await;
}

#[wasm_bindgen_test]
async fn a_hidden_page_holds_no_connection() {
    let runtime = opened("r1/0").await;
    until_streams(1).await;
    push(0, &chunk(1, "Good"));
    until_text(&runtime, "|Good|Streaming").await;
    let hidden = ReplacedProperty::getting("document.hidden", "() => true");
    push(0, ": still here\n\n");
    until("the end of the connection", || {
        holds("fake.streams[0].aborted")
    })
    .await;
    turn().await;
    assert_eq!(asked(), "r1%2F0");
    assert!(transcript(&runtime).ends_with("|Good|Streaming"));
    drop(hidden);
    until_streams(2).await;
    assert_eq!(asked(), "r1%2F0,r1%2F1");
    push(1, &chunk(2, " morning."));
    until_text(&runtime, "|Good morning.|Streaming").await;
}

#[wasm_bindgen_test]
async fn stop_asks_the_service_and_a_second_one_leaves_the_answer() {
    let runtime = opened("r1/0").await;
    until_streams(1).await;
    push(0, &chunk(1, "Good"));
    until_text(&runtime, "|Good|Streaming").await;
    answer("DELETE *", 202, JSON, "");
    runtime.queue_intent(Intent::Stop);
    until("the request", || {
        holds("fake.requests.at(-1).method === 'DELETE'")
    })
    .await;
    runtime.queue_intent(Intent::Stop);
    until("the end of the connection", || {
        holds("fake.streams[0].aborted")
    })
    .await;
    turn().await;
    assert_eq!(asked(), "r1%2F0");
    assert!(transcript(&runtime).contains("Interrupted { by: Stopped, checking: false }"));
}

#[wasm_bindgen_test]
async fn a_page_learns_that_another_one_wrote() {
    let runtime = opened("r1/0").await;
    until_streams(1).await;
    store(ANSWERED, None);
    push(0, &end(1));
    js("fake.streams[0].close()");
    until_text(&runtime, "|Good morning.|Complete").await;
    until("the stored messages", || {
        runtime.with_state(|state| state.open_conversation().unwrap().last_load.is_none())
    })
    .await;
    let next = r#"[
        {"id":"m1","role":"user","content":"Hello"},
        {"id":"m2","role":"assistant","content":"Good morning."},
        {"id":"m3","role":"user","content":"Next"}
    ]"#;
    store(next, Some("r2/0"));
    runtime.dispatch(Input::MessagesChanged("t1".into()));
    until_streams(2).await;
    push(1, &numbered("r2", 1, "AGENT_RESPONSE_CHUNK", "Yes"));
    until_text(&runtime, "You|Next|Sent\nAgent(\"\")|Yes|Streaming").await;
}

#[wasm_bindgen_test]
async fn without_the_extension_nothing_is_followed() {
    install().await;
    store(ASKED, Some("r1/0"));
    add_headers(THREAD, r#"{ "assent-answer": "r1/0" }"#);
    let runtime = open();
    until("the messages", || transcript(&runtime) == "You|Hello|Sent").await;
    turn().await;
    assert_eq!(asked(), "");
}
