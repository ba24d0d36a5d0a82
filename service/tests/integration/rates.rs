//! Rate limits: who asks too much is told so before anything is stored, and nobody else is.

use std::num::{NonZeroU32, NonZeroUsize};

use assent_service::{
    Settings,
    settings::keys::ApiKeys,
    settings::{Origins, RateLimits},
};
use axum::http::{HeaderValue, Method, Request};
use serde_json::json;

use crate::common::{
    Answer, DEMO, THREADS, UNLIMITED, USER, agents::Gate, body, decided, key, messages_of, request,
    requests, service_with, settings, text, until,
};

fn limited(rates: RateLimits) -> Settings {
    Settings {
        rates,
        ..settings()
    }
}

/// Returns the seconds after which a refused request may be sent again.
fn retry_after(refused: &Answer) -> u64 {
    let message = refused.failure(429)["message"].as_str().unwrap().to_owned();
    assert!(message.ends_with('.'), "{message}");
    let seconds = refused.headers["retry-after"].to_str().unwrap();
    seconds.parse().unwrap()
}

#[tokio::test]
async fn a_user_over_the_limit_is_refused_before_anything_is_stored_and_others_are_not() {
    let user = NonZeroU32::new(3);
    let rates = RateLimits { user, ..UNLIMITED };
    let service = service_with(limited(rates), Vec::new()).await;
    let thread = service.thread("demo").await;
    service.say(&thread, "hello").await;
    let stored = service.messages(&thread).await.len();
    let refused = service.post(&messages_of(&thread), &text("again")).await;
    assert!((1..=20).contains(&retry_after(&refused)), "{refused:?}");
    let page = service
        .state
        .store()
        .page(&key(&thread), None)
        .await
        .unwrap();
    assert_eq!(page.messages.len(), stored);
    for (method, path) in [
        (Method::GET, DEMO),
        (Method::POST, THREADS),
        (Method::POST, "/api/assistants/uploads"),
        (Method::DELETE, "/api/assistants/uploads/upload-1"),
    ] {
        let body = json!({ "agentId": "demo" });
        let refused = service.send(request(method, path, USER, Some(&body))).await;
        retry_after(&refused);
    }
    let other = service.send(request(Method::GET, DEMO, "bob", None)).await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn a_key_over_the_limit_is_refused_whoever_its_user_is_and_other_keys_are_not() {
    let key = NonZeroU32::new(2);
    let rates = RateLimits { key, ..UNLIMITED };
    let settings = Settings {
        api_keys: ApiKeys::new(["one".to_owned(), "two".to_owned()]),
        ..limited(rates)
    };
    let service = service_with(settings, Vec::new()).await;
    let with = |key: &str, user: &str| {
        let mut request: Request<_> = request(Method::GET, DEMO, user, None);
        let bearer = HeaderValue::from_str(&format!("Bearer {key}")).unwrap();
        request.headers_mut().insert("authorization", bearer);
        request
    };
    assert_eq!(service.send(with("one", "ada")).await.status, 200);
    assert_eq!(service.send(with("one", "bob")).await.status, 200);
    assert!(retry_after(&service.send(with("one", "cleo")).await) <= 31);
    assert_eq!(service.send(with("two", "cleo")).await.status, 200);
}

#[tokio::test]
async fn only_so_many_answers_are_written_for_a_user_at_the_same_time() {
    let gate = Gate::new();
    let answers = NonZeroUsize::new(2);
    let rates = RateLimits {
        answers,
        ..UNLIMITED
    };
    let service = service_with(limited(rates), vec![gate.clone()]).await;
    let open = |user: &'static str| {
        let service = service.clone();
        async move {
            let body = json!({ "agentId": "gate" });
            let thread = service
                .send(request(Method::POST, THREADS, user, Some(&body)))
                .await
                .json();
            let path = messages_of(thread["id"].as_str().unwrap());
            let post = request(Method::POST, &path, user, Some(&text("go")));
            (path, tower::ServiceExt::oneshot(service.app, post).await)
        }
    };
    let (_first, _second) = (open(USER).await, open(USER).await);
    let (path, refused) = open(USER).await;
    let refused = refused.unwrap();
    assert_eq!(refused.status(), 429);
    assert_eq!(refused.headers()["retry-after"], "5");
    assert_eq!(service.get(&path).await.json(), json!([]));
    assert_eq!(open("bob").await.1.unwrap().status(), 200);
    gate.open.add_permits(3);
    until(async || service.state.runs().count() == 0).await;
    gate.open.add_permits(1);
    let answered = service.post(&path, &text("go")).await;
    assert_eq!(answered.status, 200, "{}", answered.text);
}

#[tokio::test]
async fn only_so_many_answers_are_written_for_all_users_together() {
    let gate = Gate::new();
    let rates = RateLimits {
        all_answers: NonZeroUsize::new(1),
        ..UNLIMITED
    };
    let service = service_with(limited(rates), vec![gate.clone()]).await;
    let (first, second) = (service.thread("gate").await, service.thread("gate").await);
    let say = text("go");
    let post = request(Method::POST, &messages_of(&first), USER, Some(&say));
    let _answering = tower::ServiceExt::oneshot(service.app.clone(), post).await;
    let refused = service.post(&messages_of(&second), &say).await;
    assert_eq!(retry_after(&refused), 5);
    assert_eq!(service.messages(&second).await.len(), 0);
    gate.open.add_permits(2);
    until(async || service.state.runs().count() == 0).await;
    gate.open.add_permits(2);
    let answered = service.post(&messages_of(&second), &say).await;
    assert_eq!(answered.status, 200, "{}", answered.text);
}

#[tokio::test]
async fn a_decision_takes_one_place_as_a_message_does() {
    let answers = NonZeroUsize::new(1);
    let rates = RateLimits {
        answers,
        ..UNLIMITED
    };
    let service = service_with(limited(rates), Vec::new()).await;
    let thread = service.thread("demo").await;
    let asked = requests(&service.say(&thread, "approve one").await).remove(0);
    until(async || service.state.runs().count() == 0).await;
    let decision = body(&[decided(&asked, &["APPROVED"])]);
    let decided = service.post(&messages_of(&thread), &decision).await;
    assert_eq!(decided.status, 200, "{}", decided.text);
}

#[tokio::test]
async fn a_page_of_another_origin_can_read_when_it_may_try_again() {
    let user = NonZeroU32::new(1);
    let origin = HeaderValue::from_static("https://shop.example");
    let settings = Settings {
        allowed_origins: Origins::Listed(vec![origin.clone()]),
        ..limited(RateLimits { user, ..UNLIMITED })
    };
    let service = service_with(settings, Vec::new()).await;
    service.get(DEMO).await;
    let mut request = request(Method::GET, DEMO, USER, None);
    request.headers_mut().insert("origin", origin);
    let refused = service.send(request).await;
    retry_after(&refused);
    let exposed = refused.headers["access-control-expose-headers"].to_str();
    assert!(exposed.unwrap().contains("retry-after"), "{refused:?}");
}

#[tokio::test]
async fn where_the_operator_sets_no_limit_there_is_none() {
    let service = service_with(settings(), Vec::new()).await;
    for _ in 0..1000 {
        assert_eq!(service.get(DEMO).await.status, 200);
    }
    let usual = service_with(limited(RateLimits::default()), Vec::new()).await;
    let mut refused = None;
    for _ in 0..1000 {
        refused = refused.or(Some(usual.get(DEMO).await).filter(|answer| answer.status == 429));
    }
    retry_after(&refused.unwrap());
}
