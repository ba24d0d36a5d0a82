//! Servers that call themselves compatible: each quirk with an answer as it is sent.

use std::slice;

use serde_json::{Value, json};

use super::{Endpoint, Model, ModelError};
use crate::{
    agents::model::{
        provider::{
            completion::{Completion, ReplyPiece, Usage},
            test_server::{TestServer, answer, says, stream},
        },
        request::{
            documents::Documents,
            images::Images,
            wire::{Request, ToolMode},
        },
        tools::offered::OfferedTool,
    },
    transcript::Transcript,
};

pub(super) const EVENTS: &str = "content-type: text/event-stream\r\n";

/// Asks a model; returns what the reader saw, and what came.
pub(super) async fn ask(model: &Model) -> (String, Result<Completion, ModelError>) {
    let (transcript, images) = (Transcript::default(), Images::new());
    let documents = Documents::new();
    let tool = OfferedTool::test("files", "read");
    let request = Request {
        instructions: "Help.",
        transcript: &transcript,
        tools: slice::from_ref(&tool),
        with_tools: true,
        images: &images,
        documents: &documents,
    };
    let mut said = String::new();
    let mut reply = match model.answer(&request).await {
        Ok(reply) => reply,
        Err(error) => return (said, Err(error)),
    };
    loop {
        match reply.next().await {
            Ok(Some(ReplyPiece::Text(text))) => {
                assert_ne!(text, "", "what is empty begins no paragraph");
                said.push_str(&text);
            }
            Ok(Some(_)) => {}
            Ok(None) => return (said, Ok(reply.into_completion())),
            Err(error) => return (said, Err(error)),
        }
    }
}

/// Asks a server with these answers; returns the number of its answers that were taken, too.
pub(super) async fn asked(answers: Vec<String>) -> (String, Result<Completion, ModelError>, usize) {
    let server = TestServer::new(answers).await;
    let (said, came) = ask(&Model::at(&server.url)).await;
    (said, came, server.received().len())
}

pub(super) fn text(text: &str) -> Value {
    json!({ "choices": [{ "delta": { "content": text } }] })
}

pub(super) fn frames(frames: &str) -> String {
    answer(200, EVENTS, frames)
}

#[tokio::test]
async fn comments_proxies_and_line_ends_of_all_kinds_are_no_part_of_an_answer() {
    let (hello, done) = (text("Hello"), "[DONE]");
    for body in [
        format!(": OPENROUTER PROCESSING\n\ndata: {hello}\n\ndata: {done}\n\n"),
        format!("\u{feff}data: {hello}\r\n\r\ndata: {done}\r\n\r\n"),
        format!("event: message\nid: 1\ndata: {hello}\n\nevent: ping\ndata: \n\n"),
        format!("data: not json\n\ndata: {hello}\n\n"),
    ] {
        let (said, came, _) = asked(vec![frames(&body)]).await;
        assert_eq!(
            (said.as_str(), came.unwrap().text.as_str()),
            ("Hello", "Hello"),
            "{body}"
        );
    }
}

#[tokio::test]
async fn an_answer_ends_with_done_or_with_the_stream_and_nothing_behind_done_counts() {
    let (said, came, _) = asked(vec![stream(&[text("Hello")])]).await;
    assert_eq!(
        (said.as_str(), came.unwrap().text.as_str()),
        ("Hello", "Hello")
    );
    // Fewer bytes than were announced: the connection breaks once all is said.
    let body = format!("data: {}\n\ndata: [DONE]\n\n", text("Hello"));
    let broken = format!("{EVENTS}content-length: 5000\r\n");
    let (said, came, _) = asked(vec![answer(200, &broken, &body)]).await;
    assert_eq!(
        (said.as_str(), came.map(|came| came.text)),
        ("Hello", Ok("Hello".to_owned()))
    );
    let body = format!(
        "data: {}\n\ndata: [DONE]\n\ndata: {}\n\n",
        text("Hello"),
        text("!")
    );
    assert_eq!(asked(vec![frames(&body)]).await.0, "Hello");
}

#[tokio::test]
async fn a_first_chunk_without_choices_and_usage_in_the_last_one_or_nowhere() {
    let azure = json!({ "choices": [], "prompt_filter_results": [{ "prompt_index": 0 }] });
    let usage = json!({ "choices": [], "usage": { "prompt_tokens": 7, "completion_tokens": 2 } });
    let null = json!({ "choices": [{ "delta": { "content": null }, "finish_reason": null }],
        "usage": null });
    let (said, came, _) = asked(vec![stream(&[azure.clone(), text("Hi"), null, usage])]).await;
    assert_eq!(said, "Hi");
    let (input, output, cached) = (7, 2, 0);
    let usage = Usage {
        input,
        output,
        cached,
    };
    assert_eq!(came.unwrap().usage, Some(usage));
    let (_, came, _) = asked(vec![stream(&[azure, text("Hi")])]).await;
    assert_eq!(came.unwrap().usage, None);
}

#[tokio::test]
async fn what_a_model_thinks_is_not_said() {
    for field in ["reasoning", "reasoning_content"] {
        let thought = json!({ "choices": [{ "delta": { field: "Hm.", "content": "" } }] });
        let (said, came, _) = asked(vec![stream(&[thought, text("Hi")])]).await;
        assert_eq!(
            (said.as_str(), came.unwrap().text.as_str()),
            ("Hi", "Hi"),
            "{field}"
        );
    }
}

