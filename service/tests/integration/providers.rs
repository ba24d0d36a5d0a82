//! Providers that refuse what others take: the conversation goes on all the same.

use serde_json::{Value, json};

use super::common::{
    content,
    desk::{Desk, POLICY},
    model::{Reply, calls, says},
    providers,
    tool_server::tool_server,
};

/// A desk with a tool server, `odd`, that lists tools with these schemas.
async fn with_schemas(replies: Vec<Reply>, schemas: Vec<(&'static str, Value)>) -> Desk {
    let tool = |(name, schema): &(&str, Value)| json!({ "name": name, "inputSchema": schema });
    let list: Vec<Value> = schemas.iter().map(tool).collect();
    let url = tool_server(move |heard| {
        let answer = (heard.method == "tools/list").then(|| json!({ "tools": list }));
        async move { answer }
    })
    .await;
    let server = format!("[[mcp]]\nid = \"odd\"\nurl = {url:?}\n[policy]\ndefault = \"auto\"\n");
    Desk::with(replies, &server).await
}

fn odd_schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("bare", json!({ "type": "object" })),
        ("empty", json!({})),
        ("null", json!({ "type": "object", "properties": null })),
        (
            "list",
            json!({ "type": "object", "properties": { "a": { "type": "array" } } }),
        ),
        (
            "either",
            json!({ "anyOf": [{ "required": ["a"], "properties": { "a": {} } }] }),
        ),
        ("text", json!({ "type": "string" })),
        (
            "int",
            json!({ "type": "object", "properties": { "a": { "type": "int" } } }),
        ),
        (
            "deep",
            json!({ "type": "object", "properties": { "a": {}, "required": ["a"] } }),
        ),
        (
            "old",
            json!({ "type": "object", "properties": { "a": { "$ref": "#/definitions/a" } },
                "definitions": { "a": { "type": "string" } } }),
        ),
    ]
}

#[tokio::test]
async fn a_tool_with_an_odd_schema_takes_nothing_from_the_others() {
    let desk = with_schemas(vec![says("Hello."), says("Hello.")], odd_schemas()).await;
    desk.model.refuses(providers::openai_schemas);
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "hi").await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Hello.");
    let request = desk.model.requests().pop().unwrap();
    let tools = request["tools"].as_array().unwrap().iter();
    let names: Vec<&str> = tools
        .map(|tool| tool["function"]["name"].as_str().unwrap())
        .filter(|name| name.starts_with("odd__"))
        .collect();
    let offered = [
        "bare", "empty", "null", "list", "either", "int", "deep", "old",
    ];
    assert_eq!(names, offered.map(|name| format!("odd__{name}")));
    let lines = desk.service.state.agents().check(None).await.lines;
    let left_out = "  odd/text: left out, it takes no object".to_owned();
    assert!(lines.contains(&left_out), "{lines:?}");
    // The same where tools are a schema of the answer.
    desk.change("name = \"small\"", "name = \"small\"\ntools = \"schema\"");
    let events = desk.service.say(&thread, "hi").await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Hello.");
    let request = desk.model.requests().pop().unwrap();
    let steps = &request["response_format"]["json_schema"]["schema"]["anyOf"];
    let steps = steps.as_array().unwrap().iter();
    let with: Vec<&Value> = steps
        .filter_map(|step| step["properties"].get("with"))
        .collect();
    assert!(
        with.iter()
            .all(|with| with["type"] == "object" && with["properties"].is_object())
    );
}

#[tokio::test]
async fn calls_have_ids_that_mistral_takes_and_keep_them() {
    let list = || ("notes__list", json!({}));
    let replies = vec![
        calls("", &[list(), ("notes__list", json!({ "a": 1 }))]),
        says("Two."),
        calls("", &[list()]),
        says("One."),
    ];
    let desk = Desk::with(replies, POLICY).await;
    desk.model.refuses(providers::mistral_ids);
    let thread = desk.service.thread("desk").await;
    for said in ["Two.", "One."] {
        let events = desk.service.say(&thread, "look").await;
        assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), said);
    }
    let ids = |request: &Value| -> Vec<(Vec<String>, Vec<String>)> {
        let text = |id: &Value| id.as_str().unwrap().to_owned();
        let mut all: Vec<(Vec<String>, Vec<String>)> = Vec::new();
        for message in request["messages"].as_array().unwrap() {
            if let Some(calls) = message["tool_calls"].as_array() {
                all.push((calls.iter().map(|call| text(&call["id"])).collect(), vec![]));
            } else if let Some(id) = message.get("tool_call_id") {
                all.last_mut().unwrap().1.push(text(id));
            }
        }
        all
    };
    let requests = desk.model.requests();
    let last = ids(&requests[3]);
    // Each result has the id of its call, and no two calls have the same.
    assert!(
        last.iter().all(|(calls, results)| calls == results),
        "{last:?}"
    );
    let mut all: Vec<&String> = last.iter().flat_map(|(calls, _)| calls).collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 3);
    assert_eq!(ids(&requests[1])[0], last[0]);
}
