//! Extension `inbox`: what waits for a decision of a user, over all threads and agents.

use axum::http::Method;
use serde_json::{Value, json};

use crate::common::{
    INBOX, Service, THREADS, asker::Asker, body, decided, key, request, service, service_with,
    settings,
};

/// Reads a page; returns its batches, and the address of the next page.
async fn page(service: &Service, path: &str) -> (Vec<Value>, Option<String>) {
    let answer = service.get(path).await;
    let links = answer.headers.get_all("link").iter();
    let mut links = links.filter_map(|link| link.to_str().unwrap().strip_prefix('<'));
    let next = links.find_map(|link| link.strip_suffix(">; rel=\"next\""));
    let next = next.map(|query| format!("{INBOX}{query}"));
    (answer.json().as_array().unwrap().clone(), next)
}

/// Returns the threads of what waits, in the order of the list.
async fn waiting(service: &Service) -> Vec<String> {
    let (batches, next) = page(service, INBOX).await;
    assert_eq!(next, None);
    threads(&batches)
}

fn threads(batches: &[Value]) -> Vec<String> {
    let threads = batches.iter().map(|batch| batch["threadId"].as_str());
    threads.map(|thread| thread.unwrap().to_owned()).collect()
}

#[tokio::test]
async fn what_waits_is_told_with_its_thread_agent_and_tools() {
    let service = service().await;
    let (thread, requests) = service.asked("approve three").await;
    let (batches, next) = page(&service, INBOX).await;
    assert_eq!((batches.len(), next), (1, None));
    let batch = &batches[0];
    let list = service.get(&format!("{THREADS}/demo")).await.json();
    for (field, of_thread) in [
        ("threadId", "id"),
        ("threadName", "threadName"),
        ("agentId", "agentId"),
        ("agentName", "agentName"),
        ("agentHandle", "agentHandle"),
    ] {
        assert_eq!(batch[field], list[0][of_thread], "{field}");
    }
    assert_eq!(batch["threadId"], thread);
    let asking = &service.messages(&thread).await[1];
    assert_eq!(batch["requestedAt"], asking["timestamp"]);
    let requested = &requests[0];
    let id = "toolExecutionBatchId";
    assert_eq!(batch[id], requested[0][id]);
    let tools = batch["tools"].as_array().unwrap();
    assert_eq!(tools.len(), requested.len());
    for (tool, request) in tools.iter().zip(requested) {
        assert!(!tool.as_object().unwrap().contains_key("toolArguments"));
        for (field, value) in tool.as_object().unwrap() {
            assert_eq!(*value, request[field], "{field}");
        }
    }
}

#[tokio::test]
async fn arguments_are_told_on_request() {
    let service = service().await;
    for _ in 0..2 {
        service.asked("approve one").await;
    }
    let (first, next) = page(&service, &format!("{INBOX}?limit=1&arguments=true")).await;
    let (second, _) = page(&service, &next.unwrap()).await;
    for batch in [&first[0], &second[0]] {
        assert_eq!(batch["tools"][0]["toolArguments"]["amount"], "49.90 EUR");
    }
    let refused = service.get(&format!("{INBOX}?arguments=1")).await;
    let sentence = "arguments must be true or false.";
    assert_eq!(refused.failure(400)["message"], sentence);
}

#[tokio::test]
async fn all_agents_and_batches_are_in_one_list_newest_first_in_pages() {
    let service = service_with(settings(), vec![Asker::new(3)]).await;
    let (oldest, _) = service.asked("approve one").await;
    let asker = service.thread("asker").await;
    service.say(&asker, "hello").await;
    let (newest, _) = service.asked("approve one").await;
    let all = [&newest, &asker, &asker, &asker, &oldest].map(String::clone);
    assert_eq!(waiting(&service).await, all);

    let (mut read, mut batches) = (Vec::new(), Vec::new());
    let mut next = Some(format!("{INBOX}?limit=2"));
    while let Some(path) = next {
        let (page, following) = page(&service, &path).await;
        read.extend(threads(&page));
        batches.extend(
            page.iter()
                .map(|batch| batch["toolExecutionBatchId"].clone()),
        );
        next = following;
    }
    assert_eq!(read, all);
    batches.sort_by_key(Value::to_string);
    batches.dedup();
    assert_eq!(batches.len(), 5);
}

#[tokio::test]
async fn what_is_decided_or_deleted_does_not_wait() {
    let service = service().await;
    let (decided_in, requests) = service.asked("approve one").await;
    let (deleted, _) = service.asked("approve one").await;
    let (stopped, batches) = service.asked("approve one").await;
    let (kept, _) = service.asked("approve one").await;
    assert_eq!(waiting(&service).await.len(), 4);
    let approval = body(&[decided(&requests[0], &["APPROVED"])]);
    service.stream(&decided_in, &approval).await;
    service.delete(&format!("{THREADS}/{deleted}")).await;
    let note = json!({ "type": "text", "text": "not now" });
    let abort = body(&[decided(&batches[0], &["ABORTED_WITH_FEEDBACK"]), note]);
    service.stream(&stopped, &abort).await;
    assert_eq!(waiting(&service).await, [kept]);
}

#[tokio::test]
async fn nothing_of_another_user_is_listed() {
    let service = service().await;
    let (thread, _) = service.asked("approve one").await;
    let of_bob = |path: &str| service.send(request(Method::GET, path, "bob", None));
    assert_eq!(of_bob(INBOX).await.json(), json!([]));
    // Not with a place of the other one's list, either.
    let store = service.state.store();
    let own = store.inbox(&key(&thread).user_id, None, 1).await.unwrap();
    let place = &own.waiting[0].position;
    let later = format!("9{},{},9", place.asked_at, place.thread_number);
    let answer = of_bob(&format!("{INBOX}?before={later}")).await;
    assert_eq!(answer.json(), json!([]));
    assert_eq!(waiting(&service).await, [thread]);
}

#[tokio::test]
async fn what_is_no_place_is_refused_with_a_reason() {
    let service = service().await;
    for before in ["", "x", "2026-01-01,1", "yesterday,1,1", "2026-01-01,1,-1"] {
        let refused = service.get(&format!("{INBOX}?before={before}")).await;
        let sentence = "before must be taken from the header Link of a page.";
        assert_eq!(refused.failure(400)["message"], sentence);
    }
    let names = service.get(INBOX).await.headers["assent-extensions"].clone();
    assert!(
        names
            .to_str()
            .unwrap()
            .split(", ")
            .any(|name| name == "inbox")
    );
}
