//! Reads that fail: when they are tried again by themselves, and when not.

use std::ops::RangeInclusive;

use assent_client::{Connection, FirstThread, Runtime, StorageKind};
use assent_conversation::{Failure, FailureKind, LoadState};
use wasm_bindgen_test::wasm_bindgen_test;

use super::runtime::connection;
use crate::fake_service::*;
use crate::replaced_property::ReplacedProperty;

/// Returns a runtime that reads the list of threads.
fn reading() -> Runtime {
    let connection = Connection {
        storage: StorageKind::None,
        ..connection()
    };
    let runtime = Runtime::new(connection, page(), Box::new(|_, _| {}));
    runtime.start(FirstThread::New);
    runtime
}

fn is_read(runtime: &Runtime) -> bool {
    runtime.with_state(|state| state.threads.load == LoadState::Ready)
}

fn failure(runtime: &Runtime) -> Option<Failure> {
    runtime.with_state(|state| match &state.threads.load {
        LoadState::Failed(failure) => Some(failure.clone()),
        LoadState::Loading | LoadState::Ready => None,
    })
}

fn reads() -> String {
    text("fake.requests.filter(({ method }) => method === 'GET').length")
}

/// Fires timers of the page at once, until the value ends, and notes the waits before another try.
fn waits() -> ReplacedProperty {
    js("globalThis.waits = []");
    ReplacedProperty::new(
        "globalThis.setTimeout",
        "(act, wait, ...rest) => {
            if (wait >= 900) waits.push(wait);
            return real(act, 0, ...rest);
        }",
    )
}

/// Checks that there were so many waits, each of them within these bounds and up to a half longer. A
/// moment may have passed since the service said how long.
fn check_waits(expected: &[RangeInclusive<i32>]) {
    let all = text("waits.join()");
    assert_eq!(text("waits.length"), expected.len().to_string(), "{all}");
    for (place, bounds) in expected.iter().enumerate() {
        let (least, most) = (bounds.start(), bounds.end());
        let is_within =
            format!("waits[{place}] >= {least} - 100 && waits[{place}] <= {most} * 1.5");
        assert!(holds(&is_within), "{all}: {expected:?}");
    }
}

/// Lets whatever is still to be done be done.
async fn rest() {
    for _ in 0..20 {
        turn().await;
    }
}

#[wasm_bindgen_test]
async fn a_list_that_fails_twice_is_read_again_by_itself() {
    install().await;
    answer("GET *", REJECTED, "", "the connection was reset");
    answer("GET *", 503, "", "");
    answer("GET *", 200, JSON, "[]");
    let _waits = waits();
    let runtime = reading();
    until("the list", || is_read(&runtime)).await;
    assert_eq!(reads(), "3");
    check_waits(&[1000..=1000, 3000..=3000]);
}

#[wasm_bindgen_test]
async fn a_reading_is_tried_again_a_few_times_and_not_for_ever() {
    install().await;
    answer("GET *", 500, "", "");
    let _waits = waits();
    let runtime = reading();
    until("the failure", || failure(&runtime).is_some()).await;
    rest().await;
    assert_eq!(reads(), "3");
    check_waits(&[1000..=1000, 3000..=3000]);
}

#[wasm_bindgen_test]
async fn a_reading_waits_as_long_as_the_service_says() {
    for (after, wait) in [
        ("'3'", Some(3000..=3000)),
        // Such a text has whole seconds.
        (
            "new Date(Date.now() + 20_000).toUTCString()",
            Some(19_000..=20_000),
        ),
        ("'31'", None),
    ] {
        install().await;
        answer("GET *", 200, JSON, "[]");
        let _busy = ReplacedProperty::new(
            "globalThis.fetch",
            &format!(
                "async (...request) => {{
                    const response = await real(...request);
                    if (fake.requests.length > 1) return response;
                    return new Response('', {{ status: 429, headers: {{ 'retry-after': {after} }} }});
                }}"
            ),
        );
        let _waits = waits();
        let runtime = reading();
        let Some(wait) = wait else {
            until("the failure", || failure(&runtime).is_some()).await;
            let failure = failure(&runtime).unwrap();
            assert_eq!(failure.kind, FailureKind::TooMany);
            assert!(failure.retry_at.is_some());
            assert_eq!(reads(), "1");
            continue;
        };
        until("the list", || is_read(&runtime)).await;
        assert_eq!(reads(), "2");
        check_waits(&[wait]);
    }
}

#[wasm_bindgen_test]
async fn a_reading_is_not_tried_again_while_nobody_sees_the_page() {
    install().await;
    answer("GET *", 503, "", "");
    answer("GET *", 200, JSON, "[]");
    js("globalThis.isHidden = true");
    let _hidden = ReplacedProperty::getting("document.hidden", "() => isHidden");
    let _waits = waits();
    let runtime = reading();
    until("the wait", || holds("waits.length === 1")).await;
    rest().await;
    assert_eq!(reads(), "1");
    js("globalThis.isHidden = false");
    until("the list", || is_read(&runtime)).await;
    assert_eq!(reads(), "2");
}
