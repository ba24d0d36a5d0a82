//! Access: the page's token and headers, and the handling of requests that are refused because of
//! their token.

use assent_client::{Connection, Credentials, FirstThread, Runtime, StorageKind};
use assent_conversation::{FailureKind, Intent, LoadState, MessageStatus};
use assent_protocol::AgentId;
use js_sys::Function;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fake_service::*;
use crate::replaced_property::ReplacedProperty;

const MESSAGES: &str = "/api/assistants/threads/t1/messages";

/// Starts a runtime whose page has these two functions, or none if one is `null`.
fn start(token_provider: &str, request_headers: &str, first: FirstThread) -> Runtime {
    let connection = Connection {
        base_url: "https://service.example".to_owned(),
        agent: AgentId::from("agent"),
        every_agent: false,
        user_id: "user".to_owned(),
        user_id_header: "X-Service-User-Id".to_owned(),
        api_key: Some("key".to_owned()),
        credentials: Credentials::Omit,
        storage: StorageKind::Local,
    };
    let runtime = Runtime::new(connection, page(), Box::new(|_, _| {}));
    js("globalThis.reasons = []");
    let function = |code: &str| js(&format!("({code})")).dyn_into::<Function>().ok();
    runtime.set_access(function(token_provider), function(request_headers));
    runtime.start(first);
    runtime
}

fn in_thread(token_provider: &str) -> Runtime {
    start(token_provider, "null", FirstThread::Thread("t1".into()))
}

fn list(runtime: &Runtime) -> LoadState {
    runtime.with_state(|state| state.threads.load.clone())
}

fn failure(runtime: &Runtime) -> Option<FailureKind> {
    match list(runtime) {
        LoadState::Failed(failure) => Some(failure.kind),
        _ => None,
    }
}

fn send(runtime: &Runtime, text: &str) {
    runtime.queue_intent(Intent::EditDraft(text.to_owned()));
    runtime.queue_intent(Intent::Send);
}

fn last_status(runtime: &Runtime) -> Option<MessageStatus> {
    runtime.with_state(|state| {
        let messages = &state.open_conversation()?.messages;
        messages.first().map(|message| message.status.clone())
    })
}

fn tokens() -> String {
    text("fake.requests.map((one) => one.headers.authorization).join()")
}

#[wasm_bindgen_test]
async fn requests_at_the_same_time_ask_for_one_token_which_goes_before_the_key() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    let runtime = in_thread("(reason) => { reasons.push(reason); return Promise.resolve('t-1'); }");
    until("both", || holds("fake.requests.length === 2")).await;
    until("the list", || list(&runtime) == LoadState::Ready).await;
    runtime.queue_intent(Intent::RefreshThreads);
    until("one more", || holds("fake.requests.length === 3")).await;
    assert_eq!(tokens(), "Bearer t-1,Bearer t-1,Bearer t-1");
    assert_eq!(text("reasons.join()"), "initial");
    assert_eq!(
        text("Object.keys(localStorage).some((key) => localStorage[key].includes('t-1'))"),
        "false"
    );
}

#[wasm_bindgen_test]
async fn what_is_refused_with_an_old_token_is_asked_once_more_with_a_new_one() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    let runtime = in_thread("(reason) => 'fresh-' + reasons.push(reason)");
    until("the list", || list(&runtime) == LoadState::Ready).await;
    answer(&format!("POST {MESSAGES}"), 401, JSON, "{}");
    answer_with_stream(&format!("POST {MESSAGES}"));
    until("the thread", || holds("fake.requests.length === 2")).await;
    send(&runtime, "hi");
    until("the stream", || holds("fake.streams.length === 1")).await;
    push(0, &frame("MESSAGE_RECEIVED", "1", ""));
    until("acceptance", || {
        last_status(&runtime) == Some(MessageStatus::Sent)
    })
    .await;
    assert_eq!(text("reasons.join()"), "initial,expired");
    assert_eq!(
        text("fake.requests.slice(2).map((one) => one.headers.authorization + one.body).join()"),
        r#"Bearer fresh-1{"content":[{"type":"text","text":"hi"}]},Bearer fresh-2{"content":[{"type":"text","text":"hi"}]}"#
    );
}

#[wasm_bindgen_test]
async fn a_second_refusal_is_the_answer() {
    install().await;
    answer("GET *", 401, JSON, "{}");
    let runtime = start(
        "(reason) => reasons.push(reason) + ''",
        "null",
        FirstThread::New,
    );
    until("the failure", || failure(&runtime).is_some()).await;
    assert_eq!(failure(&runtime), Some(FailureKind::Unauthorized));
    assert_eq!(tokens(), "Bearer 1,Bearer 2");
    answer("GET /api/assistants/threads/agent", 200, JSON, "[]");
    runtime.queue_intent(Intent::RefreshThreads);
    until("the list", || list(&runtime) == LoadState::Ready).await;
    assert_eq!(text("fake.requests.length"), "3");
}

