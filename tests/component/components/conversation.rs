//! Typing, answers, and stability of the screen while they grow.

use assent_conversation::{
    Announcement, Change, Command, Failure, FailureKind, Input, Intent, StreamEnd,
};
use assent_protocol::{EVENT_TYPES, EventGroup, EventPhase, EventTypeInfo};
use assent_widget::store::ActivityLevel;
use leptos::prelude::Set;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::widget::{Widget, tick};

#[wasm_bindgen_test]
async fn enter_sends_once_and_empties_the_box() {
    let mut widget = Widget::new();
    widget.type_text("hello");
    assert!(widget.key("[part=input]", "Enter", false));
    let wanted = widget.settle().await;
    assert_eq!(wanted, [Intent::EditDraft("hello".into()), Intent::Send]);
    let value = js_sys::Reflect::get(&widget.one("[part=input]"), &"value".into()).unwrap();
    assert_eq!(value.as_string().unwrap(), "");
    assert_eq!(
        widget
            .one("[part=message]")
            .get_attribute("data-state")
            .unwrap(),
        "sending"
    );
}

#[wasm_bindgen_test]
async fn enter_that_ends_a_composition_sends_nothing() {
    let mut widget = Widget::new();
    widget.type_text("にほん");
    widget.key("[part=input]", "Enter", true);
    assert_eq!(widget.settle().await, [Intent::EditDraft("にほん".into())]);
}

#[wasm_bindgen_test]
async fn a_blank_message_cannot_be_sent() {
    let mut widget = Widget::new();
    widget.type_text("  \n ");
    widget.key("[part=input]", "Enter", false);
    assert!(widget.button("Send").has_attribute("disabled"));
    assert!(!widget.settle().await.contains(&Intent::Send));
}

#[wasm_bindgen_test]
async fn while_an_answer_streams_stop_stands_in_the_place_of_send() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    assert!(widget.all("[part=send]").is_empty());
    widget.type_text("next");
    widget.button("Stop").click();
    widget.settle().await;
    assert!(widget.commands.contains(&Command::CancelStream(stream)));
    let value = js_sys::Reflect::get(&widget.one("[part=input]"), &"value".into()).unwrap();
    assert_eq!(value.as_string().unwrap(), "next", "what was typed is kept");
    assert!(!widget.button("Send").has_attribute("disabled"));
}

#[wasm_bindgen_test]
async fn a_refused_message_can_be_sent_again_or_taken_back() {
    let mut widget = Widget::new();
    widget.type_text("hello");
    widget.key("[part=input]", "Enter", false);
    widget.settle().await;
    let conversation = match widget.commands.last() {
        Some(Command::CreateThread { conversation, .. }) => *conversation,
        other => panic!("{other:?}"),
    };
    let refused = Failure {
        status: Some(401),
        ..Failure::of(FailureKind::Unauthorized)
    };
    widget.input(Input::ThreadCreated {
        conversation,
        result: Err(refused),
    });
    tick().await;
    let error = widget.one("[part=message] [part=error]");
    assert_eq!(error.get_attribute("role").unwrap(), "alert");
    assert!(error.text_content().unwrap().contains("sign in"));
    assert_eq!(
        widget
            .one("[part=message]")
            .get_attribute("data-state")
            .unwrap(),
        "failed"
    );
    widget.button("Dismiss").click();
    widget.settle().await;
    assert!(widget.all("[part=message]").is_empty());
    let value = js_sys::Reflect::get(&widget.one("[part=input]"), &"value".into()).unwrap();
    assert_eq!(value.as_string().unwrap(), "hello", "nothing typed is lost");
}

#[wasm_bindgen_test]
async fn each_kind_of_failure_is_a_sentence_and_says_what_can_be_done() {
    for (kind, sentence) in [
        (FailureKind::Unauthorized, "Your session has ended."),
        (FailureKind::Forbidden, "You’re not allowed to do this."),
        (
            FailureKind::NotFound,
            "This assistant or conversation is not available.",
        ),
        (FailureKind::Rejected, "The service didn’t accept this."),
        (FailureKind::TooMany, "Too many requests."),
        (FailureKind::Service, "The service has a problem."),
        (
            FailureKind::Unreadable,
            "Something other than the chat service answered.",
        ),
    ] {
        let mut widget = Widget::new();
        widget.type_text("hello");
        widget.key("[part=input]", "Enter", false);
        widget.settle().await;
        let Some(Command::CreateThread { conversation, .. }) = widget.commands.last() else {
            panic!("{:?}", widget.commands)
        };
        let conversation = *conversation;
        widget.input(Input::ThreadCreated {
            conversation,
            result: Err(Failure::of(kind)),
        });
        widget.input(Input::Threads(Err(Failure::of(kind))));
        tick().await;
        let message = widget.read("[part=message] [part=error]");
        assert!(message.contains(sentence), "{message}");
        let toggle = widget.one("[part=threads-toggle]");
        if toggle.get_attribute("aria-expanded").unwrap() == "false" {
            toggle.click();
            tick().await;
        }
        assert!(widget.read("[part=thread-list]").contains(sentence));
        widget.button("Retry");
        widget.button("Try again");
        widget.button("Dismiss");
    }
}

