//! The runtime's loop against a scripted service: streams, drawing, and the end of a widget.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use assent_client::{Connection, Credentials, FirstThread, Runtime, StorageKind};
use assent_conversation::{ComposerState, FailureKind, Intent, LoadState, MessageStatus, State};
use assent_protocol::AgentId;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fake_service::*;
use crate::replaced_property::ReplacedProperty;

/// Returns a connection with everything that a page may give.
pub(super) fn connection() -> Connection {
    Connection {
        base_url: "https://service.example/prefix".to_owned(),
        agent: AgentId::from("agent"),
        every_agent: false,
        user_id: "user".to_owned(),
        user_id_header: "X-Service-User-Id".to_owned(),
        api_key: Some("secret".to_owned()),
        credentials: Credentials::Omit,
        storage: StorageKind::Local,
    }
}

/// Returns the same connection to this agent.
fn connection_to(agent: &str) -> Connection {
    Connection {
        agent: AgentId::from(agent),
        ..connection()
    }
}

pub(super) fn runtime() -> Runtime {
    Runtime::new(connection(), page(), Box::new(|_, _| {}))
}

fn at(path: &str) -> String {
    format!("/prefix{THREADS}{path}")
}

pub(super) fn route(method: &str, path: &str) -> String {
    format!("{method} {}", at(path))
}

pub(super) fn send(runtime: &Runtime, text: &str) {
    runtime.queue_intent(Intent::EditDraft(text.to_owned()));
    runtime.queue_intent(Intent::Send);
}

/// Returns author and text of the shown messages, and their statuses, one a line.
pub(super) fn transcript(runtime: &Runtime) -> String {
    runtime.with_state(|state: &State| {
        let messages = &state.open_conversation().unwrap().messages;
        let lines = messages
            .iter()
            .map(|m| format!("{:?}|{}|{:?}", m.author, m.text, m.status));
        lines.collect::<Vec<_>>().join("\n")
    })
}

fn threads_ready(runtime: &Runtime) -> bool {
    runtime.with_state(|state| state.threads.load == LoadState::Ready)
}

/// Returns a runtime with a running answer in stream 0.
pub(super) async fn streaming() -> Runtime {
    answer(&route("GET", "/agent"), 200, JSON, "[]");
    answer(&route("POST", ""), 200, JSON, r#"{"id":"t1"}"#);
    answer(&route("GET", "/t1/messages"), 200, JSON, "[]");
    answer_with_stream(&route("POST", "/t1/messages"));
    let runtime = runtime();
    runtime.start(FirstThread::LastUsed);
    send(&runtime, "Hello");
    until("the post", || holds("fake.streams.length === 1")).await;
    runtime
}

/// Stores the answer of the only thread as a whole.
pub(super) fn store_the_answer() {
    let messages = route("GET", "/t1/messages");
    js(&format!("fake.answers.delete({messages:?})"));
    let stored = r#"[
        {"id":"m1","role":"user","content":"Hello"},
        {"id":"m2","role":"assistant","content":"Half of it, and then the rest."}
    ]"#;
    answer(&messages, 200, JSON, stored);
}

