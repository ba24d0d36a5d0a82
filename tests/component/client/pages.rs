//! Lists of a service that has the extension `pages`: the latest part first, and never a guess.

use assent_client::{Connection, FirstThread, Runtime, StorageKind};
use assent_conversation::LoadState;
use wasm_bindgen_test::wasm_bindgen_test;

use super::runtime::{connection, transcript};
use crate::fake_service::*;
use crate::replaced_property::ReplacedProperty;

const LIST: &str = "/prefix/api/assistants/threads/agent";
const MESSAGES: &str = "/prefix/api/assistants/threads/t1/messages";
const LATEST: &str = "?limit=100";

const NAMED: &str = r#""assent-extensions": "memory-id, pages, cancel""#;
const FIRST: &str = r#"<?limit=100>; rel=\"first\""#;
const NEXT: &str = r#"<?limit=100&before=7,8>; rel=\"next\""#;

/// Scripts a list that begins with a page.
fn paged(path: &str, latest: &str, whole: &str) {
    answer(&format!("GET {path}{LATEST}"), 200, JSON, latest);
    answer(&format!("GET {path}"), 200, JSON, whole);
    names_pages(path);
    links(path, &[NEXT, FIRST].join(", "));
}

/// Makes the answers of a list name the extension.
fn names_pages(path: &str) {
    add_headers(path, &["{", NAMED, "}"].concat());
}

