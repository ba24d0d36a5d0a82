//! Resources and events as the service sends them (specification, Resources and their fields):
//! whole, with parts missing, `null` or of another type, and with fields never seen before.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests may fail loudly"
)]

use assent_protocol::{
    Agent, ApprovalStatus, CreateThread, EventType, RenameThread, Role, SessionThread, SseEvent,
    SseEventMessage, StoredMessage, Timestamp, Words,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const THREAD: &str = include_str!("../test_data/thread.json");
const MESSAGES: &str = include_str!("../test_data/messages.json");
const CHUNK: &str = include_str!("../test_data/event_chunk.json");
const NOTIFICATION: &str = include_str!("../test_data/event_notification.json");
const APPROVAL: &str = include_str!("../test_data/event_approval.json");

fn read<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_str(text).unwrap()
}

/// Returns every variant of `sample` with one member omitted, `null`, or of another type.
fn spoiled(sample: &Value) -> Vec<(String, Value)> {
    let mut spoiled = Vec::new();
    for key in sample.as_object().unwrap().keys() {
        let mut without = sample.clone();
        without.as_object_mut().unwrap().remove(key);
        spoiled.push((format!("without {key}"), without));
        for value in [
            json!(null),
            json!(7),
            json!(true),
            json!("x"),
            json!([1]),
            json!({"y": []}),
        ] {
            let mut other = sample.clone();
            other[key] = value.clone();
            spoiled.push((format!("{key} as {value}"), other));
        }
    }
    spoiled
}

#[test]
fn a_session_thread_has_all_its_fields() {
    let thread: SessionThread = read(THREAD);
    assert_eq!(thread.id, "thread-1".into());
    assert_eq!(thread.thread_name, "Quarterly report");
    assert_eq!(thread.agent_id, "agent-1".into());
    assert_eq!(thread.agent_name, "Helper");
    assert_eq!(thread.agent_handle, "@helper");
    assert_eq!(thread.root_agent_build_id, "build-1");
    assert_eq!(
        thread.last_message_time.epoch_millis(),
        Some(1_767_323_045_678)
    );
    assert_eq!(thread.session_type, "LIVE");
    assert_eq!(
        serde_json::to_value(&thread).unwrap(),
        read::<Value>(THREAD)
    );
}

#[test]
fn a_session_thread_needs_only_its_id() {
    let sample: Value = read(THREAD);
    for (how, spoiled) in spoiled(&sample) {
        let thread = serde_json::from_value::<SessionThread>(spoiled);
        assert_eq!(thread.is_err(), how == "without id", "{how}");
    }
    let mut more = sample;
    more["aFieldOfTomorrow"] = json!({"deep": [1, {"x": null}]});
    assert_eq!(
        serde_json::from_value::<SessionThread>(more).unwrap(),
        read(THREAD)
    );
}

#[test]
fn stored_messages_have_all_their_fields() {
    let messages: Vec<StoredMessage> = read(MESSAGES);
    assert_eq!(messages[0].id, "message-1".into());
    assert_eq!(messages[0].role, Role::User);
    assert_eq!(messages[0].handle, None);
    assert_eq!(messages[0].content, "Write to Ann.");
    assert_eq!(
        messages[0].timestamp.epoch_millis(),
        Some(1_767_323_045_000)
    );
    assert_eq!(messages[1].role, Role::Assistant);
    assert_eq!(messages[1].handle.as_deref(), Some("@helper"));
    let approval = &messages[1].tool_execution_human_approval_request[0];
    assert_eq!(approval.tool_id, "tool-1");
    assert_eq!(approval.name, "send_mail");
    assert_eq!(approval.provider, "Acme");
    assert_eq!(approval.category, "office");
    assert_eq!(approval.tool_execution_id, "execution-1".into());
    assert_eq!(approval.execution_batch_id, "batch-1".into());
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        approval.tool_arguments,
        Some(vec![pair("to", "ann@example.org"), pair("body", "Hi")])
    );
    assert_eq!(approval.status, ApprovalStatus::Pending);
    assert_eq!(
        serde_json::to_value(&messages).unwrap(),
        read::<Value>(MESSAGES)
    );
}