#[wasm_bindgen_test]
async fn a_first_message_makes_the_thread_then_posts_then_streams() {
    install().await;
    let runtime = streaming().await;
    assert_eq!(text("fake.requests[1].body"), r#"{"agentId":"agent"}"#);
    assert_eq!(
        text("fake.requests[2].method + fake.requests[2].path"),
        route("POST", "/t1/messages").replace(' ', "")
    );
    assert_eq!(
        text("fake.requests[2].body"),
        r#"{"content":[{"type":"text","text":"Hello"}]}"#
    );
    assert_eq!(text("fake.requests[2].headers.accept"), EVENTS);
    assert_eq!(text("fake.requests[2].headers['content-type']"), JSON);
    push(0, &frame("CONNECTION_ESTABLISHED", "1", ""));
    push(0, ": a comment\n\ndata: not an event\n\n");
    push(0, &frame("MESSAGE_RECEIVED", "2", "Hello"));
    let chunk = frame("AGENT_RESPONSE_CHUNK", "3", "Grüße ");
    let (first, second) = chunk.split_at(chunk.len() - 30);
    push(0, first);
    turn().await;
    push(0, second);
    until("the chunk", || transcript(&runtime).contains("Grüße")).await;
    push(0, &frame("AGENT_RESPONSE_COMPLETE", "4", "Grüße aus Wien"));
    js("fake.streams[0].close()");
    until("the answer", || {
        transcript(&runtime).contains("Grüße aus Wien|Complete")
    })
    .await;
    assert!(
        transcript(&runtime).starts_with("You|Hello|Sent"),
        "{}",
        transcript(&runtime)
    );
}

#[wasm_bindgen_test]
async fn the_last_words_of_an_answer_are_drawn_before_its_end_comes() {
    install().await;
    let runtime = streaming().await;
    let chunk = frame("AGENT_RESPONSE_CHUNK", "1", "All of it");
    let end = frame("AGENT_RESPONSE_COMPLETE", "2", "All of it");
    push(0, &[chunk, end].concat());
    until("the words", || {
        transcript(&runtime).contains("All of it|Streaming")
    })
    .await;
    until("the end", || {
        transcript(&runtime).contains("All of it|Complete")
    })
    .await;
}

#[wasm_bindgen_test]
async fn an_event_that_is_cut_inside_a_letter_arrives_whole() {
    install().await;
    let runtime = streaming().await;
    let bytes = frame("AGENT_RESPONSE_COMPLETE", "4", "🙂ü").into_bytes();
    for byte in bytes {
        js(&format!("fake.streams[0].pushBytes([{byte}])"));
    }
    js("fake.streams[0].close()");
    until("the answer", || {
        transcript(&runtime).contains("🙂ü|Complete")
    })
    .await;
}

#[wasm_bindgen_test]
async fn an_answer_arrives_whole_however_much_comes_at_once() {
    install().await;
    let runtime = streaming().await;
    push(0, &frame("MESSAGE_RECEIVED", "1", ""));
    // More than one read takes.
    let words = "x".repeat(10_000);
    for piece in 2..80 {
        let text = format!("{words}{piece},");
        push(0, &frame("AGENT_RESPONSE_CHUNK", &piece.to_string(), &text));
    }
    js("fake.streams[0].close()");
    until("the end", || transcript(&runtime).contains("Interrupted")).await;
    let pieces: String = (2..80).map(|piece| format!("{piece},")).collect();
    let shown = transcript(&runtime).replace(&words, "");
    assert!(shown.contains(&pieces), "{shown}");
}

/// Some browsers join the data that comes while nothing is read, and some do not.
#[wasm_bindgen_test]
async fn pieces_that_wait_one_by_one_are_taken_together() {
    install().await;
    let runtime = streaming().await;
    push(0, &frame("MESSAGE_RECEIVED", "1", ""));
    for piece in 2..202 {
        push(0, &frame("AGENT_RESPONSE_CHUNK", &piece.to_string(), "x"));
    }
    let whole = format!("{}|Streaming", "x".repeat(200));
    let mut seen = std::collections::BTreeSet::new();
    until("the words", || {
        seen.insert(transcript(&runtime));
        transcript(&runtime).contains(&whole)
    })
    .await;
    assert!(seen.len() <= 5, "{}", seen.len());
}

#[wasm_bindgen_test]
async fn a_body_that_somebody_else_reads_is_an_interrupted_answer() {
    install().await;
    let _reading = ReplacedProperty::new(
        "globalThis.fetch",
        "async (...request) => {
            const response = await real(...request);
            if (fake.streams.length) response.body.getReader();
            return response;
        }",
    );
    let runtime = streaming().await;
    until("the end", || {
        let composer =
            runtime.with_state(|state| state.open_conversation().unwrap().composer_state());
        composer == ComposerState::Ready
    })
    .await;
}

#[wasm_bindgen_test]
async fn a_page_that_reads_answers_itself_has_not_broken_the_connection() {
    install().await;
    let _reading = ReplacedProperty::new(
        "globalThis.fetch",
        "async (...request) => {
            const response = await real(...request);
            await response.text();
            return response;
        }",
    );
    answer(&route("GET", "/agent"), 200, JSON, "[]");
    let runtime = runtime();
    runtime.start(FirstThread::New);
    let failure = || {
        runtime.with_state(|state| match &state.threads.load {
            LoadState::Failed(failure) => Some(failure.kind),
            LoadState::Loading | LoadState::Ready => None,
        })
    };
    until("the end", || failure().is_some()).await;
    assert_eq!(failure(), Some(FailureKind::Unreadable));
}

