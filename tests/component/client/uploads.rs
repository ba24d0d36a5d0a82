//! Files that go with feedback, and the uploader of the page.

use std::cell::Cell;
use std::rc::Rc;

use assent_client::{ChangeSink, Connection, Credentials, FirstThread, Runtime, StorageKind};
use assent_conversation::{
    Attachment, AttachmentState, BatchPhase, FileRef, Intent, State, UploadId,
};
use assent_protocol::AgentId;
use js_sys::Function;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::File;

use crate::fake_service::*;

/// Returns a widget in which a batch is being stopped.
async fn stopping() -> Runtime {
    stopping_drawn_by(Box::new(|_, _| {})).await
}

async fn stopping_drawn_by(sink: ChangeSink) -> Runtime {
    install().await;
    answer("GET /api/assistants/threads/agent", 200, JSON, "[]");
    answer("POST /api/assistants/threads", 200, JSON, r#"{"id":"t1"}"#);
    answer("GET /api/assistants/threads/t1/messages", 200, JSON, "[]");
    answer_with_stream("POST /api/assistants/threads/t1/messages");
    let connection = Connection {
        base_url: "https://service.example".to_owned(),
        agent: AgentId::from("agent"),
        every_agent: false,
        user_id: "user".to_owned(),
        user_id_header: "X-Service-User-Id".to_owned(),
        api_key: None,
        credentials: Credentials::Omit,
        storage: StorageKind::Local,
    };
    let runtime = Runtime::new(connection, page(), sink);
    runtime.start(FirstThread::New);
    runtime.queue_intent(Intent::EditDraft("Refund".to_owned()));
    runtime.queue_intent(Intent::Send);
    until("the post", || holds("fake.streams.length === 1")).await;
    push(0, &asks("1", &[request("b1", "x1")]));
    let pending = |state: &State| !state.undecided_by_thread().is_empty();
    until("the request", || runtime.with_state(pending)).await;
    js("fake.streams[0].close()");
    let ended = |state: &State| state.open_conversation().unwrap().stream().is_none();
    until("the end of the stream", || runtime.with_state(ended)).await;
    runtime.queue_intent(Intent::BeginFeedback("b1".into()));
    // Globals of the uploaders below.
    js("globalThis.calls = []; globalThis.aborts = 0;");
    runtime
}

fn upload_with(runtime: &Runtime, uploader: &str) {
    let uploader: Function = js(&format!("({uploader})")).unchecked_into();
    runtime.set_uploader(Some(uploader));
}

/// An uploader whose calls wait until the test settles them.
const WAITING: &str = "(file, context) => new Promise((resolve, reject) => {
    context.signal.addEventListener('abort', () => aborts++);
    calls.push({ file, ...context, resolve, reject });
})";

fn choose(runtime: &Runtime, name: &str) {
    let file: File = js(&format!("new File(['12345'], '{name}')")).unchecked_into();
    runtime.file_taker()(Some("b1".into()), file);
}

fn files(runtime: &Runtime) -> Vec<Attachment> {
    runtime.with_state(|state| {
        let messages = &state.open_conversation().unwrap().messages;
        let batch = messages
            .iter()
            .flat_map(|message| &message.approvals)
            .next();
        match &batch.unwrap().phase {
            BatchPhase::Deciding {
                feedback: Some(feedback),
                ..
            } => feedback.files.clone(),
            _ => Vec::new(),
        }
    })
}

fn state_of(runtime: &Runtime, index: usize) -> AttachmentState {
    files(runtime)[index].state.clone()
}

async fn settled(runtime: &Runtime, index: usize) -> AttachmentState {
    let settled = || !matches!(state_of(runtime, index), AttachmentState::Uploading(_));
    until("the end of the upload", settled).await;
    state_of(runtime, index)
}

async fn calls(count: usize) {
    until("the uploader's call", || {
        holds(&format!("calls.length === {count}"))
    })
    .await;
}

