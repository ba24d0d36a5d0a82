//! Middleware of the endpoints: both headers, CORS, and JSON for every failure.

use std::sync::atomic::Ordering;

use assent_service::{Settings, settings::Origins};
use axum::{
    body::Body,
    http::{HeaderName, Method, Request, StatusCode, request::Builder},
};
use serde_json::json;

use crate::common::{
    self, KEY, Service, THREADS, USER, agents::Nameless, content, messages_of, service,
    service_with, settings, text,
};

const LIST: &str = "/api/assistants/threads/demo";

fn plain(method: Method, path: &str) -> Builder {
    Request::builder().method(method).uri(path)
}

fn keyed(method: Method, path: &str) -> Builder {
    plain(method, path)
        .header("authorization", format!("Bearer {KEY}"))
        .header("x-service-user-id", USER)
}

async fn empty(service: &Service, builder: Builder) -> common::Answer {
    service.send(builder.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn both_headers_are_enforced_on_every_endpoint() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let one = format!("{THREADS}/{thread}");
    let messages = messages_of(&thread);
    for (method, path) in [
        (Method::POST, THREADS),
        (Method::GET, LIST),
        (Method::PUT, &one),
        (Method::DELETE, &one),
        (Method::GET, &messages),
        (Method::POST, &messages),
        (Method::POST, "/api/assistants/uploads"),
        (Method::DELETE, "/api/assistants/uploads/x"),
    ] {
        let builder = || plain(method.clone(), path).header("content-type", "application/json");
        let user = || builder().header("x-service-user-id", USER);
        for request in [
            user(),
            user().header("authorization", "Bearer wrong-key"),
            user().header("authorization", format!("Basic {KEY}")),
            user().header("authorization", KEY),
            user().header("authorization", "Bearer "),
            builder().header("authorization", format!("Bearer {KEY}")),
            builder()
                .header("authorization", format!("Bearer {KEY}"))
                .header("x-service-user-id", " "),
            builder()
                .header("authorization", format!("Bearer {KEY}"))
                .header("x-service-user-id", "x".repeat(257)),
        ] {
            let answer = empty(&service, request).await;
            answer.failure(401);
            assert_eq!(answer.headers["www-authenticate"], "Bearer");
        }
    }
    assert_eq!(service.messages(&thread).await.len(), 0);
}

#[tokio::test]
async fn the_scheme_is_read_in_any_case_and_the_user_id_in_any_script() {
    let service = service().await;
    let request = plain(Method::GET, LIST)
        .header("authorization", format!("bearer {KEY}"))
        .header("x-service-user-id", "Ада".as_bytes());
    assert_eq!(empty(&service, request).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_user_header_that_is_no_plain_id_is_refused() {
    let service = service().await;
    let with = |values: &[&[u8]]| {
        let mut request = plain(Method::GET, LIST).header("authorization", format!("Bearer {KEY}"));
        for value in values {
            request = request.header("x-service-user-id", *value);
        }
        request
    };
    for values in [
        &[&b"ada"[..], b"bob"][..],
        &[b"ada", b"ada"],
        &[b"ada", b""],
        &["ada\u{a0}".as_bytes()],
        &["\u{2003}ada".as_bytes()],
        &["ada\u{3000}".as_bytes()],
        &["a\u{85}b".as_bytes()],
        &[b"jos\xe9"],
    ] {
        let failure = empty(&service, with(values)).await.failure(400);
        let message = failure["message"].as_str().unwrap();
        assert!(message.contains("names the user"), "{message}");
    }
    let long = |length| "x".repeat(length);
    let failure = empty(&service, with(&[long(257).as_bytes()])).await;
    let failure = failure.failure(401);
    let message = failure["message"].as_str().unwrap();
    assert!(message.contains("longer than 256 bytes"), "{message}");
    for id in ["josé", "世界", "a\u{a0}b", &long(256)] {
        let answer = empty(&service, with(&[id.as_bytes()])).await;
        assert_eq!(answer.status, StatusCode::OK, "{id}");
    }
}

#[tokio::test]
async fn the_user_header_can_have_the_brands_name() {
    let settings = Settings {
        user_id_header: HeaderName::from_static("x-acme-user-id"),
        ..settings()
    };
    let service = service_with(settings, Vec::new()).await;
    let request = |name| {
        plain(Method::GET, LIST)
            .header("authorization", format!("Bearer {KEY}"))
            .header(name, USER)
    };
    assert_eq!(
        empty(&service, request("X-Acme-User-Id")).await.status,
        StatusCode::OK
    );
    empty(&service, request("X-Service-User-Id"))
        .await
        .failure(401);
}

#[tokio::test]
async fn every_failure_is_json_with_a_message() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let messages = messages_of(&thread);
    empty(&service, keyed(Method::GET, "/nowhere"))
        .await
        .failure(404);
    empty(
        &service,
        keyed(Method::GET, "/api/assistants/threads/%FF/messages"),
    )
    .await
    .failure(404);
    empty(&service, keyed(Method::GET, &messages_of("none")))
        .await
        .failure(404);
    let answer = empty(&service, keyed(Method::PATCH, LIST)).await;
    answer.failure(405);
    assert_eq!(answer.headers["allow"], "GET,HEAD,PUT,DELETE");
    empty(&service, keyed(Method::GET, THREADS))
        .await
        .failure(405);

    let typed = |kind: &str, body: &str| {
        let builder = keyed(Method::POST, &messages).header("content-type", kind);
        builder.body(Body::from(body.to_owned())).unwrap()
    };
    service.send(typed("text/plain", "{}")).await.failure(415);
    empty(&service, keyed(Method::POST, &messages))
        .await
        .failure(415);
    let body = service
        .send(typed("application/json", "{\"content\":"))
        .await
        .failure(400);
    assert_eq!(body["message"], "The request body is not valid JSON.");
    assert!(body["error"].as_str().unwrap().contains("line 1"), "{body}");
    service
        .send(typed("application/json", ""))
        .await
        .failure(400);
    service
        .send(typed("application/json; charset=utf-8", "{}"))
        .await
        .failure(400);
    let long = format!("{{\"content\":\"{}\"}}", "x".repeat(1024 * 1024));
    service
        .send(typed("application/json", &long))
        .await
        .failure(413);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    service
        .send(typed("application/json", &deep))
        .await
        .failure(400);
}

#[tokio::test]
async fn a_panic_while_answering_is_a_500_that_tells_nothing() {
    let agent = Nameless::new();
    let service = service_with(settings(), vec![agent.clone()]).await;
    let thread = service.thread("nameless").await;
    agent.armed.store(true, Ordering::Relaxed);
    for (path, body) in [
        (THREADS.to_owned(), json!({ "agentId": "nameless" })),
        (messages_of(&thread), text("hello")),
    ] {
        let failure = service.post(&path, &body).await.failure(500);
        assert!(
            !failure.to_string().contains("a fault in a handler"),
            "{failure}"
        );
    }
    agent.armed.store(false, Ordering::Relaxed);
    let events = service.say(&thread, "hello").await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "");
}

#[tokio::test]
async fn answers_are_kept_by_nobody_on_the_way() {
    let service = service().await;
    let answer = service.get(LIST).await;
    assert_eq!(answer.headers["cache-control"], "no-store");
    assert_eq!(answer.headers["x-content-type-options"], "nosniff");
    let thread = service.thread("demo").await;
    let stream = service.post(&messages_of(&thread), &text("hello")).await;
    assert_eq!(stream.headers["content-type"], "text/event-stream");
    assert_eq!(stream.headers["cache-control"], "no-store");
    assert_eq!(stream.headers["x-accel-buffering"], "no");
}

#[tokio::test]
async fn health_needs_no_key() {
    let service = service().await;
    let answer = empty(&service, plain(Method::GET, "/healthz")).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.json(), json!({ "status": "ok" }));
}

