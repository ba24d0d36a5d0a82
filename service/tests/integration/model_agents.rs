//! Agents with a model: what the reader sees, what is asked, what runs, and what is kept. The model
//! is a server of this test, the tools are those of the example `notes`.

use std::{sync::Arc, time::Duration};

use assent_service::{AppState, agents::Agents, app, sentence::Sentence};
use axum::{body::Body, http::Request};
use serde_json::json;

use crate::common::{
    self, Service, body, content,
    database::on_postgres,
    decided,
    desk::{Desk, add},
    model::{Reply, calls, says},
    requests, settings, text, types,
};

/// Tasks of a service at rest whose agent has a model and a tool server: both connections, and what
/// the store and the test's model keep running.
const KEPT_TASKS: usize = 10;

#[tokio::test]
async fn the_answer_streams_in_and_the_model_knows_what_was_said_before() {
    let desk = Desk::new(vec![says("Hello there."), says("Again.")]).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "hi").await;
    assert_eq!(
        types(&events),
        [
            "CONNECTION_ESTABLISHED",
            "MESSAGE_RECEIVED",
            "NOTIFICATION_AGENT_THINKING_STARTED",
            "NOTIFICATION_AGENT_THINKING_COMPLETE",
            "AGENT_RESPONSE_CHUNK",
            "AGENT_RESPONSE_CHUNK",
            "AGENT_RESPONSE_COMPLETE",
        ]
    );
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Hello there.");
    desk.service.say(&thread, "and?").await;
    let sent = desk.model.requests();
    assert_eq!(sent[1]["model"], "small");
    let messages = sent[1]["messages"].as_array().unwrap();
    let roles: Vec<_> = messages
        .iter()
        .map(|m| m["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    assert_eq!(messages[2]["content"], "Hello there.");
    let names: Vec<_> = sent[0]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        names,
        [
            "notes__list",
            "notes__add",
            "notes__environment",
            "notes__hang",
            "notes__protocol",
            "notes__confirm",
            "notes__count"
        ]
    );
    assert_eq!(
        desk.model.keys(),
        ["Bearer canary-key", "Bearer canary-key"]
    );
}

#[tokio::test]
async fn a_write_is_asked_about_and_runs_once_it_is_approved() {
    let replies = vec![calls("Let me add that.", &[add("milk")]), says("Added it.")];
    let desk = Desk::new(replies).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "add milk").await;
    let asked = requests(&events).remove(0);
    assert_eq!(asked[0]["toolName"], "add");
    assert_eq!(asked[0]["toolProvider"], "notes");
    assert_eq!(asked[0]["toolArguments"], json!({ "text": "milk" }));
    assert_eq!(desk.notes(), "", "nothing runs before the decision");
    assert_eq!(desk.model.left(), 1, "nor is the model asked again");

    let events = desk
        .service
        .stream(&thread, &body(&[decided(&asked, &["APPROVED"])]))
        .await;
    assert!(types(&events).contains(&"NOTIFICATION_TOOL_EXECUTION_INITIATED"));
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Added it.");
    assert_eq!(desk.notes(), "milk\n");
    assert_eq!(desk.results(), ["added"]);
}

/// Waits until no more tasks are alive than these.
async fn comes_to_rest(tasks: usize) {
    let metrics = tokio::runtime::Handle::current().metrics();
    let rested = async {
        while metrics.num_alive_tasks() > tasks {
            tokio::task::yield_now().await;
        }
    };
    let ended = tokio::time::timeout(std::time::Duration::from_secs(60), rested).await;
    assert!(ended.is_ok(), "{} tasks", metrics.num_alive_tasks());
}

#[tokio::test]
async fn requests_for_approval_that_wait_hold_no_task() {
    const WAITING: usize = 30;
    let replies = vec![calls("", &[add("milk")]); WAITING];
    let desk = Desk::new(replies).await;
    // A connection of the model and the tool server's program stay, whoever asks.
    let asks = async || {
        let thread = desk.service.thread("desk").await;
        let events = desk.service.say(&thread, "add milk").await;
        assert_eq!(requests(&events).len(), 1);
    };
    asks().await;
    // PostgreSQL has one pool of connections more.
    let kept = KEPT_TASKS + usize::from(on_postgres());
    comes_to_rest(kept).await;
    for _ in 1..WAITING {
        asks().await;
    }
    comes_to_rest(kept).await;
}

#[tokio::test]
async fn a_trusted_read_runs_by_itself_in_an_environment_of_its_own() {
    let replies = vec![
        calls("", &[("notes__environment", json!({}))]),
        says("Done."),
    ];
    let desk = Desk::new(replies).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "look").await;
    assert!(!types(&events).contains(&"TOOL_EXECUTION_APPROVAL_REQUEST"));
    assert_eq!(
        desk.results(),
        ["LANG PATH"],
        "nothing is inherited but PATH"
    );
}