#[wasm_bindgen_test]
async fn a_key_that_is_refused_is_not_tried_again() {
    install().await;
    answer("GET *", 401, JSON, "{}");
    let runtime = start("null", "null", FirstThread::New);
    until("the failure", || failure(&runtime).is_some()).await;
    assert_eq!(tokens(), "Bearer key");
}

#[wasm_bindgen_test]
async fn without_a_token_nothing_is_asked_for_until_it_is_tried_again() {
    for provider in [
        "() => { throw new Error('secret reason'); }",
        "() => Promise.reject(new Error('secret reason'))",
        "() => 42",
        "() => ''",
        "() => 'two\\nlines'",
    ] {
        install().await;
        answer("GET *", 200, JSON, "[]");
        let runtime = start(provider, "null", FirstThread::New);
        until(provider, || failure(&runtime).is_some()).await;
        assert_eq!(failure(&runtime), Some(FailureKind::NoAccess));
        assert_eq!(text("fake.requests.length"), "0");
        let good: Function = js("() => 'good'").unchecked_into();
        runtime.set_access(Some(good), None);
        runtime.queue_intent(Intent::RefreshThreads);
        until("the list", || list(&runtime) == LoadState::Ready).await;
        assert_eq!(tokens(), "Bearer good");
    }
}

#[wasm_bindgen_test]
async fn headers_of_the_page_go_with_each_request_and_never_in_the_place_of_others() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    js("globalThis.warned = []");
    let _warnings = ReplacedProperty::new("console.warn", "(text) => warned.push(text)");
    let headers = "async () => ({ 'X-Csrf': 'c', Authorization: 'Basic x', Accept: 'text/html', \
        'x-service-user-id': 'other', 'a b': 'x', 'X-Bad': 'two\\nlines', 'X-Number': 1 })";
    let runtime = start("null", headers, FirstThread::New);
    until("the list", || list(&runtime) == LoadState::Ready).await;
    runtime.queue_intent(Intent::RefreshThreads);
    until("one more", || holds("fake.requests.length === 2")).await;
    for at in 0..2 {
        assert_eq!(
            text(&format!("JSON.stringify(fake.requests[{at}].headers)")),
            r#"{"accept":"application/json","authorization":"Bearer key","x-csrf":"c","x-service-user-id":"user"}"#
        );
    }
    assert_eq!(text("warned.length"), "3", "each once");
    for given in [
        "() => 'none'",
        "() => null",
        "() => ({ get 'X-Csrf'() { throw new Error('no session'); } })",
        "() => new Proxy({}, { ownKeys() { throw new Error('no session'); } })",
        "() => new Proxy({}, { get() { throw new Error('no session'); } })",
        "() => ({ *[Symbol.iterator]() { throw new Error('no session'); } })",
    ] {
        let runtime = start("null", given, FirstThread::New);
        until(given, || failure(&runtime).is_some()).await;
        assert_eq!(failure(&runtime), Some(FailureKind::NoAccess), "{given}");
    }
}

#[wasm_bindgen_test]
async fn headers_may_be_a_headers_object_or_a_map() {
    for given in [
        "() => new Headers({ 'X-Csrf': 'c' })",
        "() => new Map([['X-Csrf', 'c']])",
        "() => [['X-Csrf', 'c'], 7]",
    ] {
        install().await;
        answer("GET *", 200, JSON, "[]");
        let runtime = start("null", given, FirstThread::New);
        until("the list", || list(&runtime) == LoadState::Ready).await;
        assert_eq!(text("fake.requests[0].headers['x-csrf']"), "c", "{given}");
    }
}

#[wasm_bindgen_test]
async fn the_time_that_the_page_takes_is_not_the_services() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    let _limits = ReplacedProperty::new(
        "AbortSignal.timeout",
        "(limit) => { reasons.push(limit); return real.call(AbortSignal, limit); }",
    );
    let slowly = |what: &str, value: &str| {
        format!("async () => {{ await 0; reasons.push('{what}'); return {value}; }}")
    };
    let (token, headers) = (slowly("token", "'t'"), slowly("headers", "{}"));
    let runtime = start(&token, &headers, FirstThread::New);
    until("the list", || list(&runtime) == LoadState::Ready).await;
    // A client of an earlier test may still be ending a request of its own.
    assert_eq!(text("reasons.slice(0, 3).join()"), "token,headers,30000");
}
