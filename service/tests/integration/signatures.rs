//! What a server gives with calls and wants to have back: it goes back to that server, and to nobody
//! else, also after a decision and after a restart.

use serde_json::{Value, json};

use super::common::{
    body, content, decided,
    desk::{Desk, POLICY, add},
    model::{Model, Reply, says},
    providers, requests,
};

/// A call with a signature and the thoughts before it.
fn signed(name: &str, arguments: &Value, signature: &str) -> Reply {
    let thought = |text: &str| json!({ "choices": [{ "delta": { "reasoning_content": text } }] });
    let call = json!({ "index": 0, "id": "a", "type": "function",
        "function": { "name": name, "arguments": arguments.to_string() },
        "extra_content": { "google": { "thought_signature": signature } } });
    let call = json!({ "choices": [{ "delta": { "tool_calls": [call] } }] });
    Reply::Stream(vec![thought("I will "), thought("note it."), call])
}

/// Returns the signatures and the thoughts of the calls in a request.
fn given_back(request: &Value) -> Vec<(Value, Value)> {
    let messages = request["messages"].as_array().unwrap().iter();
    let calls = messages.filter(|message| message.get("tool_calls").is_some());
    calls
        .map(|message| {
            let call = &message["tool_calls"][0];
            let signature = &call["extra_content"]["google"]["thought_signature"];
            (signature.clone(), message["reasoning_content"].clone())
        })
        .collect()
}

#[tokio::test]
async fn signatures_and_thoughts_go_back_with_their_calls_after_a_decision_and_a_reload() {
    let (name, arguments) = add("milk");
    let replies = vec![
        signed(name, &arguments, "s1"),
        signed("notes__list", &json!({}), "s2"),
        says("Noted."),
        says("Yes."),
    ];
    let desk = Desk::with(replies, POLICY).await;
    desk.model.refuses(providers::signatures);
    let thread = desk.service.thread("desk").await;
    let asked = desk.service.say(&thread, "note milk").await;
    let decision = body(&[decided(&requests(&asked)[0], &["APPROVED"])]);
    let whole = |events: &[_]| format!("{events:?}");
    // The agents are read anew in between: nothing of it is in memory.
    desk.change("name = \"small\"", "name = \"small\"\nretries = 0");
    let events = desk.service.stream(&thread, &decision).await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Noted.");
    let sent = desk.model.requests();
    let thoughts = json!("I will note it.");
    let first = (json!("s1"), thoughts.clone());
    assert_eq!(given_back(&sent[1]), std::slice::from_ref(&first));
    assert_eq!(given_back(&sent[2]), [first, (json!("s2"), thoughts)]);
    for shown in [whole(&asked), whole(&events)] {
        assert!(
            !shown.contains("s1") && !shown.contains("I will note"),
            "{shown}"
        );
    }
    // Thoughts are of the turn; this server wants them all the same.
    let events = desk.service.say(&thread, "sure?").await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Yes.");
    let last = desk.model.requests().pop().unwrap();
    let old = |signature: &str| (json!(signature), json!(""));
    assert_eq!(given_back(&last), [old("s1"), old("s2")]);
}

#[tokio::test]
async fn another_server_is_not_sent_what_one_gave() {
    let replies = vec![
        signed("notes__list", &json!({}), "s1"),
        says("Nothing."),
        says("Still nothing."),
    ];
    let desk = Desk::with(replies, POLICY).await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "look").await;
    desk.change("name = \"small\"", "name = \"other\"");
    desk.model.refuses(providers::signatures);
    let events = desk.service.say(&thread, "again").await;
    assert_eq!(
        content(&events, "AGENT_RESPONSE_COMPLETE"),
        "Still nothing."
    );
    let last = desk.model.requests().pop().unwrap();
    assert!(!last.to_string().contains("s1"));
    let skipped = (json!("skip_thought_signature_validator"), json!(""));
    assert_eq!(given_back(&last), [skipped]);
}