fn preflight(origin: &str) -> Builder {
    plain(Method::OPTIONS, THREADS)
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .header(
            "access-control-request-headers",
            "authorization,content-type,idempotency-key,x-service-user-id",
        )
}

async fn sharing(origins: Origins) -> Service {
    let settings = Settings {
        allowed_origins: origins,
        ..settings()
    };
    service_with(settings, Vec::new()).await
}

#[tokio::test]
async fn a_listed_origin_passes_the_preflight_without_a_key() {
    let service = sharing(Origins::Listed(vec![
        "https://shop.example".parse().unwrap(),
    ]))
    .await;
    let answer = empty(&service, preflight("https://shop.example")).await;
    assert_eq!(answer.status, StatusCode::OK);
    let headers = &answer.headers;
    assert_eq!(
        headers["access-control-allow-origin"],
        "https://shop.example"
    );
    assert_eq!(
        headers["access-control-allow-headers"],
        "authorization,content-type,idempotency-key,x-service-user-id"
    );
    assert_eq!(
        headers["access-control-allow-methods"],
        "GET,POST,PUT,DELETE"
    );
    assert_eq!(headers["access-control-max-age"], "600");
    assert!(headers["vary"].to_str().unwrap().contains("origin"));
}

#[tokio::test]
async fn answers_and_failures_can_be_read_by_a_listed_origin_only() {
    let service = sharing(Origins::Listed(vec![
        "https://shop.example".parse().unwrap(),
    ]))
    .await;
    for (origin, allowed) in [
        ("https://shop.example", true),
        ("https://other.example", false),
    ] {
        for request in [
            keyed(Method::GET, LIST),
            plain(Method::GET, LIST),
            keyed(Method::GET, "/nowhere"),
        ] {
            let answer = empty(&service, request.header("origin", origin)).await;
            let header = answer.headers.get("access-control-allow-origin");
            assert_eq!(header.is_some(), allowed, "{origin}");
            assert!(answer.headers["vary"].to_str().unwrap().contains("origin"));
        }
        let answer = empty(&service, preflight(origin)).await;
        let header = answer.headers.get("access-control-allow-origin");
        assert_eq!(header.is_some(), allowed, "{origin}");
    }
}

