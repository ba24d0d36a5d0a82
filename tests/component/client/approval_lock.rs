//! Answers to approvals on their way to the service: stored requests, the page, other tabs, and the
//! events afterwards.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use assent_client::{
    Connection, Credentials, FirstThread, Page, Runtime, StorageKind, browser_storage,
};
use assent_conversation::{
    AnswerSummary, BatchPhase, ContentItem, DeliveryStatus, FailureKind, Intent, PageEvent, State,
    ThreadId, UnconfirmedReason, Verdict,
};
use assent_protocol::{AgentId, BatchId, Dialect};
use js_sys::JsString;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fake_service::{self, *};
use crate::replaced_property::ReplacedProperty;

const POST: &str = "POST /api/assistants/threads/t1/messages";
const SCOPE: &str = "assent:https://service.example|agent|user:";
const LOCK: &str = "assent:https://service.example|agent|user:approval:b1";

/// A page that records its calls, in order, and whether something was posted by then.
#[derive(Default)]
struct Notes {
    heard: RefCell<Vec<String>>,
    forbids: Cell<bool>,
    /// Callback during the page's permission check.
    meanwhile: RefCell<Option<Box<dyn Fn()>>>,
}

impl Notes {
    fn note(&self, what: &str, summary: &AnswerSummary) {
        let posts =
            text("fake.requests.filter((one) => one.body.includes('approval_result')).length");
        let decisions = summary.decisions.iter();
        let decisions: Vec<_> = decisions
            .map(|it| format!("{}={}", it.execution.as_str(), it.status.as_str()))
            .collect();
        let feedback = summary.feedback.clone().unwrap_or_default();
        let note = format!(
            "{what} {} {} posts:{posts} {feedback}",
            summary.batch.as_str(),
            decisions.join(",")
        );
        self.heard.borrow_mut().push(note.trim_end().to_owned());
    }
}

impl Page for Notes {
    fn allows_answer(&self, answer: &AnswerSummary) -> bool {
        self.note("before", answer);
        if let Some(act) = self.meanwhile.borrow().as_ref() {
            act();
        }
        !self.forbids.get()
    }

    fn allows_message(
        &self,
        _: Option<&ThreadId>,
        content: Vec<ContentItem>,
    ) -> Option<Vec<ContentItem>> {
        Some(content)
    }

    fn pass_on_events(&self, _: &ThreadId, _: &JsString) {}

    fn notify(&self, event: &PageEvent) {
        match event {
            PageEvent::ApprovalRequested { batch, tools, .. } => {
                let asked = format!("requested {} {}", batch.as_str(), tools.len());
                self.heard.borrow_mut().push(asked);
            }
            PageEvent::ApprovalAnswered(summary) => self.note("answered", summary),
            _ => {}
        }
    }
}

fn connection(user: &str) -> Connection {
    Connection {
        base_url: "https://service.example".to_owned(),
        agent: AgentId::from("agent"),
        every_agent: false,
        user_id: user.to_owned(),
        user_id_header: "X-Service-User-Id".to_owned(),
        api_key: None,
        credentials: Credentials::Omit,
        storage: StorageKind::Local,
    }
}

fn new_runtime(page: Rc<dyn Page>) -> Runtime {
    Runtime::new(connection("user"), page, Box::new(|_, _| {}))
}

