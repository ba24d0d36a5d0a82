//! Tokens of the questions that are put to the model beside a conversation: they count like those of
//! its answers.

use serde_json::json;
use sqlx::{SqlitePool, sqlite::SqliteConnectOptions};

use crate::{
    common::{
        content,
        model::{Reply, costs, says},
        types,
    },
    desk::{Act::Say, Desk, Setup, object},
    rows::{COLLEAGUES, HANDBOOK, REVIEW, ROUTE, kind, plan, setup, tasks},
    said,
};

/// Returns the tokens of the user on this day.
pub async fn spent(desk: &Desk) -> i64 {
    let options = SqliteConnectOptions::new().filename(desk.service.folder.database());
    let pool = SqlitePool::connect_with(options).await.unwrap();
    let spent = sqlx::query_scalar("SELECT SUM(tokens) FROM token_use")
        .fetch_one(&pool)
        .await
        .unwrap();
    pool.close().await;
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
