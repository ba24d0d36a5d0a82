//! The border with the page: instances, options, styles, focus.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a test fails by panicking"
)]

mod fake_service;

use assent_protocol::Dialect;
use assent_widget::embed::{focus, mount, parse_options, unmount, update};
use assent_widget::shell::{Credentials, FirstThread, StorageKind};
use fake_service::*;
use js_sys::{Function, Object};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{HtmlElement, ShadowRoot};

wasm_bindgen_test_configure!(run_in_browser);

/// A container in a shadow root of its own, as the loader makes it.
fn container() -> HtmlElement {
    js("(() => {
        const host = document.createElement('div');
        document.body.append(host);
        const app = document.createElement('div');
        host.attachShadow({ mode: 'open' }).append(app);
        return app;
    })()")
    .unchecked_into()
}

fn start(container: &HtmlElement, options: &str) -> u32 {
    let options: Object =
        js(&format!("({{ 'agent-id': 'agent', ...{options} }})")).unchecked_into();
    let emit: Function = js("(() => {})").unchecked_into();
    mount(container.clone(), &options, emit)
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
    install();
    answer("GET *", 200, JSON, "[]");
    let (a, b) = (container(), container());
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
async fn all_widgets_share_one_sheet_and_keep_the_one_that_was_there() {
    install();
    answer("GET *", 200, JSON, "[]");
    let (a, b) = (container(), container());
    let root = |container: &HtmlElement| container.get_root_node().unchecked_into::<ShadowRoot>();
    let frame = web_sys::CssStyleSheet::new().unwrap();
    js_sys::Reflect::set(
        &root(&a),
        &"adoptedStyleSheets".into(),
        &js_sys::Array::of1(&frame),
    )
    .unwrap();
    let handles = [start(&a, "{}"), start(&b, "{}")];
    let again = start(&a, "{}");
    let sheets =
        |container: &HtmlElement| js_sys::Array::from(&root(container).adopted_style_sheets());
    assert_eq!(sheets(&a).length(), 2);
    assert_eq!(sheets(&a).get(0), wasm_bindgen::JsValue::from(frame));
    assert_eq!(sheets(&a).get(1), sheets(&b).get(0));
    handles.into_iter().chain([again]).for_each(unmount);
}

#[wasm_bindgen_test]
fn focus_goes_into_the_message_box() {
    install();
    answer("GET *", 200, JSON, "[]");
    let container = container();
    let handle = start(&container, "{}");
    focus(handle);
    let root: ShadowRoot = container.get_root_node().unchecked_into();
    assert_eq!(root.active_element(), Some(input(&container).into()));
    unmount(handle);
}

#[wasm_bindgen_test]
async fn a_thread_that_is_asked_for_is_read_and_can_be_changed() {
    install();
    answer(&format!("GET {THREADS}/agent"), 200, JSON, "[]");
    answer(
        "GET *",
        200,
        JSON,
        r#"[{"id":"m","role":"assistant","content":"A stored answer"}]"#,
    );
    let container = container();
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
fn a_widget_that_is_started_by_another_ones_handler_does_not_end_with_it() {
    install();
    answer("GET *", 200, JSON, "[]");
    let (a, b) = (container(), container());
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

#[wasm_bindgen_test]
async fn widgets_that_come_and_go_leave_nothing_behind() {
    install();
    answer("GET *", 200, JSON, "[]");
    let container = container();
    let memory = || {
        let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
        memory
            .buffer()
            .unchecked_into::<js_sys::ArrayBuffer>()
            .byte_length()
    };
    let mut after_ten = 0;
    for round in 0..100 {
        let handle = start(&container, "{}");
        if round % 10 == 0 {
            turn().await;
        }
        unmount(handle);
        if round == 10 {
            after_ten = memory();
        }
    }
    turn().await;
    assert_eq!(container.child_element_count(), 0);
    assert_eq!(memory(), after_ten);
}

#[wasm_bindgen_test]
fn options_have_defaults() {
    install();
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
    for (name, value) in [
        ("base-url", "javascript:alert(1)"),
        ("base-url", "https://user:password@service.example"),
        ("base-url", "https://"),
        ("user-id", "李"),
        ("user-id-header", "X Bad"),
        ("credentials", "always"),
        ("dialect", "latin"),
        ("storage", "cookie"),
    ] {
        let (connection, warnings) = parsed(name, value);
        assert_eq!(connection.base_url, "https://shop.example", "{value}");
        assert_eq!(connection.user_id_header, "X-Service-User-Id");
        assert_eq!(connection.user_id.len(), 36);
        assert_eq!(connection.credentials, Credentials::SameOrigin);
        assert_eq!(connection.storage, StorageKind::Local);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].contains(name) && warnings[0].contains(value),
            "{warnings:?}"
        );
    }
}

#[wasm_bindgen_test]
fn the_user_that_is_made_up_is_kept_where_the_page_says() {
    let stored =
        || text("[localStorage, sessionStorage].map((it) => it.getItem('assent:user-id'))");
    let (local, warnings) = parsed("storage", "local");
    assert_eq!(warnings, [""; 0]);
    assert_eq!(stored(), format!("{},", local.user_id));
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

fn parsed(name: &str, value: &str) -> (assent_widget::shell::Connection, Vec<String>) {
    install();
    let mut warnings = Vec::new();
    let attribute = |asked: &str| (asked == name).then(|| value.to_owned());
    let options = parse_options(&attribute, "https://shop.example/a/b", &mut |w| {
        warnings.push(w.to_owned());
    });
    (options.connection, warnings)
}