/// Returns a widget whose agent asked for two runs in batch `b1`, and waits. Its stream was number
/// 0.
pub(super) async fn asked(page: Rc<dyn Page>) -> Runtime {
    install().await;
    answer("GET /api/assistants/threads/agent", 200, JSON, "[]");
    answer("POST /api/assistants/threads", 200, JSON, r#"{"id":"t1"}"#);
    answer("GET /api/assistants/threads/t1/messages", 200, JSON, "[]");
    answer_with_stream(POST);
    let runtime = new_runtime(page);
    runtime.start(FirstThread::New);
    runtime.queue_intent(Intent::EditDraft("Refund both".to_owned()));
    runtime.queue_intent(Intent::Send);
    until("the post", || holds("fake.streams.length === 1")).await;
    push(0, &asks("1", &[request("b1", "x1"), request("b1", "x2")]));
    until("the request", || phase(&runtime).is_some()).await;
    js("fake.streams[0].close()");
    until("the end of the stream", || !is_streaming(&runtime)).await;
    runtime
}

/// Decides a run of the batch as it is shown.
pub(crate) fn decide(runtime: &Runtime, run: &str, verdict: Verdict) {
    let version = runtime.with_state(|state| {
        let messages = &state.open_conversation().unwrap().messages;
        let batches = messages.iter().flat_map(|message| &message.approvals);
        let mut runs = batches.flat_map(|batch| &batch.tools);
        let run = runs.find(|it| it.execution.as_str() == run);
        run.unwrap().version
    });
    runtime.queue_intent(Intent::Decide("b1".into(), version, verdict));
}

/// Approves the first run, denies the second, and submits.
pub(super) fn submit(runtime: &Runtime) {
    for (run, verdict) in [("x1", Verdict::Approve), ("x2", Verdict::Deny)] {
        decide(runtime, run, verdict);
    }
    runtime.queue_intent(Intent::SubmitDecisions("b1".into()));
}

pub(super) fn phase(runtime: &Runtime) -> Option<BatchPhase> {
    runtime.with_state(|state: &State| {
        let messages = &state.open_conversation().unwrap().messages;
        let mut batches = messages.iter().flat_map(|message| &message.approvals);
        batches
            .find(|batch| batch.id == BatchId::from("b1"))
            .map(|batch| batch.phase.clone())
    })
}

fn failure(runtime: &Runtime) -> Option<FailureKind> {
    match phase(runtime) {
        Some(BatchPhase::Deciding { failure, .. }) => failure.map(|failure| failure.kind),
        _ => None,
    }
}

fn is_streaming(runtime: &Runtime) -> bool {
    runtime.with_state(|state| state.open_conversation().unwrap().stream().is_some())
}

fn waiting(runtime: &Runtime) -> usize {
    runtime.with_state(|state| {
        state
            .undecided_by_thread()
            .iter()
            .map(|(_, count)| count)
            .sum()
    })
}

fn kept_keys() -> String {
    text("Object.keys(localStorage).filter((key) => key.includes('approval:')).sort().join(' ')")
}

/// Returns true if another page could answer batch `b1` now.
async fn is_free() -> bool {
    js(&format!(
        "globalThis.free = undefined;
         navigator.locks.request('{LOCK}', {{ ifAvailable: true }}, (lock) => {{ free = !!lock; }});"
    ));
    until("the lock manager", || {
        holds("globalThis.free !== undefined")
    })
    .await;
    holds("free")
}

/// Waits for the lock: the browser releases it a little later than the widget does.
async fn is_given_back() {
    for _ in 0..200 {
        if is_free().await {
            return;
        }
        turn().await;
    }
    panic!("the lock is still held");
}

fn posts() -> String {
    text("fake.requests.filter((one) => one.body.includes('approval_result')).length")
}

#[wasm_bindgen_test]
async fn a_request_is_kept_the_moment_it_arrives_and_shown_again_after_a_reload() {
    let page = Rc::new(Notes::default());
    let runtime = asked(page.clone()).await;
    assert_eq!(*page.heard.borrow(), ["requested b1 2"]);
    assert_eq!(
        kept_keys(),
        format!("{SCOPE}approval:b1|x1 {SCOPE}approval:b1|x2")
    );
    let value = text(&format!("localStorage['{SCOPE}approval:b1|x1']"));
    assert!(value.contains(&request("b1", "x1")), "{value}");
    drop(runtime);
    let again = new_runtime(fake_service::page());
    again.start(FirstThread::New);
    assert_eq!(waiting(&again), 2);
    let other = Runtime::new(
        connection("somebody else"),
        fake_service::page(),
        Box::new(|_, _| {}),
    );
    other.start(FirstThread::New);
    assert_eq!(waiting(&other), 0);
}

#[wasm_bindgen_test]
async fn a_widget_that_starts_forgets_what_nobody_waits_for_any_more() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    let asked = request("b1", "x1");
    let of_1970 = format!(r#"{{"version":1,"thread":"t1","at":0,"request":{asked}}}"#);
    let key = "assent:https://another.example|agent|somebody:approval:b1|x1";
    browser_storage(StorageKind::Local).set(key, &of_1970);
    assert_eq!(kept_keys(), key);
    new_runtime(page()).start(FirstThread::New);
    assert_eq!(kept_keys(), "");
}

#[wasm_bindgen_test]
async fn the_page_is_asked_before_the_post_and_told_after_it_was_accepted() {
    let page = Rc::new(Notes::default());
    let runtime = asked(page.clone()).await;
    submit(&runtime);
    until("the answer's post", || holds("fake.streams.length === 2")).await;
    assert!(!kept_keys().is_empty());
    push(1, &frame("CONNECTION_ESTABLISHED", "2", ""));
    push(1, &frame("MESSAGE_RECEIVED", "3", ""));
    until("the acceptance", || kept_keys().is_empty()).await;
    assert_eq!(
        *page.heard.borrow(),
        [
            "requested b1 2",
            "before b1 x1=APPROVED,x2=DENIED posts:0",
            "answered b1 x1=APPROVED,x2=DENIED posts:1"
        ]
    );
}

#[wasm_bindgen_test]
async fn what_the_page_forbids_is_not_posted_and_can_be_decided_again() {
    let page = Rc::new(Notes::default());
    page.forbids.set(true);
    let runtime = asked(page.clone()).await;
    submit(&runtime);
    until("the refusal", || {
        failure(&runtime) == Some(FailureKind::Withheld)
    })
    .await;
    assert_eq!(posts(), "0");
    is_given_back().await;
    page.forbids.set(false);
    runtime.queue_intent(Intent::BeginFeedback("b1".into()));
    runtime.queue_intent(Intent::EditFeedback("b1".into(), "Only one".to_owned()));
    runtime.queue_intent(Intent::SubmitFeedback("b1".into()));
    until("the second answer", || posts() == "1").await;
    assert_eq!(
        page.heard.borrow().last().unwrap(),
        "before b1 x1=ABORTED_WITH_FEEDBACK,x2=ABORTED_WITH_FEEDBACK posts:0 Only one"
    );
}

#[wasm_bindgen_test]
async fn a_page_may_use_the_widget_and_end_it_while_it_is_asked() {
    let page = Rc::new(Notes::default());
    let runtime = asked(page.clone()).await;
    let held = Rc::new(RefCell::new(Some(runtime.clone())));
    let act = held.clone();
    page.meanwhile.replace(Some(Box::new(move || {
        if let Some(runtime) = act.take() {
            runtime.queue_intent(Intent::EditDraft("typed meanwhile".to_owned()));
            runtime.with_state(|state| {
                assert_eq!(state.open_conversation().unwrap().draft, "typed meanwhile");
            });
            runtime.queue_intent(Intent::RefreshThreads);
        }
    })));
    submit(&runtime);
    drop(runtime);
    until("the question", || held.borrow().is_none()).await;
    is_given_back().await;
    assert_eq!(posts(), "0");
}

#[wasm_bindgen_test]
async fn the_lock_is_held_until_the_stream_ends_and_longer_if_the_answer_was_accepted() {
    let runtime = asked(page()).await;
    submit(&runtime);
    until("the post", || holds("fake.streams.length === 2")).await;
    assert!(!is_free().await);
    js("fake.streams[1].close()");
    until("the end", || !is_streaming(&runtime)).await;
    is_given_back().await;

    let runtime = asked(page()).await;
    submit(&runtime);
    until("the post", || holds("fake.streams.length === 2")).await;
    push(1, &frame("MESSAGE_RECEIVED", "2", ""));
    push(1, &frame("AGENT_RESPONSE_CHUNK", "3", "Done"));
    until("the acceptance", || {
        phase(&runtime) == Some(BatchPhase::Answered)
    })
    .await;
    js("fake.streams[1].close()");
    until("the end", || !is_streaming(&runtime)).await;
    // Another tab that has not heard of it yet finds it taken.
    assert!(!is_free().await);
    // The agent asks for more of the same batch.
    runtime.queue_intent(Intent::EditDraft("Refund another one".to_owned()));
    runtime.queue_intent(Intent::Send);
    until("the next post", || holds("fake.streams.length === 3")).await;
    push(2, &asks("4", &[request("b1", "x3")]));
    is_given_back().await;
}

#[wasm_bindgen_test]
async fn the_lock_is_released_when_the_person_stops_listening_or_the_widget_ends() {
    let runtime = asked(page()).await;
    submit(&runtime);
    until("the post", || holds("fake.streams.length === 2")).await;
    assert!(!is_free().await);
    runtime.queue_intent(Intent::Stop);
    turn().await;
    is_given_back().await;

    let runtime = asked(page()).await;
    submit(&runtime);
    until("the post", || holds("fake.streams.length === 2")).await;
    assert!(!is_free().await);
    drop(runtime);
    turn().await;
    is_given_back().await;
}

#[wasm_bindgen_test]
async fn a_second_holder_posts_nothing() {
    let runtime = asked(page()).await;
    js(&format!(
        "globalThis.taken = false;
         navigator.locks.request('{LOCK}', () => {{ taken = true; return new Promise((resolve) => (globalThis.release = resolve)); }});"
    ));
    until("the other holder", || holds("taken")).await;
    submit(&runtime);
    let doubted = |state: Option<BatchPhase>| {
        let delivery = match state {
            Some(BatchPhase::Submitting { delivery, .. }) => Some(delivery),
            _ => None,
        };
        matches!(
            delivery,
            Some(
                DeliveryStatus::Checking(UnconfirmedReason::OtherTab)
                    | DeliveryStatus::Unknown(UnconfirmedReason::OtherTab)
            )
        )
    };
    until("the doubt", || doubted(phase(&runtime))).await;
    assert_eq!(posts(), "0");
    assert!(!is_streaming(&runtime));
    js("release()");
}

#[wasm_bindgen_test]
async fn two_widgets_that_answer_at_the_same_moment_post_once() {
    let first = asked(page()).await;
    // The same batch in a second widget, as another tab would show it.
    answer(
        "GET /api/assistants/threads/t1/messages",
        200,
        JSON,
        r#"[{"id":"m1","role":"assistant","content":"","toolExecutionHumanApprovalRequest":[
            {"toolId":"refund","name":"Refund","provider":"Shop","category":"Payments","toolExecutionId":"x1","executionBatchId":"b1","toolArguments":{"amount":"10"},"status":"PENDING_HUMAN_APPROVAL"},
            {"toolId":"refund","name":"Refund","provider":"Shop","category":"Payments","toolExecutionId":"x2","executionBatchId":"b1","toolArguments":{"amount":"10"},"status":"PENDING_HUMAN_APPROVAL"}]}]"#,
    );
    js("fake.answers.get('GET /api/assistants/threads/t1/messages').shift()");
    let second = new_runtime(page());
    second.start(FirstThread::Thread("t1".into()));
    let deciding = || matches!(phase(&second), Some(BatchPhase::Deciding { .. }));
    until("the kept requests to meet the stored ones", deciding).await;
    submit(&first);
    submit(&second);
    until("the post", || holds("fake.streams.length === 2")).await;
    until("the one that came second", || {
        !is_streaming(&second) || !is_streaming(&first)
    })
    .await;
    assert_eq!(posts(), "1");
}

