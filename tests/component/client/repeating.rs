//! Posts to a service that has the extension `idempotency-key`: what is in doubt is posted again
//! with its key.

use assent_client::{FirstThread, Runtime};
use assent_conversation::BatchPhase;
use wasm_bindgen_test::wasm_bindgen_test;

use super::approval_lock::{asked, phase, submit};
use super::runtime::{route, runtime, send, transcript};
use super::stalls::{held, is_stalled, pass};
use crate::fake_service::*;
use crate::replaced_property::ReplacedProperty;

const NAMES: &str = r#"{ "assent-extensions": "cancel, resume, idempotency-key" }"#;
const POSTS: &str =
    "fake.requests.filter((it) => it.method === 'POST' && it.path.endsWith('/messages'))";

/// Scripts what posts of messages get from now on, in order; the last one again and again.
fn posts_get(path: &str, statuses: &[i32]) {
    js(&format!("fake.answers.delete('POST {path}')"));
    for status in statuses {
        match status {
            200 => answer_with_stream(&format!("POST {path}")),
            status => answer(&format!("POST {path}"), *status, JSON, "{}"),
        }
    }
}

fn messages() -> String {
    route("GET", "/t1/messages").replace("GET ", "")
}

/// Returns a conversation whose only message is posted to a service that answers posts so.
async fn posted(statuses: &[i32]) -> Runtime {
    install().await;
    add_headers("*", NAMES);
    answer(&route("GET", "/agent"), 200, JSON, "[]");
    answer(&route("POST", ""), 200, JSON, r#"{"id":"t1"}"#);
    answer(&route("GET", "/t1/messages"), 200, JSON, "[]");
    posts_get(&messages(), statuses);
    let runtime = runtime();
    runtime.start(FirstThread::New);
    send(&runtime, "Hello");
    until("the post", || count_posts() > 0).await;
    runtime
}

fn count_posts() -> i32 {
    text(&format!("{POSTS}.length")).parse().unwrap()
}

/// Returns true if all posts were the same, with the same key.
fn are_one() -> bool {
    holds(&format!(
        "new Set({POSTS}.map(({{ body, headers }}) => body + headers['idempotency-key'])).size === 1
         && /^[0-9a-f-]{{36}}-\\d+$/.test({POSTS}[0].headers['idempotency-key'])"
    ))
}

/// Returns the number of requests for the stored messages.
fn loads() -> i32 {
    let loads =
        "fake.requests.filter((it) => it.method === 'GET' && it.path.endsWith('/messages'))";
    text(&format!("{loads}.length")).parse().unwrap()
}

async fn until_streams(count: u32) {
    until("the connection", || {
        holds(&format!("fake.streams.length === {count}"))
    })
    .await;
}

/// Lets the service answer in this stream.
async fn answers(runtime: &Runtime, stream: usize) {
    push(stream, &numbered("r1", 1, "MESSAGE_RECEIVED", "Hello"));
    push(stream, &numbered("r1", 2, "AGENT_RESPONSE_CHUNK", "Hi"));
    push(stream, &numbered("r1", 3, "AGENT_RESPONSE_COMPLETE", "Hi"));
    js(&format!("fake.streams[{stream}].close()"));
    until("the answer", || {
        transcript(runtime).ends_with("|Hi|Complete")
    })
    .await;
    assert_eq!(transcript(runtime).lines().count(), 2);
    assert!(transcript(runtime).starts_with("You|Hello|Sent"));
}

#[wasm_bindgen_test]
async fn a_post_has_a_key_only_where_the_service_names_the_extension() {
    let _runtime = posted(&[200]).await;
    assert!(are_one());
    install().await;
    let _runtime = super::runtime::streaming().await;
    assert!(holds(&format!(
        "{POSTS}.every(({{ headers }}) => !('idempotency-key' in headers))"
    )));
}

#[wasm_bindgen_test]
async fn what_is_in_doubt_is_posted_again_at_once_and_nobody_sees_it() {
    for status in [REJECTED, 502, 503, 504] {
        let runtime = posted(&[status, 200]).await;
        until_streams(1).await;
        assert!(!is_stalled(&runtime));
        assert!(transcript(&runtime).starts_with("You|Hello|Sending"));
        answers(&runtime, 0).await;
        assert!(are_one());
        assert_eq!((count_posts(), loads()), (2, 0), "{status}");
    }
}

#[wasm_bindgen_test]
async fn it_is_posted_until_the_service_is_back() {
    let runtime = posted(&[REJECTED, 503, REJECTED, 429, 200]).await;
    until("the stall", || is_stalled(&runtime)).await;
    until_streams(1).await;
    answers(&runtime, 0).await;
    assert!(!is_stalled(&runtime));
    assert!(are_one());
    assert_eq!((count_posts(), loads()), (5, 0));
}

#[wasm_bindgen_test]
async fn a_response_that_breaks_before_its_first_event_is_asked_for_again() {
    let runtime = posted(&[200]).await;
    until_streams(1).await;
    push(0, ": connected\n\n");
    push(
        0,
        numbered("r1", 1, "MESSAGE_RECEIVED", "Hello")
            .split_at(30)
            .0,
    );
    js("fake.streams[0].breakOff()");
    until_streams(2).await;
    js("fake.streams[1].breakOff()");
    until_streams(3).await;
    js("fake.streams[2].close()");
    until_streams(4).await;
    answers(&runtime, 3).await;
    assert!(are_one());
    assert_eq!((count_posts(), loads()), (4, 0));
}

#[wasm_bindgen_test]
async fn once_an_event_came_what_follows_it_is_asked_for_and_nothing_is_shown_twice() {
    let runtime = posted(&[REJECTED, 200]).await;
    until_streams(1).await;
    push(0, &numbered("r1", 1, "MESSAGE_RECEIVED", "Hello"));
    push(0, &numbered("r1", 2, "AGENT_RESPONSE_CHUNK", "Hi"));
    until("the text", || transcript(&runtime).contains("|Hi|")).await;
    answer_with_stream(&format!("GET {}/stream", messages()));
    js("fake.streams[0].breakOff()");
    until_streams(2).await;
    assert_eq!(count_posts(), 2);
    assert!(!holds("'idempotency-key' in fake.requests.at(-1).headers"));
    // The service begins anew all the same.
    answers(&runtime, 1).await;
}

#[wasm_bindgen_test]
async fn without_the_extension_resume_an_answer_that_breaks_is_not_posted_again() {
    let runtime = posted(&[200]).await;
    add_headers("*", r#"{ "assent-extensions": "idempotency-key" }"#);
    posts_get(&messages(), &[200]);
    until_streams(1).await;
    push(0, &numbered("r1", 1, "MESSAGE_RECEIVED", "Hello"));
    push(0, &numbered("r1", 2, "AGENT_RESPONSE_CHUNK", "Hi"));
    until("the text", || transcript(&runtime).contains("|Hi|")).await;
    // Each response says which extensions there are.
    js("fake.streams[0].breakOff()");
    until("the end", || holds("fake.requests.at(-1).method === 'GET'")).await;
    assert_eq!(count_posts(), 1);
}

/// 15 minutes later the events of the answer are gone; that the key is of another post cannot be.
#[wasm_bindgen_test]
async fn where_the_key_is_known_the_stored_messages_tell() {
    for status in [410, 422] {
        let stored = r#"[{"id":"m1","role":"user","content":"Hello"},
                         {"id":"m2","role":"assistant","content":"Hi"}]"#;
        let runtime = posted(&[REJECTED, status]).await;
        js(&format!("fake.answers.delete('GET {}')", messages()));
        answer(&format!("GET {}", messages()), 200, JSON, stored);
        until("the answer", || {
            transcript(&runtime) == "You|Hello|Sent\nAgent(\"\")|Hi|Complete"
        })
        .await;
        assert_eq!(count_posts(), 2, "{status}");
    }
}

#[wasm_bindgen_test]
async fn a_refusal_of_the_first_post_is_final_and_one_of_the_repeated_post_where_it_tells() {
    for (statuses, count) in [
        (&[400][..], 1),
        (&[429], 1),
        (&[REJECTED, 400], 2),
        (&[REJECTED, 503, 404], 3),
    ] {
        let runtime = posted(statuses).await;
        until("the failure", || {
            transcript(&runtime).starts_with("You|Hello|Failed")
        })
        .await;
        assert!(!transcript(&runtime).contains("NotDelivered"));
        assert_eq!(count_posts(), count);
    }
    // Whoever says so is not asked about the first post.
    for status in [401, 403] {
        let _quick = quick();
        let runtime = posted(&[REJECTED, status]).await;
        until("the look-up", || {
            transcript(&runtime).contains("NotDelivered")
        })
        .await;
        assert_eq!(count_posts(), 2, "{status}");
    }
}

#[wasm_bindgen_test]
async fn what_was_not_sent_for_want_of_a_network_is_not_in_doubt() {
    let _offline = ReplacedProperty::getting("navigator.onLine", "() => false");
    let runtime = posted(&[REJECTED]).await;
    until("the failure", || transcript(&runtime).contains("Offline")).await;
    assert_eq!(count_posts(), 1);
}

#[wasm_bindgen_test]
async fn a_post_that_gets_no_response_for_45_seconds_is_posted_again() {
    let _held = held();
    let runtime = posted(&[NEVER, 200]).await;
    pass(46_000);
    until("the abort", || holds(&format!("{POSTS}[0].signal.aborted"))).await;
    until_streams(1).await;
    assert!(!is_stalled(&runtime));
    answers(&runtime, 0).await;
    assert!(are_one());
}

#[wasm_bindgen_test]
async fn the_next_page_posts_what_did_not_arrive_again_with_its_key() {
    let before = posted(&[NEVER]).await;
    drop(before);
    posts_get(&messages(), &[200]);
    let after = runtime();
    after.start(FirstThread::LastUsed);
    until_streams(1).await;
    answers(&after, 0).await;
    assert!(are_one());
    assert_eq!(count_posts(), 2);
    until("nothing kept", || {
        !holds("Object.keys(localStorage).some((key) => key.includes('outbox:'))")
    })
    .await;
}

#[wasm_bindgen_test]
async fn an_answer_to_a_batch_is_posted_again_with_its_key() {
    let runtime = asked(page()).await;
    let path = "/api/assistants/threads/t1/messages";
    add_headers("*", NAMES);
    // A response that names the extension.
    runtime.queue_intent(assent_conversation::Intent::RefreshThreads);
    until("the list", || {
        holds("fake.requests.at(-1).path.endsWith('/agent')")
    })
    .await;
    turn().await;
    posts_get(path, &[REJECTED, 504, 200]);
    submit(&runtime);
    until_streams(2).await;
    push(1, &numbered("r2", 1, "MESSAGE_RECEIVED", ""));
    until("the decision", || {
        phase(&runtime) == Some(BatchPhase::Answered)
    })
    .await;
    let decisions = "fake.requests.filter((it) => it.body.includes('approval_result'))";
    assert_eq!(text(&format!("{decisions}.length")), "3");
    assert!(holds(&format!(
        "new Set({decisions}.map(({{ body, headers }}) => body + headers['idempotency-key'])).size === 1
         && {decisions}[0].headers['idempotency-key']"
    )));
    assert_eq!(loads(), 0);
}
