//! Sentences of the service in answers, which are told by their keys (extension `words`).

use assent_protocol::{SseEvent, Words};
use assent_service::sentence::{STOPPED, Sentence};
use serde_json::{Value, json};

use crate::{
    common::{
        content,
        desk::Desk,
        model::{calls, says},
    },
    openapi::check,
};

/// Returns the sentences that came with events of this type.
fn words(events: &[SseEvent], kind: &str) -> Vec<Words> {
    let of_kind = events.iter().filter(|it| it.event_type.name() == kind);
    of_kind
        .flat_map(|it| it.event_message.words.clone())
        .collect()
}

fn stored(message: &Value) -> Vec<Words> {
    serde_json::from_value(message["words"].clone()).unwrap()
}

#[tokio::test]
async fn a_sentence_comes_with_its_key_in_a_chunk_in_the_whole_answer_and_stored() {
    let replies = vec![
        calls("", &[("notes__hang", json!({ "text": "x" }))]),
        says("Hm."),
    ];
    let more = "[limits]\ntool_seconds = 1\n[policy]\ndefault = \"auto\"\n";
    let desk = Desk::with(replies, more).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "hang").await;
    let sentence = Sentence::UnknownOutcome("notes/hang".to_owned()).words();
    assert_eq!(sentence.key, "service.unknownOutcome");
    let said = content(&events, "AGENT_RESPONSE_COMPLETE");
    assert_eq!(said, format!("{}\n\nHm.", sentence.text));
    let expected = [sentence];
    assert_eq!(words(&events, "AGENT_RESPONSE_CHUNK"), expected);
    assert_eq!(words(&events, "AGENT_RESPONSE_COMPLETE"), expected);
    let messages = desk.service.messages(&thread).await;
    assert_eq!(stored(&messages[1]), expected);
    assert_eq!(
        messages[1]["words"][0]["values"],
        json!({ "tool": "notes/hang" })
    );
    let document = desk.service.get("/openapi.json").await.json();
    check(&document, "StoredMessage", &messages[1]);
    for event in &events {
        check(&document, "SseEvent", &serde_json::to_value(event).unwrap());
    }
}

#[tokio::test]
async fn a_limit_is_told_with_its_value() {
    let replies = vec![calls("Look:", &[("notes__read", json!({}))]), says("No.")];
    let more = "[limits]\nsteps = 1\n[policy]\ndefault = \"auto\"\n";
    let desk = Desk::with(replies, more).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "look").await;
    let expected = [Sentence::Steps(1).words()];
    assert_eq!(words(&events, "AGENT_RESPONSE_COMPLETE"), expected);
    assert_eq!(stored(&desk.service.messages(&thread).await[1]), expected);
}

#[tokio::test]
async fn a_tool_server_that_cannot_be_used_is_told_by_its_id() {
    let more = "[[mcp]]\nid = \"gone\"\ncommand = [\"/nowhere/to/be/found\"]\n";
    let desk = Desk::with(vec![says("Hello.")], more).await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "hi").await;
    let expected = [Sentence::ToolServer("gone".to_owned()).words()];
    assert_eq!(stored(&desk.service.messages(&thread).await[1]), expected);
}

#[tokio::test]
async fn a_model_that_says_such_a_sentence_itself_has_no_key() {
    let desk = Desk::new(vec![says(STOPPED)]).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "hi").await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), STOPPED);
    assert!(words(&events, "AGENT_RESPONSE_CHUNK").is_empty());
    assert!(words(&events, "AGENT_RESPONSE_COMPLETE").is_empty());
    assert_eq!(desk.service.messages(&thread).await[1].get("words"), None);
}

#[tokio::test]
async fn a_reason_of_a_failure_is_a_value_of_its_sentence() {
    let desk = Desk::new(Vec::new()).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "hi").await;
    let reason = content(&events, "ERROR").to_owned();
    let message = &desk.service.messages(&thread).await[1];
    assert_eq!(stored(message), [Sentence::Failed(reason).words()]);
}
