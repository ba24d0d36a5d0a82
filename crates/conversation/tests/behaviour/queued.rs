//! E144 to E149, E170, and E299 to E301: messages that are sent while a batch is pending or an answer
//! is being written.

use assent_conversation::{
    Announcement, Command, ComposerState, ConversationKey, Failure, FailureKind, Input, Intent,
    StreamEnd, UploadId, Verdict, WithheldReason,
};
use serde_json::{Value, json};

use crate::asking::{
    PENDING, asked, asked_two, b1, batch, posted_results, posted_texts, stored_asking, stored_both,
    submitted, words,
};
use crate::world::{World, event, request};

/// Returns two runs to decide, and a text that was to be sent.
fn asking(text: &str) -> World {
    let mut world = asked_two();
    world.send(text);
    assert!(world.open().is_asking);
    world
}

/// Returns a queued text, with the decisions being sent.
fn waiting(text: &str) -> World {
    let mut world = asking(text);
    world.intend(Intent::SendAfterwards);
    assert_eq!(world.queued(), [text]);
    world.decide_all(b1(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    world
}

/// Returns true if the text is a draft, and no message is queued.
fn is_draft(world: &World, text: &str) -> bool {
    world.open().draft == text && !world.open().is_asking && world.open().queued.is_empty()
}

#[test]
fn e144_what_is_meant_is_asked() {
    let mut world = asking("why?");
    assert_eq!((world.posts(), world.open().draft.as_str()), (0, "why?"));
    world.intend(Intent::Send);
    assert!(world.open().is_asking, "it is asked once");
    world.intend(Intent::EditDraft("why so?".to_owned()));
    assert!(world.open().is_asking);
    world.intend(Intent::EditDraft("  ".to_owned()));
    assert!(!world.open().is_asking, "there is nothing to send");
    for intent in [Intent::SendAsFeedback, Intent::SendAfterwards] {
        world.intend(intent);
        assert_eq!((world.posts(), world.open().queued.len()), (0, 0));
    }
    let mut world = asking("why?");
    world.decide_all(b1(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    assert!(
        is_draft(&world, "why?"),
        "the question is answered otherwise"
    );
}

#[test]
fn e144_nothing_is_asked_where_nothing_can_be_decided() {
    let mut world = submitted();
    world.breaks(FailureKind::Unreachable);
    assert_eq!(
        world.open().composer_state(),
        ComposerState::AwaitingApproval
    );
    world.send("why?");
    assert!(is_draft(&world, "why?"));
    assert_eq!(world.posts(), 0);

    let mut world = asking("why?");
    world.intend(Intent::ReloadMessages);
    let mut stored = stored_both(PENDING);
    let more = json!({"toolExecutionId": "x3", "executionBatchId": "b1", "status": PENDING});
    let runs = &mut stored[1]["toolExecutionHumanApprovalRequest"];
    runs.as_array_mut().unwrap().push(more);
    world.stored(stored);
    assert!(
        is_draft(&world, "why?"),
        "it cannot be decided here any more"
    );
}

#[test]
fn e145_as_feedback_it_stops_the_first_batch() {
    let mut world = asked(json!([
        request("b1", "x1", "mail"),
        request("b2", "y1", "book")
    ]));
    world.send("not now");
    world.intend(Intent::SendAsFeedback);
    let aborted = [("x1".to_owned(), "ABORTED_WITH_FEEDBACK".to_owned())];
    assert_eq!(posted_results(&world), aborted);
    assert_eq!(posted_texts(&world), ["not now"]);
    assert!(is_draft(&world, ""));
    world.event("MESSAGE_RECEIVED", "");
    world.event("AGENT_RESPONSE_COMPLETE", "Noted.");
    world.ends();
    assert_eq!(
        world.open().composer_state(),
        ComposerState::AwaitingApproval
    );
    world.send("nor that");
    world.intend(Intent::SendAsFeedback);
    assert_eq!(posted_results(&world)[0].0, "y1");
}

#[test]
fn e145_it_comes_behind_the_feedback_that_was_begun() {
    for back in [false, true] {
        let mut world = asked_two();
        world.intend(Intent::BeginFeedback(b1()));
        world.intend(Intent::EditFeedback(b1(), "Ask Ann".to_owned()));
        if back {
            world.intend(Intent::CancelFeedback(b1()));
        }
        world.send("please");
        world.intend(Intent::SendAsFeedback);
        assert_eq!(posted_texts(&world), ["Ask Ann\n\nplease"]);
    }
}

#[test]
fn e145_while_a_file_is_on_its_way_it_waits_in_the_card() {
    let mut world = asked_two();
    world.intend(Intent::BeginFeedback(b1()));
    world.intend(Intent::AttachFile {
        batch: Some(b1()),
        upload: UploadId(1),
        name: "plan.pdf".to_owned(),
        size: 1,
    });
    world.send("see there");
    world.intend(Intent::SendAsFeedback);
    assert_eq!(world.posts(), 0);
    assert!(is_draft(&world, ""));
    world.intend(Intent::CancelFeedback(b1()));
    assert_eq!(batch(&world).draft.text, words("see there").text);
    assert_eq!(batch(&world).draft.files.len(), 1);
}

#[test]
fn e146_afterwards_is_when_the_answer_is_whole() {
    let mut world = waiting("thanks");
    assert_eq!(world.open().draft, "");
    world.event("MESSAGE_RECEIVED", "");
    assert_eq!(world.posts(), 0);
    world.event("AGENT_RESPONSE_COMPLETE", "Done.");
    assert_eq!(world.posts(), 0, "the stream still runs");
    world.ends();
    assert_eq!(posted_texts(&world), ["thanks"]);
    assert!(is_draft(&world, ""));
    let last = *world.texts().last().unwrap();
    assert_eq!(last, ("you", "thanks"));
}

#[test]
fn e146_afterwards_is_after_the_last_round() {
    let mut world = waiting("thanks");
    world.asks(json!([request("b2", "y1", "book")]));
    world.ends();
    assert_eq!(world.posts(), 0);
    assert_eq!(world.queued(), ["thanks"]);
    world.decide_all("b2".into(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions("b2".into()));
    world.event("AGENT_RESPONSE_COMPLETE", "Done.");
    world.breaks(FailureKind::Unreachable);
    assert_eq!(posted_texts(&world), ["thanks"], "the answer was whole");
}

#[test]
fn e146_afterwards_is_also_behind() {
    let mut world = waiting("thanks");
    let (stream, before) = (world.stream(), world.key());
    world.intend(Intent::NewThread);
    let whole = event("whole", "AGENT_RESPONSE_COMPLETE", "Done.", None);
    world.give(Input::StreamEvent(stream, Box::new(whole)));
    world.give(Input::StreamEnded(stream, StreamEnd::Closed));
    assert_eq!(posted_texts(&world), ["thanks"]);
    let behind = world.state.conversation(before).unwrap();
    assert_eq!((behind.queued.len(), behind.stream().is_some()), (0, true));
    assert!(!world.said.contains(&Announcement::Interrupted));
}

#[test]
fn e147_if_it_ends_otherwise_it_is_a_draft_again() {
    let accepted = |world: &mut World| {
        world.event("MESSAGE_RECEIVED", "");
        world.event("AGENT_RESPONSE_CHUNK", "Do");
    };
    let ends: [fn(&mut World); 4] = [
        |world| world.intend(Intent::Stop),
        |world| world.ends(),
        |world| world.breaks(FailureKind::Unreachable),
        |world| {
            world.event("ERROR", "no");
            world.ends();
        },
    ];
    for end in ends {
        let mut world = waiting("thanks");
        accepted(&mut world);
        world.intend(Intent::EditDraft("more".to_owned()));
        end(&mut world);
        assert!(is_draft(&world, "thanks\n\nmore"));
        assert_eq!(world.posts(), 0);
    }
    let mut overtaken = asking("thanks");
    overtaken.intend(Intent::SendAfterwards);
    overtaken.intend(Intent::ReloadMessages);
    overtaken.stored(stored_asking("APPROVED", "DENIED"));
    assert!(is_draft(&overtaken, "thanks"));
    let mut settled = waiting("thanks");
    settled.breaks(FailureKind::Unreachable);
    settled.stored(stored_both("DENIED"));
    assert!(is_draft(&settled, "thanks"));
}

#[test]
fn e147_it_outlives_its_thread() {
    let mut world = asking("thanks");
    world.intend(Intent::SendAfterwards);
    world.listed(json!([{"id": "t1"}]));
    world.intend(Intent::DeleteThread("t1".into()));
    world.give(Input::ThreadDeleted {
        thread: "t1".into(),
        result: Ok(()),
    });
    assert_eq!(world.open().thread_id(), None);
    assert!(is_draft(&world, "thanks"));
}

#[test]
fn e170_what_waits_outlives_a_thread_that_is_not_shown() {
    let deleted = |mut world: World, elsewhere: Intent| {
        world.listed(json!([{"id": "t1"}, {"id": "t2"}]));
        world.intend(elsewhere);
        let shown = world.key();
        world.intend(Intent::DeleteThread("t1".into()));
        world.give(Input::ThreadDeleted {
            thread: "t1".into(),
            result: Ok(()),
        });
        assert_eq!(world.key(), shown);
        let before = world.open().draft.clone();
        world.intend(Intent::NewThread);
        (before, world.open().draft.clone())
    };
    let held = || {
        let mut world = asking("thanks");
        world.intend(Intent::SendAfterwards);
        world.intend(Intent::EditDraft("typed".to_owned()));
        world
    };
    let there = || Intent::OpenThread("t2".into());
    assert_eq!(
        deleted(held(), there()),
        (String::new(), "thanks".to_owned())
    );
    let new = deleted(held(), Intent::NewThread);
    assert_eq!(new, ("thanks".to_owned(), "thanks".to_owned()));
    let mut typed = asking("thanks");
    typed.intend(Intent::KeepAsDraft);
    assert_eq!(deleted(typed, there()), (String::new(), String::new()));
}

#[test]
fn e148_it_waits_as_long_as_the_decision_does() {
    let pending = |world: &mut World| {
        for _ in 0..4 {
            world.stored(stored_both(PENDING));
        }
    };
    let mut withheld = waiting("thanks");
    withheld.withheld(WithheldReason::ByPage);
    let mut refused = waiting("thanks");
    refused.breaks(FailureKind::TooMany);
    let mut lost = waiting("thanks");
    lost.breaks(FailureKind::Unreachable);
    pending(&mut lost);
    let mut stopped = waiting("thanks");
    stopped.intend(Intent::Stop);
    pending(&mut stopped);
    for mut world in [withheld, refused, lost, stopped] {
        assert_eq!(world.queued(), ["thanks"]);
        world.intend(Intent::SubmitDecisions(b1()));
        world.event("AGENT_RESPONSE_COMPLETE", "Done.");
        world.ends();
        assert_eq!(posted_texts(&world), ["thanks"]);
    }
}

#[test]
fn e149_what_waits_can_be_taken_back() {
    let mut world = asking("one");
    world.intend(Intent::SendAfterwards);
    world.send("two");
    assert!(world.open().is_asking);
    assert_eq!(
        (world.open().draft.as_str(), world.queued()),
        ("two", vec!["one"])
    );
    world.intend(Intent::KeepAsDraft);
    assert!(!world.open().is_asking);
    world.intend(Intent::Send);
    world.intend(Intent::SendAfterwards);
    assert_eq!(world.queued(), ["one", "two"]);
    world.intend(Intent::KeepAsDraft);
    assert_eq!(world.queued(), ["one", "two"], "nothing was asked");

    let mut world = waiting("one");
    world.intend(Intent::EditQueued(world.open().queued[0].key));
    assert!(is_draft(&world, "one"));
    world.event("AGENT_RESPONSE_COMPLETE", "Done.");
    world.ends();
    assert_eq!(world.posts(), 0);
}

#[test]
fn e149_one_conversation_holds_nothing_of_another() {
    let mut world = asking("one");
    let first: ConversationKey = world.key();
    world.intend(Intent::OpenThread("t2".into()));
    let stored: Value = json!([]);
    world.stored(stored);
    world.intend(Intent::SendAfterwards);
    world.intend(Intent::SendAsFeedback);
    world.intend(Intent::KeepAsDraft);
    world.send("elsewhere");
    let posts = |command: &&Command| matches!(command, Command::Post { .. });
    assert_eq!(world.commands.iter().filter(posts).count(), 1);
    let other = world.state.conversation(first).unwrap();
    assert_eq!((other.is_asking, other.draft.as_str()), (true, "one"));
}

/// Returns an answer under way, and messages that were sent meanwhile.
fn queued(texts: &[&str]) -> World {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("MESSAGE_RECEIVED", "");
    world.event("AGENT_RESPONSE_CHUNK", "Hel");
    for text in texts {
        world.send(text);
    }
    assert_eq!(world.queued(), texts);
    assert_eq!((world.posts(), world.open().draft.as_str()), (0, ""));
    world
}

fn answered(world: &mut World) {
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    world.ends();
}

#[test]
fn e299_what_is_sent_while_an_answer_is_written_is_sent_in_order() {
    let mut world = queued(&["one", "two"]);
    assert!(world.said.contains(&Announcement::Queued));
    answered(&mut world);
    assert_eq!(posted_texts(&world), ["one"]);
    assert_eq!(world.queued(), ["two"]);
    answered(&mut world);
    assert_eq!(posted_texts(&world), ["two"]);
    assert!(world.open().queued.is_empty());
}

#[test]
fn e299_it_waits_for_a_thread_that_is_being_made() {
    let mut world = World::new();
    world.send("hi");
    world.send("one");
    assert_eq!(world.queued(), ["one"]);
    world.created(json!({"id": "t1"}));
    assert_eq!(
        (posted_texts(&world), world.queued()),
        (vec!["hi"], vec!["one"])
    );
    let mut world = World::new();
    world.send("hi");
    world.send("one");
    let conversation = world.key();
    world.give(Input::ThreadCreated {
        conversation,
        result: Err(Failure::of(FailureKind::Service)),
    });
    assert!(is_draft(&world, "one"));
}

#[test]
fn e299_blank_text_and_files_on_their_way_are_not_queued() {
    let mut world = queued(&[]);
    world.send("  ");
    assert!(world.open().queued.is_empty());
    world.intend(Intent::AttachFile {
        batch: None,
        upload: UploadId(1),
        name: "plan.pdf".to_owned(),
        size: 1,
    });
    world.send("one");
    assert_eq!(
        (world.queued().len(), world.open().draft.as_str()),
        (0, "one")
    );
}

#[test]
fn e300_nothing_of_it_is_lost_if_the_answer_ends_otherwise() {
    let ends: [fn(&mut World); 4] = [
        |world| world.intend(Intent::Stop),
        |world| world.ends(),
        |world| world.breaks(FailureKind::Unreachable),
        |world| {
            world.event("ERROR", "no");
            world.ends();
        },
    ];
    for end in ends {
        let mut world = queued(&["one", "two"]);
        world.intend(Intent::EditDraft("three".to_owned()));
        end(&mut world);
        assert!(is_draft(&world, "one\n\ntwo\n\nthree"));
        assert_eq!(world.posts(), 0);
    }
}

#[test]
fn e300_a_request_for_approval_keeps_it_until_all_is_decided() {
    let mut world = queued(&["one"]);
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    assert_eq!((world.posts(), world.queued()), (0, vec!["one"]));
    world.send("two");
    assert!(world.open().is_asking);
    world.intend(Intent::SendAfterwards);
    world.decide_all(b1(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    answered(&mut world);
    assert_eq!(
        (posted_texts(&world), world.queued()),
        (vec!["one"], vec!["two"])
    );
}

#[test]
fn e300_the_page_that_comes_next_has_it_in_the_draft() {
    let world = queued(&["one", "two"]);
    let mut next = World::in_thread(json!([]));
    let waiting = world.state.unsent_messages();
    let waiting = waiting.into_iter().filter(|it| it.text != "hi");
    next.give(Input::Unsent(waiting.collect()));
    assert!(is_draft(&next, "one\n\ntwo"));
}

#[test]
fn e301_one_of_them_is_edited_or_removed() {
    let mut world = queued(&["one", "two", "three"]);
    world.intend(Intent::EditDraft("four".to_owned()));
    let [one, two] = [0, 1].map(|at| world.open().queued[at].key);
    world.intend(Intent::EditQueued(two));
    assert_eq!(world.open().draft, "two\n\nfour");
    world.intend(Intent::RemoveQueued(one));
    assert_eq!(world.queued(), ["three"]);
    for gone in [one, two] {
        world.intend(Intent::EditQueued(gone));
        world.intend(Intent::RemoveQueued(gone));
    }
    assert_eq!(
        (world.queued(), world.open().draft.as_str()),
        (vec!["three"], "two\n\nfour")
    );
}
