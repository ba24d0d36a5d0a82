//! The extension `cancel`: an answer ends early, with what was said and a note, and no tool is torn
//! apart.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use assent_service::{
    agents::{Agent, Answer, AnswerFuture, Ending, Turn, TurnInput},
    profile::Profile,
    rules::audit::{AuditEntry, Decision, DecisionSource},
    sentence::{STOPPED, Sentence},
    transcript::{Call, CallEnd, CallResult, Claim, Effect, Item},
};
use axum::http::Method;
use serde_json::json;
use tokio::sync::Notify;

use crate::common::{
    self, USER,
    agents::profile,
    asker::Asker,
    desk::Desk,
    live::End,
    messages_of,
    model::{begins, calls, says},
    request, service_with, settings, text, until,
};

/// Says something, then runs tools that end when they are told to; then speaks for ever.
struct Worker {
    profile: Profile,
    tools: usize,
    /// The number of tools that were started.
    started: AtomicUsize,
    ends: Notify,
}

impl Worker {
    fn new(tools: usize) -> Arc<Self> {
        Arc::new(Self {
            profile: profile("worker"),
            tools,
            started: AtomicUsize::new(0),
            ends: Notify::new(),
        })
    }

    fn started(&self) -> usize {
        self.started.load(Ordering::Acquire)
    }
}

impl Agent for Worker {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn answer<'a>(&'a self, turn: Turn, answer: &'a mut dyn Answer) -> AnswerFuture<'a> {
        Box::pin(async move {
            if matches!(&turn.input, TurnInput::Message(said) if said.text == "again") {
                answer.say(None, "Here.").await?;
                return Ok(Ending::Done);
            }
            answer.say(None, "Once upon").await?;
            for number in 0..self.tools {
                let call = Call {
                    id: format!("call-{number}"),
                    tool: "files/write".to_owned(),
                    arguments: "{}".to_owned(),
                    definition: String::new(),
                };
                let allowed = AuditEntry {
                    call: call.clone(),
                    edited: None,
                    effect: Effect::Write,
                    decision: Decision::Allowed,
                    source: DecisionSource::Rule,
                    rule: String::new(),
                    policy: String::new(),
                };
                answer.journal().append(&[], &[allowed]).await?;
                assert_eq!(answer.journal().claim(&call).await?, Claim::Ours(None));
                self.started.fetch_add(1, Ordering::AcqRel);
                self.ends.notified().await;
                let result = CallResult {
                    call: call.id,
                    end: CallEnd::Succeeded,
                    text: "written".to_owned(),
                };
                answer.journal().finish(&result, &[]).await?;
            }
            pending().await
        })
    }
}

fn answer_of(thread: &str) -> String {
    format!("/api/assistants/threads/{thread}/answer")
}

#[tokio::test]
async fn an_answer_that_is_cancelled_ends_with_what_was_said_and_a_note() {
    let service = service_with(settings(), vec![Worker::new(0)]).await;
    let thread = service.thread("worker").await;
    let live = service.listen().await;
    let mut stream = live.post(&messages_of(&thread), USER, &text("go")).await;
    stream.read_to("AGENT_RESPONSE_CHUNK").await;
    let others = request(Method::DELETE, &answer_of(&thread), "grace", None);
    assert_eq!(live.send(others).await.status, 404);
    let cancelled = request(Method::DELETE, &answer_of(&thread), USER, None);
    assert_eq!(live.send(cancelled).await.status, 202);
    let complete = stream.read_to("AGENT_RESPONSE_COMPLETE").await;
    let said = format!("Once upon\n\n{STOPPED}");
    assert_eq!(complete.event_message.content, said);
    assert_eq!(complete.event_message.words, [Sentence::Stopped.words()]);
    assert_eq!(stream.next().await.unwrap_err(), End::Clean);
    let messages = service.messages(&thread).await;
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert_eq!(messages[1]["content"], said);
    assert_eq!(messages[1]["words"][0]["key"], "service.stopped");
    let events = service.say(&thread, "again").await;
    assert_eq!(common::content(&events, "AGENT_RESPONSE_COMPLETE"), "Here.");
    live.stop().await;
}

#[tokio::test]
async fn a_tool_that_runs_comes_to_its_end_and_no_other_one_begins() {
    let worker = Worker::new(2);
    let service = service_with(settings(), vec![worker.clone()]).await;
    let thread = service.thread("worker").await;
    let live = service.listen().await;
    let mut stream = live.post(&messages_of(&thread), USER, &text("go")).await;
    until(async || worker.started() == 1).await;
    assert!(service.state.runs().cancel(&thread));
    // The answer waits for the tool: a post is refused as long as it is being written.
    assert!(!service.takes_a_post(&thread).await);
    worker.ends.notify_one();
    let complete = stream.read_to("AGENT_RESPONSE_COMPLETE").await;
    assert_eq!(
        complete.event_message.content,
        format!("Once upon\n\n{STOPPED}")
    );
    assert_eq!(worker.started(), 1);
    let store = service.state.store();
    let transcript = store.transcript(&common::key(&thread), "").await.unwrap();
    let results = transcript.items.iter().filter_map(|item| match item {
        Item::Result(result) => Some((result.call.as_str(), result.end)),
        _ => None,
    });
    assert_eq!(
        results.collect::<Vec<_>>(),
        [("call-0", CallEnd::Succeeded)]
    );
    assert!(transcript.started.is_empty());
    live.stop().await;
}

#[tokio::test]
async fn where_nothing_is_being_written_there_is_nothing_to_cancel() {
    let service = service_with(settings(), vec![Asker::new(1), Worker::new(0)]).await;
    let quiet = service.thread("worker").await;
    let asked = service.thread("asker").await;
    service.say(&asked, "go").await;
    for thread in [&quiet, &asked] {
        let failure = service.delete(&answer_of(thread)).await.failure(409);
        assert_eq!(
            failure["message"],
            "No answer is being written in this conversation."
        );
    }
    assert_eq!(service.statuses(&asked).await, ["PENDING_HUMAN_APPROVAL"]);
    service.delete(&answer_of("nowhere")).await.failure(404);
}

#[tokio::test]
async fn the_model_knows_what_it_had_said_before_it_was_stopped() {
    let list = calls("Let me see.", &[("notes__list", json!({}))]);
    let replies = vec![list, begins("There was"), says("A king."), says("Yes.")];
    let desk = Desk::new(replies).await;
    let thread = desk.service.thread("desk").await;
    let live = desk.service.listen().await;
    let mut stream = live.post(&messages_of(&thread), USER, &text("go")).await;
    while stream
        .read_to("AGENT_RESPONSE_CHUNK")
        .await
        .event_message
        .content
        != "There was"
    {}
    let stop = request(Method::DELETE, &answer_of(&thread), USER, None);
    assert_eq!(live.send(stop).await.status, 202);
    stream.rest().await;
    for _ in 0..2 {
        desk.service.say(&thread, "and then?").await;
    }
    let last = desk.model.requests().pop().unwrap();
    let messages = last["messages"].as_array().unwrap();
    let said = messages.iter().filter(|m| m["role"] == "assistant");
    let said: Vec<_> = said.map(|m| m["content"].as_str().unwrap()).collect();
    // Each part once: what was whole is recorded with its calls.
    let stopped = format!("There was\n\n{STOPPED}");
    assert_eq!(said, ["Let me see.", stopped.as_str(), "A king."]);
    live.stop().await;
}
