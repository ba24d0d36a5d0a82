//! For any JSON in a post the service answers with a stream or with a sentence, and never with an
//! internal error.

use proptest::{
    collection::vec, prelude::*, sample::select, strategy::ValueTree as _, test_runner::TestRunner,
};
use serde_json::{Map, Value, json};

use crate::common::{decided, messages_of, service};

/// Generates JSON with a preference for names and values of the interface, so that it gets past the
/// first check now and then.
fn any_json() -> impl Strategy<Value = Value> {
    let names = [
        "content",
        "type",
        "text",
        "fileId",
        "imageId",
        "url",
        "toolApprovalResult",
        "tool_approval_results",
        "toolExecutionId",
        "toolExecutionBatchId",
        "approvalResult",
        "",
    ];
    let words = [
        "text",
        "document",
        "image",
        "image_url",
        "tool_approval_result",
        "APPROVED",
        "ABORTED",
        "PENDING_HUMAN_APPROVAL",
        "\u{0}",
        "💥",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        select(words.to_vec()).prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        let field = (select(names.to_vec()), inner.clone());
        prop_oneof![
            vec(inner, 0..5).prop_map(Value::from),
            vec(field, 0..6).prop_map(|fields| {
                let fields = fields
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value));
                Value::Object(fields.collect::<Map<_, _>>())
            }),
        ]
    })
}

#[tokio::test]
async fn any_json_is_answered_with_a_stream_or_a_sentence() {
    let service = service().await;
    let (mut thread, mut requests) = service.asked("approve three").await;
    let mut runner = TestRunner::deterministic();
    let strategy = (
        any_json(),
        0..4_usize,
        select(vec!["content", "item", "result", "field"]),
    );
    for _ in 0..400 {
        let (any, index, place) = strategy.new_tree(&mut runner).unwrap().current();
        let mut item = decided(&requests[0], &["APPROVED", "DENIED", "APPROVED"]);
        let body = match place {
            "content" => any,
            "item" => json!({ "content": [any] }),
            "result" => {
                item["toolApprovalResult"][index % 3] = any;
                json!({ "content": [item] })
            }
            _ => {
                let names: Vec<_> = requests[0][0]
                    .as_object()
                    .unwrap()
                    .keys()
                    .cloned()
                    .collect();
                item["toolApprovalResult"][0][&names[index]] = any;
                json!({ "content": [item] })
            }
        };
        let answer = service.post(&messages_of(&thread), &body).await;
        if answer.status == 200 {
            (thread, requests) = service.asked("approve three").await;
            continue;
        }
        answer.failure(400);
    }
}
