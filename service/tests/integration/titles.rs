//! Titles that a model makes of conversations: after the first answer, beside everything else, and
//! never over a name that a person gave.

use std::sync::Arc;

use serde_json::json;
use tokio::sync::Semaphore;

use crate::common::{
    DEMO, THREADS, content,
    desk::Desk,
    model::{Reply, costs, says},
    until,
};

const COMPLETE: &str = "AGENT_RESPONSE_COMPLETE";

fn title(text: &str) -> Reply {
    says(&json!({ "title": text }).to_string())
}

/// Returns the name of the desk's only conversation.
async fn name(desk: &Desk) -> String {
    let list = desk.service.get(&DEMO.replace("demo", "desk")).await.json();
    list[0]["threadName"].as_str().unwrap().to_owned()
}

async fn no_title_is_being_made(desk: &Desk) {
    until(async || desk.service.state.runs().count() == 0).await;
    until(async || desk.service.state.runs().title_count() == 0).await;
}

#[tokio::test]
async fn after_the_first_answer_a_conversation_has_a_title_of_the_model() {
    let desk = Desk::new(vec![says("It is on the list."), says("Those, too.")]).await;
    desk.model.titles(vec![title(" **Milk for\nAda** ")]);
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "please note milk").await;
    until(async || name(&desk).await == "Milk for Ada").await;
    desk.service.say(&thread, "and eggs").await;
    no_title_is_being_made(&desk).await;
    assert_eq!(name(&desk).await, "Milk for Ada");

    let asked = desk.model.title_requests();
    assert_eq!(asked.len(), 1, "a title is made once");
    let messages = asked[0]["messages"].as_array().unwrap();
    let system = messages[0]["content"].as_str().unwrap();
    assert!(!system.contains("milk"), "what is said is data: {system}");
    let data = messages[1]["content"].as_str().unwrap();
    assert!(data.contains("please note milk") && data.contains("It is on the list."));
    assert!(asked[0].get("tools").is_none());
}

#[tokio::test]
async fn a_title_is_read_from_parts_of_which_some_are_thoughts() {
    let parts = json!([{ "type": "thinking", "thinking": [{ "type": "text", "text": "{}" }] },
        { "type": "text", "text": "{\"title\":\"Milk\"}" }]);
    let title = Reply::Stream(vec![
        json!({ "choices": [{ "delta": { "content": parts } }] }),
    ]);
    let desk = Desk::new(vec![says("It is on the list.")]).await;
    desk.model.titles(vec![title]);
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "please note milk").await;
    until(async || name(&desk).await == "Milk").await;
}

#[tokio::test]
async fn a_title_is_spent_by_the_user() {
    let desk = Desk::new(vec![costs(says("It is on the list."), 5)]).await;
    desk.model.titles(vec![costs(title("Milk"), 7)]);
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "please note milk").await;
    until(async || name(&desk).await == "Milk").await;
    assert_eq!(desk.tokens().await, 12);
}

#[tokio::test]
async fn neither_the_stream_nor_the_next_message_waits_for_a_title() {
    let never = Arc::new(Semaphore::new(0));
    let desk = Desk::new(vec![says("One."), says("Two.")]).await;
    let held = || Reply::Held(Arc::clone(&never), Box::new(title("Late")));
    desk.model.titles(vec![held(), held()]);
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "one").await;
    assert_eq!(content(&events, COMPLETE), "One.");
    let events = desk.service.say(&thread, "two").await;
    assert_eq!(content(&events, COMPLETE), "Two.");
    until(async || desk.model.title_requests().len() == 2).await;
    assert_eq!(name(&desk).await, "one");
    // Nor does the end of the service.
    desk.service.listen().await.stop().await;
    assert_eq!(desk.service.state.runs().title_count(), 0);
}

#[tokio::test]
async fn the_name_that_a_person_gives_while_a_title_is_made_stays() {
    let go_on = Arc::new(Semaphore::new(0));
    let desk = Desk::new(vec![says("One.")]).await;
    let held = Reply::Held(Arc::clone(&go_on), Box::new(title("A title")));
    desk.model.titles(vec![held]);
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "one").await;
    until(async || desk.model.title_requests().len() == 1).await;
    let rename = json!({ "threadName": "Mine" });
    let path = format!("{THREADS}/{thread}");
    let renamed = desk.service.put(&path, &rename).await;
    assert_eq!(renamed.status, 200);
    go_on.add_permits(1);
    no_title_is_being_made(&desk).await;
    assert_eq!(name(&desk).await, "Mine");
}

#[tokio::test]
async fn a_conversation_with_a_name_is_not_given_a_title() {
    let desk = Desk::new(vec![says("One.")]).await;
    desk.model.titles(vec![title("A title")]);
    let thread = desk.service.thread("desk").await;
    let rename = json!({ "threadName": "Mine" });
    desk.service
        .put(&format!("{THREADS}/{thread}"), &rename)
        .await;
    desk.service.say(&thread, "one").await;
    no_title_is_being_made(&desk).await;
    assert_eq!(name(&desk).await, "Mine");
    assert_eq!(desk.model.title_requests().len(), 0);
}

#[tokio::test]
async fn where_no_title_is_made_the_first_message_stays_the_name_and_the_next_answer_tries_again() {
    let desk = Desk::new(vec![says("One."), says("Two."), says("Three.")]).await;
    let failed = Reply::Status(403, Vec::new(), String::new());
    desk.model
        .titles(vec![failed, title("***"), title("At last")]);
    let thread = desk.service.thread("desk").await;
    for (said, expected) in [("one", "one"), ("two", "one"), ("three", "At last")] {
        desk.service.say(&thread, said).await;
        no_title_is_being_made(&desk).await;
        assert_eq!(name(&desk).await, expected);
    }
}

#[tokio::test]
async fn an_agent_file_can_switch_titles_off() {
    let desk = Desk::with(vec![says("One.")], "[titles]\nenabled = false\n").await;
    desk.model.titles(vec![title("A title")]);
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "one").await;
    no_title_is_being_made(&desk).await;
    assert_eq!(name(&desk).await, "one");
    assert_eq!(desk.model.title_requests().len(), 0);
}
