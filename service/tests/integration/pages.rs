//! Lists of threads and messages: a page at a time for those who ask for it, and whole lists in
//! parts.

use assent_service::{Error, store::ThreadKey};
use axum::http::{Method, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::common::{DEMO, Service, USER, key, messages_of, request, service};

/// Reads a page; returns the field of its entries, and the address of the next page.
async fn page(service: &Service, path: &str, field: &str) -> (Vec<String>, Option<String>) {
    let answer = service.get(path).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let entries = answer.json();
    let entries = entries.as_array().unwrap().iter();
    let entries = entries.map(|entry| entry[field].as_str().unwrap().to_owned());
    let (address, _) = path.split_once('?').unwrap();
    let named = |relation: &str| {
        let links = answer.headers.get_all("link").iter();
        let mut links = links.filter_map(|link| link.to_str().unwrap().strip_prefix('<'));
        let query = links.find_map(|link| link.strip_suffix(&format!(">; rel=\"{relation}\"")));
        query.map(|query| format!("{address}{query}"))
    };
    let first = named("first").unwrap();
    assert!(path.starts_with(&first), "{first} of {path}");
    let next = named("next");
    (entries.collect(), next)
}

/// Puts `count` threads with one time into the list of a user, and returns their names as they are
/// listed.
async fn fill(service: &Service, user: &str, count: i64) -> Vec<String> {
    let mut database = service.folder.connect().await;
    let fill = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
         INSERT INTO threads (user_id, id, agent_id, agent_name, agent_handle, build_id, name, \
         ordinal, last_message_time)
         SELECT '{user}', '{user}' || i, 'demo', 'Demo', '@demo', 'demo-1', 'n' || i, i, \
         '2026-01-01T00:00:00.000Z' FROM n",
    );
    database.execute(fill).await.unwrap();
    database.close().await;
    (1..=count).rev().map(|i| format!("n{i}")).collect()
}

#[tokio::test]
async fn a_list_of_threads_can_be_read_a_page_at_a_time() {
    let service = service().await;
    let names = fill(&service, USER, 5).await;
    let (first, next) = page(&service, &format!("{DEMO}?limit=2"), "threadName").await;
    assert_eq!(first, names[..2]);
    // One that was read, and one that was not, move to the top: nothing else is read twice or left
    // out.
    for thread in [4, 2] {
        service.say(&format!("{USER}{thread}"), "hello").await;
    }
    let (second, next) = page(&service, &next.unwrap(), "threadName").await;
    assert_eq!(second, ["n3", "n1"]);
    assert_eq!(next, None);
    let (exact, next) = page(&service, &format!("{DEMO}?limit=5"), "threadName").await;
    assert_eq!((exact.len(), next), (5, None));
}

#[tokio::test]
async fn messages_can_be_read_from_the_latest_on_a_page_at_a_time() {
    let service = service().await;
    let thread = service.thread("echo").await;
    for text in ["one", "two", "three"] {
        service.say(&thread, text).await;
    }
    let whole: Vec<String> = service
        .messages(&thread)
        .await
        .iter()
        .map(|message| message["content"].as_str().unwrap().to_owned())
        .collect();
    let path = format!("{}?limit=4", messages_of(&thread));
    let (latest, earlier) = page(&service, &path, "content").await;
    assert_eq!(latest, whole[2..]);
    let (first, none) = page(&service, &earlier.unwrap(), "content").await;
    assert_eq!(first, whole[..2]);
    assert_eq!(none, None);
}

#[tokio::test]
async fn the_messages_of_each_thread_are_counted_by_themselves() {
    let service = service().await;
    let (one, other) = (service.thread("echo").await, service.thread("echo").await);
    for thread in [&one, &other, &one, &other] {
        service.say(thread, "hello").await;
    }
    let path = messages_of(&other);
    let (_, earlier) = page(&service, &format!("{path}?limit=1"), "content").await;
    assert_eq!(earlier.unwrap(), format!("{path}?limit=1&before=4"));
}