#[wasm_bindgen_test]
async fn an_answer_that_breaks_and_cannot_be_read_says_so_and_can_be_looked_up() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    widget.event(stream, "AGENT_RESPONSE_CHUNK", r#""content":"Half of it""#);
    let lost = Failure::of(FailureKind::Unreachable);
    widget.input(Input::StreamEnded(stream, StreamEnd::Failed(lost.clone())));
    tick().await;
    assert!(
        widget
            .read("[part=transcript]")
            .contains("Reading the rest")
    );
    let text = "Connection lost. This answer may not be complete.";
    for _ in 0..20 {
        if widget.read("[part=transcript]").contains(text) {
            break;
        }
        widget.read_messages(Err(lost.clone()));
        tick().await;
    }
    let shown = widget.read("[part=transcript]");
    assert!(shown.contains("Half of it") && shown.contains(text));
    let wanted = widget.press("Check again").await;
    assert_eq!(wanted, [Intent::ReloadMessages]);
}

#[wasm_bindgen_test]
async fn an_agent_that_fails_gives_its_reason_at_its_answer() {
    for begun in ["", "Half of it"] {
        let mut widget = Widget::new();
        let stream = widget.send("hello").await;
        if !begun.is_empty() {
            let chunk = format!(r#""content":"{begun}""#);
            widget.event(stream, "AGENT_RESPONSE_CHUNK", &chunk);
        }
        widget.event(stream, "ERROR", r#""content":"The model is overloaded.""#);
        widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
        tick().await;
        let answer = widget.one("[part=message][data-role=assistant]");
        assert_eq!(answer.get_attribute("data-state").unwrap(), "failed");
        assert!(answer.text_content().unwrap().contains(begun));
        let error = widget.one("[data-role=assistant] [part=error]");
        assert_eq!(error.get_attribute("role").unwrap(), "alert");
        let reason = error.text_content().unwrap();
        assert!(reason.contains("The model is overloaded."), "{reason}");
    }
}

#[wasm_bindgen_test]
async fn activity_is_one_line_that_opens_to_its_steps() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    widget.event(
        stream,
        "NOTIFICATION_AGENT_THINKING_STARTED",
        r#""content":"Thinking about it""#,
    );
    tick().await;
    let line = widget.one("[part=activity] > button");
    assert!(line.text_content().unwrap().contains("Thinking about it"));
    let activity = widget.one("[part=activity]");
    assert_eq!(activity.get_attribute("data-state").unwrap(), "running");
    widget.wait(2_490);
    widget.event(
        stream,
        "NOTIFICATION_AGENT_THINKING_COMPLETE",
        r#""content":"Thought about it""#,
    );
    widget.event(
        stream,
        "NOTIFICATION_KNOWLEDGE_RETRIEVAL_FAILED",
        r#""content":"The handbook is away""#,
    );
    widget.event(
        stream,
        "NOTIFICATION_NEVER_SEEN_BEFORE",
        r#""content":"Tuning the lute""#,
    );
    tick().await;
    assert_eq!(line.get_attribute("aria-expanded").unwrap(), "false");
    assert!(widget.all(".step-text").is_empty());
    line.click();
    tick().await;
    assert_eq!(line.get_attribute("aria-expanded").unwrap(), "true");
    let steps: Vec<_> = widget
        .all(".step-text")
        .iter()
        .map(|it| it.text_content().unwrap())
        .collect();
    let steps: Vec<_> = steps.iter().map(|it| it.trim()).collect();
    assert_eq!(
        steps,
        [
            "Thought about it",
            "The handbook is away",
            "Tuning the lute"
        ]
    );
    let steps = widget.all(".step");
    assert!(steps[0].text_content().unwrap().ends_with("2.5 s"));
    assert_eq!(steps[1].get_attribute("data-state").unwrap(), "failed");
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    assert_eq!(
        widget
            .one("[part=activity]")
            .get_attribute("data-state")
            .unwrap(),
        "failed"
    );
}

#[wasm_bindgen_test]
async fn a_finished_activity_says_what_was_done() {
    let open = |info: &&EventTypeInfo| {
        let is_step = info.name.starts_with("NOTIFICATION_");
        is_step && matches!(info.phase, EventPhase::Started | EventPhase::InProgress)
    };
    for info in EVENT_TYPES.iter().filter(open) {
        let mut widget = Widget::new();
        widget.settings.activity.set(ActivityLevel::Full);
        let stream = widget.send("hello").await;
        widget.event(stream, info.name, r#""content":"Running delete_file""#);
        tick().await;
        let texts = |widget: &Widget| {
            let line = widget.read("[part=activity] .activity-current");
            (line, widget.read(".step-text"))
        };
        let now = String::from("Running delete_file");
        assert_eq!(texts(&widget), (now.clone(), now), "{}", info.name);
        widget.event(stream, "AGENT_RESPONSE_COMPLETE", r#""content":"So.""#);
        widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
        tick().await;
        let done = match info.group {
            EventGroup::ToolExecution => "Ran a tool",
            EventGroup::Thinking => "Thought it through",
            EventGroup::KnowledgeRetrieval => "Searched the knowledge base",
            EventGroup::Plan => "Plan carried out",
            EventGroup::PlanReview => "Plan reviewed",
            EventGroup::PlanKnowledgeBase => "Knowledge base consulted",
            EventGroup::PlanToolUsage => "Tools used",
            EventGroup::PlanReflection => "Result checked",
            EventGroup::PlanCollaboration => "Other agents are done",
            EventGroup::Collaboration => "Agents worked together",
            EventGroup::AssistantResponse => "An agent answered",
            group => panic!("{group:?}"),
        };
        assert_eq!(texts(&widget), (done.into(), done.into()), "{}", info.name);
    }
}

#[wasm_bindgen_test]
async fn a_tool_that_ran_is_named_with_what_it_ran_for() {
    // As any service may say it, and as this one does.
    for before in ["", "Starting a tool: "] {
        names_what_ran(before).await;
    }
}

async fn names_what_ran(before: &str) {
    let mut widget = Widget::new();
    widget.settings.activity.set(ActivityLevel::Full);
    let stream = widget.send("hello").await;
    let named = format!(r#""content":"{before}files/write_file (packing list.md)""#);
    widget.event(stream, "NOTIFICATION_TOOL_EXECUTION_INITIATED", &named);
    let thought = r#""content":"""#;
    widget.event(stream, "NOTIFICATION_AGENT_THINKING_STARTED", thought);
    widget.event(stream, "NOTIFICATION_AGENT_THINKING_COMPLETE", thought);
    widget.event(stream, "AGENT_RESPONSE_COMPLETE", r#""content":"So.""#);
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    let ran = "Ran files/write_file (packing list.md)";
    assert_eq!(widget.read("[part=activity] .activity-current"), "2 steps");
    assert_eq!(widget.read(".step:first-child .step-text"), ran);
}

#[wasm_bindgen_test]
async fn choosing_the_open_conversation_again_keeps_its_answer_growing() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    widget.event(stream, "AGENT_RESPONSE_CHUNK", r#""content":"Begun""#);
    tick().await;
    widget.input(Input::Intent(Intent::OpenThread("t1".into())));
    tick().await;
    widget.event(
        stream,
        "AGENT_RESPONSE_COMPLETE",
        r#""content":"Begun and done""#,
    );
    tick().await;
    assert_eq!(
        widget.one(".answer").text_content().unwrap(),
        "Begun and done"
    );
}

#[wasm_bindgen_test]
async fn the_focus_of_a_stop_that_goes_away_moves_to_the_box() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    widget.button("Stop").focus().unwrap();
    widget.event(stream, "AGENT_RESPONSE_COMPLETE", r#""content":"Done""#);
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    tick().await;
    let root: web_sys::ShadowRoot = widget.container.get_root_node().unchecked_into();
    let focused = root.active_element().expect("a focus");
    assert!(focused.is_same_node(Some(&widget.one("[part=input]"))));
}

#[wasm_bindgen_test]
async fn of_a_long_answer_the_beginning_is_announced() {
    let said = async |widget: &Widget| widget.said().await[0].clone();
    let mut widget = Widget::new();
    let answers = async |widget: &mut Widget, text: &str| {
        let stream = widget.send("hello").await;
        let message = format!(r#""content":"{text}""#);
        widget.event(stream, "AGENT_RESPONSE_COMPLETE", &message);
        widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
        tick().await;
    };
    let short = "wörds ".repeat(100);
    answers(&mut widget, short.trim()).await;
    assert_eq!(said(&widget).await, format!("Assistant: {}", short.trim()));
    answers(&mut widget, &"wörds ".repeat(5_000)).await;
    // Seven bytes each.
    let beginning = "wörds ".repeat(1_000 / 7);
    assert_eq!(
        said(&widget).await,
        format!(
            "Assistant: {} … The whole answer is in the messages.",
            beginning.trim()
        )
    );
    answers(&mut widget, &"語".repeat(5_000)).await;
    assert!(
        said(&widget)
            .await
            .starts_with(&format!("Assistant: {} …", "語".repeat(333)))
    );
}

#[wasm_bindgen_test]
async fn what_comes_within_one_frame_is_said_together() {
    let widget = Widget::new();
    let say = |announcements: Vec<Announcement>| {
        let changes: Vec<Change> = announcements.into_iter().map(Change::Announce).collect();
        widget.show(&changes);
    };
    let answered = Announcement::Answered {
        author: String::new(),
        text: "Done.".to_owned(),
        words: Vec::new(),
    };
    say(vec![
        Announcement::DecidedElsewhere,
        Announcement::Answering,
        answered,
    ]);
    assert_eq!(
        widget.said().await[0],
        "These actions were decided elsewhere. Assistant: Done."
    );
    say(Vec::new());
    assert!(widget.said().await[0].ends_with("Done."));
}
