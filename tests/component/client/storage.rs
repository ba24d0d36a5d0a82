//! The client's storage in the browser, and its fallback if storage is blocked.

use assent_client::{
    Connection, Credentials, KeyValueStore, ScopedStorage, StorageKind, browser_storage,
    is_header_name, is_header_value, load_or_create_user_id,
};
use assent_protocol::AgentId;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fake_service::{full_storage, holds, js, keep_nothing, text};
use crate::replaced_property::ReplacedProperty;

fn connection(agent: &str, user: &str) -> Connection {
    Connection {
        base_url: "https://service.example".to_owned(),
        agent: AgentId::from(agent),
        every_agent: false,
        user_id: user.to_owned(),
        user_id_header: "X-Service-User-Id".to_owned(),
        api_key: Some("secret".to_owned()),
        credentials: Credentials::SameOrigin,
        storage: StorageKind::Local,
    }
}

#[wasm_bindgen_test]
fn values_are_kept_apart_by_service_agent_and_user() {
    keep_nothing();
    let prefix = connection("a", "b").storage_prefix();
    assert_eq!(prefix, "assent:https://service.example|a|b:");
    assert_ne!(
        connection("a|b", "c").storage_prefix(),
        connection("a", "b|c").storage_prefix()
    );
    let [short, long] = ["b", "b:c"].map(|user| connection("a", user).storage_prefix());
    assert!(!long.starts_with(&short), "{long}");
    let scoped = ScopedStorage::new(browser_storage(StorageKind::Local), prefix);
    scoped.set("key", "value");
    assert_eq!(
        text("localStorage.getItem('assent:https://service.example|a|b:key')"),
        "value"
    );
    assert_eq!(scoped.get("key").as_deref(), Some("value"));
    assert_eq!(browser_storage(StorageKind::Local).get("key"), None);
    scoped.remove("key");
    assert_eq!(scoped.get("key"), None);
    assert!(!text("JSON.stringify(localStorage)").contains("secret"));
}

#[wasm_bindgen_test]
fn a_storage_that_refuses_is_replaced_by_memory() {
    keep_nothing();
    let full = full_storage();
    let storage = browser_storage(StorageKind::Local);
    storage.set("refused", "kept");
    let found = browser_storage(StorageKind::Local).get("refused");
    drop(full);
    assert_eq!(found.as_deref(), Some("kept"));
    storage.set("refused", "stored");
    assert_eq!(text("localStorage.getItem('refused')"), "stored");
    assert_eq!(storage.get("refused").as_deref(), Some("stored"));
    storage.remove("refused");
    assert_eq!(storage.get("refused"), None);
}

#[wasm_bindgen_test]
fn a_value_that_cannot_be_replaced_does_not_come_back() {
    keep_nothing();
    let storage = browser_storage(StorageKind::Local);
    storage.set("key", "old");
    let full = full_storage();
    storage.set("key", "new");
    drop(full);
    assert_eq!(storage.get("key").as_deref(), Some("new"));
    assert!(holds("localStorage.getItem('key') === null"));
    storage.remove("key");
}

#[wasm_bindgen_test]
fn keys_are_listed_by_what_they_begin_with_wherever_they_are() {
    keep_nothing();
    let full = full_storage();
    browser_storage(StorageKind::Local).set("list:memory", "");
    drop(full);
    browser_storage(StorageKind::Local).set("list:local", "");
    browser_storage(StorageKind::Local).set("lis", "");
    browser_storage(StorageKind::Local).set("other:list:", "");
    let sorted = |mut keys: Vec<String>| {
        keys.sort();
        keys
    };
    assert_eq!(
        sorted(browser_storage(StorageKind::Local).keys("list:")),
        ["list:local", "list:memory"]
    );
    let scoped = ScopedStorage::new(browser_storage(StorageKind::Local), "list:".to_owned());
    assert_eq!(sorted(scoped.keys("")), ["local", "memory"]);
    assert_eq!(scoped.keys("m"), ["memory"]);
    scoped.remove("memory");
    assert_eq!(scoped.keys("m"), [""; 0]);
}

#[wasm_bindgen_test]
fn a_blocked_storage_is_replaced_by_memory() {
    keep_nothing();
    let blocked = ReplacedProperty::getting(
        "globalThis.localStorage",
        "() => { throw new DOMException('blocked', 'SecurityError'); }",
    );
    let storage = browser_storage(StorageKind::Local);
    storage.set("blocked", "kept");
    let found = browser_storage(StorageKind::Local).get("blocked");
    drop(blocked);
    assert!(holds("localStorage.length === 0"));
    assert_eq!(found.as_deref(), Some("kept"));
}

