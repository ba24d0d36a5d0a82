//! Approvals at the interface to the page: its events and permissions, the launcher, and its
//! uploader.

use std::cell::Cell;
use std::rc::Rc;

use assent_widget::host::{set_renderer, set_uploader, unmount, update};
use js_sys::{Function, Object};
use wasm_bindgen::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::fake_service::*;
use crate::host_page::Host;
use crate::renderer::{renderer_guard, renderer_module};
use crate::undone::Undone;

const POST: &str = "POST /api/assistants/threads/t1/messages";

/// A widget of one agent and user, which records its events in `heard`, and calls `allows` before
/// it posts.
struct Chat {
    container: Host,
    handle: u32,
    _renderer: Undone,
}

impl Chat {
    fn start(options: &str) -> Self {
        js("Object.assign(globalThis, { heard: [], allows: () => true })");
        let container = Host::new();
        let options: Object = js(&format!(
            "({{ 'agent-id': 'agent', 'user-id': 'user', 'thread-id': 'new', ...{options} }})"
        ))
        .unchecked_into();
        let emit: Function = js("(type, detail) => {
            heard.push([type, structuredClone(detail)]);
            return type === 'before-approval' ? allows() : type === 'before-send';
        }")
        .unchecked_into();
        set_renderer(
            Some(renderer_module().unchecked_into()),
            JsValue::UNDEFINED,
            None,
        );
        let handle = container.start(&options, emit);
        Self {
            container,
            handle,
            _renderer: renderer_guard(),
        }
    }

    /// Sends a message, upon which the agent asks for these runs and waits.
    async fn asked(&self, requests: &[String]) {
        let input = self
            .container
            .query_selector("[part=input]")
            .unwrap()
            .unwrap();
        let send: Function = js("(input) => {
            input.value = 'Do it';
            input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
            input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true, cancelable: true }));
        }")
        .unchecked_into();
        send.call1(&JsValue::UNDEFINED, &input).unwrap();
        until("the post", || holds("fake.streams.length === 1")).await;
        push(0, &asks("1", requests));
        js("fake.streams[0].close()");
        until("the buttons", || self.button("Deny").is_some()).await;
    }

    fn button(&self, name: &str) -> Option<HtmlElement> {
        let all = self.container.query_selector_all("button").unwrap();
        let mut buttons =
            (0..all.length()).map(|at| all.item(at).unwrap().unchecked_into::<HtmlElement>());
        buttons.find(|button| button.text_content().unwrap_or_default().trim() == name)
    }

    /// Sends the decisions on several tools.
    async fn submit(&self) {
        let find = || {
            let selector = ".approval-foot button:enabled";
            let found = self.container.query_selector(selector).unwrap();
            found.map(|button| button.unchecked_into::<HtmlElement>())
        };
        until("the decisions", || find().is_some()).await;
        find().unwrap().click();
    }

    async fn press(&self, name: &str) {
        let enabled = || {
            self.button(name)
                .is_some_and(|button| !button.has_attribute("disabled"))
        };
        until(name, enabled).await;
        self.button(name).unwrap().click();
    }

    /// Approves all of several runs, and submits.
    async fn approve(&self) {
        let find = |selector| self.container.query_selector(selector).unwrap();
        let card = || find("[part=approval]:has(.choice)");
        until("the card", || card().is_some()).await;
        card().unwrap().scroll_into_view();
        let turn = Cell::new(0);
        until("all of it on the screen", || {
            let tools = self.container.query_selector_all("[part=approval-tool]");
            let tools = tools.unwrap();
            let tool = tools.item(turn.get() % tools.length()).unwrap();
            tool.unchecked_into::<HtmlElement>().scroll_into_view();
            turn.set(turn.get() + 1);
            self.button("Approve all")
                .is_some_and(|all| !all.has_attribute("disabled"))
        })
        .await;
        self.press("Approve all").await;
        self.submit().await;
    }
}

impl Drop for Chat {
    fn drop(&mut self) {
        unmount(self.handle);
    }
}

fn two() -> [String; 2] {
    [request("b1", "x1"), request("b1", "x2")]
}

async fn script() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    answer("POST /api/assistants/threads", 200, JSON, r#"{"id":"t1"}"#);
    answer_with_stream(POST);
}

/// Returns the events of this type, as JSON.
fn heard(kind: &str) -> String {
    text(&format!(
        "JSON.stringify(heard.filter(([type]) => type === '{kind}').map(([, detail]) => detail))"
    ))
}

fn posts() -> String {
    text("fake.requests.filter((one) => one.body.includes('approval_result')).length")
}

