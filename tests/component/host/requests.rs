//! Methods, state and events of a widget at its interface to the page.

use assent_widget::host::{ask, set_suggestions, snapshot, stop, unmount, watch};
use js_sys::{Array, Function, Object};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::fake_service::*;
use crate::host_page::Host;

const POST: &str = "POST /api/assistants/threads/t1/messages";

/// A widget with a new conversation. Its events are in `heard`, the results of requests in `ends`.
struct Chat {
    container: Host,
    handle: u32,
}

impl Chat {
    async fn start() -> Self {
        install().await;
        answer("GET *", 200, JSON, r#"[{"id":"t0","threadName":"Old"}]"#);
        answer("POST /api/assistants/threads", 200, JSON, r#"{"id":"t1"}"#);
        answer_with_stream(POST);
        js("Object.assign(globalThis, { heard: [], ends: [], before: () => true })");
        let container = Host::new();
        let options: Object =
            js("({ 'agent-id': 'agent', 'user-id': 'user', 'thread-id': 'new' })").unchecked_into();
        let emit: Function = js("(type, detail) => {
            if (type === 'before-send') return before(detail);
            heard.push([type, type === 'events' ? detail : structuredClone(detail)]);
        }")
        .unchecked_into();
        let handle = container.start(&options, emit);
        Self { container, handle }
    }

    /// Calls a method with these arguments, a JavaScript array.
    fn ask(&self, name: &str, arguments: &str) {
        let arguments: Array = js(arguments).unchecked_into();
        let [resolve, reject] = [
            "() => ends.push('done')",
            "(error) => ends.push([error instanceof Error, error.code, error.status, error.recoverable].join())",
        ]
        .map(|code| js(code).unchecked_into());
        ask(self.handle, name, &arguments, resolve, reject);
    }

    /// Sends a message, which is accepted.
    async fn send(&self, content: &str) {
        self.ask("send", &format!("[{content}]"));
        until("the post", || holds("fake.streams.length === 1")).await;
        push(0, &frame("MESSAGE_RECEIVED", "1", ""));
        until("the news", || heard("message-sent") != "[]").await;
    }

    fn state(&self) -> String {
        let state = js_sys::JSON::stringify(&snapshot(self.handle)).unwrap();
        String::from(state)
    }
}

impl Drop for Chat {
    fn drop(&mut self) {
        unmount(self.handle);
    }
}

/// Returns the details of this type of event, as JSON.
fn heard(kind: &str) -> String {
    text(&format!(
        "JSON.stringify(heard.filter(([type]) => type === '{kind}').map(([, detail]) => detail))"
    ))
}

/// Returns what a listener of `assent:event` got: threads, types and contents.
fn said() -> String {
    text(
        "(() => { \
           const [page, said] = [new EventTarget(), []]; \
           page.addEventListener('assent:event', ({ detail: { threadId, event } }) => \
             said.push(threadId + event.type + event.eventMessage.content)); \
           for (const [type, tell] of heard) if (type === 'events') tell(page); \
           return said.join(); \
         })()",
    )
}

fn ends() -> String {
    text("ends.join(' ')")
}

#[wasm_bindgen_test]
async fn a_message_of_the_page_is_told_step_by_step_and_done_with_its_answer() {
    let chat = Chat::start().await;
    chat.send("'hi'").await;
    assert_eq!(
        chat.state(),
        r#"{"threadId":"t1","streaming":true,"unread":0,"pendingApprovals":0}"#
    );
    assert_eq!(heard("thread-change"), r#"[{"threadId":"t1"}]"#);
    assert_eq!(
        heard("message-sent"),
        r#"[{"threadId":"t1","content":[{"type":"text","text":"hi"}]}]"#
    );
    watch(chat.handle, false);
    let piece = frame("AGENT_RESPONSE_CHUNK", "2", "**Hel");
    push(0, &piece.repeat(2));
    until("the pieces", || said().matches("CHUNK").count() == 2).await;
    push(0, &frame("AGENT_RESPONSE_COMPLETE", "3", "**Hello**"));
    js("fake.streams[0].close()");
    until("the end", || ends() == "done").await;
    assert_eq!(
        heard("answer-complete"),
        r#"[{"threadId":"t1","text":"**Hello**"}]"#
    );
    assert_eq!(
        chat.state(),
        r#"{"threadId":"t1","streaming":false,"unread":1,"pendingApprovals":0}"#
    );
    watch(chat.handle, true);
    assert_eq!(heard("unread"), r#"[{"count":1},{"count":0}]"#);
    assert_eq!(
        said(),
        "t1MESSAGE_RECEIVED,t1AGENT_RESPONSE_CHUNK**Hel,t1AGENT_RESPONSE_CHUNK**Hel,t1AGENT_RESPONSE_COMPLETE**Hello**"
    );
}

#[wasm_bindgen_test]
async fn threads_are_made_opened_renamed_and_deleted() {
    let chat = Chat::start().await;
    answer(
        "PUT /api/assistants/threads/t0",
        200,
        JSON,
        r#"{"id":"t0","threadName":"New"}"#,
    );
    answer("DELETE /api/assistants/threads/t0", 403, JSON, "{}");
    answer("GET /api/assistants/threads/t0/messages", 200, JSON, "[]");
    chat.ask("renameThread", "['t0', 'New']");
    until("the name", || ends() == "done").await;
    chat.ask("openThread", "['t0']");
    until("the thread", || ends() == "done done").await;
    assert_eq!(heard("thread-change"), r#"[{"threadId":"t0"}]"#);
    chat.ask("deleteThread", "['t0']");
    until("the refusal", || {
        ends() == "done done true,forbidden,403,false"
    })
    .await;
    assert_eq!(
        heard("error"),
        r#"[{"message":"You’re not allowed to do this.","code":"forbidden","status":403,"recoverable":false}]"#
    );
    chat.ask("newThread", "[]");
    until("the new one", || ends().ends_with(" done")).await;
    assert_eq!(
        heard("thread-change"),
        r#"[{"threadId":"t0"},{"threadId":null}]"#
    );
}

#[wasm_bindgen_test]
async fn what_cannot_be_sent_is_refused_and_items_are_taken() {
    let chat = Chat::start().await;
    for wrong in [
        "''",
        "42",
        "[{ type: 'text' }]",
        "[{ type: 'video', text: 'x' }]",
        "[]",
    ] {
        js("ends.length = 0");
        chat.ask("send", &format!("[{wrong}]"));
        assert_eq!(ends(), "true,invalid,,false", "{wrong}");
    }
    js("ends.length = 0");
    chat.send("[{ type: 'text', text: 'See' }, { type: 'document', fileId: 'f' }, { type: 'image', imageId: 'i' }]")
        .await;
    assert_eq!(
        text("fake.requests.at(-1).body"),
        r#"{"content":[{"type":"text","text":"See"},{"type":"document","fileId":"f"},{"type":"image","imageId":"i"}]}"#
    );
    chat.ask("send", "['more']");
    assert_eq!(ends(), "true,busy,,true");
    stop(chat.handle);
    until("the end", || ends() == "true,busy,,true true,stopped,,true").await;
}

#[wasm_bindgen_test]
async fn the_page_changes_a_message_or_keeps_it_before_its_thread_is_made() {
    let chat = Chat::start().await;
    js("before = () => false");
    chat.ask("send", "['hi']");
    until("the end", || ends() == "true,withheld,,true").await;
    js("before = (detail) => { detail.content = ' '; return true; }");
    chat.ask("send", "['hi']");
    until("the end", || {
        ends() == "true,withheld,,true true,withheld,,true"
    })
    .await;
    assert_eq!(
        text("fake.requests.filter(({ method }) => method === 'POST').length"),
        "0"
    );
    js("before = (detail) => {
        globalThis.asked = JSON.stringify(detail);
        detail.content[0].text += ' there';
        detail.content.push({ type: 'document', fileId: 'f' });
        return true;
    }");
    chat.send("'hi'").await;
    assert_eq!(
        text("asked"),
        r#"{"threadId":null,"content":[{"type":"text","text":"hi"}]}"#
    );
    let content = r#"[{"type":"text","text":"hi there"},{"type":"document","fileId":"f"}]"#;
    assert_eq!(
        text("fake.requests.at(-1).body"),
        format!(r#"{{"content":{content}}}"#)
    );
    assert_eq!(
        heard("message-sent"),
        format!(r#"[{{"threadId":"t1","content":{content}}}]"#)
    );
}

#[wasm_bindgen_test]
async fn a_suggestion_of_the_page_is_posted_once_and_the_page_is_told() {
    let chat = Chat::start().await;
    let buttons = || {
        let all = chat
            .container
            .query_selector_all("[part=suggestion]")
            .unwrap();
        let all = (0..all.length()).map(|at| all.item(at).unwrap());
        all.map(|it| it.unchecked_into::<HtmlElement>())
            .collect::<Vec<_>>()
    };
    let shown = || {
        buttons()
            .iter()
            .map(|it| it.text_content().unwrap())
            .collect::<Vec<_>>()
    };
    // Values that are no text, or blank, could not be sent.
    let texts: Array = js("['Where is it?', ' \\n', '', 7, null, 'Give it back']").unchecked_into();
    set_suggestions(chat.handle, &texts);
    let given = ["Where is it?", "Give it back"];
    until("the buttons", || shown() == given).await;
    let button = buttons().remove(0);
    button.click();
    button.click();
    until("the post", || holds("fake.streams.length === 1")).await;
    push(0, &frame("MESSAGE_RECEIVED", "1", ""));
    until("the news", || heard("message-sent") != "[]").await;
    assert_eq!(
        heard("message-sent"),
        r#"[{"threadId":"t1","content":[{"type":"text","text":"Where is it?"}]}]"#
    );
    assert!(holds("fake.streams.length === 1"));
    assert_eq!(shown(), [""; 0]);
    set_suggestions(u32::MAX, &texts);
}
