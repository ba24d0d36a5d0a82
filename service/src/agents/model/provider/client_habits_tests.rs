//! Servers that say things in their own way, and refuse what others take.

use serde_json::{Value, json};

use super::{
    Endpoint, Model, ModelError,
    tests::{EVENTS, ask, asked, frames, text},
};
use crate::agents::model::{
    provider::{
        completion::Usage,
        ending::ReplyEnd,
        test_server::{TestServer, answer, says, stream},
    },
    request::wire::{Dialect, ToolMode},
};

fn model(server: &TestServer, change: impl FnOnce(&mut Dialect)) -> Model {
    let endpoint = Endpoint::at(&server.url).with(change);
    Model::new("desk", endpoint, Vec::new())
}

/// Returns the parameters of each request that a server had.
fn parameters(server: &TestServer) -> Vec<Vec<String>> {
    let received = server.received().into_iter();
    let names = received.map(|it| it.body.as_object().unwrap().keys().cloned().collect());
    names.collect()
}

fn forbidden(parameter: &str) -> String {
    // As Mistral says it.
    let detail = json!([{ "type": "extra_forbidden", "loc": ["body", parameter],
        "msg": "Extra inputs are not permitted", "input": true }]);
    let body = json!({ "object": "error", "message": { "detail": detail },
        "type": "invalid_request_error", "param": null, "code": null });
    answer(422, "content-type: application/json\r\n", &body.to_string())
}

#[tokio::test]
async fn an_unknown_parameter_is_left_out_after_one_try_and_from_then_on() {
    let openai = json!({ "error": { "message": "Unrecognized request argument supplied: \
        stream_options", "type": "invalid_request_error", "param": null, "code": null } });
    let list = json!([{ "error": { "code": 400, "message": "Invalid JSON payload received. \
        Unknown name \"stream_options\": Cannot find field.", "status": "INVALID_ARGUMENT" } }]);
    let framed = stream(&[
        json!({ "object": "error", "message": "stream_options is not supported",
        "type": "BadRequestError", "code": 400 }),
    ]);
    for refusal in [
        forbidden("stream_options"),
        answer(400, "", &openai.to_string()),
        answer(400, "", &list.to_string()),
        framed,
    ] {
        let server = TestServer::new(vec![refusal, says("One."), says("Two.")]).await;
        let model = model(&server, |_| {});
        for said in ["One.", "Two."] {
            assert_eq!(ask(&model).await.0, said);
        }
        let sent = parameters(&server);
        let has = |at: usize| sent[at].iter().any(|name| name == "stream_options");
        assert_eq!([has(0), has(1), has(2)], [true, false, false]);
        let learned = "  learned: stream_options is left out (omit = [\"stream_options\"])";
        assert_eq!(model.describe()[1], learned);
    }
}

#[tokio::test]
async fn the_limit_of_tokens_has_the_name_that_the_server_knows() {
    let refusal = |unknown: &str, known: &str| {
        let message =
            format!("Unsupported parameter: '{unknown}' is not supported with this model.{known}");
        let error = json!({ "message": message, "param": unknown,
            "type": "invalid_request_error", "code": "unsupported_parameter" });
        answer(400, "", &json!({ "error": error }).to_string())
    };
    let hint = " Use 'max_completion_tokens' instead.";
    for (first, refusal, second) in [
        (
            "max_tokens",
            refusal("max_tokens", hint),
            "max_completion_tokens",
        ),
        (
            "max_tokens",
            refusal("max_tokens", ""),
            "max_completion_tokens",
        ),
        (
            "max_completion_tokens",
            forbidden("max_completion_tokens"),
            "max_tokens",
        ),
    ] {
        let server = TestServer::new(vec![refusal, says("Hi."), says("Hi.")]).await;
        let model = model(&server, |dialect| {
            dialect.output_tokens = Some(50);
            first.clone_into(&mut dialect.habits.max_tokens_name);
        });
        assert_eq!(ask(&model).await.0, "Hi.");
        assert_eq!(ask(&model).await.0, "Hi.");
        let sent = server.received();
        assert_eq!(sent[0].body[first], 50);
        for again in &sent[1..] {
            assert_eq!(
                (&again.body[second], again.body.get(first)),
                (&json!(50), None)
            );
        }
    }
}

