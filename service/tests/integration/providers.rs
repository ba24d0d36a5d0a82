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

/// Returns an answer that ends for a reason.
fn ends(mut reply: Reply, reason: &str) -> Reply {
    if let Reply::Stream(chunks) = &mut reply {
        chunks.push(json!({ "choices": [{ "delta": {}, "finish_reason": reason }] }));
    }
    reply
}

#[tokio::test]
async fn what_a_server_refuses_is_learned_and_an_operator_can_say_it() {
    let desk = Desk::new(vec![says("One."), says("Two."), says("Three.")]).await;
    desk.model.refuses(|request| {
        providers::mistral_parameters(request).or_else(|| providers::openai_limit(request))
    });
    desk.change("name = \"small\"", "name = \"small\"\noutput_tokens = 50");
    let thread = desk.service.thread("desk").await;
    let lines = |desk: &Desk| {
        let agents = desk.service.state.agents();
        async move { agents.check(None).await.lines }
    };
    // Mistral has not the other name of the limit either.
    let parameters = ["stream_options", "max_completion_tokens"];
    let events = desk.service.say(&thread, "hi").await;
    assert!(content(&events, "ERROR").contains("refused the request (400)"));
    desk.model.refuses(providers::mistral_parameters);
    let before = desk.model.requests().len();
    let events = desk.service.say(&thread, "hi").await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "One.");
    let requests = desk.model.requests();
    assert_eq!(requests.len(), before + 2, "one more try");
    assert!(
        parameters
            .iter()
            .all(|name| requests[before + 1].get(*name).is_none())
    );
    desk.service.say(&thread, "hi").await;
    assert_eq!(desk.model.requests().len(), before + 3, "it is remembered");
    let learned = "    learned: stream_options is left out (omit = [\"stream_options\"])";
    assert!(lines(&desk).await.iter().any(|line| line == learned));
    // An operator says it beforehand, with parameters of their own.
    desk.change(
        "output_tokens = 50",
        "preset = \"mistral\"\nparameters = { temperature = 0.5 }",
    );
    desk.service.say(&thread, "hi").await;
    let requests = desk.model.requests();
    assert_eq!(requests.len(), before + 4);
    assert_eq!(requests[before + 3]["temperature"], 0.5);
    let lines = lines(&desk).await;
    for said in ["    sends temperature", "    leaves out stream_options"] {
        assert!(lines.iter().any(|line| line == said), "{lines:?}");
    }
}

#[tokio::test]
async fn an_answer_that_was_cut_keeps_its_words_and_says_so() {
    for (reason, sentence) in [
        (
            "length",
            "*The answer ends here: it reached the greatest length of an answer.*",
        ),
        (
            "content_filter",
            "*The answer ends here: the model's server kept the rest back.*",
        ),
    ] {
        let desk = Desk::new(vec![ends(says("So far"), reason)]).await;
        let thread = desk.service.thread("desk").await;
        let events = desk.service.say(&thread, "hi").await;
        let said = content(&events, "AGENT_RESPONSE_COMPLETE");
        assert_eq!(said, format!("So far\n\n{sentence}"));
        let text = desk.service.state.metrics().text(0, &[]).unwrap();
        let end = if reason == "length" {
            reason
        } else {
            "filtered"
        };
        let line = format!("assent_model_answers_total{{agent=\"desk\",end=\"{end}\"}} 1");
        assert!(text.contains(&line), "{text}");
    }
    // Nothing but thoughts.
    let thought = json!({ "choices": [{ "delta": { "reasoning_content": "Hm." } }] });
    let thought = ends(Reply::Stream(vec![thought]), "length");
    let desk = Desk::new(vec![thought]).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "hi").await;
    let error = content(&events, "ERROR");
    assert!(error.contains("before it said anything"), "{error}");
}

#[tokio::test]
async fn a_call_that_was_cut_does_not_run_and_the_model_knows_why() {
    let cut = |arguments: &str| {
        let function = json!({ "name": "notes__add", "arguments": arguments });
        let call = json!({ "index": 0, "id": "a", "function": function });
        let delta = json!({ "choices": [{ "delta": { "tool_calls": [call] } }] });
        ends(Reply::Stream(vec![delta]), "length")
    };
    let auto = "[policy]\ndefault = \"auto\"\n";
    for arguments in ["{\"text\":\"buy mi", ""] {
        let desk = Desk::with(vec![cut(arguments), says("Sorry.")], auto).await;
        let thread = desk.service.thread("desk").await;
        desk.service.say(&thread, "add").await;
        assert_eq!(desk.notes(), "");
        let result = desk.results().pop().unwrap();
        assert!(result.contains("the answer was cut"), "{result}");
    }
    // Where a call is a step that was cut, the answer ends.
    let step = "{\"tool\":\"notes__add\",\"with\":{\"text\":\"buy";
    let desk = Desk::with(vec![ends(says(step), "length"), says("no")], auto).await;
    desk.change("name = \"small\"", "name = \"small\"\ntools = \"schema\"");
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "add").await;
    assert!(content(&events, "ERROR").contains("greatest length"));
    assert_eq!((desk.notes().as_str(), desk.model.left()), ("", 1));
}

