//! Streams of which nothing comes for a while, and computers that slept meanwhile.

use assent_client::Runtime;
use wasm_bindgen_test::wasm_bindgen_test;

use super::runtime::{store_the_answer, streaming, transcript};
use crate::fake_service::*;
use crate::replaced_property::ReplacedProperty;

/// Holds the timer that looks for silence, and the clock; both end with the value.
pub(super) fn held() -> [ReplacedProperty; 2] {
    js("Object.assign(globalThis, { later: 0, look: null })");
    [
        ReplacedProperty::new("Date.now", "() => real() + later"),
        ReplacedProperty::new(
            "globalThis.setTimeout",
            "(act, wait, ...rest) => wait > 10_000 ? void (look = act) : real(act, wait, ...rest)",
        ),
    ]
}

/// Lets time go by, at whose end the timer fires.
pub(super) fn pass(millis: i64) {
    js(&format!("later += {millis}; look()"));
}

/// Returns an answer that has begun.
async fn begun() -> Runtime {
    let runtime = streaming().await;
    push(0, &frame("MESSAGE_RECEIVED", "1", "Hello"));
    push(0, &frame("AGENT_RESPONSE_CHUNK", "2", "Half of it"));
    until("the text", || transcript(&runtime).contains("Half of it")).await;
    runtime
}

pub(super) fn is_stalled(runtime: &Runtime) -> bool {
    runtime.with_state(|state| {
        let stream = state.open_conversation().unwrap().stream();
        stream.is_some_and(|stream| stream.is_stalled)
    })
}

#[wasm_bindgen_test]
async fn a_stream_is_stalled_after_45_seconds_until_there_is_a_sign_of_life() {
    install().await;
    let _held = held();
    let runtime = begun().await;
    pass(30_000);
    turn().await;
    assert!(!is_stalled(&runtime));
    pass(16_000);
    until("the stall", || is_stalled(&runtime)).await;
    push(0, ": still here\n\n");
    until("the sign of life", || !is_stalled(&runtime)).await;
    pass(46_000);
    until("the next stall", || is_stalled(&runtime)).await;
    push(0, &frame("AGENT_RESPONSE_CHUNK", "3", ", and the rest"));
    until("the rest", || transcript(&runtime).contains("and the rest")).await;
    assert!(!is_stalled(&runtime));
    assert!(holds(
        "fake.streams.length === 1 && !fake.streams[0].aborted"
    ));
}

#[wasm_bindgen_test]
async fn a_clock_that_is_set_back_stalls_nothing() {
    install().await;
    let _held = held();
    let runtime = begun().await;
    for by in [-86_400_000, 1_000] {
        pass(by);
        turn().await;
        assert!(!is_stalled(&runtime));
    }
    assert!(!holds("fake.streams[0].aborted"));
}

#[wasm_bindgen_test]
async fn a_computer_that_slept_for_an_hour_reads_what_its_stream_did_not_bring() {
    install().await;
    let _held = held();
    let runtime = begun().await;
    store_the_answer();
    pass(3_600_000);
    until("the abort", || holds("fake.streams[0].aborted")).await;
    until("the stored answer", || {
        transcript(&runtime).ends_with("|Half of it, and then the rest.|Complete")
    })
    .await;
    assert!(holds("fake.streams.length === 1"));
}
