//! E171 to E179: several agents that work together.

use assent_conversation::{
    Announcement, Author, ContributionState, FailureKind, Intent, Interruption, MessageStatus,
    Speaker,
};
use serde_json::{Value, json};

use crate::world::{World, event, request};

const A: Option<(&str, &str)> = Some(("a", "Ann"));
const B: Option<(&str, &str)> = Some(("b", "Bob"));
const CHUNK: &str = "AGENT_RESPONSE_CHUNK";
const COMPLETE: &str = "AGENT_RESPONSE_COMPLETE";
const STARTED: &str = "NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_STARTED";
const UNIFIED: &str = "NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_UNIFIED_RESPONSE_STARTED";
const SEPARATE: &str = "NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_NO_UNIFIED_RESPONSE_REQUIRED";

use ContributionState::{Short, Whole, Writing};

/// Returns a thread whose agents were told to work together.
fn together() -> World {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.opened();
    world.event(STARTED, "");
    world
}

fn says(world: &mut World, event_type: &str, content: &str, agent: Option<(&str, &str)>) {
    let mut event = event("", event_type, content, agent);
    event.event_message.collaboration_id = Some("c".to_owned());
    world.raw_event(event);
}

/// Returns a thread in which both contributed.
fn contributed() -> World {
    let mut world = together();
    says(&mut world, COMPLETE, "Yes.", A);
    says(&mut world, COMPLETE, "No.", B);
    world
}

fn contributions(world: &World) -> Vec<(&str, &str, ContributionState)> {
    let said = world.message(1).contributions.iter();
    said.map(|it| (it.agent.as_str(), it.text.as_str(), it.state))
        .collect()
}

fn said(world: &World) -> Vec<&str> {
    let said = world.said.iter().filter_map(|said| match said {
        Announcement::Answered { text, .. } => Some(text.as_str()),
        _ => None,
    });
    said.collect()
}

fn stored(content: &str, handle: &str) -> Value {
    json!({"id": content, "role": "assistant", "handle": handle, "content": content})
}

#[test]
fn e171_agents_contribute_beside_the_answer() {
    let mut world = together();
    says(&mut world, CHUNK, "Ye", A);
    says(&mut world, CHUNK, "No", B);
    says(&mut world, CHUNK, "s.", A);
    assert_eq!(
        contributions(&world),
        [("Ann", "Yes.", Writing), ("Bob", "No", Writing)]
    );
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "")]);
    says(&mut world, COMPLETE, "Yes.", A);
    assert!(said(&world).is_empty());
    world.event(COMPLETE, "Maybe.");
    assert_eq!(world.texts()[1..], [("agent", "Maybe.")]);
    assert_eq!(
        contributions(&world),
        [("Ann", "Yes.", Whole), ("Bob", "No", Writing)]
    );
    assert_eq!(said(&world), ["Maybe."]);

    let mut world = World::in_thread(json!([]));
    world.send("hi");
    says(&mut world, CHUNK, "Yes.", A);
    assert_eq!(
        world.texts()[1..],
        [("agent", "Yes.")],
        "nobody told that agents work together"
    );
}

#[test]
fn e172_complete_replaces_the_chunks_of_its_agent() {
    let mut world = together();
    says(&mut world, CHUNK, "Ye", A);
    says(&mut world, CHUNK, "No", B);
    says(&mut world, COMPLETE, "Yes!", A);
    says(&mut world, COMPLETE, "No!", None);
    let both = [("Ann", "Yes!", Whole), ("Bob", "No!", Whole)];
    assert_eq!(contributions(&world), both);
    says(&mut world, COMPLETE, "Yes!", A);
    says(&mut world, CHUNK, "", A);
    assert_eq!(contributions(&world), both);
    says(&mut world, CHUNK, "And", A);
    says(&mut world, COMPLETE, "", A);
    assert_eq!(contributions(&world)[2], ("Ann", "And", Whole));
    let speaker = &world.message(1).contributions[2].speaker;
    let ann = Speaker {
        agent: Some("a".into()),
        collaboration: Some("c".to_owned()),
    };
    assert_eq!(speaker, &ann);
}

#[test]
fn e173_what_is_unified_is_the_answer() {
    let mut world = together();
    says(&mut world, CHUNK, "Yes.", A);
    says(&mut world, CHUNK, "No", B);
    says(&mut world, COMPLETE, "Yes.", A);
    world.event(UNIFIED, "");
    says(&mut world, CHUNK, "May", A);
    says(&mut world, CHUNK, ".", B);
    says(&mut world, COMPLETE, "Maybe.", A);
    assert_eq!(
        contributions(&world),
        [("Ann", "Yes.", Whole), ("Bob", "No.", Writing)]
    );
    assert_eq!(world.texts()[1..], [("agent", "Maybe.")]);
    assert_eq!(world.message(1).author, Author::Agent("Ann".to_owned()));
    world.ends();
    assert_eq!(world.status(1), &MessageStatus::Complete);
    assert_eq!(contributions(&world)[1].2, Short);

    let mut world = together();
    says(&mut world, CHUNK, "Maybe.", None);
    assert_eq!(world.texts()[1..], [("agent", "Maybe.")]);
}

