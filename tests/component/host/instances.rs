//! The interface to the page: instances, options, styles, focus.

use assent_client::{Connection, Credentials, FirstThread, StorageKind};
use assent_protocol::Dialect;
use assent_widget::host::{self, focus, parse_options, unmount, update};
use js_sys::{Function, Object, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::fake_service::*;
use crate::host_page::Host;

fn start(container: &Host, options: &str) -> u32 {
    let options: Object =
        js(&format!("({{ 'agent-id': 'agent', ...{options} }})")).unchecked_into();
    let emit: Function = js("(() => {})").unchecked_into();
    container.start(&options, emit)
}

fn input(container: &HtmlElement) -> HtmlElement {
    let found = container.query_selector(r#"[part~="input"]"#).unwrap();
    found.expect("a message box").unchecked_into()
}

fn heading(container: &HtmlElement) -> String {
    let heading = container
        .query_selector("#heading")
        .unwrap()
        .expect("a heading");
    heading.text_content().unwrap()
}

#[wasm_bindgen_test]
async fn two_widgets_live_side_by_side_and_end_alone() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    let (a, b) = (Host::new(), Host::new());
    let (first, second) = (start(&a, "{}"), start(&b, "{ heading: 'Second' }"));
    assert_ne!(first, second);
    assert_eq!(heading(&b), "Second");
    unmount(first);
    assert_eq!(a.child_element_count(), 0);
    update(second, "heading", Some("Renamed".to_owned()));
    until("the new heading", || heading(&b) == "Renamed").await;
    update(second, "heading", None);
    until("the heading of its own", || heading(&b) != "Renamed").await;
    unmount(second);
    unmount(second);
    update(second, "heading", Some("nobody".to_owned()));
    focus(second);
    assert_eq!(b.child_element_count(), 0);
}

#[wasm_bindgen_test]
async fn the_first_requests_are_sent_before_the_widget_is_drawn() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    let container = Host::new();
    let options: Object = js("({ 'agent-id': 'agent', 'thread-id': 't1' })").unchecked_into();
    let handle = host::start(&options, js("(() => {})").unchecked_into());
    focus(handle);
    // As long as the loader waits.
    JsFuture::from(Promise::resolve(&JsValue::NULL))
        .await
        .unwrap();
    assert_eq!(
        text("fake.requests.map(({ path }) => path.split('/').slice(-2).join('/')).join()"),
        "threads/agent,t1/messages"
    );
    assert_eq!(container.child_element_count(), 0);
    host::mount(handle, container.clone());
    input(&container);
    unmount(handle);
    assert_eq!(container.child_element_count(), 0);
}

#[wasm_bindgen_test]
async fn all_widgets_share_one_sheet_and_keep_the_one_that_was_there() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    let (a, b) = (Host::new(), Host::new());
    let frame = web_sys::CssStyleSheet::new().unwrap();
    js_sys::Reflect::set(
        a.root(),
        &"adoptedStyleSheets".into(),
        &js_sys::Array::of1(&frame),
    )
    .unwrap();
    let handles = [start(&a, "{}"), start(&b, "{}")];
    let again = start(&a, "{}");
    let sheets = |host: &Host| js_sys::Array::from(&host.root().adopted_style_sheets());
    assert_eq!(sheets(&a).length(), 2);
    assert_eq!(sheets(&a).get(0), JsValue::from(frame));
    assert_eq!(sheets(&a).get(1), sheets(&b).get(0));
    handles.into_iter().chain([again]).for_each(unmount);
}

#[wasm_bindgen_test]
async fn focus_goes_into_the_message_box() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    let container = Host::new();
    let handle = start(&container, "{}");
    focus(handle);
    let focused = container.root().active_element();
    assert_eq!(focused, Some(input(&container).into()));
    unmount(handle);
}

