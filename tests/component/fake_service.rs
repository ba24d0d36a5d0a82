//! A service that is scripted by the test, in the place of `fetch`; and waiting for conditions.

use std::rc::Rc;

use assent_client::{Page, StorageKind, browser_storage};
use assent_conversation::{AnswerSummary, ContentItem, PageEvent, ThreadId};
use js_sys::{JsString, Promise, eval};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::approval_request;
use crate::replaced_property::ReplacedProperty;

pub(crate) const THREADS: &str = "/api/assistants/threads";
pub(crate) const JSON: &str = "application/json";
pub(crate) const EVENTS: &str = "text/event-stream";
/// Status that makes `fetch` reject with the body.
pub(crate) const REJECTED: i32 = -1;
/// Status that makes the request wait for ever.
pub(crate) const NEVER: i32 = -2;

/// Installs the service, without requests and answers, once leftover work of widgets of an earlier
/// test is done.
pub(crate) async fn install() {
    turn().await;
    if eval("globalThis.fake").unwrap().is_undefined() {
        eval(include_str!("fake_service.js")).unwrap();
    }
    js("fake.forget()");
    keep_nothing();
}

/// Empties the storages of the browser and the page's memory.
pub(crate) fn keep_nothing() {
    for kind in [StorageKind::Local, StorageKind::Session, StorageKind::None] {
        let storage = browser_storage(kind);
        for key in storage.keys("") {
            storage.remove(&key);
        }
    }
}

/// Fires timers of the page at once, until the value ends.
pub(crate) fn quick() -> ReplacedProperty {
    ReplacedProperty::new(
        "globalThis.setTimeout",
        "(act, _, ...rest) => real(act, 0, ...rest)",
    )
}

/// Makes writes to the browser's storages fail, until the value ends.
pub(crate) fn full_storage() -> ReplacedProperty {
    ReplacedProperty::new(
        "Storage.prototype.setItem",
        "() => { throw new DOMException('full', 'QuotaExceededError'); }",
    )
}

/// Scripts an answer to `route`, as in `GET /path` or `GET *`. Several are given in order, the last
/// one again and again.
pub(crate) fn answer(route: &str, status: i32, kind: &str, body: &str) {
    let [route, kind, body] = [route, kind, body].map(quoted);
    js(&format!("fake.answer({route}, {status}, {kind}, {body})"));
}

/// Adds headers, as JSON, to all answers to this path and query; `*`: to any.
pub(crate) fn add_headers(address: &str, headers: &str) {
    js(&format!("fake.adds({}, {headers})", quoted(address)));
}

/// Scripts an event stream as the answer to `route`.
pub(crate) fn answer_with_stream(route: &str) {
    answer(route, 200, EVENTS, "<stream>");
}

/// Pushes text into the stream with this number, counted from 0.
pub(crate) fn push(stream: usize, text: &str) {
    js(&format!("fake.streams[{stream}].push({})", quoted(text)));
}

/// Returns one event as a frame.
pub(crate) fn frame(kind: &str, id: &str, content: &str) -> String {
    let content = quoted(content);
    format!(
        "data: {{\"type\":\"{kind}\",\"eventId\":\"{id}\",\"threadId\":\"t1\",\"requestId\":\"r1\",\
         \"eventMessage\":{{\"content\":{content},\"timestamp\":\"2026-01-01T00:00:00\"}}}}\n\n"
    )
}

/// Returns one event as a frame of a service that counts the events of the answer to `request`.
pub(crate) fn numbered(request: &str, number: u32, kind: &str, content: &str) -> String {
    let id = format!("{request}/{number}");
    format!("id: {id}\n{}", frame(kind, &id, content))
}

/// Returns one run of a tool as the service requests approval for it.
pub(crate) fn request(batch: &str, execution: &str) -> String {
    let tool = ["refund", "Refund"];
    approval_request::tool_run(tool, [batch, execution], r#""amount":"10""#)
}

/// Returns the event that requests approval of these runs, as a frame.
pub(crate) fn asks(id: &str, requests: &[String]) -> String {
    let (kind, message) = (approval_request::TYPE, approval_request::asking(requests));
    format!(
        "data: {{\"type\":\"{kind}\",\"eventId\":\"{id}\",\"threadId\":\"t1\",\"requestId\":\"r1\",\
         \"eventMessage\":{{{message},\"timestamp\":\"2026-01-01T00:00:00\"}}}}\n\n"
    )
}

/// Returns a page that allows everything and ignores events.
pub(crate) fn page() -> Rc<dyn Page> {
    struct Quiet;
    impl Page for Quiet {
        fn allows_answer(&self, _: &AnswerSummary) -> bool {
            true
        }
        fn allows_message(
            &self,
            _: Option<&ThreadId>,
            content: Vec<ContentItem>,
        ) -> Option<Vec<ContentItem>> {
            Some(content)
        }
        fn pass_on_events(&self, _: &ThreadId, _: &JsString) {}
        fn notify(&self, _: &PageEvent) {}
    }
    Rc::new(Quiet)
}

/// Evaluates JavaScript.
pub(crate) fn js(code: &str) -> JsValue {
    eval(code).unwrap_or_else(|error| panic!("{code}: {error:?}"))
}

/// Evaluates JavaScript to text.
pub(crate) fn text(code: &str) -> String {
    js(&format!("String({code})")).as_string().unwrap()
}

/// Evaluates JavaScript to a truth value.
pub(crate) fn holds(code: &str) -> bool {
    js(code).is_truthy()
}

/// Waits until `condition` holds; fails after four seconds with the name `what`.
pub(crate) async fn until(what: &str, mut condition: impl FnMut() -> bool) {
    for _ in 0..800 {
        if condition() {
            return;
        }
        turn().await;
    }
    panic!("waited in vain for: {what}");
}

/// Yields to the page for a moment.
pub(crate) async fn turn() {
    let promise: Promise = js("new Promise((resolve) => setTimeout(resolve, 5))").into();
    JsFuture::from(promise).await.unwrap();
}

fn quoted(text: &str) -> String {
    js_sys::JSON::stringify(&text.into()).unwrap().into()
}