#[test]
fn e174_without_a_unified_answer_each_contribution_is_one() {
    let mut world = together();
    says(&mut world, COMPLETE, "Yes.", A);
    says(&mut world, CHUNK, "No", B);
    world.event(SEPARATE, "");
    assert!(contributions(&world).is_empty());
    assert_eq!(world.texts()[1..], [("agent", "Yes."), ("agent", "No")]);
    assert_eq!(said(&world), ["Yes."]);
    assert_eq!(world.status(1), &MessageStatus::Complete);
    assert_eq!(world.status(2), &MessageStatus::Streaming);
    says(&mut world, COMPLETE, "No.", B);
    world.ends();
    assert_eq!(world.texts()[1..], [("agent", "Yes."), ("agent", "No.")]);
    assert_eq!(world.message(2).author, Author::Agent("Bob".to_owned()));
    assert_eq!(world.status(2), &MessageStatus::Complete);
}

#[test]
fn e175_whole_contributions_without_an_answer_stand_by_themselves() {
    let mut world = contributed();
    world.ends();
    assert_eq!(world.texts()[1..], [("agent", "Yes."), ("agent", "No.")]);
    assert_eq!(said(&world), ["Yes.", "No."]);
    assert_eq!(world.status(2), &MessageStatus::Complete);
    assert_eq!(world.load_delay(), None, "nothing is open");

    let mut world = contributed();
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    assert_eq!(
        contributions(&world).len(),
        2,
        "the answer is still to come"
    );
    assert_eq!(world.status(1), &MessageStatus::Complete);
}

#[test]
fn e176_what_ends_before_the_answer_is_interrupted() {
    let interrupted = |by, checking| MessageStatus::Interrupted { by, checking };
    let mut world = contributed();
    world.breaks(FailureKind::Unreachable);
    assert_eq!(world.status(1), &interrupted(Interruption::Lost, true));
    assert_eq!(contributions(&world).len(), 2);

    let mut world = contributed();
    world.event(UNIFIED, "");
    world.ends();
    assert_eq!(world.status(1), &interrupted(Interruption::Lost, true));

    let mut world = together();
    says(&mut world, CHUNK, "Ye", A);
    world.intend(Intent::Stop);
    assert_eq!(world.status(1), &interrupted(Interruption::Stopped, false));
    assert_eq!(contributions(&world), [("Ann", "Ye", Short)]);

    let mut world = contributed();
    world.event("ERROR", "Too hard.");
    world.ends();
    assert!(matches!(world.status(1), MessageStatus::Failed(_)));
    assert_eq!(contributions(&world).len(), 2);
}

#[test]
fn e177_stored_contributions_are_not_shown_twice() {
    let question = json!({"id": "1", "role": "user", "content": "hi"});
    let all = json!([
        question,
        stored("Yes.", "@ann"),
        stored("No.", "@bob"),
        stored("Maybe.", "@helper")
    ]);
    let mut world = contributed();
    world.event(COMPLETE, "Maybe.");
    world.ends();
    for _ in 0..2 {
        world.intend(Intent::ReloadMessages);
        world.stored(all.clone());
        assert_eq!(world.texts(), [("you", "hi"), ("agent", "Maybe.")]);
        assert_eq!(contributions(&world).len(), 2);
    }

    let mut world = together();
    says(&mut world, CHUNK, "Ye", A);
    world.breaks(FailureKind::Unreachable);
    world.stored(all);
    let answers = [("agent", "No."), ("agent", "Maybe.")];
    assert_eq!(
        world.texts()[1..],
        answers,
        "what was never heard is a message"
    );
    let ann = &world.message(2).contributions;
    assert_eq!((ann[0].text.as_str(), ann[0].state), ("Yes.", Whole));
}

#[test]
fn e178_a_new_page_shows_contributions_like_answers() {
    let question = json!({"id": "1", "role": "user", "content": "hi"});
    let world = World::in_thread(json!([
        question,
        stored("Yes.", "@ann"),
        stored("Maybe.", "@helper")
    ]));
    assert_eq!(world.texts()[1..], [("agent", "Yes."), ("agent", "Maybe.")]);
    for (at, handle) in [(1, "@ann"), (2, "@helper")] {
        let message = world.message(at);
        assert_eq!(message.handle, handle);
        assert_eq!(message.contributions, [], "of an answer of its own");
    }
}

#[test]
fn e179_a_message_has_its_agents_handle() {
    let mut world = World::in_thread(json!([stored("Yes.", "@ann")]));
    assert_eq!(world.message(0).handle, "@ann");
    world.send("hi");
    let mut answer = event("", COMPLETE, "No.", B);
    answer.event_message.agent.as_mut().unwrap().handle = "@bob".to_owned();
    world.raw_event(answer);
    assert_eq!(world.message(2).handle, "@bob");
    assert_eq!(world.message(2).author, Author::Agent("Bob".to_owned()));
    assert_eq!(world.message(1).handle, "");
}