/// What is seen of a model that is away for one request.
fn away() -> Reply {
    Reply::Status(403, Vec::new(), "closed".to_owned())
}

/// A desk whose model has another one behind it, on another server.
async fn with_fallback(main: Vec<Reply>, fallback: Vec<Reply>) -> (Desk, Model) {
    let other = Model::new(fallback).await;
    let desk = Desk::new(main).await;
    let models = format!(
        "[[models]]\nid = \"other\"\nbase_url = {:?}\nname = \"small\"\n\
         [model]\nfallback = [\"other\"]\n",
        other.url
    );
    desk.change("[model]\n", &models);
    (desk, other)
}

/// Has a note asked about, restarts the service, and allows it; returns the answer.
async fn allowed_after_a_restart(desk: Desk, thread: &str) -> (Desk, String) {
    let asked = requests(&desk.service.say(thread, "note milk").await).concat();
    let desk = desk.restarted().await;
    let decision = body(&[decided(&asked, &["APPROVED"])]);
    let events = desk.service.stream(thread, &decision).await;
    assert_eq!(desk.notes(), "milk\n");
    let answer = content(&events, "AGENT_RESPONSE_COMPLETE").to_owned();
    (desk, answer)
}

#[tokio::test]
async fn after_a_restart_before_the_decision_the_server_that_gave_a_signature_has_it_back() {
    let (name, arguments) = add("milk");
    let main = vec![signed(name, &arguments, "s1"), says("Noted.")];
    let (desk, other) = with_fallback(main, Vec::new()).await;
    desk.model.refuses(providers::signatures);
    let thread = desk.service.thread("desk").await;
    let (desk, answer) = allowed_after_a_restart(desk, &thread).await;
    assert_eq!(answer, "Noted.");
    let sent = desk.model.requests();
    assert_eq!(sent.len(), 2, "nothing had to be tried otherwise");
    assert_eq!(
        given_back(&sent[1]),
        [(json!("s1"), json!("I will note it."))]
    );
    assert_eq!(other.requests(), Vec::<Value>::new());
}

#[tokio::test]
async fn after_a_restart_a_fallback_is_not_sent_what_the_main_model_gave() {
    let (name, arguments) = add("milk");
    let main = vec![signed(name, &arguments, "s1"), away(), says("I am back.")];
    let (desk, other) = with_fallback(main, vec![says("Noted by another.")]).await;
    let thread = desk.service.thread("desk").await;
    let (desk, answer) = allowed_after_a_restart(desk, &thread).await;
    assert_eq!(answer, "Noted by another.");
    let nothing = (Value::Null, Value::Null);
    let sent = other.requests();
    assert_eq!(given_back(&sent[0]), [nothing]);
    assert!(!sent[0].to_string().contains("s1") && !sent[0].to_string().contains("I will note"));
    // The one that gave it has it back, also when it was away in between.
    let events = desk.service.say(&thread, "and now?").await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "I am back.");
    let back: Vec<Value> = desk
        .model
        .requests()
        .iter()
        .skip(1)
        .map(|it| given_back(it)[0].0.clone())
        .collect();
    assert_eq!(back, [json!("s1"), json!("s1")]);
}

#[tokio::test]
async fn after_a_restart_the_main_model_is_not_sent_what_a_fallback_gave() {
    let (name, arguments) = add("milk");
    let fallback = vec![signed(name, &arguments, "s2"), says("Noted.")];
    let (desk, other) = with_fallback(vec![away(), away()], fallback).await;
    let thread = desk.service.thread("desk").await;
    let (desk, answer) = allowed_after_a_restart(desk, &thread).await;
    assert_eq!(answer, "Noted.");
    let sent = desk.model.requests().pop().unwrap();
    assert!(!sent.to_string().contains("s2"), "{sent}");
    let given = (json!("s2"), json!("I will note it."));
    assert_eq!(given_back(&other.requests()[1]), [given]);
}