#[tokio::test]
async fn the_key_of_a_thread_with_another_user_finds_nothing() {
    let service = service().await;
    let thread = service.thread("echo").await;
    service.say(&thread, "hello").await;
    let store = service.state.store();
    let own = key(&thread);
    let foreign = ThreadKey {
        user_id: "bob".to_owned(),
        ..own.clone()
    };
    assert_eq!(store.latest_messages(&own).await.unwrap().len(), 2);
    assert!(store.latest_messages(&foreign).await.unwrap().is_empty());
    let refused = store.delete_thread(&foreign).await;
    assert!(matches!(refused, Err(Error::NotFound(_))), "{refused:?}");
    assert_eq!(service.messages(&thread).await.len(), 2);
}

/// The number of a thread that is deleted is given to a new one, which may be another agent's.
#[tokio::test]
async fn a_thread_of_another_agent_does_not_come_into_a_list_that_is_being_read() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let store = service.state.store();
    let numbers = store.thread_numbers(USER, "demo").await.unwrap();
    store.delete_thread(&key(&thread)).await.unwrap();
    service.thread("echo").await;
    assert_eq!(store.thread_numbers(USER, "echo").await.unwrap(), numbers);
    let listed = store.threads_at(USER, "demo", &numbers).await.unwrap();
    assert!(listed.is_empty(), "{listed:?}");
}

#[tokio::test]
async fn what_is_no_page_is_refused_with_a_reason() {
    let service = service().await;
    let thread = service.thread("demo").await;
    for path in [DEMO, &messages_of(&thread)] {
        for limit in ["0", "201", "-1", "ten", ""] {
            let refused = service.get(&format!("{path}?limit={limit}")).await;
            let failure = refused.failure(400);
            assert_eq!(failure["message"], "limit must be a number from 1 to 200.");
        }
        for before in ["", "x", "yesterday,1", "1,", "-1", "2026-01-01,-1"] {
            let refused = service.get(&format!("{path}?before={before}")).await;
            let sentence = "before must be taken from the header Link of a page.";
            assert_eq!(refused.failure(400)["message"], sentence);
        }
        service.get(&format!("{path}?unknown=1")).await.json();
    }
}

#[tokio::test]
async fn a_long_list_of_threads_is_sent_in_parts() {
    let service = service().await;
    let names = fill(&service, USER, 10_000).await;
    fill(&service, "bob", 10).await;
    let list = request(Method::GET, DEMO, USER, None);
    let mut response = service.app.clone().oneshot(list).await.unwrap();
    assert_eq!(response.headers()["content-type"], "application/json");
    let mut whole = Vec::new();
    while let Some(frame) = response.frame().await {
        let part = frame.unwrap().into_data().unwrap();
        assert!(part.len() < 100_000, "{} bytes at once", part.len());
        whole.extend_from_slice(&part);
    }
    let threads: Vec<Value> = serde_json::from_slice(&whole).unwrap();
    let listed: Vec<&str> = threads
        .iter()
        .map(|thread| thread["threadName"].as_str().unwrap())
        .collect();
    assert_eq!(listed, names);
}

#[tokio::test]
async fn what_was_said_with_an_agent_that_is_gone_can_be_read() {
    let service = service().await;
    let thread = service.thread("echo").await;
    service.say(&thread, "hello").await;
    let gone = assent_service::agents::Agents::default();
    service.state.replace_agents(gone);
    let path = "/api/assistants/threads/echo";
    let (listed, _) = page(&service, &format!("{path}?limit=1"), "id").await;
    assert_eq!(listed, [thread.as_str()]);
    assert_eq!(service.get(path).await.json()[0]["id"], *thread);
    assert_eq!(service.messages(&thread).await.len(), 2);
    service.get(DEMO).await.failure(404);
}
