//! Single requests: their form, and the handling of every possible response.

use assent_client::{Connection, FirstThread, Runtime};
use assent_conversation::{FailureKind, Intent, LoadState};
use assent_protocol::AgentId;
use wasm_bindgen_test::wasm_bindgen_test;

use super::runtime::connection;
use crate::fake_service::*;
use crate::replaced_property::ReplacedProperty;

fn runtime() -> Runtime {
    Runtime::new(connection(), page(), Box::new(|_, _| {}))
}

fn failure(runtime: &Runtime) -> Option<FailureKind> {
    runtime.with_state(|state| match &state.threads.load {
        LoadState::Failed(failure) => Some(failure.kind),
        LoadState::Loading | LoadState::Ready => None,
    })
}

fn threads_ready(runtime: &Runtime) -> bool {
    runtime.with_state(|state| state.threads.load == LoadState::Ready)
}

#[wasm_bindgen_test]
async fn requests_carry_both_headers_and_their_paths_are_encoded() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    let connection = Connection {
        agent: AgentId::from("a/b ü?"),
        ..connection()
    };
    let runtime = Runtime::new(connection, page(), Box::new(|_, _| {}));
    runtime.start(FirstThread::LastUsed);
    until("the list", || threads_ready(&runtime)).await;
    assert_eq!(
        text("fake.requests[0].url"),
        "https://service.example/prefix/api/assistants/threads/a%2Fb%20%C3%BC%3F"
    );
    assert_eq!(
        text("fake.requests[0].headers.authorization"),
        "Bearer secret"
    );
    assert_eq!(
        text("fake.requests[0].headers['x-service-user-id']"),
        "user"
    );
    assert_eq!(
        text("fake.requests[0].headers['content-type']"),
        "undefined"
    );
    assert_eq!(text("fake.requests[0].credentials"), "omit");
    assert_eq!(text("fake.requests[0].cache"), "no-store");
    assert_eq!(text("fake.requests[0].redirect"), "manual");
    assert_eq!(text("fake.requests.length"), "1");
}

#[wasm_bindgen_test]
async fn a_user_and_a_key_of_any_script_are_sent_as_utf_8() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    let connection = Connection {
        user_id: "José 世界à".to_owned(),
        api_key: Some("schlüssel".to_owned()),
        ..connection()
    };
    let runtime = Runtime::new(connection, page(), Box::new(|_, _| {}));
    runtime.start(FirstThread::LastUsed);
    until("the list", || threads_ready(&runtime)).await;
    // `fetch` takes a character for each byte.
    let sent = |name: &str| {
        let bytes = format!(
            "Uint8Array.from(fake.requests[0].headers[{name:?}], (it) => it.charCodeAt(0))"
        );
        text(&format!("new TextDecoder().decode({bytes})"))
    };
    assert_eq!(sent("x-service-user-id"), "José 世界à");
    assert_eq!(sent("authorization"), "Bearer schlüssel");
}

#[wasm_bindgen_test]
async fn an_agent_whose_id_is_a_path_of_its_own_is_not_asked_for() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    let connection = Connection {
        agent: AgentId::from(".."),
        ..connection()
    };
    let runtime = Runtime::new(connection, page(), Box::new(|_, _| {}));
    runtime.start(FirstThread::New);
    let failed = || runtime.with_state(|state| matches!(state.threads.load, LoadState::Failed(_)));
    until("the failure", failed).await;
    assert_eq!(text("fake.requests.length"), "0");
}

