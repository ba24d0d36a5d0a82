//! The messages to the history module, and its events.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use assent_client::{Connection, Credentials, Runtime, Settle, StorageKind, set_history};
use assent_conversation::{Announcement, Change, Failure, FailureKind, Intent, Request};
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

/// Settles into a cell.
fn settle(outcome: &Rc<RefCell<Option<Result<(), Failure>>>>) -> Settle {
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
    runtime.describe(&js("({ locale: 'en' })"));
    let outcome = Rc::default();
    runtime.request(Request::Forget, settle(&outcome));
    turn().await;
    assert_eq!(*outcome.borrow(), None);

    set_history(Some(js(MODULE).unchecked_into()));
    assert_eq!(text("recorder.names"), "open,options,forget");
    until("the end", || outcome.borrow().is_some()).await;
    assert_eq!(outcome.take(), Some(Ok(())));

    js("recorder.fails = true");
    runtime.request(Request::Forget, settle(&outcome));
    let failure = outcome.take().unwrap().unwrap_err();
    assert_eq!(failure.kind, FailureKind::Unreachable);
    runtime.intend(Intent::CopyLog);
    until("what is said of the log", || copied.get() == Some(false)).await;

    js("recorder.fails = false");
    drop(runtime);
    assert_eq!(text("recorder.names.at(-1)"), "close");
}