#[tokio::test]
async fn what_did_not_help_is_not_remembered_and_what_is_no_habit_is_not_tried_otherwise() {
    let odd = || answer(400, "", r#"{"error":"stream_options or the weather"}"#);
    let server = TestServer::new(vec![odd(), odd(), says("Hi.")]).await;
    let model = model(&server, |_| {});
    let refused = |message: &str| {
        let message = message.to_owned();
        Err(ModelError::Refused {
            status: 400,
            message,
        })
    };
    assert_eq!(
        ask(&model).await.1,
        refused("stream_options or the weather")
    );
    assert_eq!(model.describe().len(), 1);
    assert_eq!(ask(&model).await.0, "Hi.");
    assert!(
        parameters(&server)[2]
            .iter()
            .any(|name| name == "stream_options")
    );
    let long = answer(400, "", r#"{"error":"max_tokens is too large"}"#);
    let (_, came, tries) = asked(vec![long, says("no")]).await;
    assert_eq!((came, tries), (refused("max_tokens is too large"), 1));
}

#[tokio::test]
async fn a_function_that_is_refused_is_left_out() {
    let named = json!({ "error": { "message": "Invalid schema for function 'files__read': odd.",
        "param": "tools[0].function.parameters", "code": "invalid_function_parameters" } });
    let placed = json!({ "type": "error", "error": { "type": "invalid_request_error",
        "message": "tools.0.custom.input_schema: JSON schema is invalid." } });
    let gemini = json!([{ "error": { "code": 400, "message": "* GenerateContentRequest.tools[0]\
        .function_declarations[0].parameters.properties[a].items: missing field.\n" } }]);
    for refusal in [named, placed, gemini] {
        let refusal = answer(400, "", &refusal.to_string());
        let server = TestServer::new(vec![refusal, says("Hi."), says("Hi.")]).await;
        let model = model(&server, |_| {});
        assert_eq!(ask(&model).await.0, "Hi.");
        assert_eq!(ask(&model).await.0, "Hi.");
        for sent in &server.received()[1..] {
            assert_eq!(sent.body.get("tools"), None);
        }
        let learned = "  learned: the function files__read is left out";
        assert_eq!(model.describe()[1], learned);
    }
}

#[tokio::test]
async fn roles_are_those_that_a_template_takes() {
    // Before it tries again, as nothing is wrong with the server.
    let refusal = json!({ "error": { "code": 500, "message": "System role not supported" } });
    let refusal = answer(500, "", &refusal.to_string());
    let server = TestServer::new(vec![refusal, says("Hi."), says("Hi.")]).await;
    let model = model(&server, |_| {});
    assert_eq!(ask(&model).await.0, "Hi.");
    assert_eq!(ask(&model).await.0, "Hi.");
    let sent = server.received();
    assert_eq!(sent[0].body["messages"][0]["role"], "system");
    assert_eq!(sent[1].body["messages"][0]["role"], "user");
    assert_eq!(sent[2].body["messages"][0]["role"], "user");
}

#[tokio::test]
async fn parts_of_content_are_words_or_thoughts_whole_and_in_pieces() {
    let thought = json!([{ "type": "thinking", "thinking": [{ "type": "text", "text": "Hm." }] }]);
    let words = json!([{ "type": "text", "text": "Hel" }]);
    let delta = |content: &Value| json!({ "choices": [{ "delta": { "content": content } }] });
    let pieces = stream(&[delta(&thought), delta(&words), delta(&json!("lo"))]);
    let whole = json!([{ "type": "reasoning", "text": "Hm." },
        { "type": "text", "text": "Hello" }]);
    let whole = json!({ "choices": [{ "delta": null, "message": { "content": whole } }] });
    let json = "content-type: application/json\r\n";
    for body in [pieces, answer(200, json, &whole.to_string())] {
        let (said, came, _) = asked(vec![body]).await;
        let came = came.unwrap();
        assert_eq!((said.as_str(), came.text.as_str()), ("Hello", "Hello"));
        assert!(came.thought);
    }
    let refusal = json!({ "choices": [{ "delta": { "refusal": "I cannot." } }] });
    assert_eq!(asked(vec![stream(&[refusal])]).await.0, "I cannot.");
    let old = |call: Value| json!({ "choices": [{ "delta": { "function_call": call } }] });
    let call = [
        old(json!({ "name": "files__read", "arguments": "" })),
        old(json!({ "arguments": "{\"path\":" })),
        old(json!({ "arguments": "\"a\"}" })),
    ];
    let calls = asked(vec![stream(&call)]).await.1.unwrap().calls;
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].name, "files__read");
    assert_eq!(calls[0].arguments, "{\"path\":\"a\"}");
}