#[wasm_bindgen_test]
async fn a_thread_that_is_asked_for_is_read_and_can_be_changed() {
    install().await;
    answer(&format!("GET {THREADS}/agent"), 200, JSON, "[]");
    answer(
        "GET *",
        200,
        JSON,
        r#"[{"id":"m","role":"assistant","content":"A stored answer"}]"#,
    );
    let container = Host::new();
    let handle = start(&container, "{ 'thread-id': 't 1' }");
    let shown = || {
        container
            .text_content()
            .unwrap_or_default()
            .contains("A stored answer")
    };
    until("the stored answer", shown).await;
    assert!(holds(
        "fake.requests.some((one) => one.path.endsWith('/t%201/messages'))"
    ));
    update(handle, "thread-id", Some("new".to_owned()));
    until("an empty conversation", || !shown()).await;
    update(handle, "thread-id", Some("t2".to_owned()));
    until("the other thread", || {
        holds("fake.requests.some((one) => one.path.endsWith('/t2/messages'))")
    })
    .await;
    unmount(handle);
}

#[wasm_bindgen_test]
async fn a_widget_that_is_started_by_another_ones_handler_does_not_end_with_it() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    let (a, b) = (Host::new(), Host::new());
    let first = start(&a, "{}");
    let owner = leptos::prelude::Owner::new();
    let second = owner.with(|| start(&b, "{}"));
    owner.cleanup();
    drop(owner);
    unmount(first);
    update(second, "heading", Some("Still here".to_owned()));
    assert!(b.child_element_count() > 0);
    input(&b);
    unmount(second);
}

/// Waits for the end of this agent's widgets: the last step is the release of their locks.
async fn are_over(agent: &str) {
    let query = format!(
        "navigator.locks.query().then(({{ held, pending }}) =>
            [...held, ...pending].some(({{ name }}) => name.includes('|{agent}|')))"
    );
    for _ in 0..200 {
        let is_locked = JsFuture::from(Promise::from(js(&query))).await.unwrap();
        if is_locked.is_falsy() {
            return;
        }
        turn().await;
    }
    panic!("a lock is still held");
}

/// Returns the bytes of the module's memory. It never shrinks.
fn memory() -> u32 {
    let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let buffer: js_sys::ArrayBuffer = memory.buffer().unchecked_into();
    buffer.byte_length()
}

/// Takes all free blocks of the memory, so that it grows for anything needed next. Otherwise memory
/// that earlier tests freed would hide a leak here.
fn take_what_is_free() -> Vec<Vec<u8>> {
    let mut taken = Vec::with_capacity(1 << 16);
    let mut size = 1 << 16;
    while size >= 64 {
        let before = memory();
        let block = Vec::with_capacity(size);
        if memory() == before {
            taken.push(block);
        } else {
            size /= 2;
        }
    }
    taken
}

#[wasm_bindgen_test]
async fn widgets_that_come_and_go_leave_nothing_behind() {
    install().await;
    answer("GET *", 200, JSON, "[]");
    let container = Host::new();
    let _taken = take_what_is_free();
    come_and_go(&container, 10).await;
    // The allocator takes a page more now and then for blocks that do not fit into freed ones. A
    // leak of each widget would take one in every ninety rounds: 728 bytes each are found.
    let mut grew = true;
    for _ in 0..3 {
        let before = memory();
        come_and_go(&container, 90).await;
        grew = grew && memory() > before;
    }
    assert_eq!(container.child_element_count(), 0);
    assert!(!grew, "the memory grew with every ninety widgets");
}

/// Starts and ends widgets, one at a time: the memory they need must not depend on how many are
/// ending.
async fn come_and_go(container: &Host, rounds: u32) {
    for _ in 0..rounds {
        let handle = start(container, "{ 'agent-id': 'passing' }");
        turn().await;
        unmount(handle);
        are_over("passing").await;
    }
}

#[wasm_bindgen_test]
fn options_have_defaults() {
    keep_nothing();
    let mut warnings = Vec::new();
    let options = parse_options(
        &|name| (name == "agent-id").then(|| "x".to_owned()),
        "https://shop.example/a/b?c",
        &mut |w| warnings.push(w.to_owned()),
    );
    let connection = &options.connection;
    assert_eq!(connection.base_url, "https://shop.example");
    assert_eq!(connection.user_id_header, "X-Service-User-Id");
    assert_eq!(
        (connection.api_key.as_deref(), connection.credentials),
        (None, Credentials::SameOrigin)
    );
    assert_eq!(connection.user_id.len(), 36);
    assert_eq!(connection.storage, StorageKind::Local);
    assert_eq!(options.first_thread, FirstThread::LastUsed);
    assert_eq!(options.dialect, Dialect::Declared);
    assert!(
        options.settings.is_empty() && warnings.is_empty(),
        "{warnings:?}"
    );
}