#[wasm_bindgen_test]
async fn what_ends_the_stream_is_seen_with_the_end_of_its_answer() {
    install().await;
    let runtime = streaming().await;
    push(0, &frame("MESSAGE_RECEIVED", "1", ""));
    let last_words = frame("AGENT_RESPONSE_CHUNK", "2", "Bye");
    push(
        0,
        &[last_words, frame("AGENT_RESPONSE_COMPLETE", "3", "Bye")].concat(),
    );
    until("the words", || {
        transcript(&runtime).contains("Bye|Streaming")
    })
    .await;
    // The last text is drawn first; meanwhile the stream ends.
    js("fake.streams[0].close()");
    until("the answer", || {
        transcript(&runtime).contains("Bye|Complete")
    })
    .await;
    let composer = runtime.with_state(|state| state.open_conversation().unwrap().composer_state());
    assert_eq!(
        composer,
        ComposerState::Ready,
        "the next message can be sent"
    );
}

#[wasm_bindgen_test]
async fn a_post_that_is_not_answered_with_a_stream_fails_its_message() {
    let page = "<h1>Oops</h1>";
    let sentence = r#"{"message":"The text is too long."}"#;
    for (what, (status, kind, body), expected) in [
        (
            "400 with the service's own sentence",
            (400, JSON, sentence),
            (FailureKind::Rejected, Some("The text is too long.")),
        ),
        (
            "502 with an HTML page",
            (502, "text/html", page),
            (FailureKind::NotDelivered, None),
        ),
        (
            "200 with an HTML page",
            (200, "text/html", page),
            (FailureKind::NotDelivered, None),
        ),
        (
            "200 with JSON instead of a stream",
            (200, JSON, r#"{"message":{"deep":[1]}}"#),
            (FailureKind::NotDelivered, None),
        ),
    ] {
        install().await;
        answer(&route("GET", "/agent"), 200, JSON, "[]");
        answer(&route("GET", "/t1/messages"), 200, JSON, "[]");
        answer(&route("POST", ""), 200, JSON, r#"{"id":"t1"}"#);
        answer(&route("POST", "/t1/messages"), status, kind, body);
        // Whether it arrived is looked up more than once.
        let _quick = quick();
        let runtime = runtime();
        runtime.start(FirstThread::New);
        send(&runtime, "Hello");
        let failure = || {
            runtime.with_state(|state| {
                let message = state.open_conversation()?.messages.last()?;
                match &message.status {
                    MessageStatus::Failed(failure) => Some(failure.clone()),
                    _ => None,
                }
            })
        };
        until(what, || failure().is_some()).await;
        let failure = failure().unwrap();
        let said = (failure.kind, failure.message.as_deref());
        assert_eq!(said, expected, "{what}");
        assert_eq!(failure.status.map(i32::from), Some(status), "{what}");
        let posts = "fake.requests.filter((it) => it.path.endsWith('/t1/messages') && it.method === 'POST')";
        assert_eq!(text(&format!("{posts}.length")), "1", "{what}");
    }
}

#[wasm_bindgen_test]
async fn stop_ends_the_request_and_nothing_more_is_heard_of_it() {
    install().await;
    let runtime = streaming().await;
    push(0, &frame("AGENT_RESPONSE_CHUNK", "1", "Half"));
    until("the chunk", || transcript(&runtime).contains("Half")).await;
    runtime.queue_intent(Intent::Stop);
    assert!(holds("fake.streams[0].aborted"));
    let stopped = |state: &State| {
        let message = state
            .open_conversation()
            .unwrap()
            .messages
            .last()
            .cloned()
            .unwrap();
        matches!(
            message.status,
            MessageStatus::Interrupted { .. } | MessageStatus::Complete
        )
    };
    until("the interruption", || runtime.with_state(stopped)).await;
}

#[wasm_bindgen_test]
async fn a_connection_that_is_held_open_keeps_nobody_from_the_next_message() {
    install().await;
    let runtime = streaming().await;
    let composer = || runtime.with_state(|it| it.open_conversation().unwrap().composer_state());
    push(0, &frame("AGENT_RESPONSE_COMPLETE", "1", "Hello"));
    until("the answer", || {
        transcript(&runtime).contains("Hello|Complete")
    })
    .await;
    assert_eq!(composer(), ComposerState::Streaming);
    until("the next message", || composer() == ComposerState::Ready).await;
    send(&runtime, "And now?");
    until("its post", || holds("fake.streams.length === 2")).await;
    assert!(!holds("fake.streams[0].aborted"));
    push(0, &frame("AGENT_RESPONSE_COMPLETE", "2", "One more"));
    push(1, &frame("AGENT_RESPONSE_CHUNK", "3", "Now"));
    until("both", || {
        let all = transcript(&runtime);
        let place = |text: &str| all.find(text);
        place("One more|Complete").is_some()
            && place("One more") < place("And now?")
            && place("And now?") < place("Now|Streaming")
    })
    .await;
    runtime.queue_intent(Intent::Stop);
    assert!(holds("fake.streams.every((stream) => stream.aborted)"));
    assert_eq!(composer(), ComposerState::Ready);
}

#[wasm_bindgen_test]
async fn a_connection_that_breaks_leaves_what_was_received() {
    install().await;
    let runtime = streaming().await;
    push(0, &frame("AGENT_RESPONSE_CHUNK", "1", "Half"));
    until("the chunk", || transcript(&runtime).contains("Half")).await;
    js("fake.streams[0].breakOff()");
    until("the interruption", || {
        transcript(&runtime).contains("Half|Interrupted")
    })
    .await;
}

#[wasm_bindgen_test]
async fn a_stream_that_breaks_in_any_way_is_completed_from_the_stored_messages() {
    let half = [
        frame("MESSAGE_RECEIVED", "1", "Hello"),
        frame("AGENT_RESPONSE_CHUNK", "2", "Half of it"),
    ]
    .concat();
    let next = frame("AGENT_RESPONSE_CHUNK", "3", ", Grüße");
    let character = &next.as_bytes()[..=next.find('ü').unwrap()];
    let (none, cut): (&[u8], _) = (&[], next.as_bytes());
    for (what, begun, part, end) in [
        ("ends before its first event", "", none, "close"),
        ("is reset after its headers", "", none, "breakOff"),
        (
            "is cut in the middle of a character",
            &*half,
            character,
            "breakOff",
        ),
        (
            "is cut in the middle of a frame",
            &*half,
            &cut[..40],
            "breakOff",
        ),
        ("ends without the end of the answer", &*half, none, "close"),
    ] {
        install().await;
        let runtime = streaming().await;
        let bytes = [begun.as_bytes(), part].concat();
        js(&format!("fake.streams[0].pushBytes({bytes:?})"));
        until(what, || {
            begun.is_empty() || transcript(&runtime).contains("Half of it")
        })
        .await;
        store_the_answer();
        js(&format!("fake.streams[0].{end}()"));
        until(what, || {
            let shown = transcript(&runtime);
            assert!(!shown.contains('\u{fffd}'), "{what}: {shown}");
            shown.starts_with("You|Hello|Sent")
                && shown.ends_with("|Half of it, and then the rest.|Complete")
        })
        .await;
        assert_eq!(transcript(&runtime).lines().count(), 2, "{what}");
        assert!(holds("fake.streams.length === 1"), "{what}");
    }
}

#[wasm_bindgen_test]
async fn an_answer_is_read_about_30_times_a_second_and_a_burst_ten_times() {
    for (bytes, rest) in [(0, "30"), (25_000, "100")] {
        install().await;
        js("globalThis.rests = []");
        // What waits is a promise, whose function takes one value; the clock of frames has functions
        // of the module, which name none.
        let _rests = ReplacedProperty::new(
            "globalThis.setTimeout",
            "(act, wait, ...more) => {
                if ((wait === 30 || wait === 100) && act.length === 1) rests.push(wait);
                return real(act, wait, ...more);
            }",
        );
        let runtime = streaming().await;
        push(0, &frame("MESSAGE_RECEIVED", "1", ""));
        until("the rest", || text("rests.at(-1)") == "30").await;
        js("rests.length = 0");
        for word in 2..6 {
            let word = format!("word{word}");
            let comment = format!(":{}\n\n", " ".repeat(bytes));
            push(
                0,
                &[comment, frame("AGENT_RESPONSE_CHUNK", &word, &word)].concat(),
            );
            until("the word", || transcript(&runtime).contains(&word)).await;
        }
        assert_eq!(text("rests.join()"), [rest; 4].join(","));
    }
}

#[wasm_bindgen_test]
async fn dropping_the_runtime_ends_its_stream_and_its_drawing() {
    install().await;
    let runtime = streaming().await;
    until("the stream to be read", || {
        push(0, ": hello\n");
        true
    })
    .await;
    drop(runtime);
    until("the abort", || holds("fake.streams[0].aborted")).await;

    install().await;
    answer("GET *", NEVER, "", "");
    let drawn = Rc::new(Cell::new(0));
    let counter = drawn.clone();
    let runtime = Runtime::new(
        connection_to("ended"),
        page(),
        Box::new(move |_, _| counter.set(counter.get() + 1)),
    );
    runtime.start(FirstThread::New);
    drop(runtime);
    until("the abort", || {
        holds("fake.withdrawn.some((url) => url.endsWith('/ended'))")
    })
    .await;
    assert!(holds("fake.requests.length === 0"));
    assert_eq!(Rc::strong_count(&drawn), 1);
    assert_eq!(drawn.get(), 0);
}

#[wasm_bindgen_test]
async fn many_inputs_are_drawn_once_and_a_drawing_may_send_inputs() {
    install().await;
    answer("GET *", NEVER, "", "");
    let draws = Rc::new(RefCell::new(Vec::new()));
    let dispatch = Rc::new(RefCell::new(None::<Rc<dyn Fn(Intent)>>));
    let sink = {
        let (draws, dispatch) = (draws.clone(), dispatch.clone());
        move |_: &State, list: &[_]| {
            draws.borrow_mut().push(list.len());
            if let Some(dispatch) = dispatch.take() {
                dispatch(Intent::RefreshThreads);
            }
        }
    };
    let runtime = Runtime::new(connection_to("many"), page(), Box::new(sink));
    dispatch.replace(Some(runtime.dispatcher()));
    runtime.start(FirstThread::New);
    for _ in 0..20 {
        runtime.queue_intent(Intent::RefreshThreads);
    }
    assert!(draws.borrow().is_empty());
    until("the drawing of what the first one sent", || {
        draws.borrow().len() == 2
    })
    .await;
    assert!(draws.borrow()[0] > 20);
    // A read aborts the one before it.
    let left = "fake.requests.map((one) => one.url)";
    let lists = format!("[...{left}, ...fake.withdrawn].filter((url) => url.endsWith('/many'))");
    assert_eq!(text(&format!("{lists}.length")), "22");
}

#[wasm_bindgen_test]
async fn a_page_without_animation_frames_is_drawn_by_a_timer() {
    install().await;
    let _frames = ReplacedProperty::new("globalThis.requestAnimationFrame", "() => 0");
    answer("GET *", NEVER, "", "");
    let draws = Rc::new(Cell::new(0));
    let counter = draws.clone();
    let runtime = Runtime::new(
        connection(),
        page(),
        Box::new(move |_, _| counter.set(counter.get() + 1)),
    );
    runtime.start(FirstThread::New);
    until("the drawing", || draws.get() == 1).await;
    drop(runtime);
}

#[wasm_bindgen_test]
async fn the_last_used_thread_is_opened_again() {
    install().await;
    let runtime = streaming().await;
    drop(runtime);
    js("fake.forget()");
    answer("GET *", 200, JSON, "[]");
    answer(
        &route("GET", "/t1/messages"),
        200,
        JSON,
        r#"[{"id":"m1","role":"user","content":"Hello"}]"#,
    );
    let again = self::runtime();
    again.start(FirstThread::LastUsed);
    until("the stored message", || {
        transcript(&again).contains("Hello")
    })
    .await;
    let other = Runtime::new(
        Connection {
            user_id: "somebody else".to_owned(),
            ..connection()
        },
        page(),
        Box::new(|_, _| {}),
    );
    other.start(FirstThread::LastUsed);
    until("the list", || threads_ready(&other)).await;
    assert_eq!(transcript(&other), "");
}