#[tokio::test]
async fn calls_to_which_a_server_gives_one_id_run_under_ids_of_their_own() {
    let call = |index: usize, note: &str| {
        let arguments = json!({ "text": note }).to_string();
        let function = json!({ "name": "notes__add", "arguments": arguments });
        json!({ "index": index, "id": "call", "type": "function", "function": function })
    };
    // No reason of the end either.
    let delta = json!({ "tool_calls": [call(0, "milk"), call(1, "eggs")] });
    let chunk = json!({ "choices": [{ "delta": delta, "finish_reason": null }] });
    let desk = Desk::new(vec![Reply::Stream(vec![chunk]), says("Added.")]).await;
    let thread = desk.service.thread("desk").await;
    let asked = requests(&desk.service.say(&thread, "add both").await).remove(0);
    assert_ne!(asked[0]["toolExecutionId"], asked[1]["toolExecutionId"]);
    let decisions = body(&[decided(&asked, &["DENIED", "APPROVED"])]);
    desk.service.stream(&thread, &decisions).await;
    assert_eq!(desk.notes(), "eggs\n");
    let last = desk.model.requests().pop().unwrap();
    let answer = &last["messages"][2]["tool_calls"];
    let results = [&last["messages"][3], &last["messages"][4]];
    for (at, result) in results.into_iter().enumerate() {
        assert_eq!(result["tool_call_id"], answer[at]["id"]);
    }
    assert_eq!(results[1]["content"], "added");
}

#[tokio::test]
async fn denied_and_stopped_tools_never_run_and_the_model_is_told() {
    for (decisions, told, feedback) in [
        (
            ["APPROVED", "DENIED"],
            ["added", "The person denied this."],
            "",
        ),
        (
            ["ABORTED_WITH_FEEDBACK"; 2],
            ["The person stopped this", "The person stopped this"],
            "use the other list",
        ),
    ] {
        let replies = vec![calls("", &[add("milk"), add("eggs")]), says("I see.")];
        let desk = Desk::new(replies).await;
        let thread = desk.service.thread("desk").await;
        let asked = requests(&desk.service.say(&thread, "add both").await).remove(0);
        assert_eq!(
            asked[0]["toolExecutionBatchId"],
            asked[1]["toolExecutionBatchId"]
        );
        let mut items = vec![decided(&asked, &decisions)];
        if !feedback.is_empty() {
            items.push(json!({ "type": "text", "text": feedback }));
        }
        desk.service.stream(&thread, &body(&items)).await;
        for (result, told) in desk.results().iter().zip(told) {
            assert!(result.starts_with(told), "{result}");
        }
        assert_eq!(
            desk.notes(),
            if feedback.is_empty() { "milk\n" } else { "" }
        );
        let last = desk.model.requests().pop().unwrap();
        let said = last["messages"].as_array().unwrap().last().unwrap().clone();
        if !feedback.is_empty() {
            assert_eq!(said, json!({ "role": "user", "content": feedback }));
        }
    }
}

#[tokio::test]
async fn an_answer_is_decided_once_and_its_tool_runs_once() {
    let replies = vec![calls("", &[add("milk")]), says("Added."), says("Yes.")];
    let desk = Desk::new(replies).await;
    let thread = desk.service.thread("desk").await;
    let asked = requests(&desk.service.say(&thread, "add milk").await).remove(0);
    let answer = body(&[decided(&asked, &["APPROVED"])]);
    desk.service.stream(&thread, &answer).await;
    let again = desk
        .service
        .post(&common::messages_of(&thread), &answer)
        .await;
    again.failure(400);
    desk.service.say(&thread, "is it there?").await;
    assert_eq!(desk.notes(), "milk\n");
}

