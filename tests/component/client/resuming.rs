//! Streams of a service that has the extension `resume`: connections that break, and what is asked
//! for then.

use assent_client::Runtime;
use assent_conversation::Intent;
use wasm_bindgen_test::wasm_bindgen_test;

use super::runtime::{store_the_answer, streaming, transcript};
use super::stalls::{held, is_stalled, pass};
use crate::fake_service::*;
use crate::replaced_property::ReplacedProperty;

const STREAM: &str = "/prefix/api/assistants/threads/t1/messages/stream";

/// Returns the rest of an answer of which "Half of it" came.
fn rest(from: u32) -> String {
    let whole = "Half of it, and the rest";
    let end = numbered("r1", from + 1, "AGENT_RESPONSE_COMPLETE", whole);
    [
        numbered("r1", from, "AGENT_RESPONSE_CHUNK", ", and the rest"),
        end,
    ]
    .concat()
}

fn chunk(number: u32, content: &str) -> String {
    numbered("r1", number, "AGENT_RESPONSE_CHUNK", content)
}

/// Returns an answer that has begun, of a service that has the extension.
async fn begun() -> Runtime {
    install().await;
    add_headers("*", r#"{ "assent-extensions": "cancel, resume" }"#);
    let runtime = streaming().await;
    push(0, &numbered("r1", 1, "MESSAGE_RECEIVED", "Hello"));
    push(0, &chunk(2, "Half of it"));
    until("the text", || transcript(&runtime).contains("Half of it")).await;
    runtime
}

/// Scripts what the log answers from now on, in order; the last one again and again.
fn log_answers(statuses: &[i32]) {
    let log = format!("GET {STREAM}");
    js(&format!("fake.answers.delete('{log}')"));
    for status in statuses {
        match status {
            200 => answer_with_stream(&log),
            status => answer(&log, *status, JSON, "{}"),
        }
    }
}

/// Returns the number of requests for what follows an event.
fn asked() -> f64 {
    js(&format!(
        "fake.requests.filter(({{ path }}) => path === '{STREAM}').length"
    ))
    .as_f64()
    .unwrap()
}

/// Returns the event after which the log was last asked.
fn asked_after() -> String {
    text("fake.requests.at(-1).url.split('?')[1]")
}

/// Returns the number of requests for the stored messages.
fn loads() -> f64 {
    js("fake.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/messages')).length")
        .as_f64()
        .unwrap()
}

async fn until_streams(count: u32) {
    until("the connection", || {
        holds(&format!("fake.streams.length === {count}"))
    })
    .await;
}

async fn until_complete(runtime: &Runtime) {
    until("the answer", || {
        transcript(runtime).ends_with("|Half of it, and the rest|Complete")
    })
    .await;
    until("the end", || !is_streaming(runtime)).await;
    assert_eq!(transcript(runtime).lines().count(), 2);
}

fn is_streaming(runtime: &Runtime) -> bool {
    runtime.with_state(|state| !state.open_conversation().unwrap().streams.is_empty())
}

#[wasm_bindgen_test]
async fn a_connection_that_breaks_inside_a_frame_is_replaced_at_once() {
    let runtime = begun().await;
    log_answers(&[200]);
    push(0, chunk(3, ", and the rest").split_at(40).0);
    js("fake.streams[0].breakOff()");
    until_streams(2).await;
    assert_eq!(asked_after(), "after=r1%2F2");
    assert_eq!(text("fake.requests.at(-1).headers.accept"), EVENTS);
    assert!(!is_stalled(&runtime));
    assert!(transcript(&runtime).contains("|Half of it|Streaming"));
    push(1, &rest(3));
    js("fake.streams[1].close()");
    until_complete(&runtime).await;
    assert_eq!((asked(), loads()), (1.0, 0.0));
}

#[wasm_bindgen_test]
async fn an_answer_that_ends_in_order_causes_no_request() {
    let runtime = begun().await;
    push(0, &rest(3));
    js("fake.streams[0].close()");
    until_complete(&runtime).await;
    turn().await;
    assert_eq!((asked(), loads()), (0.0, 0.0));
}

#[wasm_bindgen_test]
async fn a_body_that_ends_in_the_middle_of_an_answer_is_one_that_broke() {
    let runtime = begun().await;
    log_answers(&[200]);
    js("fake.streams[0].close()");
    until_streams(2).await;
    // As often as anything came.
    push(1, &chunk(3, ", and"));
    js("fake.streams[1].close()");
    until_streams(3).await;
    assert_eq!(asked_after(), "after=r1%2F3");
    push(2, &chunk(4, " the"));
    js("fake.streams[2].breakOff()");
    until_streams(4).await;
    push(3, &chunk(5, " rest"));
    let whole = "Half of it, and the rest";
    push(3, &numbered("r1", 6, "AGENT_RESPONSE_COMPLETE", whole));
    js("fake.streams[3].close()");
    until_complete(&runtime).await;
    assert_eq!((asked(), loads()), (3.0, 0.0));
}

#[wasm_bindgen_test]
async fn events_that_are_repeated_change_nothing_and_joined_chunks_count_as_the_last() {
    let runtime = begun().await;
    log_answers(&[200]);
    js("fake.streams[0].breakOff()");
    until_streams(2).await;
    let repeated = [
        numbered("r1", 1, "MESSAGE_RECEIVED", "Hello"),
        chunk(2, "Half of it"),
        chunk(7, ", and the"),
        chunk(5, ", and"),
        chunk(7, ", and the"),
    ];
    push(1, &repeated.concat());
    until("the text", || {
        transcript(&runtime).contains("|Half of it, and the|")
    })
    .await;
    js("fake.streams[1].breakOff()");
    until_streams(3).await;
    assert_eq!(asked_after(), "after=r1%2F7");
    push(2, &chunk(8, " rest"));
    until("the text", || {
        transcript(&runtime).contains("|Half of it, and the rest|")
    })
    .await;
    // Nothing is left: the end comes with the stored text.
    log_answers(&[204]);
    js("fake.streams[2].breakOff()");
    until("the end", || !is_streaming(&runtime)).await;
}

#[wasm_bindgen_test]
async fn a_service_that_is_busy_is_asked_again_and_nobody_sees_it() {
    let runtime = begun().await;
    log_answers(&[503, REJECTED, 200]);
    js("fake.streams[0].breakOff()");
    let mut has_stalled = false;
    until("the connection", || {
        has_stalled |= is_stalled(&runtime);
        holds("fake.streams.length === 2")
    })
    .await;
    assert!(!has_stalled);
    push(1, &rest(3));
    js("fake.streams[1].close()");
    until_complete(&runtime).await;
    assert_eq!((asked(), loads()), (3.0, 0.0));
}

#[wasm_bindgen_test]
async fn a_stream_that_is_not_back_within_a_second_stalls_until_it_is() {
    let runtime = begun().await;
    log_answers(&[503, 503, 503, 200]);
    js("fake.streams[0].breakOff()");
    until("the stall", || is_stalled(&runtime)).await;
    until_streams(2).await;
    push(1, &rest(3));
    js("fake.streams[1].close()");
    until_complete(&runtime).await;
    assert_eq!((asked(), loads()), (4.0, 0.0));
}

#[wasm_bindgen_test]
async fn a_connection_without_an_event_counts_as_success_and_costs_a_pause() {
    let _held = held();
    let runtime = begun().await;
    log_answers(&[200]);
    js("fake.streams[0].breakOff()");
    until_streams(2).await;
    // Time passes with nothing but signs of life.
    for _ in 0..2 {
        push(1, ": still here\n\n");
        turn().await;
        pass(40_000);
    }
    js("fake.streams[1].close()");
    until_streams(3).await;
    assert!(!is_stalled(&runtime));
    push(2, &rest(3));
    js("fake.streams[2].close()");
    until_complete(&runtime).await;
    assert_eq!((asked(), loads()), (2.0, 0.0));
}

#[wasm_bindgen_test]
async fn what_the_log_does_not_have_is_read_from_the_stored_messages() {
    for status in [410, 404, 403] {
        let runtime = begun().await;
        log_answers(&[status]);
        store_the_answer();
        js("fake.streams[0].breakOff()");
        until("the stored answer", || {
            transcript(&runtime).ends_with("|Half of it, and then the rest.|Complete")
        })
        .await;
        assert_eq!((asked(), loads()), (1.0, 1.0));
        assert!(transcript(&runtime).starts_with("You|Hello|Sent"));
    }
}

#[wasm_bindgen_test]
async fn stop_ends_the_attempts() {
    let runtime = begun().await;
    log_answers(&[503]);
    js("fake.streams[0].breakOff()");
    until("the attempts", || asked() > 0.0).await;
    // The second one stops listening.
    runtime.queue_intent(Intent::Stop);
    runtime.queue_intent(Intent::Stop);
    let before = asked();
    until("the end", || !is_streaming(&runtime)).await;
    js("globalThis.waited = false; setTimeout(() => (waited = true), 1100)");
    until("all that would come", || holds("waited")).await;
    assert_eq!(asked(), before);
    assert!(transcript(&runtime).contains("Interrupted { by: Stopped, checking: false }"));
}

#[wasm_bindgen_test]
async fn without_the_extension_or_an_event_nothing_is_asked() {
    install().await;
    let runtime = streaming().await;
    push(0, &numbered("r1", 1, "MESSAGE_RECEIVED", "Hello"));
    push(0, &chunk(2, "Half of it"));
    until("the text", || transcript(&runtime).contains("Half of it")).await;
    store_the_answer();
    js("fake.streams[0].breakOff()");
    until("the stored answer", || {
        transcript(&runtime).ends_with("and then the rest.|Complete")
    })
    .await;
    assert_eq!(asked(), 0.0);

    install().await;
    add_headers("*", r#"{ "assent-extensions": "resume" }"#);
    let runtime = streaming().await;
    js("fake.streams[0].breakOff()");
    until("the doubt", || transcript(&runtime).contains("Unconfirmed")).await;
    assert_eq!(asked(), 0.0);
}

#[wasm_bindgen_test]
async fn a_silent_connection_is_replaced_after_45_seconds() {
    let _held = held();
    let runtime = begun().await;
    log_answers(&[200]);
    pass(46_000);
    until("the abort", || holds("fake.streams[0].aborted")).await;
    until_streams(2).await;
    assert!(!is_stalled(&runtime));
    push(1, &rest(3));
    js("fake.streams[1].close()");
    until_complete(&runtime).await;
    assert_eq!((asked(), loads()), (1.0, 0.0));
}

#[wasm_bindgen_test]
async fn after_half_a_minute_without_success_the_stored_messages_tell() {
    let runtime = begun().await;
    log_answers(&[REJECTED]);
    store_the_answer();
    js("globalThis.later = 0");
    let _clock = ReplacedProperty::new("Date.now", "() => real() + later");
    let _timers = ReplacedProperty::new(
        "globalThis.setTimeout",
        "(act, wait = 0, ...rest) => real(() => { if (wait >= 250 && wait < 40_000) later += wait; act(); }, wait > 40_000 ? wait : 0, ...rest)",
    );
    js("fake.streams[0].breakOff()");
    until("the stored answer", || {
        transcript(&runtime).ends_with("|Half of it, and then the rest.|Complete")
    })
    .await;
    assert!((3.0..9.0).contains(&asked()), "{}", asked());
}