#[wasm_bindgen_test]
async fn every_kind_of_bad_answer_becomes_a_failure_without_raw_text() {
    let html = "<!doctype html><title>Bad gateway</title>";
    let cases = [
        (
            401,
            JSON,
            r#"{"message":"The key is not known."}"#,
            FailureKind::Unauthorized,
            Some("The key is not known."),
        ),
        (403, JSON, "{}", FailureKind::Forbidden, None),
        (
            404,
            JSON,
            r#"{"error":"No such agent."}"#,
            FailureKind::NotFound,
            Some("No such agent."),
        ),
        (
            422,
            JSON,
            r#"{"message":"<b>no</b>"}"#,
            FailureKind::Rejected,
            None,
        ),
        (400, "", "", FailureKind::Rejected, None),
        (409, "text/html", html, FailureKind::Rejected, None),
        (413, "", "too large", FailureKind::Rejected, None),
        (429, JSON, r#""slow down""#, FailureKind::TooMany, None),
        (503, "", "", FailureKind::Service, None),
        (
            500,
            JSON,
            r#"{"error":{"code":7}}"#,
            FailureKind::Service,
            None,
        ),
        (500, "text/html", html, FailureKind::Service, None),
        (502, "", "upstream failed", FailureKind::Service, None),
        (200, "text/html", html, FailureKind::Unreadable, None),
        (200, JSON, "[{", FailureKind::Unreadable, None),
        (
            200,
            JSON,
            r#"{"message":"Not a list."}"#,
            FailureKind::Unreadable,
            Some("Not a list."),
        ),
        (
            REJECTED,
            "",
            "a rejection that is not an Error",
            FailureKind::Unreachable,
            None,
        ),
    ];
    // A read is retried before it has failed.
    let _quick = quick();
    for (status, kind, body, expected, message) in cases {
        install().await;
        answer("GET *", status, kind, body);
        let runtime = runtime();
        runtime.start(FirstThread::New);
        let mut failure = None;
        until(body, || {
            failure = runtime.with_state(|state| match &state.threads.load {
                LoadState::Failed(failure) => Some(failure.clone()),
                _ => None,
            });
            failure.is_some()
        })
        .await;
        let failure = failure.unwrap();
        assert_eq!(
            (failure.kind, failure.message.as_deref()),
            (expected, message),
            "{status} {body}"
        );
    }
}

#[wasm_bindgen_test]
async fn an_error_that_is_too_long_and_never_ends_is_not_read_to_its_end() {
    install().await;
    // A read is retried before it has failed.
    let _quick = quick();
    answer("GET *", 500, JSON, "<stream>");
    let runtime = runtime();
    runtime.start(FirstThread::New);
    for attempt in 0..3 {
        until("the request", || {
            holds(&format!("fake.streams.length === {}", attempt + 1))
        })
        .await;
        push(attempt, &format!("\"{}", "x".repeat(100_000)));
        until("the end of reading", || {
            holds(&format!("fake.streams[{attempt}].cancelled"))
        })
        .await;
    }
    until("the failure", || failure(&runtime).is_some()).await;
    assert_eq!(failure(&runtime), Some(FailureKind::Service));
}

#[wasm_bindgen_test]
async fn a_broken_entry_of_a_list_does_not_hide_the_others() {
    install().await;
    answer(
        "GET *",
        200,
        JSON,
        r#"[7, {"threadName":"no id"}, {"id":"t1","threadName":"Good"}, null]"#,
    );
    let runtime = runtime();
    runtime.start(FirstThread::New);
    until("the list", || threads_ready(&runtime)).await;
    let names = runtime.with_state(|s| {
        s.threads
            .rows
            .iter()
            .map(|r| r.name.clone())
            .collect::<Vec<_>>()
    });
    assert_eq!(names, ["Good"]);
}

#[wasm_bindgen_test]
async fn whatever_a_replaced_fetch_does_is_a_failed_request() {
    let _quick = quick();
    for fetch in [
        "() => Promise.reject('a text')",
        "() => Promise.reject()",
        "() => Promise.reject({ name: 'AbortError' })",
        "() => { throw 'at once'; }",
        "() => undefined",
        "async () => 'no response'",
    ] {
        install().await;
        answer("GET *", 200, JSON, "[]");
        let runtime = runtime();
        let replaced = ReplacedProperty::new("globalThis.fetch", fetch);
        runtime.start(FirstThread::New);
        until(fetch, || failure(&runtime).is_some()).await;
        assert_eq!(failure(&runtime), Some(FailureKind::Unreachable), "{fetch}");
        drop(replaced);
        runtime.queue_intent(Intent::RefreshThreads);
        until("the list", || threads_ready(&runtime)).await;
    }
}

#[wasm_bindgen_test]
async fn a_redirect_is_not_followed_and_named() {
    install().await;
    let _redirecting = ReplacedProperty::new(
        "globalThis.fetch",
        "async (...request) => Object.defineProperties(new Response(), {
            type: { value: 'opaqueredirect' }, status: { value: 0 }, ok: { value: false },
        })",
    );
    let runtime = runtime();
    runtime.start(FirstThread::New);
    until("the failure", || failure(&runtime).is_some()).await;
    assert_eq!(failure(&runtime), Some(FailureKind::Redirected));
}

#[wasm_bindgen_test]
async fn an_address_that_begins_like_the_pages_own_is_another_origin() {
    let _quick = quick();
    for (base_url, expected) in [
        ("http://localhost:8787", FailureKind::Blocked),
        ("http://localhost/chat", FailureKind::Unreachable),
        ("/chat", FailureKind::Unreachable),
    ] {
        install().await;
        // The service is there, but lets no page read its answers.
        let _closed = ReplacedProperty::new(
            "globalThis.fetch",
            "async (...request) => {
                if (new Request(...request).mode === 'no-cors') return new Response();
                throw new TypeError('Failed to fetch');
            }",
        );
        let _own = ReplacedProperty::getting("globalThis.origin", "() => 'http://localhost'");
        let connection = Connection {
            base_url: base_url.to_owned(),
            ..connection()
        };
        let runtime = Runtime::new(connection, page(), Box::new(|_, _| {}));
        runtime.start(FirstThread::New);
        until("the failure", || failure(&runtime).is_some()).await;
        assert_eq!(failure(&runtime), Some(expected), "{base_url}");
    }
}