const KINDS: [StorageKind; 3] = [StorageKind::Local, StorageKind::Session, StorageKind::None];

#[wasm_bindgen_test]
fn each_kind_keeps_its_values_in_its_own_place() {
    keep_nothing();
    for kind in KINDS {
        browser_storage(kind).set("kind", &format!("{kind:?}"));
    }
    assert_eq!(text("JSON.stringify(localStorage)"), r#"{"kind":"Local"}"#);
    assert_eq!(
        text("JSON.stringify(sessionStorage)"),
        r#"{"kind":"Session"}"#
    );
    for kind in KINDS {
        let storage = browser_storage(kind);
        assert_eq!(storage.get("kind"), Some(format!("{kind:?}")));
        assert_eq!(storage.keys("kin"), ["kind"], "{kind:?}");
        assert_eq!(storage.is_remembered("kind"), kind == StorageKind::None);
    }
    browser_storage(StorageKind::None).remove("kind");
    assert_eq!(browser_storage(StorageKind::None).get("kind"), None);
    assert_eq!(
        browser_storage(StorageKind::Local).get("kind").as_deref(),
        Some("Local")
    );
    assert_eq!(text("localStorage.length + sessionStorage.length"), "2");
}

#[wasm_bindgen_test]
fn what_one_kind_remembers_is_not_seen_by_another() {
    keep_nothing();
    for kind in KINDS {
        browser_storage(kind).remember("remembered", &format!("{kind:?}"));
    }
    assert_eq!(text("localStorage.length + sessionStorage.length"), "0");
    for kind in KINDS {
        let storage = browser_storage(kind);
        assert_eq!(storage.get("remembered"), Some(format!("{kind:?}")));
        assert_eq!(storage.keys("remem"), ["remembered"], "{kind:?}");
        storage.remove("remembered");
        assert_eq!(storage.get("remembered"), None);
    }
}

#[wasm_bindgen_test]
fn without_a_storage_the_browser_is_not_even_asked_for_one() {
    keep_nothing();
    js("globalThis.asked = 0");
    let _noting = ["localStorage", "sessionStorage"].map(|name| {
        ReplacedProperty::getting(
            &format!("globalThis.{name}"),
            "() => { asked++; return null; }",
        )
    });
    let storage = browser_storage(StorageKind::None);
    let id = load_or_create_user_id(&*storage);
    storage.set("key", "value");
    let found = browser_storage(StorageKind::None);
    assert_eq!(found.get("key").as_deref(), Some("value"));
    assert_eq!(load_or_create_user_id(&*found), id, "the page has one user");
    found.remove("key");
    assert_eq!(text("asked"), "0");
}

#[wasm_bindgen_test]
fn a_browser_makes_up_one_user_id_and_keeps_it() {
    keep_nothing();
    let storage = browser_storage(StorageKind::Local);
    let id = load_or_create_user_id(&*storage);
    let digits = |part: &str| part.chars().all(|c| c.is_ascii_hexdigit());
    let parts: Vec<_> = id.split('-').collect();
    assert_eq!(
        parts.iter().map(|part| part.len()).collect::<Vec<_>>(),
        [8, 4, 4, 4, 12]
    );
    assert!(
        parts.iter().all(|part| digits(part)) && parts[2].starts_with('4'),
        "{id}"
    );
    assert!(parts[3].starts_with(['8', '9', 'a', 'b']), "{id}");
    assert_eq!(load_or_create_user_id(&*storage), id);
    keep_nothing();
    assert_ne!(load_or_create_user_id(&*storage), id);
}

#[wasm_bindgen_test]
fn what_the_browser_would_throw_at_is_no_header() {
    for (name, is_name) in [
        ("X-Service-User-Id", true),
        ("", false),
        ("a b", false),
        ("ü", false),
        ("a:b", false),
    ] {
        assert_eq!(is_header_name(name), is_name, "{name}");
        assert_eq!(
            holds(&format!(
                "(() => {{ try {{ new Headers([[{name:?}, 'x']]); return true; }} catch {{ return false; }} }})()"
            )),
            is_name,
            "{name}"
        );
    }
    for (value, is_value) in [
        ("a b", true),
        ("Jürgen", true),
        ("李", false),
        ("a\nb", false),
        ("a\0b", false),
    ] {
        assert_eq!(is_header_value(value), is_value, "{value}");
        let code = format!(
            "(() => {{ try {{ new Headers([['x', {}]]); return true; }} catch {{ return false; }} }})()",
            js_sys::JSON::stringify(&value.into()).unwrap()
        );
        assert_eq!(holds(&code), is_value, "{value}");
    }
}
