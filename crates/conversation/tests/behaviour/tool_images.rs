//! E296 to E298: images that tools made.

use assent_conversation::{
    Input, Intent, MessageStatus, Millis, RecordedEnd, RecordedFrame, Recording, StepState,
    ToolImage,
};
use assent_protocol::SseEvent;
use serde_json::{Value, json};

use crate::world::World;

const PLANNED: &str = "NOTIFICATION_PLAN_ORCHESTRATION_TOOL_USAGE_IN_PROGRESS";
const INITIATED: &str = "NOTIFICATION_TOOL_EXECUTION_INITIATED";
const IN_PROGRESS: &str = "NOTIFICATION_TOOL_EXECUTION_IN_PROGRESS";

fn image(id: &str, tool: &str) -> Value {
    json!({ "imageId": id, "tool": tool })
}

fn event(id: &str, kind: &str, content: &str, images: Value) -> SseEvent {
    let message = json!({ "content": content, "toolImages": images });
    let event = json!({ "type": kind, "eventId": id, "eventMessage": message });
    serde_json::from_value(event).unwrap()
}

/// The events of an answer with two tools, of which the first one draws.
fn events() -> Vec<SseEvent> {
    let none = Value::Null;
    vec![
        event("1", "MESSAGE_RECEIVED", "", none.clone()),
        event("2", PLANNED, "Using 2 tools", none.clone()),
        event("3", INITIATED, "Starting a tool: charts/draw", none.clone()),
        event("4", INITIATED, "Starting a tool: notes/list", none.clone()),
        event(
            "5",
            IN_PROGRESS,
            "Running a tool: charts/draw",
            json!([image("a", "charts/draw"), image("b", "charts/draw")]),
        ),
        event(
            "6",
            IN_PROGRESS,
            "Running a tool: charts/draw",
            none.clone(),
        ),
        event("7", "AGENT_RESPONSE_COMPLETE", "Here.", none),
    ]
}

/// A page whose answer has come to its end.
fn answered() -> World {
    let mut world = World::in_thread(json!([]));
    world.send("draw");
    world.opened();
    for event in events() {
        world.raw_event(event);
    }
    world.ends();
    world
}

fn stored(images: Value) -> Value {
    json!([
        { "id": "u", "role": "user", "content": "draw" },
        { "id": "m", "role": "assistant", "content": "Here.", "toolImages": images,
          "timestamp": "2026-01-01T00:00:00Z" },
    ])
}

fn reload(world: &mut World, stored: Value) {
    world.intend(Intent::OpenThread("t1".into()));
    world.stored(stored);
}

/// Returns the steps of a message that have images: their text, and the ids of the images.
fn shown(world: &World, at: usize) -> Vec<(&str, Vec<&str>)> {
    let steps = world.message(at).activity.steps.iter();
    let with = steps.filter(|step| !step.images.is_empty());
    with.map(|step| {
        let ids = step.images.iter().map(|image| image.image_id.as_str());
        (step.content.as_str(), ids.collect())
    })
    .collect()
}

#[test]
fn e296_images_stay_at_the_step_of_the_tool_that_made_them() {
    let world = answered();
    let running = "Running a tool: charts/draw";
    assert_eq!(shown(&world, 1), [(running, vec!["a", "b"])]);
    let steps = &world.message(1).activity.steps;
    // The other tool's step is its own.
    assert_eq!(steps[1].content, running);
    assert_eq!(steps[1].images[0].tool, "charts/draw");
    assert_eq!(steps.len(), 3);
}

#[test]
fn e296_more_reports_of_a_run_add_their_images_and_take_none_away() {
    let mut world = World::in_thread(json!([]));
    world.send("draw");
    world.opened();
    let running = "Running a tool: charts/draw";
    for (id, kind, images) in [
        ("1", INITIATED, Value::Null),
        ("2", IN_PROGRESS, json!([image("a", "charts/draw")])),
        ("3", IN_PROGRESS, Value::Null),
        ("4", IN_PROGRESS, json!([image("b", "charts/draw")])),
        ("5", IN_PROGRESS, json!([image("a", "charts/draw")])),
    ] {
        world.raw_event(event(id, kind, running, images));
    }
    assert_eq!(shown(&world, 1), [(running, vec!["a", "b"])]);
}