#[tokio::test]
async fn an_answer_ends_as_its_server_says_or_is_not_finished() {
    let last = |reason: &str| json!({ "choices": [{ "delta": {}, "finish_reason": reason }] });
    for (reason, end) in [
        ("stop", ReplyEnd::Whole),
        ("tool_calls", ReplyEnd::Whole),
        ("eos_token", ReplyEnd::Whole),
        ("length", ReplyEnd::Length),
        ("MAX_TOKENS", ReplyEnd::Length),
        ("content_filter", ReplyEnd::Filtered),
        ("content_filter: PROHIBITED_CONTENT", ReplyEnd::Filtered),
        ("content_filter: OTHER", ReplyEnd::Filtered),
        ("SPII", ReplyEnd::Filtered),
        ("error", ReplyEnd::Unfinished),
        (
            "function_call_filter: MALFORMED_FUNCTION_CALL",
            ReplyEnd::Unfinished,
        ),
    ] {
        let (said, came, _) = asked(vec![stream(&[text("So far"), last(reason)])]).await;
        assert_eq!(
            (said.as_str(), came.unwrap().end),
            ("So far", Some(end)),
            "{reason}"
        );
    }
    let hello = text("So far");
    for (body, end) in [
        (
            format!("data: {hello}\n\ndata: [DONE]\n\n"),
            ReplyEnd::Whole,
        ),
        (format!("data: {hello}\n\n"), ReplyEnd::Unfinished),
        // A frame that is cut, and one that only lacks the line behind it.
        (
            format!("data: {hello}\n\ndata: {{\"choices\":[{{\"del"),
            ReplyEnd::Unfinished,
        ),
        (
            format!("data: {hello}\n\ndata: {}", last("stop")),
            ReplyEnd::Whole,
        ),
    ] {
        let (said, came, _) = asked(vec![frames(&body)]).await;
        assert_eq!(
            (said.as_str(), came.unwrap().end),
            ("So far", Some(end)),
            "{body}"
        );
    }
    let whole = json!({ "choices": [{ "message": { "content": "So far" } }] });
    let (_, came, _) = asked(vec![answer(200, "", &whole.to_string())]).await;
    assert_eq!(came.unwrap().end, Some(ReplyEnd::Whole));
}

#[tokio::test]
async fn a_step_that_was_cut_is_no_call_and_no_words() {
    let cut = |part: &str| {
        let end = json!({ "choices": [{ "delta": {}, "finish_reason": "length" }] });
        stream(&[text(part), end])
    };
    for (part, said) in [
        ("{\"tool\":\"files__read\",\"with\":{\"path\":\"a", ""),
        ("{\"answer\":\"So far", "So far"),
    ] {
        let server = TestServer::new(vec![cut(part)]).await;
        let model = model(&server, |dialect| dialect.tools = ToolMode::Schema);
        let (seen, came) = ask(&model).await;
        let came = came.unwrap();
        assert_eq!((seen.as_str(), came.text.as_str()), (said, said));
        assert_eq!((came.calls.len(), came.end), (0, Some(ReplyEnd::Length)));
    }
}