#[tokio::test]
async fn an_answer_that_was_not_streamed_is_taken_whole() {
    let calls = json!([{ "id": "1", "function": { "name": "files__read", "arguments": "{}" } }]);
    let message = json!({ "content": "Hi", "tool_calls": calls });
    let body = json!({ "choices": [{ "message": message, "finish_reason": "stop" }] });
    let headers = "content-type: application/json; charset=utf-8\r\n";
    let (said, came, _) = asked(vec![answer(200, headers, &body.to_string())]).await;
    assert_eq!(said, "Hi");
    assert_eq!(came.unwrap().calls[0].name, "files__read");
}

#[tokio::test]
async fn a_failure_in_a_stream_is_said_without_being_tried_again() {
    for error in [
        json!({ "message": "overloaded", "code": 529 }),
        json!("overloaded"),
    ] {
        let failed = json!({ "error": error });
        let expected = Err(ModelError::Reported("overloaded".to_owned()));
        let answers = vec![stream(slice::from_ref(&failed)), says("no")];
        assert_eq!(asked(answers).await, (String::new(), expected.clone(), 1));
        let late = vec![stream(&[text("So far"), failed]), says("no")];
        assert_eq!(asked(late).await, ("So far".to_owned(), expected, 1));
    }
}

#[tokio::test]
async fn only_what_has_not_begun_is_tried_again_and_only_so_often() {
    let busy = || answer(429, "retry-after: 0\r\n", "");
    let down = || answer(502, "retry-after: Tue, 24 Nov 2020 08:49:37 GMT\r\n", "");
    let (said, _, tries) = asked(vec![busy(), down(), says("At last.")]).await;
    assert_eq!((said.as_str(), tries), ("At last.", 3));
    let (_, came, tries) = asked(vec![busy(), busy(), busy(), says("no")]).await;
    assert_eq!((came, tries), (Err(ModelError::Busy { status: 429 }), 3));
    let patience = answer(429, "retry-after: 3600\r\n", "");
    let (_, came, tries) = asked(vec![patience, says("no")]).await;
    assert_eq!((came, tries), (Err(ModelError::Busy { status: 429 }), 1));
    let broken = format!("{EVENTS}content-length: 5000\r\n");
    let begun = answer(200, &broken, &format!("data: {}\n\n", text("So far")));
    let (said, came, tries) = asked(vec![begun, says("no")]).await;
    assert_eq!(
        (said.as_str(), came, tries),
        ("So far", Err(ModelError::BrokenOff), 1)
    );
    let (_, came, tries) = asked(vec![answer(401, "", "{\"message\":\"who?\"}"), says("no")]).await;
    let message = "who?".to_owned();
    assert_eq!(
        (came, tries),
        (
            Err(ModelError::Refused {
                status: 401,
                message
            }),
            1
        )
    );
}

#[tokio::test]
async fn another_model_is_asked_where_the_first_gives_no_answer_at_all() {
    let refused = answer(401, "", "{\"message\":\"who?\"}");
    let failed = stream(&[json!({ "error": { "message": "overloaded" } })]);
    for first in [&refused, &failed] {
        let [main, second, third] = [
            TestServer::new(vec![first.clone()]).await,
            TestServer::new(vec![refused.clone()]).await,
            TestServer::new(vec![says("Here.")]).await,
        ];
        let fallback = [&second, &third]
            .map(|server| Endpoint::at(&server.url))
            .to_vec();
        let model = Model::new("desk", Endpoint::at(&main.url), fallback);
        assert_eq!(ask(&model).await.0, "Here.");
    }
    let main = TestServer::new(vec![failed]).await;
    let second = TestServer::new(vec![refused]).await;
    let fallback = vec![Endpoint::at(&second.url)];
    let (_, came) = ask(&Model::new("desk", Endpoint::at(&main.url), fallback)).await;
    assert_eq!(came, Err(ModelError::Reported("overloaded".to_owned())));
    // What has begun stays with its model.
    let begun = stream(&[text("So far"), json!({ "error": "overloaded" })]);
    let main = TestServer::new(vec![begun]).await;
    let second = TestServer::new(vec![says("no")]).await;
    let fallback = vec![Endpoint::at(&second.url)];
    let (said, came) = ask(&Model::new("desk", Endpoint::at(&main.url), fallback)).await;
    assert_eq!(said, "So far");
    assert!(came.is_err() && second.received().is_empty());
}

#[tokio::test]
async fn steps_of_a_model_without_calls_are_words_or_a_call() {
    let says = |parts: &[&str]| stream(&parts.iter().map(|part| text(part)).collect::<Vec<_>>());
    let server = TestServer::new(vec![
        says(&["{\"ans", "wer\":\"It is ", "\\\"fine\\\".\"}"]),
        says(&["{\"tool\":\"files__read\",", "\"with\":{\"path\":\"a\"}}"]),
        says(&["Plain ", "words."]),
    ])
    .await;
    let model = Model::new(
        "desk",
        Endpoint::at(&server.url).with(|dialect| dialect.tools = ToolMode::Schema),
        Vec::new(),
    );
    let (said, came) = ask(&model).await;
    assert_eq!(
        (said.as_str(), came.unwrap().text.as_str()),
        ("It is \"fine\".", "It is \"fine\".")
    );
    let (said, came) = ask(&model).await;
    let came = came.unwrap();
    assert_eq!((said.as_str(), came.text.as_str()), ("", ""));
    assert_eq!(
        (came.calls[0].name.as_str(), came.calls.len()),
        ("files__read", 1)
    );
    assert_eq!(came.calls[0].arguments, "{\"path\":\"a\"}");
    let (said, came) = ask(&model).await;
    assert_eq!(
        (said.as_str(), came.unwrap().text.as_str()),
        ("Plain words.", "Plain words.")
    );
    let sent = &server.received()[0].body;
    assert_eq!(sent["response_format"]["json_schema"]["name"], "step");
}
