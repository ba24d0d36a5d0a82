//! Requests that pages of other origins let a browser send, with the session of its person.

use assent_service::{Settings, settings::Origins};
use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, Method},
};
use serde_json::{Value, json};

use crate::common::{
    Service, THREADS, USER, messages_of, request, service, service_with, settings, text,
};

const UPLOADS: &str = "/api/assistants/uploads";

/// The headers by which a browser says where a request comes from, and whether that is welcome.
/// The first ones are those of addresses with TLS, and of the loopback network.
const SENDERS: [(&[(&str, &str)], bool); 15] = [
    (
        &[
            ("sec-fetch-site", "same-origin"),
            ("origin", "https://shop.example"),
        ],
        true,
    ),
    (
        &[("sec-fetch-site", "same-origin"), ("origin", "null")],
        true,
    ),
    (&[("sec-fetch-site", "none")], true),
    (
        &[
            ("sec-fetch-site", "same-site"),
            ("origin", "https://forum.shop.example"),
        ],
        false,
    ),
    (
        &[
            ("sec-fetch-site", "same-site"),
            ("origin", "https://shop.example:8443"),
        ],
        false,
    ),
    (
        &[
            ("sec-fetch-site", "cross-site"),
            ("origin", "https://evil.example"),
        ],
        false,
    ),
    (
        &[("sec-fetch-site", "cross-site"), ("origin", "null")],
        false,
    ),
    (&[("sec-fetch-site", "cross-site")], false),
    // Without TLS, and from old browsers.
    (&[("origin", "http://shop.example")], true),
    (&[("origin", "http://forum.shop.example")], false),
    (&[("origin", "http://shop.example:8080")], false),
    (&[("origin", "http://shop.example.evil.example")], false),
    (&[("origin", "http://evil.example")], false),
    (&[("origin", "null")], false),
    // A program.
    (&[], true),
];

/// Sends a request whose address has this host, as a proxy passes it on.
async fn send(
    service: &Service,
    headers: &[(&'static str, &'static str)],
    method: &Method,
    path: &str,
    body: Option<&Value>,
) -> u16 {
    let mut request = request(method.clone(), path, USER, body);
    if path == UPLOADS {
        // What a page can send anywhere without a question before it.
        *request.body_mut() = Body::from("a file");
        let plain = HeaderValue::from_static("text/plain");
        request.headers_mut().insert("content-type", plain);
    }
    let host = HeaderValue::from_static("shop.example");
    request.headers_mut().insert("host", host);
    for (name, value) in headers {
        let value = HeaderValue::from_static(value);
        request
            .headers_mut()
            .insert(HeaderName::from_static(name), value);
    }
    let answer = service.send(request).await;
    if answer.status == 403 {
        answer.failure(403);
    }
    answer.status.as_u16()
}

#[tokio::test]
async fn only_pages_of_the_own_origin_can_change_anything() {
    let service = service().await;
    for (headers, is_welcome) in SENDERS {
        let thread = service.thread("demo").await;
        let one = format!("{THREADS}/{thread}");
        let upload = service.post(UPLOADS, &json!("a file")).await.json();
        let upload = format!("{UPLOADS}/{}", upload["fileId"].as_str().unwrap());
        for (method, path, body, success) in [
            (
                Method::POST,
                THREADS,
                Some(json!({ "agentId": "demo" })),
                201,
            ),
            (
                Method::POST,
                &messages_of(&thread),
                Some(text("hello")),
                200,
            ),
            (Method::PUT, &one, Some(json!({ "threadName": "x" })), 200),
            (Method::DELETE, &one, None, 204),
            (Method::POST, UPLOADS, None, 201),
            (Method::DELETE, &upload, None, 204),
        ] {
            let status = send(&service, headers, &method, path, body.as_ref()).await;
            let expected = if is_welcome { success } else { 403 };
            assert_eq!(status, expected, "{method} {path} {headers:?}");
        }
        if !is_welcome {
            assert_eq!(service.messages(&thread).await.len(), 0);
        }
    }
}

#[tokio::test]
async fn what_only_reads_is_answered_for_every_page() {
    let service = service().await;
    let thread = service.thread("demo").await;
    for (headers, _) in SENDERS {
        for path in [
            &format!("{THREADS}/demo"),
            &messages_of(&thread),
            "/healthz",
        ] {
            assert_eq!(send(&service, headers, &Method::GET, path, None).await, 200);
        }
    }
}

#[tokio::test]
async fn pages_of_allowed_origins_can_change_what_they_like() {
    let allowing = |allowed_origins| Settings {
        allowed_origins,
        ..settings()
    };
    let listed = Origins::Listed(vec!["https://evil.example".parse().unwrap()]);
    for (origins, other) in [(listed, 403), (Origins::Any, 201)] {
        let service = service_with(allowing(origins), Vec::new()).await;
        for site in ["same-site", "cross-site"] {
            let of = |origin| [("sec-fetch-site", site), ("origin", origin)];
            let allowed = of("https://evil.example");
            let status = send(&service, &allowed, &Method::POST, UPLOADS, None).await;
            assert_eq!(status, 201);
            let not_listed = of("https://forum.shop.example");
            let status = send(&service, &not_listed, &Method::POST, UPLOADS, None).await;
            assert_eq!(status, other);
        }
    }
}
