//! The messages to the history module, and its events.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use assent_client::{Connection, Credentials, Resolver, Runtime, StorageKind, set_history};
use assent_conversation::{Announcement, Change, Failure, FailureKind, Intent, PageRequest};
use assent_protocol::AgentId;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fake_service::*;

/// Records the messages of one widget of the page, and answers to `forget`.
const MODULE: &str = "globalThis.recorder = {
    names: [], fails: false,
    take(id, [name, ...values]) {
        if (name === 'open' && values[0].includes('recorded')) this.listener = [id, values.at(-1)];
        if (id !== this.listener?.[0]) return;
        if (this.fails) throw new Error('nothing is stored');
        this.names.push(name);
        if (name === 'forget') queueMicrotask(() => this.listener[1](['forgotten']));
    },
}";

/// A token is told to the module before the frames that follow it.
async fn token_that_comes_while_a_stream_runs(runtime: &Runtime) {
    install().await;
    answer("POST /api/assistants/threads", 200, JSON, r#"{"id":"t1"}"#);
    answer_with_stream("POST /api/assistants/threads/t1/messages");
    js("globalThis.given = 0");
    let provider = js("(() => `token-${++given}`)").unchecked_into();
    runtime.set_access(Some(provider), None);
    runtime.queue_intent(Intent::EditDraft("hi".to_owned()));
    runtime.queue_intent(Intent::Send);
    until("the stream", || holds("fake.streams.length === 1")).await;
    push(0, &frame("MESSAGE_RECEIVED", "1", ""));
    until("the frame", || holds("recorder.names.at(-1) === 'frames'")).await;
    js("recorder.names = []");
    answer("GET *", 401, JSON, "{}");
    answer("GET *", 200, JSON, "[]");
    runtime.queue_intent(Intent::RefreshThreads);
    until("the new token", || holds("given === 2")).await;
    push(0, &frame("NOTIFICATION_TASK_STARTED", "2", ""));
    until("the frame", || holds("recorder.names.at(-1) === 'frames'")).await;
    assert_eq!(text("recorder.names"), "secrets,frames");
}

/// Settles into a cell.
fn resolver(outcome: &Rc<RefCell<Option<Result<(), Failure>>>>) -> Resolver {
    let outcome = outcome.clone();
    Box::new(move |result| {
        outcome.replace(Some(result));
    })
}

#[wasm_bindgen_test]
async fn messages_wait_for_the_module_and_are_answered_if_it_cannot_take_them() {
    let connection = Connection {
        base_url: "https://service.example".to_owned(),
        agent: AgentId::from("agent"),
        every_agent: false,
        user_id: "recorded".to_owned(),
        user_id_header: "X-Service-User-Id".to_owned(),
        api_key: None,
        credentials: Credentials::Omit,
        storage: StorageKind::None,
    };
    let copied = Rc::new(Cell::new(None));
    let seen = copied.clone();
    let sink = move |_: &_, changes: &[Change]| {
        for change in changes {
            if let Change::Announce(Announcement::LogCopied(is_copied)) = change {
                seen.set(Some(*is_copied));
            }
        }
    };
    let runtime = Runtime::new(connection, page(), Box::new(sink));
    runtime.log_options(&js("({ locale: 'en' })"));
    let outcome = Rc::default();
    runtime.dispatch_request(PageRequest::Forget, resolver(&outcome));
    turn().await;
    assert_eq!(*outcome.borrow(), None);

    // It cannot be loaded, and comes at another attempt.
    set_history(None);
    let failure = outcome.take().unwrap().unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unreachable);
    set_history(Some(js(MODULE).unchecked_into()));
    set_history(None);
    runtime.dispatch_request(PageRequest::Forget, resolver(&outcome));
    assert_eq!(text("recorder.names"), "open,options,forget");
    until("the end", || outcome.borrow().is_some()).await;
    assert_eq!(outcome.take(), Some(Ok(())));

    js("recorder.fails = true");
    runtime.dispatch_request(PageRequest::Forget, resolver(&outcome));
    let failure = outcome.take().unwrap().unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unreachable);
    runtime.queue_intent(Intent::CopyLog);
    until("what is said of the log", || copied.get() == Some(false)).await;

    js("recorder.fails = false");
    token_that_comes_while_a_stream_runs(&runtime).await;
    drop(runtime);
    assert_eq!(text("recorder.names.at(-1)"), "close");
}