#[wasm_bindgen_test]
async fn a_file_goes_to_the_uploader_and_its_identifier_into_the_post() {
    let runtime = stopping().await;
    upload_with(&runtime, WAITING);
    choose(&runtime, "a plan.pdf");
    choose(&runtime, "photo.png");
    let known = files(&runtime);
    assert_eq!((known[0].name.as_str(), known[0].size), ("a plan.pdf", 5));
    assert_ne!(known[0].upload, known[1].upload);
    calls(2).await;
    assert_eq!(text("calls[0].file.name"), "a plan.pdf");
    assert!(holds("calls[0].signal instanceof AbortSignal"));
    js("calls[0].resolve({ fileId: 'f-1' }); calls[1].resolve({ imageId: 'i-1' })");
    let document = AttachmentState::Uploaded(FileRef::Document("f-1".to_owned()));
    let image = AttachmentState::Uploaded(FileRef::Image("i-1".to_owned()));
    assert_eq!(settled(&runtime, 0).await, document);
    assert_eq!(settled(&runtime, 1).await, image);
    runtime.queue_intent(Intent::SubmitFeedback("b1".into()));
    until("the post", || holds("fake.streams.length === 2")).await;
    let body = text("fake.requests.at(-1).body");
    assert!(
        body.ends_with(r#"{"type":"document","fileId":"f-1"},{"type":"image","imageId":"i-1"}]}"#),
        "{body}"
    );
}

#[wasm_bindgen_test]
async fn progress_is_told_in_whole_percents_within_bounds_until_the_end() {
    let runtime = stopping().await;
    upload_with(&runtime, WAITING);
    choose(&runtime, "a");
    calls(1).await;
    for (fraction, percent) in [
        ("0.5", 50),
        ("0.501", 50),
        ("-3", 0),
        ("7", 100),
        ("0.25", 25),
        ("NaN", 0),
        ("'0.9'", 0),
        ("undefined", 0),
    ] {
        js(&format!("calls[0].progress({fraction})"));
        assert_eq!(
            state_of(&runtime, 0),
            AttachmentState::Uploading(percent),
            "{fraction}"
        );
    }
    js("calls[0].resolve({ fileId: 'f' })");
    let there = settled(&runtime, 0).await;
    js("calls[0].progress(0.5)");
    assert_eq!(state_of(&runtime, 0), there);
    drop(runtime);
    js("calls[0].progress(0.7)");
}

#[wasm_bindgen_test]
async fn an_attempt_that_failed_says_nothing_about_the_next() {
    let runtime = stopping().await;
    upload_with(&runtime, WAITING);
    choose(&runtime, "a");
    calls(1).await;
    js("calls[0].reject(new Error('No.'))");
    settled(&runtime, 0).await;
    runtime.queue_intent(Intent::RetryFile(
        Some("b1".into()),
        files(&runtime)[0].upload,
    ));
    calls(2).await;
    js("calls[0].progress(0.9)");
    assert_eq!(state_of(&runtime, 0), AttachmentState::Uploading(0));
}

#[wasm_bindgen_test]
async fn progress_within_the_same_percent_is_not_told() {
    let drawn = Rc::new(Cell::new(0));
    let counter = drawn.clone();
    let runtime = stopping_drawn_by(Box::new(move |_, _| counter.set(counter.get() + 1))).await;
    upload_with(&runtime, WAITING);
    choose(&runtime, "a");
    calls(1).await;
    js("calls[0].progress(0.5)");
    let before = drawn.get();
    until("the drawing", || drawn.get() > before).await;
    let before = drawn.get();
    js("for (let i = 0; i < 50; i++) calls[0].progress(0.5 + i / 10000)");
    let frames =
        "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))";
    let frames: js_sys::Promise = js(frames).unchecked_into();
    wasm_bindgen_futures::JsFuture::from(frames).await.unwrap();
    assert_eq!(drawn.get(), before);
}

#[wasm_bindgen_test]
async fn a_failure_has_the_pages_own_short_reason_or_none_and_can_be_tried_again() {
    let runtime = stopping().await;
    let long = format!("'{}'", "x".repeat(300));
    let cases = [
        (
            "throw new Error('Files over 5 MB are not taken.')",
            "Files over 5 MB are not taken.",
        ),
        ("return Promise.reject(new Error('No.'))", "No."),
        ("return Promise.reject('Not today')", "Not today"),
        (
            "return Promise.reject(new TypeError('Failed to fetch'))",
            "",
        ),
        (
            "throw new DOMException('The operation failed', 'NetworkError')",
            "",
        ),
        ("null.x", ""),
        (&format!("throw new Error({long})"), ""),
        ("throw new Error('<!doctype html>')", ""),
        ("throw new Error('a\\nb')", ""),
        ("throw undefined", ""),
        ("return undefined", ""),
        ("return {}", ""),
        ("return { fileId: '' }", ""),
        ("return { fileId: 7 }", ""),
        ("return { fileId: 'a', imageId: 'b' }", ""),
        ("return 'f-1'", ""),
    ];
    upload_with(&runtime, "() => { throw new Error('at first') }");
    choose(&runtime, "a");
    let upload = files(&runtime)[0].upload;
    for (body, reason) in cases {
        let failed = || matches!(state_of(&runtime, 0), AttachmentState::Failed(_));
        until("the failure before", failed).await;
        upload_with(&runtime, &format!("() => {{ {body} }}"));
        runtime.queue_intent(Intent::RetryFile(Some("b1".into()), upload));
        assert_eq!(state_of(&runtime, 0), AttachmentState::Uploading(0));
        assert_eq!(
            settled(&runtime, 0).await,
            AttachmentState::Failed(reason.to_owned()),
            "{body}"
        );
    }
    upload_with(&runtime, "() => ({ fileId: 'f-1' })");
    runtime.queue_intent(Intent::RetryFile(Some("b1".into()), upload));
    let there = AttachmentState::Uploaded(FileRef::Document("f-1".to_owned()));
    assert_eq!(settled(&runtime, 0).await, there);
}

#[wasm_bindgen_test]
async fn without_an_uploader_a_file_fails() {
    let runtime = stopping().await;
    upload_with(&runtime, WAITING);
    runtime.set_uploader(None);
    choose(&runtime, "a");
    assert_eq!(
        settled(&runtime, 0).await,
        AttachmentState::Failed(String::new())
    );
}

#[wasm_bindgen_test]
async fn a_file_that_is_taken_away_is_aborted_and_nothing_more_is_heard_of_it() {
    let runtime = stopping().await;
    upload_with(&runtime, WAITING);
    choose(&runtime, "a");
    choose(&runtime, "b");
    calls(2).await;
    let upload = files(&runtime)[0].upload;
    runtime.queue_intent(Intent::RemoveFile(Some("b1".into()), upload));
    assert_eq!(text("aborts"), "1");
    js("calls[0].progress(0.5); calls[0].reject(new Error('aborted'))");
    js("calls[1].resolve({ fileId: 'f' })");
    settled(&runtime, 0).await;
    let left = files(&runtime);
    assert_eq!((left.len(), left[0].name.as_str()), (1, "b"));
}

#[wasm_bindgen_test]
async fn a_file_for_a_batch_that_is_not_being_stopped_is_not_uploaded() {
    let runtime = stopping().await;
    upload_with(&runtime, WAITING);
    runtime.queue_intent(Intent::CancelFeedback("b1".into()));
    choose(&runtime, "a");
    runtime.queue_intent(Intent::BeginFeedback("b1".into()));
    choose(&runtime, "b");
    calls(1).await;
    assert_eq!(text("calls[0].file.name"), "b");
    assert_eq!(files(&runtime)[0].upload, UploadId(2));
}

#[wasm_bindgen_test]
async fn what_the_page_wants_while_files_are_aborted_waits_until_all_are() {
    let runtime = stopping().await;
    upload_with(&runtime, WAITING);
    choose(&runtime, "a");
    choose(&runtime, "b");
    calls(2).await;
    js("globalThis.stored = []");
    let inside = runtime.dispatcher();
    let meanwhile = Closure::<dyn Fn()>::new(move || {
        // Both have to be drawn, and the second one changes what is stored.
        inside(Intent::EditDraft("meanwhile".to_owned()));
        inside(Intent::NewThread);
        js("stored.push(Object.keys(localStorage).some((key) => key.endsWith('last-thread')))");
    });
    js_sys::Reflect::set(&js_sys::global(), &"meanwhile".into(), meanwhile.as_ref()).unwrap();
    js("for (const { signal } of calls) signal.addEventListener('abort', () => meanwhile())");
    answer("DELETE *", 200, JSON, "");
    js("fake.answers.delete('GET /api/assistants/threads/agent')");
    answer("GET *", 200, JSON, r#"[{"id":"t1"}]"#);
    runtime.queue_intent(Intent::RefreshThreads);
    let listed = |state: &State| !state.threads.rows.is_empty();
    until("the list", || runtime.with_state(listed)).await;
    runtime.queue_intent(Intent::DeleteThread("t1".into()));
    until("the end of the thread", || holds("stored.length === 2")).await;
    assert_eq!(text("stored"), "true,true");
}

#[wasm_bindgen_test]
async fn the_end_of_the_widget_aborts_and_the_page_may_call_back_then() {
    let runtime = stopping().await;
    upload_with(&runtime, WAITING);
    choose(&runtime, "a");
    calls(1).await;
    let taker: Rc<dyn Fn(_, _) -> _> = runtime.file_taker();
    js(
        "calls[0].signal.addEventListener('abort', () => { calls[0].progress(0.4); calls[0].reject('gone'); })",
    );
    drop(runtime);
    assert_eq!(text("aborts"), "1");
    let file: File = js("new File([], 'late')").unchecked_into();
    taker(Some("b1".into()), file);
    turn().await;
    assert_eq!(text("calls.length"), "1");
}