#[tokio::test]
async fn calls_in_the_history_are_told_where_none_may_be_made() {
    let look = || calls("", &[("notes__list", json!({}))]);
    for (preset, tries) in [("", 2), ("openai", 2), ("bedrock", 1)] {
        // The third time it is the same call again.
        let replies = vec![look(), look(), look(), says("Nothing.")];
        let desk = Desk::with(replies, POLICY).await;
        desk.model.refuses(providers::bedrock_tools);
        if !preset.is_empty() {
            let name = format!("name = \"small\"\npreset = {preset:?}");
            desk.change("name = \"small\"", &name);
        }
        let thread = desk.service.thread("desk").await;
        let events = desk.service.say(&thread, "look").await;
        assert_eq!(
            content(&events, "AGENT_RESPONSE_COMPLETE"),
            "Nothing.",
            "{preset}"
        );
        let requests = desk.model.requests();
        assert_eq!(requests.len(), 3 + tries, "{preset}");
        let last = requests.last().unwrap();
        assert_eq!((last.get("tools"), last.get("tool_choice")), (None, None));
        let told = last["messages"].to_string();
        assert!(told.contains("Result of notes__list"), "{told}");
    }
    // Elsewhere the tools stay.
    let desk = Desk::with(vec![look(), look(), look(), says("Nothing.")], POLICY).await;
    desk.change("name = \"small\"", "name = \"small\"\npreset = \"openai\"");
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "look").await;
    let last = desk.model.requests().pop().unwrap();
    assert_eq!(last["tool_choice"], "none");
    assert!(last["tools"].is_array());
}

#[tokio::test]
async fn an_operator_chooses_tools_and_none_is_offered_that_is_always_denied() {
    let many = || {
        let tools = (0..200).map(|number| {
            let kind = if number < 130 { "read" } else { "write" };
            let name = format!("{kind}_{number}");
            json!({ "name": name, "inputSchema": { "type": "object" } })
        });
        json!({ "tools": tools.collect::<Vec<_>>() })
    };
    let url = tool_server(move |heard| {
        let answer = (heard.method == "tools/list").then(many);
        async move { answer }
    })
    .await;
    let server = format!(
        "[[mcp]]\nid = \"many\"\nurl = {url:?}\ntools = [\"read_*\", \"write_130\"]\n\
         [policy]\nrule = [{{ tool = \"many/read_1\", do = \"deny\" }}]\n"
    );
    let replies = vec![calls("", &[("many__read_1", json!({}))]), says("No.")];
    let desk = Desk::with(replies, &server).await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "hi").await;
    let request = desk.model.requests().pop().unwrap();
    let tools = request["tools"].as_array().unwrap().iter();
    let names: Vec<&str> = tools
        .map(|tool| tool["function"]["name"].as_str().unwrap())
        .filter(|name| name.starts_with("many__"))
        .collect();
    assert_eq!(names.len(), 130);
    assert!(names.contains(&"many__write_130") && !names.contains(&"many__write_131"));
    assert!(!names.contains(&"many__read_1"));
    assert!(
        desk.results()[0].contains("not allowed"),
        "{:?}",
        desk.results()
    );
    let lines = desk.service.state.agents().check(None).await.lines;
    let warns = |line: &String| line.contains("tools are offered, and many servers");
    assert!(lines.iter().any(warns), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("many/write_131")));
}

#[tokio::test]
async fn thoughts_that_come_first_are_not_read_where_the_name_or_the_file_says_so() {
    let thoughts = || says("Hm.\n</think>\n\nYes.");
    for (model, shown) in [
        ("name = \"deepseek-r1:8b\"", false),
        ("name = \"small\"\nthinks_first = true", false),
        ("name = \"small\"", true),
        ("name = \"deepseek-r1:8b\"\nthinks_first = false", true),
    ] {
        let desk = Desk::new(vec![thoughts(), thoughts()]).await;
        desk.change("name = \"small\"", model);
        let thread = desk.service.thread("desk").await;
        let events = desk.service.say(&thread, "hi").await;
        let read = format!("{events:?}").contains("Hm.");
        assert_eq!(read, shown, "{model}");
        // What was read is known from then on.
        let events = desk.service.say(&thread, "hi").await;
        assert_eq!(
            content(&events, "AGENT_RESPONSE_COMPLETE"),
            "Yes.",
            "{model}"
        );
    }
}
