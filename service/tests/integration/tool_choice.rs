//! `tool_choice` and `parallel_tool_calls` of an agent file: sent as they are set, left out where a
//! server refuses them, and never a reason to call for ever.

use serde_json::{Value, json};

use crate::common::{
    body, content, decided,
    desk::{Desk, POLICY, add},
    model::{Reply, calls, says},
    providers, requests,
};

fn look() -> Reply {
    calls("", &[("notes__list", json!({}))])
}

/// A desk whose file has this in `[model]`.
async fn desk(replies: Vec<Reply>, model: &str) -> Desk {
    let desk = Desk::with(replies, POLICY).await;
    let model = format!("name = \"small\"\n{model}");
    desk.change("name = \"small\"", &model);
    desk
}

/// Returns a parameter of each request, `null` where it is not there.
fn sent(desk: &Desk, name: &str) -> Vec<Value> {
    let requests = desk.model.requests().into_iter();
    requests.map(|request| request[name].clone()).collect()
}

/// Returns what was learned of the model's server.
async fn learned(desk: &Desk) -> Vec<String> {
    let lines = desk.service.state.agents().check(None).await.lines;
    let learned = lines
        .iter()
        .filter_map(|line| line.trim().strip_prefix("learned: "));
    learned.map(str::to_owned).collect()
}

#[tokio::test]
async fn both_are_sent_as_set_with_each_request_that_offers_tools() {
    for choice in [
        json!("auto"),
        json!({ "type": "allowed_tools", "allowed_tools": { "mode": "auto", "tools": [] } }),
    ] {
        let table = match &choice {
            Value::String(choice) => format!("{choice:?}"),
            _ => "{ type = \"allowed_tools\", allowed_tools = { mode = \"auto\", tools = [] } }"
                .to_owned(),
        };
        let set = format!("tool_choice = {table}\nparallel_tool_calls = false");
        // The third time it is the same call again: nothing is offered.
        let desk = desk(vec![look(), look(), look(), says("Nothing.")], &set).await;
        let thread = desk.service.thread("desk").await;
        desk.service.say(&thread, "look").await;
        let none = Value::Null;
        let choices = [choice.clone(), choice.clone(), choice, none.clone()];
        assert_eq!(sent(&desk, "tool_choice"), choices);
        let parallel = [json!(false), json!(false), json!(false), none];
        assert_eq!(sent(&desk, "parallel_tool_calls"), parallel);
    }
    let desk = desk(vec![says("Hello.")], "").await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "hi").await;
    for name in ["tool_choice", "parallel_tool_calls"] {
        assert_eq!(sent(&desk, name), [Value::Null]);
    }
}

#[tokio::test]
async fn a_forced_call_is_forced_once_in_a_turn() {
    for (choice, table) in [
        (json!("required"), "\"required\""),
        (json!("any"), "\"any\""),
        (
            json!({ "type": "function", "function": { "name": "notes__list" } }),
            "{ type = \"function\", function = { name = \"notes__list\" } }",
        ),
    ] {
        let replies = vec![look(), says("Nothing."), look(), says("Still nothing.")];
        let desk = desk(replies, &format!("tool_choice = {table}")).await;
        // With such a choice a server lets no model answer in words.
        desk.model.refuses(providers::forced_calls);
        let thread = desk.service.thread("desk").await;
        for said in ["Nothing.", "Still nothing."] {
            let events = desk.service.say(&thread, "look").await;
            assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), said);
        }
        let forced = [choice.clone(), Value::Null, choice, Value::Null];
        assert_eq!(sent(&desk, "tool_choice"), forced);
    }
}

#[tokio::test]
async fn a_decision_of_a_person_does_not_force_another_call() {
    let replies = vec![calls("", &[add("milk")]), says("Noted.")];
    let desk = desk(replies, "tool_choice = \"required\"").await;
    let thread = desk.service.thread("desk").await;
    let asked = requests(&desk.service.say(&thread, "note milk").await).concat();
    let decision = body(&[decided(&asked, &["DENIED"])]);
    let events = desk.service.stream(&thread, &decision).await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Noted.");
    assert_eq!(sent(&desk, "tool_choice"), [json!("required"), Value::Null]);
}

#[tokio::test]
async fn what_a_server_refuses_of_them_is_left_out_from_then_on() {
    let set = "preset = \"openai\"\ntool_choice = \"required\"\nparallel_tool_calls = false";
    for (refuses, lessons) in [
        (
            providers::no_parallel_calls as fn(&Value) -> Option<Reply>,
            &["parallel_tool_calls is left out (omit = [\"parallel_tool_calls\"])"][..],
        ),
        (
            providers::no_forced_calls,
            &["tool_choice is left out (remove tool_choice)"],
        ),
        (
            providers::no_endpoint_for_the_choice,
            &["tool_choice is left out (remove tool_choice)"],
        ),
        (
            |request| {
                providers::no_parallel_calls(request)
                    .or_else(|| providers::no_forced_calls(request))
            },
            &[
                "parallel_tool_calls is left out (omit = [\"parallel_tool_calls\"])",
                "tool_choice is left out (remove tool_choice)",
            ],
        ),
    ] {
        let replies = vec![look(), look(), look(), says("Nothing."), says("Yes.")];
        let desk = desk(replies, set).await;
        desk.model.refuses(refuses);
        let thread = desk.service.thread("desk").await;
        let events = desk.service.say(&thread, "look").await;
        assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Nothing.");
        assert_eq!(learned(&desk).await, lessons);
        let before = desk.model.requests().len();
        assert_eq!(before, 4 + lessons.len(), "each is tried once otherwise");
        // What the service says itself is not what was refused.
        let last = desk.model.requests().pop().unwrap();
        assert_eq!(last["tool_choice"], "none");
        desk.service.say(&thread, "sure?").await;
        assert_eq!(desk.model.requests().len(), before + 1, "it is remembered");
    }
}

#[tokio::test]
async fn without_tool_choice_no_tools_stay_where_none_may_be_called() {
    let replies = vec![look(), look(), look(), says("Nothing.")];
    let desk = desk(replies, "preset = \"openai\"\nomit = [\"tool_choice\"]").await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "look").await;
    let last = desk.model.requests().pop().unwrap();
    assert_eq!((last.get("tools"), last.get("tool_choice")), (None, None));
}
