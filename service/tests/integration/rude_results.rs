//! Results of tools in the forms that servers give them.

#![cfg(target_os = "linux")]

use serde_json::{Value, json};

use crate::common::{
    body, content, decided,
    desk::{Desk, add},
    model::{calls, says},
    requests,
    tool_server::{one_tool, tool_server},
};

/// Returns what the model reads of a result.
async fn read_of(result: Value) -> String {
    let url = tool_server(move |heard| {
        let answer = match heard.method.as_str() {
            "tools/list" => Some(one_tool("find", "Finds.")),
            "tools/call" => Some(result.clone()),
            _ => None,
        };
        async move { answer }
    })
    .await;
    let server = format!("[[mcp]]\nid = \"crm\"\nurl = {url:?}\n[policy]\ndefault = \"auto\"\n");
    let replies = vec![calls("", &[("crm__find", json!({}))]), says("Done.")];
    let desk = Desk::with(replies, &server).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "find it").await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Done.");
    desk.results().remove(0)
}

fn texts(texts: &[&str]) -> Value {
    let block = |text: &&str| json!({ "type": "text", "text": text });
    texts.iter().map(block).collect()
}

#[tokio::test]
async fn an_error_of_a_tool_reaches_the_model_with_and_without_words() {
    const SILENT: &str = "The tool failed, and did not say why.";
    for (result, read) in [
        (json!({ "content": texts(&["42"]), "isError": true }), "42"),
        (json!({ "content": [], "isError": true }), SILENT),
        (json!({ "isError": true }), SILENT),
        (json!({ "content": texts(&[" "]), "isError": true }), SILENT),
        (
            json!({ "content": [], "structuredContent": { "code": 7 }, "isError": true }),
            "{\"code\":7}",
        ),
        (
            json!({ "content": texts(&["No"]), "isError": "true" }),
            "No",
        ),
        (json!({ "content": texts(&["42"]), "isError": null }), "42"),
    ] {
        assert_eq!(read_of(result.clone()).await, read, "{result}");
    }
}

#[tokio::test]
async fn a_structured_value_beside_a_text_that_says_something_else_is_read() {
    for (said, value, read) in [
        (
            texts(&["2 items"]),
            json!({ "items": [1, 2] }),
            "2 items\n{\"items\":[1,2]}",
        ),
        // The text is the value.
        (
            texts(&["{ \"items\": [1, 2] }"]),
            json!({ "items": [1, 2] }),
            "{ \"items\": [1, 2] }",
        ),
        (texts(&["sunny"]), json!({ "result": "sunny" }), "sunny"),
        (texts(&["1", "b"]), json!({ "result": [1, "b"] }), "1\nb"),
        (
            texts(&["1"]),
            json!({ "result": [1, "b"] }),
            "1\n{\"result\":[1,\"b\"]}",
        ),
        (texts(&["None"]), Value::Null, "None"),
        (texts(&[]), json!([1]), "[1]"),
    ] {
        let result = json!({ "content": said, "structuredContent": value });
        assert_eq!(read_of(result).await, read, "{value}");
    }
}

#[tokio::test]
async fn of_equal_calls_the_one_that_was_approved_runs() {
    for (decisions, expected) in [
        (["APPROVED", "DENIED"], ["added", "denied"]),
        (["DENIED", "APPROVED"], ["denied", "added"]),
    ] {
        let twice = calls("", &[add("tea"), add("tea")]);
        let desk = Desk::new(vec![twice, says("Done.")]).await;
        let thread = desk.service.thread("desk").await;
        let asked = requests(&desk.service.say(&thread, "tea").await).remove(0);
        let ids: Vec<_> = asked
            .iter()
            .map(|it| it["toolExecutionId"].clone())
            .collect();
        assert_eq!(ids.len(), 2);
        assert_ne!(ids[0], ids[1]);
        let decided = body(&[decided(&asked, &decisions)]);
        desk.service.stream(&thread, &decided).await;
        assert_eq!(desk.notes(), "tea\n");
        let results = desk.results();
        let results = results.iter().map(|result| match result.as_str() {
            "added" => "added",
            other if other.contains("denied") => "denied",
            other => other,
        });
        assert_eq!(results.collect::<Vec<_>>(), expected);
        // The stored decisions say the same, in the same order.
        let audited = desk.service.statuses(&thread).await;
        assert_eq!(audited, decisions);
    }
}

#[tokio::test]
async fn images_of_a_result_reach_a_model_that_sees_images_behind_the_results() {
    const PNG: &str = "iVBORw0KGgpyZXN0";
    let png = format!("data:image/png;base64,{PNG}");
    let block = |data: &str| json!({ "type": "image", "data": data, "mimeType": "image/png" });
    let result = json!({ "content": [
        { "type": "text", "text": "The page." },
        block(PNG),
        // As some servers say it.
        block(&png),
        block("iVBORw0K\nGgpyZXN0\n"),
        // A page that is called an image.
        block("PGh0bWw+"),
        { "type": "resource", "resource": {
            "uri": "shot://1", "mimeType": "image/png", "blob": PNG,
        } },
    ] });
    for (input, seen) in [("[\"text\", \"image\"]", 4), ("[\"text\"]", 0)] {
        let answer = result.clone();
        let url = tool_server(move |heard| {
            let answer = match heard.method.as_str() {
                "tools/list" => Some(one_tool("shot", "Takes a picture.")),
                "tools/call" => Some(answer.clone()),
                _ => None,
            };
            async move { answer }
        })
        .await;
        let server =
            format!("[[mcp]]\nid = \"crm\"\nurl = {url:?}\n[policy]\ndefault = \"auto\"\n");
        let shot = calls("", &[("crm__shot", json!({})), ("notes__list", json!({}))]);
        let desk = Desk::with(vec![shot, says("Nice."), says("Still nice.")], &server).await;
        desk.change(
            "name = \"small\"",
            &format!("name = \"small\"\ninput = {input}"),
        );
        let service = &desk.service;
        let thread = service.thread("desk").await;
        service.say(&thread, "look").await;
        let words = "The page.\n(an image)\n(an image)\n(an image)\n\
                     (an image that was left out: it is no PNG, JPEG, GIF or WebP)\n(an image)";
        assert_eq!(desk.results(), [words, "(no output)"]);
        // In the next turn they are still there.
        service.say(&thread, "and now?").await;
        for request in &desk.model.requests()[1..] {
            let messages = request["messages"].as_array().unwrap();
            let last = messages
                .iter()
                .rposition(|it| it["role"] == "tool")
                .unwrap();
            let images: Vec<&Value> = messages
                .iter()
                .filter_map(|message| message["content"].as_array())
                .flatten()
                .filter_map(|part| part["image_url"].get("url"))
                .collect();
            assert_eq!(images, vec![&json!(png); seen]);
            if seen > 0 {
                let behind = &messages[last + 1];
                assert_eq!(behind["role"], "user");
                assert_eq!(behind["content"].as_array().unwrap().len(), 1 + seen);
            }
        }
        // They are files of the user, whatever the model sees, and go with the thread.
        let uploads = async || service.get("/api/assistants/uploads").await.json();
        let listed = uploads().await;
        assert_eq!(listed.as_array().unwrap().len(), 4, "{listed}");
        service
            .delete(&format!("/api/assistants/threads/{thread}"))
            .await;
        assert_eq!(uploads().await, json!([]));
    }
}