#[wasm_bindgen_test]
async fn what_lost_its_place_in_the_storage_is_posted() {
    let evicted = format!("localStorage.removeItem('{SCOPE}approval:b1|x2')");
    for loss in [&evicted, "localStorage.clear()"] {
        let runtime = asked(page()).await;
        js(loss);
        submit(&runtime);
        until(loss, || posts() == "1").await;
    }
    let runtime = asked(page()).await;
    let throws = "() => { throw new DOMException('no', 'SecurityError'); }";
    let _storage = ReplacedProperty::new("Storage.prototype.getItem", throws);
    submit(&runtime);
    until("a storage that throws", || posts() == "1").await;
}

#[wasm_bindgen_test]
async fn a_page_that_clears_the_device_while_it_is_asked_ends_nothing() {
    let page = Rc::new(Notes::default());
    let runtime = asked(page.clone()).await;
    let weak = Rc::new(RefCell::new(Some(runtime.clone())));
    page.meanwhile.replace(Some(Box::new(move || {
        if let Some(runtime) = weak.take() {
            runtime.queue_intent(Intent::ForgetDevice);
        }
    })));
    submit(&runtime);
    until("the post", || posts() == "1").await;
}

#[wasm_bindgen_test]
async fn a_stop_while_the_lock_is_waited_for_posts_nothing() {
    let runtime = asked(page()).await;
    js("globalThis.asked = globalThis.released = undefined");
    let request = "(name, options, answer) =>
        new Promise((resolve) => (globalThis.asked = () => {
            const held = answer({ name });
            held.then(() => (globalThis.released = true));
            resolve(held);
        }))";
    let locks = ReplacedProperty::new("navigator.locks", &format!("{{ request: {request} }}"));
    submit(&runtime);
    until("the question", || holds("globalThis.asked")).await;
    runtime.queue_intent(Intent::Stop);
    js("asked()");
    drop(locks);
    until("the release", || holds("globalThis.released")).await;
    assert_eq!(posts(), "0");
    is_given_back().await;
}