/// Makes the page of a list name other pages, and the extension.
fn links(path: &str, links: &str) {
    let address = [path, LATEST].concat();
    add_headers(&address, &format!(r#"{{ {NAMED}, "link": "{links}" }}"#));
}

fn start(storage: StorageKind, first: FirstThread) -> Runtime {
    let connection = Connection {
        storage,
        ..connection()
    };
    let runtime = Runtime::new(connection, page(), Box::new(|_, _| {}));
    runtime.start(first);
    runtime
}

/// Returns a page that was told of the extension, and has read the whole list.
async fn told() -> Runtime {
    let runtime = start(StorageKind::Local, FirstThread::New);
    until("the list", || is_listed(&runtime)).await;
    runtime
}

fn is_listed(runtime: &Runtime) -> bool {
    runtime.with_state(|state| state.threads.load == LoadState::Ready)
}

fn rows(runtime: &Runtime) -> String {
    runtime.with_state(|state| {
        let rows = state.threads.rows.iter().map(|row| row.id.as_str());
        rows.collect::<Vec<_>>().join(",")
    })
}

/// Returns the queries of the reads of this path, in order.
fn queries(path: &str) -> String {
    text(&format!(
        "JSON.stringify(fake.requests.filter((it) => it.path === '{path}').map((it) => new URL(it.url).search))"
    ))
}

#[wasm_bindgen_test]
async fn a_list_is_read_in_pages_only_once_the_service_has_named_them() {
    install().await;
    paged(
        LIST,
        r#"[{"id":"t3"}]"#,
        r#"[{"id":"t3"},{"id":"t2"},{"id":"t1"}]"#,
    );
    let before = told().await;
    assert_eq!(queries(LIST), r#"[""]"#, "nothing was known");
    drop(before);
    let runtime = told().await;
    assert_eq!(queries(LIST), r#"["","?limit=100",""]"#);
    assert_eq!(rows(&runtime), "t3,t2,t1");
}

#[wasm_bindgen_test]
async fn what_one_user_was_told_is_not_used_for_another() {
    install().await;
    paged(LIST, "[]", "[]");
    drop(told().await);
    let other = Connection {
        user_id: "other".to_owned(),
        ..connection()
    };
    let runtime = Runtime::new(other, page(), Box::new(|_, _| {}));
    runtime.start(FirstThread::New);
    until("the list", || is_listed(&runtime)).await;
    assert_eq!(queries(LIST), r#"["",""]"#);
}

#[wasm_bindgen_test]
async fn the_newest_threads_are_there_while_the_others_are_not() {
    install().await;
    paged(LIST, r#"[{"id":"t3"}]"#, "[]");
    drop(told().await);
    answer(&format!("GET {LIST}"), NEVER, "", "");
    // The answer that never comes is the next one.
    answer(&format!("GET {LIST}"), NEVER, "", "");
    js(&format!("fake.answers.get('GET {LIST}').shift()"));
    let runtime = start(StorageKind::Local, FirstThread::New);
    until("the newest", || rows(&runtime) == "t3").await;
    until("the request of all", || {
        queries(LIST) == r#"["","?limit=100",""]"#
    })
    .await;
    assert!(!is_listed(&runtime));
}

#[wasm_bindgen_test]
async fn a_list_of_one_page_is_read_once() {
    install().await;
    paged(LIST, r#"[{"id":"t1"}]"#, r#"[{"id":"t1"}]"#);
    links(LIST, FIRST);
    drop(told().await);
    let runtime = told().await;
    assert_eq!(queries(LIST), r#"["","?limit=100"]"#);
    assert_eq!(rows(&runtime), "t1");
}

#[wasm_bindgen_test]
async fn a_page_whose_links_cannot_be_read_is_not_taken_for_the_whole_list() {
    for hidden in ["", "</style.css>; rel=preload"] {
        install().await;
        paged(LIST, r#"[{"id":"t2"}]"#, r#"[{"id":"t2"},{"id":"t1"}]"#);
        links(LIST, hidden);
        drop(told().await);
        let runtime = told().await;
        assert_eq!(rows(&runtime), "t2,t1", "{hidden:?}");
    }
}

#[wasm_bindgen_test]
async fn a_service_that_refuses_pages_is_asked_for_the_list() {
    for status in [400, 404, 414] {
        install().await;
        paged(LIST, "[]", r#"[{"id":"t1"}]"#);
        drop(told().await);
        answer(&format!("GET {LIST}{LATEST}"), status, JSON, "{}");
        js(&format!("fake.answers.get('GET {LIST}{LATEST}').shift()"));
        let runtime = told().await;
        assert_eq!(queries(LIST), r#"["","?limit=100",""]"#, "{status}");
        assert_eq!(rows(&runtime), "t1");
    }
}

#[wasm_bindgen_test]
async fn a_service_that_names_pages_no_more_is_not_asked_for_them_again() {
    install().await;
    paged(LIST, "[]", "[]");
    drop(told().await);
    add_headers(LIST, "{}");
    add_headers(&[LIST, LATEST].concat(), "{}");
    drop(told().await);
    drop(told().await);
    assert_eq!(queries(LIST), r#"["","?limit=100","",""]"#);
}

#[wasm_bindgen_test]
async fn a_failure_that_passes_is_no_reason_to_ask_for_all() {
    install().await;
    paged(LIST, r#"[{"id":"t1"}]"#, "[]");
    links(LIST, FIRST);
    drop(told().await);
    answer(&format!("GET {LIST}{LATEST}"), 503, "", "");
    answer(
        &format!("GET {LIST}{LATEST}"),
        200,
        JSON,
        r#"[{"id":"t1"}]"#,
    );
    js(&format!("fake.answers.get('GET {LIST}{LATEST}').shift()"));
    let _quick = quick();
    let runtime = told().await;
    assert_eq!(queries(LIST), r#"["","?limit=100","?limit=100"]"#);
    assert_eq!(rows(&runtime), "t1");
}

#[wasm_bindgen_test]
async fn the_latest_messages_are_shown_while_all_are_loaded() {
    install().await;
    paged(LIST, "[]", "[]");
    drop(told().await);
    let message = |id: &str| format!(r#"{{"id":"{id}","role":"user","content":"{id}"}}"#);
    let whole = format!("[{},{}]", message("m1"), message("m2"));
    paged(MESSAGES, &format!("[{}]", message("m2")), &whole);
    js("globalThis.hold = new Promise((resolve) => { globalThis.release = resolve; })");
    let _held = ReplacedProperty::new(
        "globalThis.fetch",
        &format!(
            "async (address, options) => {{
                const response = await real(address, options);
                if (new URL(address.url ?? address).href.endsWith('{MESSAGES}')) await hold;
                return response;
            }}"
        ),
    );
    let runtime = start(StorageKind::Local, FirstThread::Thread("t1".into()));
    until("the latest", || transcript(&runtime) == "You|m2|Sent").await;
    js("release()");
    until("all", || transcript(&runtime) == "You|m1|Sent\nYou|m2|Sent").await;
    assert_eq!(queries(MESSAGES), r#"["?limit=100",""]"#);
}