#[tokio::test]
async fn thoughts_in_tags_are_neither_said_nor_kept() {
    let parts = ["<thi", "nk>Hm. </th", "ink>\n\nYes", "."].map(text);
    let (said, came, _) = asked(vec![stream(&parts)]).await;
    let came = came.unwrap();
    assert_eq!((said.as_str(), came.text.as_str()), ("Yes.", "Yes."));
    assert!(came.thought);
    let mentions = "Write `<think>` and `</think>`.";
    assert_eq!(asked(vec![says(mentions)]).await.0, mentions);
    // Where only the end comes, it is known from the second time on.
    let lone = || stream(&["Hm.\n</th", "ink>\n\nYes."].map(text));
    let server = TestServer::new(vec![lone(), lone(), says("Plain.")]).await;
    let model = model(&server, |_| {});
    assert_eq!(ask(&model).await.1.unwrap().text, "Yes.");
    assert_eq!(ask(&model).await.0, "Yes.");
    assert_eq!(ask(&model).await.0, "Plain.");
    let known = TestServer::new(vec![lone()]).await;
    let known = self::model(&known, |dialect| dialect.habits.thinks_first = true);
    assert_eq!(ask(&known).await.0, "Yes.");
    // Thoughts that come apart hold nothing back.
    let apart = json!({ "choices": [{ "delta": { "reasoning_content": "Hm." } }] });
    let server = TestServer::new(vec![stream(&[apart, text("Yes.")])]).await;
    let model = self::model(&server, |dialect| dialect.habits.thinks_first = true);
    assert_eq!(ask(&model).await.0, "Yes.");
}

#[tokio::test]
async fn a_reason_is_quoted_in_whatever_form_it_comes() {
    let gone = |status: u16, body: &str| answer(status, "", body);
    for (body, said) in [
        (gone(400, r#"[{"error":{"message":"No key."}}]"#), "No key."),
        (
            gone(422, r#"{"detail":[{"loc":["body","n"],"msg":"Wrong."}]}"#),
            "body.n: Wrong.",
        ),
        (gone(400, "no such route\n"), "no such route"),
        (gone(400, "<html><title>Blocked</title>…"), "Blocked"),
        (gone(400, ""), "it gave no reason."),
        (
            answer(400, EVENTS, "data: {\"error\":{\"message\":\"Full.\"}}\n\n"),
            "Full.",
        ),
    ] {
        let came = asked(vec![body.clone()]).await.1;
        let Err(ModelError::Refused { message, .. }) = came else {
            panic!("{came:?}");
        };
        assert_eq!(message, said, "{body}");
    }
    let reported = |said: &str| Err(ModelError::Reported(said.to_owned()));
    let bare = json!({ "object": "error", "message": "Too long.", "code": 400 });
    for body in [
        // A bare body under the name of a stream, and a frame without `error`.
        answer(200, EVENTS, &bare.to_string()),
        stream(std::slice::from_ref(&bare)),
        answer(200, EVENTS, &json!([{ "error": bare }]).to_string()),
    ] {
        assert_eq!(
            asked(vec![body.clone()]).await.1,
            reported("Too long."),
            "{body}"
        );
    }
    let page = answer(200, "content-type: text/html\r\n", "<title>Sign in</title>");
    assert_eq!(asked(vec![page]).await.1, reported("Sign in"));
}

#[tokio::test]
async fn the_first_bytes_tell_a_stream_from_a_value() {
    let json = "content-type: application/json\r\n";
    let body = format!("\n: ping\n\ndata: {}\n\ndata: [DONE]\n\n", text("Hello"));
    assert_eq!(asked(vec![answer(200, json, &body)]).await.0, "Hello");
    let whole = json!({ "choices": [{ "message": { "content": "Hello" } }] });
    let body = format!("\u{feff} {whole}");
    assert_eq!(asked(vec![answer(200, EVENTS, &body)]).await.0, "Hello");
    let lines = format!("{}\n{}\n", text("Hel"), text("lo"));
    assert_eq!(asked(vec![answer(200, json, &lines)]).await.0, "Hello");
}

#[tokio::test]
async fn tokens_that_a_server_had_kept_are_told() {
    for usage in [
        json!({ "prompt_tokens": 9, "prompt_tokens_details": { "cached_tokens": 4 } }),
        json!({ "prompt_tokens": 9, "prompt_cache_hit_tokens": 4 }),
        json!({ "prompt_tokens": 9, "cache_read_input_tokens": 4 }),
    ] {
        let last = json!({ "choices": [], "usage": usage });
        let (_, came, _) = asked(vec![stream(&[text("Hi"), last])]).await;
        let (input, output, cached) = (9, 0, 4);
        let expected = Usage {
            input,
            output,
            cached,
        };
        assert_eq!(came.unwrap().usage, Some(expected));
    }
}
