//! Images that the service keeps, read with the user's access.

use assent_client::{Connection, Credentials, Runtime, StorageKind};
use assent_protocol::AgentId;
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::fake_service::*;

const IMAGE: &str = "/api/assistants/uploads/upload-1";

async fn runtime() -> Runtime {
    install().await;
    let connection = Connection {
        base_url: "https://service.example".to_owned(),
        agent: AgentId::from("agent"),
        every_agent: false,
        user_id: "user".to_owned(),
        user_id_header: "X-Service-User-Id".to_owned(),
        api_key: Some("key".to_owned()),
        credentials: Credentials::Omit,
        storage: StorageKind::None,
    };
    Runtime::new(connection, page(), Box::new(|_, _| {}))
}

async fn read(reader: &Function, id: &str) -> Result<JsValue, JsValue> {
    let image: Promise = reader
        .call1(&JsValue::UNDEFINED, &id.into())
        .unwrap()
        .unchecked_into();
    JsFuture::from(image).await
}

#[wasm_bindgen_test]
async fn an_image_is_read_with_the_headers_of_all_requests() {
    let runtime = runtime().await;
    answer(&format!("GET {IMAGE}"), 200, "image/png", "bytes");
    let blob = read(&runtime.image_reader(), "upload-1").await.unwrap();
    js_sys::Reflect::set(&js_sys::global(), &"blob".into(), &blob).unwrap();
    assert_eq!(text("[blob.type, blob.size]"), "image/png,5");
    let url = format!("https://service.example{IMAGE}");
    assert_eq!(text("fake.requests.map((it) => it.url)"), url);
    let sent = |name: &str| text(&format!("fake.requests[0].headers['{name}']"));
    assert_eq!(sent("authorization"), "Bearer key");
    assert_eq!(sent("x-service-user-id"), "user");
    assert_eq!(sent("accept"), "image/*");
}

#[wasm_bindgen_test]
async fn an_image_that_is_refused_or_out_of_reach_is_no_image() {
    let runtime = runtime().await;
    let reader = runtime.image_reader();
    answer(&format!("GET {IMAGE}"), 404, JSON, "{}");
    assert!(read(&reader, "upload-1").await.is_err());
    // Nothing is scripted for it.
    assert!(read(&reader, "upload-2").await.is_err());
    // An id is never a path.
    assert!(read(&reader, "..").await.is_err());
    assert!(read(&reader, "../threads").await.is_err());
    let last = text("fake.requests.at(-1).path");
    assert_eq!(last, "/api/assistants/uploads/..%2Fthreads");
    // It does not keep the widget alive.
    drop(runtime);
    assert!(read(&reader, "upload-1").await.is_err());
    assert!(holds("fake.requests.length === 3"));
}