#[tokio::test]
async fn a_listed_origin_may_send_the_headers_and_cookies_that_options_allow() {
    let allowing = |allow_credentials| Settings {
        allowed_origins: Origins::Listed(vec!["https://shop.example".parse().unwrap()]),
        allowed_headers: vec![HeaderName::from_static("x-tenant")],
        allow_credentials,
        ..settings()
    };
    let service = service_with(allowing(true), Vec::new()).await;
    let answer = empty(&service, preflight("https://shop.example")).await;
    let headers = &answer.headers;
    assert_eq!(
        headers["access-control-allow-headers"],
        "authorization,content-type,idempotency-key,x-service-user-id,x-tenant"
    );
    assert_eq!(headers["access-control-allow-credentials"], "true");
    let request = keyed(Method::GET, LIST).header("origin", "https://shop.example");
    let answer = empty(&service, request).await;
    assert_eq!(answer.headers["access-control-allow-credentials"], "true");
    let other = empty(&service, preflight("https://other.example")).await;
    assert!(!other.headers.contains_key("access-control-allow-origin"));

    let service = service_with(allowing(false), Vec::new()).await;
    let answer = empty(&service, preflight("https://shop.example")).await;
    let headers = &answer.headers;
    assert!(!headers.contains_key("access-control-allow-credentials"));
}

#[tokio::test]
async fn a_listed_origin_can_read_when_to_try_again() {
    let shop = Origins::Listed(vec!["https://shop.example".parse().unwrap()]);
    let service = sharing(shop).await;
    for request in [keyed(Method::GET, LIST), plain(Method::GET, LIST)] {
        let answer = empty(&service, request.header("origin", "https://shop.example")).await;
        assert_eq!(
            answer.headers["access-control-expose-headers"],
            "retry-after,link,assent-extensions,assent-answer"
        );
    }
}

#[tokio::test]
async fn every_response_names_the_extensions() {
    let service = service().await;
    let unknown = |method| plain(method, "/nowhere");
    for request in [
        preflight("https://shop.example"),
        keyed(Method::GET, LIST),
        plain(Method::GET, LIST),
        plain(Method::GET, "/healthz"),
        plain(Method::GET, "/openapi.json"),
        plain(Method::PATCH, LIST),
        unknown(Method::GET),
        unknown(Method::POST).header("sec-fetch-site", "cross-site"),
    ] {
        let answer = empty(&service, request).await;
        assert_eq!(
            answer.headers["assent-extensions"],
            "memory-id, cancel, pages, resume, idempotency-key, words, grants, expiry, inbox, edited-arguments, executions"
        );
    }
}

#[tokio::test]
async fn with_a_star_every_origin_may_call() {
    let service = sharing(Origins::Any).await;
    let answer = empty(&service, preflight("https://any.example")).await;
    assert_eq!(answer.headers["access-control-allow-origin"], "*");
}