#[tokio::test]
async fn a_tool_that_was_running_at_a_crash_is_unknown_and_never_runs_again() {
    let replies = vec![
        calls("", &[("notes__hang", json!({ "text": "once" }))]),
        says("Hm."),
    ];
    let desk = Desk::new(replies).await;
    let thread = desk.service.thread("desk").await;
    let asked = requests(&desk.service.say(&thread, "hang").await).remove(0);
    let answer = body(&[decided(&asked, &["APPROVED"])]);
    let service = desk.service.clone();
    let path = common::messages_of(&thread);
    let posted = tokio::spawn(async move { service.post(&path, &answer).await });
    common::until(async || desk.notes() == "once\n").await;
    // As after a crash: the next start finds the answer unfinished and the tool started.
    let store = desk.service.state.store();
    let mut database = desk.service.folder.connect().await;
    database.execute("DELETE FROM replicas").await.unwrap();
    database.close().await;
    store.join(Duration::from_secs(60)).await.unwrap();
    common::recover(store, &|_| false).await;
    let stored = desk.service.messages(&thread).await;
    let last = stored.last().unwrap();
    assert_eq!(
        last["content"],
        "*This answer was interrupted because the service stopped. Ask again to get a whole \
         one.*\n\n*It is not known whether `notes/hang` ran. Check before you ask for it again.*"
    );
    let unknown = Sentence::UnknownOutcomes(vec!["notes/hang".to_owned()]);
    let sentences = [Sentence::Interrupted.words(), unknown.words()];
    assert_eq!(last["words"], json!(sentences));
    posted.abort();
    desk.service.state.runs().thread_deleted(&thread);
    common::until(async || desk.service.state.runs().count() == 0).await;
    desk.service.say(&thread, "what happened?").await;
    assert_eq!(
        desk.results(),
        ["It is not known whether this ran. Check before anything else."]
    );
    assert_eq!(desk.notes(), "once\n");
}

#[tokio::test]
async fn a_call_without_an_answer_is_said_to_the_reader_and_to_the_model() {
    let replies = vec![
        calls("", &[("notes__hang", json!({ "text": "x" }))]),
        says("Hm."),
    ];
    let more = "[limits]\ntool_seconds = 1\n[policy]\ndefault = \"auto\"\n";
    let desk = Desk::with(replies, more).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "hang").await;
    assert_eq!(
        content(&events, "AGENT_RESPONSE_COMPLETE"),
        "*It is not known whether `notes/hang` ran.*\n\nHm."
    );
    assert_eq!(
        desk.results(),
        ["It is not known whether this ran. Check before anything else."]
    );
}

#[tokio::test]
async fn failures_of_the_model_are_sentences_and_only_the_beginning_is_tried_again() {
    let busy = || Reply::Status(429, vec![("retry-after", "0")], String::new());
    let bad = Reply::Status(
        400,
        vec![],
        json!({ "error": { "message": "no model small; key canary-key" } }).to_string(),
    );
    let chunk = json!({ "choices": [{ "delta": { "content": "So far" } }] });
    let cut = Reply::Cut(format!("data: {chunk}\n\n"));
    let failed = Reply::Stream(vec![json!({ "error": { "message": "overloaded" } })]);
    for (replies, reason) in [
        (
            vec![busy(), busy(), busy(), says("no")],
            "The model's server is busy (429).",
        ),
        (
            vec![bad, says("no")],
            "The model's server refused the request (400).",
        ),
        (
            vec![cut, says("no")],
            "The connection to the model broke off.",
        ),
        (
            vec![failed, says("no")],
            "The model failed. Try again in a moment.",
        ),
    ] {
        let desk = Desk::new(replies).await;
        let thread = desk.service.thread("desk").await;
        let events = desk.service.say(&thread, "hi").await;
        assert!(
            content(&events, "ERROR").contains(reason),
            "{}",
            content(&events, "ERROR")
        );
        // What the server says is the operator's alone.
        let told = events.iter().map(|event| &event.event_message.content);
        assert!(
            !told
                .into_iter()
                .any(|it| it.contains("small") || it.contains("overloaded"))
        );
        assert_eq!(desk.model.left(), 1, "{reason}");
        let stored = desk.service.messages(&thread).await;
        assert!(
            stored[1]["content"].as_str().unwrap().contains(reason),
            "{stored:?}"
        );
    }
    // What was begun is spent by its length, and what the server refused is not.
    let cut = Reply::Cut(format!("data: {chunk}\n\n"));
    let refused = Reply::Status(400, vec![], String::new());
    let desk = Desk::new(vec![refused, cut]).await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, &"word ".repeat(800)).await;
    assert_eq!(desk.tokens().await, 0);
    desk.service.say(&thread, "again").await;
    assert!(desk.tokens().await > 1_000);
    // The model knows in the next turn what became of its answers.
    let cut = Reply::Cut(format!("data: {chunk}\n\n"));
    let down = || Reply::Status(500, vec![], String::new());
    let replies = vec![cut, down(), down(), down(), says("Here.")];
    let desk = Desk::new(replies).await;
    let thread = desk.service.thread("desk").await;
    for say in ["one", "two", "three"] {
        desk.service.say(&thread, say).await;
    }
    let messages = desk.model.requests().pop().unwrap()["messages"].clone();
    let messages = messages.as_array().unwrap()[1..].iter();
    let messages: Vec<_> = messages
        .map(|message| {
            (
                message["role"].as_str().unwrap(),
                message["content"].as_str().unwrap(),
            )
        })
        .collect();
    let broke = "So far\n\n*The answer failed: The connection to the model broke off.*";
    let problem = "*The answer failed: The model's server has a problem (500). \
                   Try again in a moment.*";
    assert_eq!(
        messages,
        [
            ("user", "one"),
            ("assistant", broke),
            ("user", "two"),
            ("assistant", problem),
            ("user", "three"),
        ]
    );
    let desk = Desk::new(vec![busy(), busy(), says("At last.")]).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "hi").await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "At last.");
}

