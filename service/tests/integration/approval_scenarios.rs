//! The approval requests of the shipped scenarios, so that every state of a request can be tried.

use serde_json::Value;

use crate::common::{Service, body, decided, requests, service};

/// Returns the tools of each request that a scenario begins with, as (tool, batch) by request.
async fn shape(service: &Service, words: &str) -> Vec<Vec<(String, String)>> {
    let (_, requests) = service.asked(words).await;
    let name = |item: &Value, field: &str| item[field].as_str().unwrap().to_owned();
    let pair = |item: &Value| (name(item, "toolName"), name(item, "toolExecutionBatchId"));
    let request = |request: &Vec<Value>| request.iter().map(pair).collect();
    requests.iter().map(request).collect()
}

#[tokio::test]
async fn one_tool_three_tools_and_two_batches_can_be_asked_for() {
    let service = service().await;
    for (words, requests, tools, batches) in [
        ("approve one", 1, 1, 1),
        ("approve three", 1, 3, 1),
        ("two batches", 2, 3, 2),
        ("batches together", 1, 3, 2),
    ] {
        let shape = shape(&service, words).await;
        assert_eq!(shape.len(), requests, "{words}");
        let mut all = shape.concat();
        assert_eq!(all.len(), tools, "{words}");
        all.dedup_by(|one, other| one.1 == other.1);
        assert_eq!(all.len(), batches, "{words}");
    }
}

/// Returns the arguments of the only tool of the only request.
fn arguments(requests: &[Vec<Value>]) -> serde_json::Map<String, Value> {
    let tools = requests.concat();
    assert_eq!((requests.len(), tools.len()), (1, 1), "{requests:?}");
    tools[0]["toolArguments"].as_object().unwrap().clone()
}

#[tokio::test]
async fn the_same_tool_is_asked_for_again_with_changed_added_removed_and_kept_arguments() {
    let service = service().await;
    for decision in ["APPROVED", "DENIED"] {
        let (thread, first) = service.asked("approve again").await;
        let answer = body(&[decided(&first[0], &[decision])]);
        let second = requests(&service.stream(&thread, &answer).await);
        for field in ["toolId", "toolName", "toolProvider"] {
            assert_eq!(
                first[0][0][field], second[0][0][field],
                "{decision}: {field}"
            );
        }
        let (old, new) = (arguments(&first), arguments(&second));
        for name in ["amount", "email"] {
            assert_ne!(old[name], new[name], "{decision}: {name}");
        }
        for name in ["invoice", "terms"] {
            assert_eq!(old[name], new[name], "{decision}: {name}");
        }
        assert!(old["terms"].as_str().unwrap().len() > 4000);
        let gone = old.keys().filter(|name| !new.contains_key(*name));
        assert_eq!(gone.count(), 1, "{decision}");
        let added = new.keys().filter(|name| !old.contains_key(*name));
        assert_eq!(added.count(), 1, "{decision}");
    }
}

#[tokio::test]
async fn arguments_of_every_kind_can_be_asked_for() {
    let service = service().await;
    let (_, requests) = service.asked("approve typed").await;
    let arguments = arguments(&requests);
    let value = |name: &str| arguments[name].as_str().unwrap();
    assert!(value("count").parse::<u32>().is_ok());
    assert!(value("rating").starts_with('-'));
    assert!(value("amount").ends_with(" EUR"));
    assert!(!value("website").is_ascii() && value("website").starts_with("https://"));
    assert!(value("invoices").contains('@') && value("invoices").starts_with("https://"));
    assert!(value("email").contains('@'));
    assert!(value("contract").starts_with('/'));
    assert_eq!(value("address").lines().count(), 3);
    let settings = serde_json::from_str::<Value>(value("settings")).unwrap();
    assert!(settings.is_object());
    assert_eq!((value("active"), value("comment")), ("true", ""));
}