#[wasm_bindgen_test]
async fn the_page_is_told_what_is_asked_and_no_more() {
    script().await;
    let chat = Chat::start("{}");
    let run = request("b1", "x1").replace(r#"{"amount":"10"}"#, r#"{"to":"a","n":0.10,"to":"b"}"#);
    chat.asked(&[run, request("b1", "x2")]).await;
    let x1 = r#"{"executionId":"x1","toolId":"refund","name":"Refund","provider":"Shop","category":"Payments","arguments":[["to","a"],["n","0.10"],["to","b"]]}"#;
    let x2 = r#"{"executionId":"x2","toolId":"refund","name":"Refund","provider":"Shop","category":"Payments","arguments":[["amount","10"]]}"#;
    assert_eq!(
        heard("approval-requested"),
        format!(r#"[{{"threadId":"t1","batchId":"b1","tools":[{x1},{x2}]}}]"#)
    );
}

#[wasm_bindgen_test]
async fn a_renderer_that_could_not_be_loaded_is_loaded_again_on_request() {
    script().await;
    let chat = Chat::start("{}");
    let load_again = js("globalThis.attempts = 0; (() => void attempts++)");
    let load_again = Some(load_again.unchecked_into::<Function>());
    set_renderer(None, JsValue::UNDEFINED, load_again);
    chat.asked(&two()).await;
    let sentence = "This request cannot be shown, so that it cannot be approved. Try again, or reload the page.";
    let shows = |text: &str| chat.container.text_content().unwrap().contains(text);
    assert!(shows(sentence));
    chat.press("Try again").await;
    until("another attempt", || chat.button("Try again").is_none()).await;
    assert_eq!(text("attempts"), "1");
    assert!(shows("Reading the request…"));
    assert!(!shows(sentence));
    set_renderer(
        Some(renderer_module().unchecked_into()),
        JsValue::UNDEFINED,
        None,
    );
    chat.approve().await;
    until("the post", || posts() == "1").await;
}

#[wasm_bindgen_test]
async fn the_page_is_asked_before_and_told_after() {
    script().await;
    let chat = Chat::start("{}");
    chat.asked(&two()).await;
    js("allows = () => false");
    chat.approve().await;
    let decisions = r#"[{"executionId":"x1","name":"Refund","decision":"APPROVED"},{"executionId":"x2","name":"Refund","decision":"APPROVED"}]"#;
    let answer =
        format!(r#"{{"threadId":"t1","batchId":"b1","decisions":{decisions},"feedback":null}}"#);
    until("the question", || {
        heard("before-approval") == format!("[{answer}]")
    })
    .await;
    assert_eq!(posts(), "0");
    js("allows = () => true");
    chat.submit().await;
    until("the post", || posts() == "1").await;
    assert_eq!(heard("approval-answered"), "[]");
    push(1, &frame("MESSAGE_RECEIVED", "2", ""));
    until("the acceptance", || {
        heard("approval-answered") == format!("[{answer}]")
    })
    .await;
    assert_eq!(
        text("heard.map(([type]) => type).filter((type) => /approval|asked/.test(type)).join()"),
        "approval-requested,asked,before-approval,before-approval,approval-answered"
    );
    assert_eq!(
        heard("asked"),
        r#"["2 actions need your approval: Refund, Refund."]"#
    );
}

#[wasm_bindgen_test]
async fn what_throws_instead_of_allowing_forbids() {
    script().await;
    let chat = Chat::start("{}");
    chat.asked(&two()).await;
    js("allows = () => { throw new Error('broken'); }");
    chat.approve().await;
    until("the question", || heard("before-approval") != "[]").await;
    js("allows = () => undefined");
    chat.submit().await;
    until("the second question", || {
        text("heard.filter(([type]) => type === 'before-approval').length") == "2"
    })
    .await;
    turn().await;
    assert_eq!(posts(), "0");
}

#[wasm_bindgen_test]
async fn a_widget_that_ends_while_the_page_is_asked_posts_nothing() {
    script().await;
    let chat = Rc::new(Chat::start("{}"));
    chat.asked(&two()).await;
    let handle = chat.handle;
    let was_asked = Rc::new(Cell::new(false));
    let asked = was_asked.clone();
    let end = Closure::<dyn Fn() -> bool>::new(move || {
        asked.set(true);
        update(handle, "heading", Some("Changed meanwhile".to_owned()));
        set_uploader(handle, None);
        unmount(handle);
        true
    });
    js_sys::Reflect::set(&js_sys::global(), &"allows".into(), end.as_ref()).unwrap();
    chat.approve().await;
    until("the question", || was_asked.get()).await;
    turn().await;
    assert_eq!(posts(), "0");
    assert_eq!(chat.container.child_element_count(), 0);
}

#[wasm_bindgen_test]
async fn the_launcher_hears_how_many_actions_wait_also_after_a_reload() {
    script().await;
    let chat = Chat::start("{}");
    assert_eq!(heard("pending"), "[]");
    chat.asked(&two()).await;
    let two_wait = r#"{"count":2,"text":"2 decisions wait"}"#;
    until("the number", || heard("pending") == format!("[{two_wait}]")).await;
    let told = || text("JSON.stringify(heard.filter(([type]) => type === 'waiting').at(-1)[1])");
    assert!(
        text("heard.some(([type, it]) => type === 'waiting' && it[0] && it[3] === 2)") == "true"
    );
    assert!(
        told().ends_with(r#","t1",2,"2 decisions wait"]"#),
        "{}",
        told()
    );
    drop(chat);
    // The conversation is not open after the reload, but its requests are stored.
    js("fake.requests.length = 0; fake.streams.length = 0");
    answer(
        "GET /api/assistants/threads/agent",
        200,
        JSON,
        r#"[{"id":"t1","threadName":"Refunds"}]"#,
    );
    answer(
        "GET /api/assistants/threads/t1/messages",
        200,
        JSON,
        r#"[{"id":"m1","role":"assistant","content":"","toolExecutionHumanApprovalRequest":[
            {"toolId":"refund","name":"Refund","provider":"Shop","category":"Payments","toolExecutionId":"x1","executionBatchId":"b1","toolArguments":{"amount":"10"},"status":"PENDING_HUMAN_APPROVAL"},
            {"toolId":"refund","name":"Refund","provider":"Shop","category":"Payments","toolExecutionId":"x2","executionBatchId":"b1","toolArguments":{"amount":"10"},"status":"PENDING_HUMAN_APPROVAL"}]}]"#,
    );
    let chat = Chat::start("{}");
    until("the number again", || {
        heard("pending") == format!("[{two_wait}]")
    })
    .await;
    // What waited before the reload is not new.
    until("the threads", || {
        told() == r#"[false,"","t1",2,"2 decisions wait"]"#
    })
    .await;
    assert!(!holds(
        "heard.some(([type, it]) => type === 'waiting' && it[0])"
    ));
    update(chat.handle, "thread-id", Some("t1".to_owned()));
    chat.approve().await;
    until("the post", || posts() == "1").await;
    let body = text("fake.requests.find((one) => one.body.includes('approval_result')).body");
    let echoed = two().map(|run| run.replace("PENDING_HUMAN_APPROVAL", "APPROVED"));
    assert!(body.contains(&echoed.join(",")), "{body}");
    push(0, &frame("MESSAGE_RECEIVED", "2", ""));
    until("nothing to wait for", || {
        text("heard.filter(([type]) => type === 'pending').at(-1)[1].count") == "0"
    })
    .await;
}

#[wasm_bindgen_test]
async fn the_dialect_can_change_while_the_widget_runs() {
    script().await;
    let chat = Chat::start("{ dialect: 'guide' }");
    chat.asked(&two()).await;
    chat.approve().await;
    until("the post", || posts() == "1").await;
    assert!(holds(
        r#"fake.requests.at(-1).body.includes('"tool_approval_results":[')"#
    ));
    push(1, &asks("2", &[request("b2", "y1"), request("b2", "y2")]));
    js("fake.streams[1].close()");
    update(chat.handle, "dialect", None);
    chat.approve().await;
    until("the second post", || posts() == "2").await;
    assert!(holds(
        r#"fake.requests.at(-1).body.includes('"toolApprovalResult":[')"#
    ));
}

#[wasm_bindgen_test]
async fn files_are_taken_while_the_page_has_an_uploader() {
    script().await;
    let chat = Chat::start("{}");
    chat.asked(&two()).await;
    chat.press("Deny all with a note…").await;
    until("the feedback", || chat.button("Back").is_some()).await;
    let attach = || chat.container.query_selector(".feedback [part=attach]");
    assert!(attach().unwrap().is_none());
    let uploader: Function = js("(file) => ({ fileId: 'id of ' + file.name })").unchecked_into();
    set_uploader(chat.handle, Some(uploader));
    until("the button", || attach().unwrap().is_some()).await;
    let input = chat
        .container
        .query_selector(".feedback input[type=file]")
        .unwrap();
    let choose: Function = js("(input) => {
        const files = new DataTransfer();
        files.items.add(new File(['x'], 'plan.pdf'));
        input.files = files.files;
        input.dispatchEvent(new Event('change', { bubbles: true }));
    }")
    .unchecked_into();
    choose.call1(&JsValue::UNDEFINED, &input.unwrap()).unwrap();
    let listed = || chat.container.text_content().unwrap().contains("plan.pdf");
    until("the file", listed).await;
    chat.press("Deny and send").await;
    until("the post", || posts() == "1").await;
    assert!(holds(
        r#"fake.requests.at(-1).body.endsWith('{"type":"document","fileId":"id of plan.pdf"}]}')"#
    ));
    push(1, &asks("2", &[request("b2", "y1")]));
    js("fake.streams[1].close()");
    set_uploader(chat.handle, None);
    chat.press("Deny with a note…").await;
    until("the feedback", || chat.button("Back").is_some()).await;
    assert!(chat.button("Attach files").is_none());
}