#[wasm_bindgen_test]
async fn without_usable_locks_the_answer_is_posted() {
    for locks in [
        "undefined",
        "{}",
        "{ request() { throw new DOMException('no', 'SecurityError'); } }",
        "{ request: async () => { throw new DOMException('no', 'SecurityError'); } }",
    ] {
        let runtime = asked(page()).await;
        let _locks = ReplacedProperty::new("navigator.locks", locks);
        submit(&runtime);
        until(locks, || posts() == "1").await;
    }
}

#[wasm_bindgen_test]
async fn where_a_lock_fails_for_another_reason_nothing_is_posted() {
    for locks in [
        "{ request() { throw new TypeError('no'); } }",
        "{ request: async () => { throw new DOMException('no', 'InvalidStateError'); } }",
        "{ request: () => undefined }",
    ] {
        let runtime = asked(page()).await;
        let _locks = ReplacedProperty::new("navigator.locks", locks);
        submit(&runtime);
        until(locks, || !is_streaming(&runtime)).await;
        assert_eq!(posts(), "0", "{locks}");
    }
}

#[wasm_bindgen_test]
async fn what_was_asked_otherwise_meanwhile_is_not_posted() {
    let runtime = asked(page()).await;
    js(&format!(
        "localStorage['{SCOPE}approval:b1|x2'] = localStorage['{SCOPE}approval:b1|x2'].replace('m-x2', 'm-other')"
    ));
    submit(&runtime);
    until("the end", || !is_streaming(&runtime)).await;
    assert_eq!(posts(), "0");
    is_given_back().await;
}

#[wasm_bindgen_test]
async fn the_dialect_changes_the_name_of_the_array_alone() {
    let mut bodies = Vec::new();
    for dialect in [Dialect::Declared, Dialect::Guide] {
        let runtime = asked(page()).await;
        runtime.set_dialect(dialect);
        submit(&runtime);
        until("the answer", || posts() == "1").await;
        bodies.push(text("fake.requests.at(-1).body"));
    }
    let results = [("x1", "APPROVED"), ("x2", "DENIED")]
        .map(|(run, status)| request("b1", run).replace("PENDING_HUMAN_APPROVAL", status))
        .join(",");
    assert_eq!(
        bodies[0],
        format!(
            r#"{{"content":[{{"type":"tool_approval_result","toolApprovalResult":[{results}]}}]}}"#
        )
    );
    assert_eq!(
        bodies[1],
        bodies[0].replace("toolApprovalResult", "tool_approval_results")
    );
}
