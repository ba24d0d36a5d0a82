//! Answers of several agents that are stopped, and agents that are read anew while they work.

use std::sync::Arc;

use assent_service::{agents::Agents, sentence::STOPPED};
use axum::http::Method;
use tokio::sync::Semaphore;

use crate::{
    common::{
        USER, body, decided, messages_of,
        model::{Reply, begins, says},
        request, requests, text, until,
    },
    desk::{Act::Say, Desk, Setup},
    rows::{ASKS, COLLEAGUES, NOTES, ROUTE, add, kind, setup, tasks},
    said, told,
};

#[tokio::test]
async fn the_model_knows_what_a_colleague_had_said_before_it_was_stopped() {
    let setup = Setup {
        billing: vec![begins("It is nearly")],
        ..setup(
            &[ROUTE, COLLEAGUES],
            vec![
                kind("collaboration"),
                tasks(&["billing"]),
                kind("simple"),
                says("As I said."),
            ],
            &[],
        )
    };
    let desk = Desk::new(&setup).await;
    let thread = desk.service.thread("desk").await;
    let live = desk.service.listen().await;
    let mut stream = live
        .post(&messages_of(&thread), USER, &text("is it paid?"))
        .await;
    stream.read_to("AGENT_RESPONSE_CHUNK").await;
    let answer = format!("/api/assistants/threads/{thread}/answer");
    let stop = request(Method::DELETE, &answer, USER, None);
    assert_eq!(live.send(stop).await.status, 202);
    stream.rest().await;
    assert_eq!(
        said(&desk.service.say(&thread, "and?").await),
        ["As I said."]
    );
    let told = told(&desk, "user");
    let words = format!("> It is nearly\n> \n> {STOPPED}");
    let reply = told.iter().find(|text| text.contains(&words));
    assert!(
        reply.is_some_and(|text| text.starts_with("Your colleague billing says.")),
        "{told:?}"
    );
    live.stop().await;
}

/// Reads the agents anew from the same files.
fn reload(desk: &Desk) {
    let agents = Agents::load(Some(&desk.service.folder.0.join("agents"))).unwrap();
    desk.service.state.replace_agents(agents);
}

#[tokio::test]
async fn colleagues_are_those_that_a_turn_began_with_and_a_question_outlives_them() {
    let go_on = Arc::new(Semaphore::new(0));
    let held = Reply::Held(Arc::clone(&go_on), Box::new(tasks(&["billing", "travel"])));
    let setup = Setup {
        billing_tables: [NOTES, ASKS].concat(),
        billing: vec![add("milk"), says("Noted.")],
        travel: vec![says("Fine.")],
        ..setup(
            &[ROUTE, COLLEAGUES],
            vec![kind("collaboration"), held, says("It is noted.")],
            &[Say("note milk")],
        )
    };
    let desk = Desk::new(&setup).await;
    let thread = desk.service.thread("desk").await;
    let asking = {
        let (service, thread) = (desk.service.clone(), thread.clone());
        tokio::spawn(async move { service.say(&thread, "note milk").await })
    };
    until(async || desk.model.requests().len() == 2).await;
    reload(&desk);
    go_on.add_permits(1);
    let asked = requests(&asking.await.unwrap());
    assert_eq!(asked.len(), 1, "the colleague is still there");
    reload(&desk);
    let answer = body(&[decided(&asked[0], &["APPROVED"])]);
    let events = desk.service.stream(&thread, &answer).await;
    assert_eq!(said(&events), ["Noted.", "Fine.", "It is noted."]);
    assert_eq!(desk.notes(), "milk\n");
}