#[tokio::test]
async fn a_key_is_in_no_table_and_in_no_event() {
    let echo = calls("", &[("notes__list", json!({ "why": "see" }))]);
    let desk = Desk::new(vec![echo, says("Nothing.")]).await;
    let thread = desk.service.thread("desk").await;
    let answer = desk
        .service
        .post(&common::messages_of(&thread), &text("hi"))
        .await;
    assert!(!answer.text.contains("canary"), "{}", answer.text);
    desk.service.state.agents().close().await;
    desk.service.state.store().close().await;
    let stored = desk.service.folder.bytes().await;
    let found = stored.windows(6).any(|bytes| bytes == b"canary");
    assert!(!found && stored.len() > 4096);
}

#[tokio::test]
async fn a_server_that_cannot_be_started_is_said_and_the_answer_goes_on() {
    let more = "[[mcp]]\nid = \"gone\"\ncommand = [\"/no/such/program\"]\n";
    let desk = Desk::with(vec![says("Hello.")], more).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, "hi").await;
    assert_eq!(
        content(&events, "AGENT_RESPONSE_COMPLETE"),
        "*The tool server gone cannot be used at the moment.*\n\nHello."
    );
}

#[tokio::test]
async fn what_an_agent_may_do_is_listed() {
    let desk = Desk::new(Vec::new()).await;
    let lines = desk.service.state.agents().check(None).await.lines;
    let begin = lines.iter().position(|line| line == "desk (Desk)").unwrap();
    let model = format!("  model small at {}/chat/completions", desk.model.url);
    assert_eq!(lines[begin + 1], model);
    let list =
        "  notes/list: auto, the server says that it changes nothing, and is trusted in that";
    assert_eq!(lines[begin + 2], list);
    assert_eq!(lines[begin + 3], "  notes/add: ask, by default");
}

#[tokio::test]
async fn the_newest_protocol_is_spoken_and_a_tool_gets_no_input_from_anybody() {
    let wanted = [
        ("notes__protocol", json!({})),
        ("notes__confirm", json!({})),
    ];
    let desk = Desk::new(vec![calls("", &wanted), says("I see.")]).await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "look").await;
    assert_eq!(
        desk.results(),
        [
            "2026-07-28",
            "The tool asked for something that only its own client could give."
        ]
    );
}

#[tokio::test]
async fn the_model_sees_an_image_that_was_uploaded() {
    let desk = Desk::new(vec![says("A dot."), says("The same.")]).await;
    // The file of the agent is written before the model is known to see: it is loaded again.
    let file = desk.service.folder.0.join("agents/desk/agent.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replace(
        "name = \"small\"",
        "name = \"small\"\ninput = [\"text\", \"image\"]",
    );
    std::fs::write(&file, text).unwrap();
    let agents = Agents::load(Some(&desk.service.folder.0.join("agents"))).unwrap();
    let state = AppState::new(desk.service.state.store().clone(), agents, settings());
    let service = Service {
        app: app(state.clone()),
        state,
        folder: Arc::clone(&desk.service.folder),
    };
    let request = Request::post("/api/assistants/uploads?name=dot.png")
        .header("authorization", format!("Bearer {}", common::KEY))
        .header("x-service-user-id", common::USER)
        .header("content-type", "image/png");
    let request = request
        .body(Body::from(&b"\x89PNG\r\n\x1a\nrest"[..]))
        .unwrap();
    let uploaded = service.send(request).await.json();
    let id = uploaded["imageId"].as_str().unwrap();
    let thread = service.thread("desk").await;
    let look = json!({ "type": "text", "text": "What is this?" });
    let image = json!({ "type": "image", "imageId": id });
    service.stream(&thread, &body(&[look, image])).await;
    service.say(&thread, "And now?").await;
    for request in desk.model.requests() {
        assert_eq!(
            request["messages"][1]["content"],
            json!([
                { "type": "text", "text": "What is this?" },
                { "type": "image_url",
                    "image_url": { "url": "data:image/png;base64,iVBORw0KGgpyZXN0" } },
            ])
        );
    }
}
