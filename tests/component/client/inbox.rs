//! What waits in all threads, of a service that has the extension `inbox`.

use assent_client::{Connection, FirstThread, Runtime};
use assent_conversation::{Input, Intent, LoadState};
use wasm_bindgen_test::wasm_bindgen_test;

use super::runtime::{connection, runtime};
use crate::fake_service::*;

const LIST: &str = "/prefix/api/assistants/threads/agent";
const WAITING: &str = "/prefix/api/assistants/approvals";

fn batch(thread: &str, agent: &str, tools: &str) -> String {
    format!(r#"{{"threadId":"{thread}","agentId":"{agent}","tools":[{tools}]}}"#)
}

fn starts(named: &str, waiting: &[String]) -> Runtime {
    answers(named, waiting);
    let runtime = runtime();
    runtime.start(FirstThread::New);
    runtime
}

fn answers(named: &str, waiting: &[String]) {
    let batches = format!("[{}]", waiting.join(","));
    answer(&format!("GET {LIST}"), 200, JSON, "[]");
    add_headers(LIST, &format!(r#"{{ "assent-extensions": "{named}" }}"#));
    answer(&format!("GET {WAITING}?limit=200"), 200, JSON, &batches);
    let of_waiting = format!("{WAITING}?limit=200");
    add_headers(
        &of_waiting,
        &format!(r#"{{ "assent-extensions": "{named}" }}"#),
    );
}

fn waiting(runtime: &Runtime) -> String {
    let threads = runtime.with_state(|state| state.undecided_by_thread());
    let threads = threads
        .iter()
        .map(|(thread, count)| format!("{}: {count}", thread.as_str()));
    threads.collect::<Vec<_>>().join(", ")
}

fn requests() -> String {
    text(&format!(
        "String(fake.requests.filter((it) => it.path === '{WAITING}').length)"
    ))
}

#[wasm_bindgen_test]
async fn what_waits_with_the_agent_is_read_once_the_service_names_the_extension() {
    install().await;
    let all = [
        batch("t2", "agent", "{},{}"),
        batch("t1", "agent", "{}"),
        batch("t2", "agent", "{}"),
        batch("t3", "another", "{}"),
        r#"{"agentId":"agent","tools":[{}]}"#.to_owned(),
    ];
    let runtime = starts("pages, inbox", &all);
    until("what waits", || waiting(&runtime) == "t2: 3, t1: 1").await;
    assert_eq!(requests(), "1");
    runtime.dispatch(Input::VisibilityChanged(false));
    runtime.dispatch(Input::VisibilityChanged(true));
    until("the second request", || requests() == "2").await;
    runtime.queue_intent(Intent::RefreshThreads);
    until("the third request", || requests() == "3").await;
}

#[wasm_bindgen_test]
async fn a_plain_service_gets_no_such_request() {
    install().await;
    let runtime = starts("pages, cancel", &[]);
    let is_listed = || runtime.with_state(|state| state.threads.load == LoadState::Ready);
    until("the list", is_listed).await;
    runtime.queue_intent(Intent::RefreshThreads);
    runtime.dispatch(Input::VisibilityChanged(false));
    runtime.dispatch(Input::VisibilityChanged(true));
    turn().await;
    until("the list again", is_listed).await;
    assert_eq!(requests(), "0");
}

#[wasm_bindgen_test]
async fn what_waits_with_all_agents_is_counted_where_that_is_shown_and_no_thread_is_remembered() {
    install().await;
    let all = [batch("t2", "agent", "{},{}"), batch("t3", "another", "{}")];
    answers("pages, inbox", &all);
    answer("GET *", 200, JSON, "[]");
    let connection = Connection {
        every_agent: true,
        ..connection()
    };
    let runtime = Runtime::new(connection, page(), Box::new(|_, _| {}));
    runtime.start(FirstThread::New);
    until("what waits", || waiting(&runtime) == "t2: 2, t3: 1").await;
    runtime.queue_intent(Intent::OpenThread("t3".into()));
    let is_open = |runtime: &Runtime| {
        runtime.with_state(|state| {
            let open = state.open_conversation().unwrap();
            open.thread_id().is_some() && open.load == LoadState::Ready
        })
    };
    until("the messages", || is_open(&runtime)).await;
    let remembered = "Object.keys(localStorage).some((key) => key.endsWith('last-thread'))";
    assert_eq!(text(&format!("String({remembered})")), "false");
}