#[wasm_bindgen_test]
fn a_base_url_may_have_a_path_and_be_relative() {
    keep_nothing();
    for (value, expected) in [
        ("https://service.example", "https://service.example"),
        ("https://service.example/", "https://service.example"),
        (
            "https://service.example/a/b//?x#y",
            "https://service.example/a/b",
        ),
        ("/proxy/", "https://shop.example/proxy"),
        ("", "https://shop.example"),
        ("//other.example", "https://other.example"),
    ] {
        let (connection, warnings) = parsed("base-url", value);
        assert_eq!(
            (connection.base_url.as_str(), warnings.len()),
            (expected, 0),
            "{value}"
        );
    }
}

#[wasm_bindgen_test]
fn a_bad_value_gives_the_default_and_one_warning() {
    keep_nothing();
    for (name, value) in [
        ("base-url", "javascript:alert(1)"),
        ("base-url", "https://user:password@service.example"),
        ("base-url", "https://"),
        ("user-id", "ada\u{a0}"),
        ("user-id", "a\tb"),
        ("user-id-header", "X Bad"),
        ("credentials", "always"),
        ("view", "inbox"),
        ("dialect", "latin"),
        ("storage", "cookie"),
    ] {
        let (connection, warnings) = parsed(name, value);
        assert_eq!(connection.base_url, "https://shop.example", "{value}");
        assert_eq!(connection.user_id_header, "X-Service-User-Id");
        assert_eq!(connection.user_id.len(), 36);
        assert_eq!(connection.credentials, Credentials::SameOrigin);
        assert_eq!(connection.storage, StorageKind::Local);
        assert!(!connection.every_agent);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].contains(name) && warnings[0].contains(value),
            "{warnings:?}"
        );
    }
}

#[wasm_bindgen_test]
fn the_user_that_is_made_up_is_kept_where_the_page_says() {
    keep_nothing();
    let stored =
        || text("[localStorage, sessionStorage].map((it) => it.getItem('assent:user-id'))");
    let (local, warnings) = parsed("storage", "local");
    assert_eq!(warnings, [""; 0]);
    assert_eq!(stored(), format!("{},", local.user_id));
    js("localStorage.clear()");
    let (session, _) = parsed("storage", "session");
    assert_eq!(session.storage, StorageKind::Session);
    assert_eq!(stored(), format!(",{}", session.user_id));
    js("sessionStorage.clear()");
    let [(none, _), (again, _)] = [(); 2].map(|()| parsed("storage", "none"));
    assert_eq!(none.storage, StorageKind::None);
    assert_eq!(stored(), ",");
    assert_eq!(none.user_id, again.user_id, "the page has one user");
    let users = [local, session, none].map(|it| it.user_id);
    assert!(users[0] != users[1] && users[0] != users[2] && users[1] != users[2]);
}

#[wasm_bindgen_test]
fn a_key_is_warned_about_and_never_shown() {
    keep_nothing();
    let (connection, warnings) = parsed("api-key", " sk-123 ");
    assert_eq!(connection.api_key.as_deref(), Some("sk-123"));
    assert_eq!(warnings.len(), 1);
    let (connection, bad) = parsed("api-key", "sk-123\u{1}");
    assert_eq!(connection.api_key, None);
    assert!(
        [warnings, bad]
            .concat()
            .iter()
            .all(|warning| !warning.contains("sk-123"))
    );
}

fn parsed(name: &str, value: &str) -> (Connection, Vec<String>) {
    let mut warnings = Vec::new();
    let attribute = |asked: &str| (asked == name).then(|| value.to_owned());
    let options = parse_options(&attribute, "https://shop.example/a/b", &mut |w| {
        warnings.push(w.to_owned());
    });
    (options.connection, warnings)
}