#[test]
fn e297_images_of_a_stored_answer_that_no_step_has_are_steps_of_their_own() {
    let images = json!([
        image("a", "charts/draw"),
        image("b", "charts/draw"),
        image("c", "camera/look"),
    ]);
    let world = World::in_thread(stored(images.clone()));
    let steps = [("charts/draw", vec!["a", "b"]), ("camera/look", vec!["c"])];
    assert_eq!(shown(&world, 1), steps);
    let step = &world.message(1).activity.steps[0];
    assert_eq!(
        (step.state, step.ended),
        (StepState::Done, Some(step.began))
    );
    assert!(step.ended_without_event());

    // What was seen live stays as it is, and what did not come is added.
    let mut world = answered();
    reload(&mut world, stored(images));
    let steps = [
        ("Running a tool: charts/draw", vec!["a", "b"]),
        ("camera/look", vec!["c"]),
    ];
    assert_eq!(shown(&world, 1), steps);

    // Nothing of it is told of the user.
    let own =
        json!([{ "id": "u", "role": "user", "content": "a", "toolImages": [image("a", "t")] }]);
    assert_eq!(shown(&World::in_thread(own), 0), []);
}

#[test]
fn e297_an_answer_of_images_alone_is_a_message_once() {
    let images = json!([image("a", "charts/draw")]);
    let alone = json!([
        { "id": "u", "role": "user", "content": "draw" },
        { "id": "m", "role": "assistant", "content": "", "toolImages": images },
    ]);
    let world = World::in_thread(alone.clone());
    assert_eq!(shown(&world, 1), [("charts/draw", vec!["a"])]);
    assert_eq!(world.status(1), &MessageStatus::Complete);

    let mut world = World::in_thread(json!([]));
    world.send("draw");
    world.opened();
    for event in [
        event("1", "MESSAGE_RECEIVED", "", Value::Null),
        event("2", IN_PROGRESS, "Running a tool: charts/draw", images),
        event("3", "AGENT_RESPONSE_COMPLETE", "", Value::Null),
    ] {
        world.raw_event(event);
    }
    world.ends();
    reload(&mut world, alone);
    assert_eq!(world.texts().len(), 2);
    assert_eq!(shown(&world, 1).len(), 1);
}

#[test]
fn e298_a_recording_replaces_steps_that_were_made_for_images() {
    let image = |id: &str| ToolImage {
        image_id: id.to_owned(),
        tool: "charts/draw".to_owned(),
    };
    let frames = events().into_iter().map(|event| RecordedFrame {
        at: Millis(1_000),
        event: Some(Box::new(event)),
    });
    let recording = Recording {
        question: Some("draw".to_owned()),
        frames: frames.collect(),
        ended: Millis(1_000),
        end: RecordedEnd::Closed,
    };
    let told = json!([{ "imageId": "a", "tool": "charts/draw" },
        { "imageId": "c", "tool": "charts/draw" }]);
    let mut world = World::in_thread(stored(told));
    world.give(Input::Recordings("t1".into(), vec![recording.clone()]));
    let steps = &world.message(1).activity.steps;
    assert_eq!(steps.len(), 4);
    assert_eq!(steps[1].images, [image("a"), image("b")]);
    // The stream of that page had not told of it.
    assert_eq!(steps[3].images, [image("c")]);

    // An image that another message of the answer has is shown there.
    let mut two = stored(json!([]));
    let other = json!({ "id": "n", "role": "assistant", "content": "Mine.",
        "toolImages": [{ "imageId": "b", "tool": "charts/draw" }] });
    two.as_array_mut().unwrap().push(other);
    let mut world = World::in_thread(two);
    world.give(Input::Recordings("t1".into(), vec![recording]));
    assert_eq!(shown(&world, 1)[0].1, ["a"]);
    assert_eq!(shown(&world, 2), [("charts/draw", vec!["b"])]);
}