#[test]
fn a_stored_message_may_name_its_files() {
    let files = json!([
        { "fileId": "upload-1", "name": "plan.pdf", "mediaType": "application/pdf", "size": 48_213 },
        { "imageId": "upload-2", "name": "", "mediaType": "image/png", "size": 9 },
    ]);
    let message: StoredMessage = read(&json!({ "files": files }).to_string());
    let [plan, photo] = &message.files[..] else {
        panic!("{:?}", message.files);
    };
    assert_eq!(plan.file_id.as_deref(), Some("upload-1"));
    assert_eq!((plan.name.as_str(), plan.size), ("plan.pdf", 48_213));
    assert_eq!(plan.media_type, "application/pdf");
    assert_eq!(photo.image_id.as_deref(), Some("upload-2"));
    assert_eq!(serde_json::to_value(&message.files).unwrap(), files);
    for (how, spoiled) in spoiled(&files[0]) {
        let text = json!({ "files": [7, spoiled, null] }).to_string();
        assert_eq!(read::<StoredMessage>(&text).files.len(), 1, "{how}");
    }
    for size in ["-1", "1.5", "\"9\"", "1e3", "99999999999999999999"] {
        let text = format!(r#"{{"files": [{{"size": {size}}}]}}"#);
        assert_eq!(read::<StoredMessage>(&text).files[0].size, 0, "{size}");
    }
}

#[test]
fn an_image_of_a_tool_is_named_by_its_id_and_its_tool() {
    let images = json!([{ "imageId": "upload-1", "tool": "charts/draw" }]);
    let message: StoredMessage = read(&json!({ "toolImages": images }).to_string());
    assert_eq!(message.tool_images[0].image_id, "upload-1");
    assert_eq!(message.tool_images[0].tool, "charts/draw");
    assert_eq!(serde_json::to_value(&message.tool_images).unwrap(), images);
    let odd = json!({ "toolImages": [7, {}, null, { "imageId": "a" }, { "tool": "b" }] });
    let odd: StoredMessage = read(&odd.to_string());
    assert_eq!(odd.tool_images.len(), 1);
    for odd in ["7", "{}", "null", "\"a\""] {
        let text = format!(r#"{{"toolImages": {odd}}}"#);
        assert!(read::<StoredMessage>(&text).tool_images.is_empty(), "{odd}");
    }
}

#[test]
fn a_stored_message_is_read_whatever_its_fields_hold() {
    let sample: Value = read(MESSAGES);
    for (how, spoiled) in spoiled(&sample[1]) {
        assert!(
            serde_json::from_value::<StoredMessage>(spoiled).is_ok(),
            "{how}"
        );
    }
    for (how, spoiled) in spoiled(&sample[1]["toolExecutionHumanApprovalRequest"][0]) {
        let mut message = sample[1].clone();
        message["toolExecutionHumanApprovalRequest"] = json!([spoiled, 7, null, "x", []]);
        let message: StoredMessage = serde_json::from_value(message).unwrap();
        assert_eq!(
            message.tool_execution_human_approval_request.len(),
            1,
            "{how}"
        );
    }
}

#[test]
fn roles_statuses_and_types_are_read_however_they_are_spelled() {
    let message: StoredMessage = read(
        r#"{"role": "us\u0065r", "toolExecutionHumanApprovalRequest": [{"status": "\u0041PPROVED"}]}"#,
    );
    assert_eq!(message.role, Role::User);
    let approvals = message.tool_execution_human_approval_request;
    assert_eq!(approvals[0].status, ApprovalStatus::Approved);
    for (text, role) in [
        ("null", Role::Assistant),
        ("7", Role::Other("7".to_owned())),
        (r#""a\nb""#, Role::Other("a\nb".to_owned())),
    ] {
        let message: StoredMessage = read(&format!(r#"{{"role": {text}}}"#));
        assert_eq!(message.role, role);
    }
    let event: SseEvent = read(r#"{"type": "\u0045RROR"}"#);
    assert_eq!(event.event_type, EventType::Error);
}

#[test]
fn roles_and_statuses_never_seen_before_are_kept() {
    let message: StoredMessage =
        read(r#"{"role": "system", "toolExecutionHumanApprovalRequest": [{"status": "EXPIRED"}]}"#);
    assert_eq!(message.role, Role::Other("system".to_owned()));
    let status = &message.tool_execution_human_approval_request[0].status;
    assert_eq!(status, &ApprovalStatus::Other("EXPIRED".to_owned()));
    assert_eq!(status.as_str(), "EXPIRED");
    assert_eq!(
        ApprovalStatus::from("ABORTED").as_str(),
        "ABORTED_WITH_FEEDBACK"
    );
    for status in [
        "PENDING_HUMAN_APPROVAL",
        "APPROVED",
        "DENIED",
        "ABORTED_WITH_FEEDBACK",
    ] {
        assert_eq!(ApprovalStatus::from(status).as_str(), status);
    }
}

#[test]
fn an_event_has_all_its_fields() {
    let event: SseEvent = read(CHUNK);
    assert_eq!(event.event_type, EventType::AgentResponseChunk);
    assert_eq!(event.event_id, "event-1".into());
    assert_eq!(event.thread_id, "thread-1".into());
    assert_eq!(event.request_id, "request-1");
    let message = &event.event_message;
    assert_eq!(message.content, "Hel");
    assert_eq!(message.collaboration_id.as_deref(), Some("collaboration-1"));
    assert_eq!(message.active_assistant_collaboration_required, Some(true));
    assert_eq!(message.tool_execution_approval_request, None);
    assert_eq!(message.timestamp.epoch_millis(), Some(1_767_323_045_123));
    let agent = message.agent.clone().unwrap();
    assert_eq!(
        (agent.name.as_str(), agent.id),
        ("Helper", "agent-1".into())
    );
    assert_eq!(agent.build_id.as_deref(), Some("build-1"));
    assert_eq!(
        (agent.build_type.as_str(), agent.handle.as_str()),
        ("PUBLISHED", "@helper")
    );
    for text in [CHUNK, NOTIFICATION] {
        assert_eq!(
            serde_json::to_value(read::<SseEvent>(text)).unwrap(),
            read::<Value>(text)
        );
    }
}

#[test]
fn the_optional_parts_of_a_notification_are_null() {
    let message = read::<SseEvent>(NOTIFICATION).event_message;
    assert_eq!(message.agent, None);
    assert_eq!(message.collaboration_id, None);
    assert_eq!(message.active_assistant_collaboration_required, None);
    assert_eq!(message.tool_execution_approval_request, None);
}

#[test]
fn an_agent_may_have_a_name_and_an_id_only() {
    let event: SseEvent = read(APPROVAL);
    let expected = Agent {
        name: "Helper".to_owned(),
        id: "agent-1".into(),
        ..Agent::default()
    };
    assert_eq!(event.event_message.agent, Some(expected));
}

#[test]
fn an_event_is_read_whatever_its_fields_hold() {
    for text in [CHUNK, NOTIFICATION, APPROVAL] {
        let sample: Value = read(text);
        for (how, spoiled) in spoiled(&sample) {
            assert!(
                serde_json::from_str::<SseEvent>(&spoiled.to_string()).is_ok(),
                "{how}"
            );
        }
        for (how, spoiled) in spoiled(&sample["eventMessage"]) {
            let mut event = sample.clone();
            event["eventMessage"] = spoiled;
            let event: SseEvent = read(&event.to_string());
            if !how.contains("content") {
                let content = sample["eventMessage"]["content"].as_str().unwrap();
                assert_eq!(event.event_message.content, content, "{how}");
            }
        }
    }
}

#[test]
fn only_an_object_is_an_event_a_thread_or_a_message() {
    for text in [
        "[]",
        "[1,2,3]",
        r#"["a","b","c","d",{}]"#,
        "7",
        "null",
        r#""text""#,
        "",
        "{",
        "<html>",
    ] {
        assert!(serde_json::from_str::<SseEvent>(text).is_err(), "{text}");
        assert!(
            serde_json::from_str::<SessionThread>(text).is_err(),
            "{text}"
        );
        assert!(
            serde_json::from_str::<StoredMessage>(text).is_err(),
            "{text}"
        );
    }
    assert_eq!(read::<SseEvent>("{}"), SseEvent::default());
    assert_eq!(
        read::<SseEvent>("{}").event_type,
        EventType::Unknown(String::new())
    );
}

#[test]
fn a_nest_without_end_is_no_crash() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let event: SseEvent = read(&format!(r#"{{"eventMessage": {deep}}}"#));
    assert_eq!(event, SseEvent::default());
    let event: SseEvent = read(&format!(r#"{{"eventMessage": {{"content": {deep}}}}}"#));
    assert_eq!(event.event_message.content, deep);
    assert!(serde_json::from_str::<SseEvent>(&deep).is_err());
}

#[test]
fn a_timestamp_keeps_its_spelling() {
    let time = |json: &str| {
        let message: StoredMessage = read(&format!(r#"{{"timestamp": {json}}}"#));
        message.timestamp
    };
    assert_eq!(
        serde_json::to_value(time(r#""2026-01-02T03:04:05.100""#)).unwrap(),
        json!("2026-01-02T03:04:05.100")
    );
    assert_eq!(time("null"), Timestamp::default());
    assert_eq!(time("1767323045").epoch_millis(), None);
}

#[test]
fn the_bodies_that_make_and_rename_threads_are_as_declared() {
    let create = CreateThread {
        agent_id: "agent-1".into(),
    };
    assert_eq!(create.to_json(), r#"{"agentId":"agent-1"}"#);
    let rename = RenameThread {
        thread_name: "\"New\"".to_owned(),
    };
    assert_eq!(rename.to_json(), r#"{"threadName":"\"New\""}"#);
}

#[test]
fn sentences_of_the_service_are_read_and_written_with_their_values() {
    let json = r#"{"key":"service.steps","values":{"limit":"12","note":""},"text":"*I stopped.*"}"#;
    let words: Words = read(json);
    assert_eq!(words.values.0[0], ("limit".to_owned(), "12".to_owned()));
    assert_eq!(serde_json::to_string(&words).unwrap(), json);
    let odd = r#"{"words": [{"key":"k"}, {"key":"k","text":"t","values":[1]}, 5], "content": "t"}"#;
    let message: StoredMessage = read(odd);
    let expected = Words {
        key: "k".to_owned(),
        text: "t".to_owned(),
        ..Words::default()
    };
    assert_eq!(message.words, [expected]);
    let event: SseEventMessage = read(r#"{"words": null}"#);
    assert_eq!(event.words, []);
    let plain = serde_json::to_value(event).unwrap();
    assert_eq!(plain.get("words"), None);
}
