//! Tokens of the questions that are put to the model beside a conversation: they count like those of
//! its answers.

use std::sync::Arc;

use axum::http::Method;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::{
    common::{
        THREADS, USER, content, messages_of,
        model::{Reply, begins, costs, says},
        request, text, types, until,
    },
    desk::{Act::Say, Desk, Setup, object},
    rows::{COLLEAGUES, HANDBOOK, REVIEW, ROUTE, kind, plan, setup, tasks},
    said,
};

/// Returns the tokens of the user on this day.
pub async fn spent(desk: &Desk) -> i64 {
    let mut database = desk.service.folder.connect().await;
    let spent = database.number("SELECT SUM(tokens) FROM token_use").await;
    database.close().await;
    spent
}

fn queries() -> Reply {
    object(&json!({ "queries": ["refund"] }))
}

fn verdict(reflection: bool) -> Reply {
    object(&if reflection {
        json!({ "keep": true, "advice": "" })
    } else {
        json!({ "verdicts": [], "more": [] })
    })
}

#[tokio::test]
async fn each_question_beside_the_conversation_is_spent_by_the_user() {
    let reflect = "reflect = \"always\"\n";
    let planned = setup(
        &[REVIEW, reflect],
        vec![
            costs(kind("complex"), 1),
            costs(plan(&[("Look", "")]), 2),
            costs(says("Seen."), 4),
            costs(verdict(false), 8),
            costs(says("All is well."), 16),
            costs(verdict(true), 32),
        ],
        &[Say("compare")],
    );
    let looked_up = setup(
        &[ROUTE, "plan = true\n", HANDBOOK],
        vec![
            costs(kind("knowledge-base"), 1),
            costs(queries(), 2),
            costs(says("14 days."), 4),
        ],
        &[Say("refunds?")],
    );
    let handed_on = Setup {
        billing: vec![costs(says("It is paid."), 4)],
        ..setup(
            &[ROUTE, COLLEAGUES],
            vec![
                costs(kind("collaboration"), 1),
                costs(tasks(&["billing"]), 2),
            ],
            &[Say("is it paid?")],
        )
    };
    for (setup, expected) in [(planned, 63), (looked_up, 7), (handed_on, 7)] {
        let (desk, events) = Desk::play(&setup).await;
        assert_eq!(desk.model.left(), 0, "{:?}", types(&events));
        assert_eq!(spent(&desk).await, expected);
    }
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_spent_by_its_length() {
    let replies = vec![says("I would say simple."), costs(says("Hello."), 1)];
    let (desk, events) = Desk::play(&setup(&[REVIEW], replies, &[Say("hello")])).await;
    assert_eq!(said(&events), ["Hello."]);
    let spent = spent(&desk).await;
    assert!(spent > 50, "{spent}");
}

#[tokio::test]
async fn the_limits_of_tokens_end_a_turn_after_a_question_beside_it() {
    for (limit, sentence) in [
        (
            "tokens = 100\n",
            "*I stopped after 100 tokens; the limit of one answer is 100.*",
        ),
        (
            "user_tokens_per_day = 100\n",
            "*I stopped: the 100 tokens that you may use on one day are used up. Ask again \
             tomorrow.*",
        ),
    ] {
        let tables = [REVIEW, "[limits]\n", limit];
        let replies = vec![costs(kind("complex"), 100), plan(&[("Look", "")])];
        let (desk, events) = Desk::play(&setup(&tables, replies, &[Say("compare")])).await;
        assert_eq!(said(&events), [sentence]);
        assert_eq!(desk.model.left(), 1, "no plan is asked for");
    }
}

#[tokio::test]
async fn an_answer_that_used_the_tokens_up_stands_unchecked() {
    let reflect = "[orchestration]\nreflect = \"always\"\n[limits]\ntokens = 100\n";
    let replies = vec![costs(says("Done."), 100), verdict(true)];
    let (desk, events) = Desk::play(&setup(&[reflect], replies, &[Say("go")])).await;
    assert_eq!(said(&events), ["Done."]);
    assert_eq!(
        content(
            &events,
            "NOTIFICATION_PLAN_ORCHESTRATION_REFLECTION_ABORTED"
        ),
        "Checking the result was stopped: no tokens are left for it"
    );
    assert_eq!(desk.model.left(), 1);
}

/// A day of 1000 tokens; a request and its answer reserve a little more.
const DAY: &str = "[limits]\nuser_tokens_per_day = 1000\n";

const MAY_BE_USED_UP: &str = "*I stopped: your other answers that are being written may use up the \
    1000 tokens of this day. Ask again when they have ended.*";

#[tokio::test]
async fn parallel_answers_of_a_user_do_not_exceed_the_tokens_of_a_day_together() {
    let go_on = Arc::new(Semaphore::new(0));
    let held = Reply::Held(Arc::clone(&go_on), Box::new(costs(says("One."), 10)));
    let replies = vec![held, costs(says("Hers."), 1), costs(says("Two."), 990)];
    let desk = Desk::new(&setup(&[DAY], replies, &[])).await;
    let (first, second) = (
        desk.service.thread("desk").await,
        desk.service.thread("desk").await,
    );
    let beside = async {
        until(async || desk.model.requests().len() == 1).await;
        let refused = desk.service.say(&second, "two").await;
        assert_eq!(said(&refused), [MAY_BE_USED_UP]);
        assert_eq!(desk.model.requests().len(), 1);
        // Another user has a day to herself.
        let new = request(
            Method::POST,
            THREADS,
            "grace",
            Some(&json!({ "agentId": "desk" })),
        );
        let hers = desk.service.send(new).await.json();
        let hers = messages_of(hers["id"].as_str().unwrap());
        let post = request(Method::POST, &hers, "grace", Some(&text("hers")));
        let answer = desk.service.send(post).await.text;
        assert!(answer.contains("Hers."), "{answer}");
        go_on.add_permits(1);
    };
    let (events, ()) = tokio::join!(desk.service.say(&first, "one"), beside);
    assert_eq!(said(&events), ["One."]);
    // What it took was less than what it might have taken.
    assert_eq!(said(&desk.service.say(&second, "two").await), ["Two."]);
    let used_up = desk.service.say(&second, "three").await;
    assert!(said(&used_up)[0].contains("are used up"), "{used_up:?}");
}

#[tokio::test]
async fn nothing_stays_reserved_after_answers_that_are_stopped_or_fail() {
    let busy = Reply::Status(429, vec![("retry-after", "0")], String::new());
    let replies = vec![begins("So far"), busy, costs(says("Here."), 1)];
    let desk = Desk::new(&setup(&[DAY], replies, &[])).await;
    let thread = desk.service.thread("desk").await;
    let live = desk.service.listen().await;
    let mut stream = live.post(&messages_of(&thread), USER, &text("go")).await;
    stream.read_to("AGENT_RESPONSE_CHUNK").await;
    assert!(desk.service.state.runs().cancel(&thread));
    stream.rest().await;
    let failed = desk.service.say(&thread, "go").await;
    assert!(content(&failed, "ERROR").contains("busy"), "{failed:?}");
    assert_eq!(said(&desk.service.say(&thread, "go").await), ["Here."]);
    let store = desk.service.state.store();
    assert_eq!(store.reserve(USER, 0).1, 0);
    live.stop().await;
}

#[tokio::test]
async fn an_answer_whose_time_is_over_is_spent_as_far_as_it_is_known() {
    let tables = ["[limits]\nseconds = 1\n"];
    let desk = Desk::new(&setup(&tables, vec![begins("So far")], &[])).await;
    let thread = desk.service.thread("desk").await;
    let events = desk.service.say(&thread, &"x".repeat(4_000)).await;
    assert!(said(&events)[0].ends_with("*I stopped after 1 seconds, the limit of one answer.*"));
    let spent = spent(&desk).await;
    assert!(spent > 1_000, "{spent}");
    assert_eq!(desk.service.state.store().reserve(USER, 0).1, 0);
}
