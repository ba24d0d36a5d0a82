//! The scroll position of the transcript, and the window of a long conversation.

use leptos::prelude::Set;
use std::ops::RangeInclusive;

use assent_conversation::{Command, Input, Intent, StreamEnd, StreamId};
use assent_protocol::StoredMessage;
use assent_widget::store::ScrollMode;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlElement, Node};

use crate::widget::{Widget, frames, tool};

/// Height of the area in these tests.
const HEIGHT: i32 = 400;

/// Returns a widget whose transcript has a height and scrolls.
fn widget(mode: ScrollMode) -> Widget {
    let widget = Widget::new();
    widget.settings.scroll.set(mode);
    let document = web_sys::window().unwrap().document().unwrap();
    let style = document.create_element("style").unwrap();
    let own = format!(
        ".transcript-frame {{ block-size: {HEIGHT}px; }} .message {{ flex: none; min-block-size: 60px; }} \
         .answer, .answer p {{ margin: 0; line-height: 20px; white-space: pre-wrap; }}"
    );
    style.set_text_content(Some(
        &[include_str!("../../../style/transcript.css"), &own].concat(),
    ));
    widget.container.append_child(&style).unwrap();
    widget
}

/// Returns a widget that shows a stored conversation of so many messages, the user's and the
/// agent's by turns.
async fn stored(mode: ScrollMode, count: usize) -> Widget {
    let mut widget = widget(mode);
    open(&mut widget, &messages(1..=count));
    frames().await;
    widget
}

/// Returns the stored messages with these numbers.
fn messages(numbers: RangeInclusive<usize>) -> String {
    let messages = numbers.map(|number| {
        let role = if number % 2 == 1 { "user" } else { "assistant" };
        format!(r#"{{"id":"m{number}","role":"{role}","content":"Message {number}","timestamp":"2026-01-01T00:00:00Z"}}"#)
    });
    messages.collect::<Vec<_>>().join(",")
}

/// Returns the same widget, once it shows so much that no more is requested.
async fn filled(mode: ScrollMode, count: usize) -> Widget {
    let mut widget = stored(mode, count).await;
    while !widget.settle().await.is_empty() {
        frames().await;
    }
    widget
}

/// Opens a thread that has these messages.
fn open(widget: &mut Widget, messages: &str) {
    widget.input(Input::Intent(Intent::OpenThread("stored".into())));
    widget.read_messages(Ok(parsed(messages)));
}

/// Opens a thread of which these messages are the latest.
fn open_latest(widget: &mut Widget, messages: &str) {
    widget.input(Input::Intent(Intent::OpenThread("stored".into())));
    let mut commands = widget.commands.iter().rev();
    let (conversation, load) = commands
        .find_map(|command| match command {
            Command::LoadMessages {
                conversation, load, ..
            } => Some((*conversation, *load)),
            _ => None,
        })
        .expect("a reading");
    widget.input(Input::LatestMessages {
        conversation,
        load,
        stored: parsed(messages),
    });
}

fn parsed(messages: &str) -> Vec<StoredMessage> {
    serde_json::from_str(&format!("[{messages}]")).unwrap()
}

fn area(widget: &Widget) -> HtmlElement {
    widget.one("[part=transcript]")
}

fn end(area: &HtmlElement) -> i32 {
    area.scroll_height() - area.client_height()
}

/// Returns the distance of the user's last message below the top of the area.
fn question(widget: &Widget) -> f64 {
    let own = widget.all("[data-role=user]");
    own.last().unwrap().get_bounding_client_rect().top()
        - area(widget).get_bounding_client_rect().top()
}

/// Streams these lines of the agent.
async fn say(widget: &mut Widget, stream: StreamId, lines: RangeInclusive<usize>) {
    for line in lines {
        let said = format!(r#""content":"Line {line}\n\n","agent":{{"name":"Demo","id":"d"}}"#);
        widget.event(stream, "AGENT_RESPONSE_CHUNK", &said);
    }
    frames().await;
}

/// Scrolls the area to this position as the user would.
async fn scroll_to(widget: &Widget, top: i32) {
    area(widget).set_scroll_top(top);
    frames().await;
}

async fn finish(widget: &mut Widget, stream: StreamId) {
    widget.event(
        stream,
        "AGENT_RESPONSE_COMPLETE",
        r#""content":"","agent":{"name":"Demo","id":"d"}"#,
    );
    widget.input(Input::StreamEnded(stream, StreamEnd::Closed));
    frames().await;
}

#[wasm_bindgen_test]
async fn a_question_goes_to_the_top_and_stays_while_its_answer_grows() {
    let mut widget = stored(ScrollMode::AnswerTop, 20).await;
    assert_eq!(
        area(&widget).scroll_top(),
        end(&area(&widget)),
        "opened at its end"
    );
    let stream = widget.send("Why?").await;
    frames().await;
    assert!(
        (question(&widget) - 20.0).abs() <= 1.0,
        "{}",
        question(&widget)
    );
    let top = area(&widget).scroll_top();
    let height = area(&widget).scroll_height();
    say(&mut widget, stream, 1..=3).await;
    assert_eq!(area(&widget).scroll_top(), top);
    assert_eq!(
        area(&widget).scroll_height(),
        height,
        "the room below shrinks as the answer grows"
    );
    assert!(widget.all("[part=jump]").is_empty());
    say(&mut widget, stream, 4..=60).await;
    finish(&mut widget, stream).await;
    assert_eq!(area(&widget).scroll_top(), top);
    assert!(end(&area(&widget)) > top + HEIGHT, "the answer is long");
    assert_eq!(widget.all("[part=jump]").len(), 1);
}

#[wasm_bindgen_test]
async fn a_reader_who_moved_is_left_alone_until_the_next_question() {
    let mut widget = stored(ScrollMode::AnswerTop, 20).await;
    let stream = widget.send("Why?").await;
    frames().await;
    say(&mut widget, stream, 1..=60).await;
    let above = area(&widget).scroll_top() - 100;
    scroll_to(&widget, above).await;
    say(&mut widget, stream, 61..=80).await;
    assert_eq!(area(&widget).scroll_top(), above);
    finish(&mut widget, stream).await;
    widget.send("And why that?").await;
    frames().await;
    assert!((question(&widget) - 20.0).abs() <= 1.0);
}

#[wasm_bindgen_test]
async fn the_end_is_followed_until_the_smallest_move_up_and_again_from_the_end_on() {
    let mut widget = stored(ScrollMode::Bottom, 20).await;
    let stream = widget.send("Why?").await;
    say(&mut widget, stream, 1..=40).await;
    assert_eq!(area(&widget).scroll_top(), end(&area(&widget)));
    let above = area(&widget).scroll_top() - 5;
    scroll_to(&widget, above).await;
    say(&mut widget, stream, 41..=60).await;
    assert_eq!(area(&widget).scroll_top(), above, "five pixels let go");
    widget.press("Jump to latest").await;
    frames().await;
    assert_eq!(area(&widget).scroll_top(), end(&area(&widget)));
    say(&mut widget, stream, 61..=70).await;
    assert_eq!(area(&widget).scroll_top(), end(&area(&widget)));
    assert!(widget.all("[part=jump]").is_empty());
}

#[wasm_bindgen_test]
async fn keys_that_move_up_let_go_before_anything_moved() {
    for key in ["PageUp", "ArrowUp", "Home"] {
        let mut widget = stored(ScrollMode::Bottom, 20).await;
        let stream = widget.send("Why?").await;
        say(&mut widget, stream, 1..=20).await;
        let top = area(&widget).scroll_top();
        widget.key("[part=transcript]", key, false);
        say(&mut widget, stream, 21..=40).await;
        assert_eq!(area(&widget).scroll_top(), top, "{key}");
    }
}

#[wasm_bindgen_test]
async fn an_answer_moves_nothing_where_the_page_says_so() {
    let mut widget = stored(ScrollMode::None, 20).await;
    assert_eq!(
        area(&widget).scroll_top(),
        end(&area(&widget)),
        "opened at its end"
    );
    let stream = widget.send("Why?").await;
    frames().await;
    let top = area(&widget).scroll_top();
    say(&mut widget, stream, 1..=60).await;
    finish(&mut widget, stream).await;
    assert_eq!(area(&widget).scroll_top(), top);
    assert!(end(&area(&widget)) > top + HEIGHT);
}

#[wasm_bindgen_test]
async fn a_request_for_approval_is_shown_from_its_head_in_every_mode() {
    for mode in [ScrollMode::AnswerTop, ScrollMode::Bottom, ScrollMode::None] {
        let mut widget = stored(mode, 20).await;
        let stream = widget.send("Do it").await;
        frames().await;
        let tools: Vec<_> = (0..12).map(|it| tool(&format!("tool{it}"), "")).collect();
        widget.ask(stream, &tools).await;
        frames().await;
        let card = widget
            .one("[part=approval]")
            .get_bounding_client_rect()
            .top();
        let below = card - area(&widget).get_bounding_client_rect().top();
        assert!((below - 12.0).abs() <= 1.0, "{mode:?}: {below}");
    }
}

#[wasm_bindgen_test]
async fn who_goes_past_a_decision_to_the_end_stays_there() {
    let mut widget = stored(ScrollMode::Bottom, 20).await;
    let stream = widget.send("Do it").await;
    let tools: Vec<_> = (0..12).map(|it| tool(&format!("tool{it}"), "")).collect();
    widget.ask(stream, &tools).await;
    frames().await;
    assert!(area(&widget).scroll_top() < end(&area(&widget)));
    let last = end(&area(&widget));
    scroll_to(&widget, last).await;
    widget.type_text("a draft");
    area(&widget)
        .set_attribute("style", "padding-bottom: 3px")
        .unwrap();
    frames().await;
    area(&widget).set_attribute("style", "").unwrap();
    frames().await;
    assert!(area(&widget).scroll_top() >= end(&area(&widget)) - 3);
}

#[wasm_bindgen_test]
async fn there_is_no_button_to_the_end_while_a_decision_is_pending() {
    let mut widget = stored(ScrollMode::Bottom, 20).await;
    let stream = widget.send("Do it").await;
    let tools: Vec<_> = (0..12).map(|it| tool(&format!("tool{it}"), "")).collect();
    widget.ask(stream, &tools).await;
    frames().await;
    assert!(area(&widget).scroll_top() < end(&area(&widget)));
    assert!(
        widget.all("[part=jump]").is_empty(),
        "the foot stays in view"
    );
}

#[wasm_bindgen_test]
async fn what_came_while_the_reader_was_away_is_counted() {
    let mut widget = stored(ScrollMode::Bottom, 20).await;
    let stream = widget.send("Why?").await;
    frames().await;
    scroll_to(&widget, end(&area(&widget)) - 300).await;
    assert!(widget.all(".jump-count").is_empty());
    for name in ["Second", "Third"] {
        let said = format!(r#""content":"I, too","agent":{{"name":"{name}","id":"{name}"}}"#);
        widget.event(stream, "AGENT_RESPONSE_CHUNK", &said);
    }
    frames().await;
    let jump = widget.one("[part=jump]");
    assert_eq!(jump.get_attribute("aria-label").unwrap(), "Jump to latest");
    assert_eq!(widget.read(".jump-count"), "1");
    assert_eq!(widget.description(&jump), "1 new message");
    jump.click();
    frames().await;
    assert!(widget.all("[part=jump]").is_empty());
    let focused = widget.focused();
    assert!(area(&widget).is_same_node(focused.as_deref()));
}

/// Returns the text of the first message, and the distance below the top of the area of each
/// message that was there.
fn first(widget: &Widget) -> String {
    widget.all("[part=message]")[0].text_content().unwrap()
}

#[wasm_bindgen_test]
async fn a_long_conversation_opens_at_its_end_with_few_nodes() {
    let widget = stored(ScrollMode::AnswerTop, 5000).await;
    assert_eq!(area(&widget).scroll_top(), end(&area(&widget)));
    assert_eq!(widget.all("[part=message]").len(), 8);
    assert!(widget.read(".transcript-content").contains("Message 5000"));
    assert_eq!(widget.read(".earlier"), "Show earlier messages4992");
    let nodes = nodes(&widget.one(".transcript-content"));
    assert!(nodes <= 235, "{nodes} nodes with texts and markers");
}

/// Returns the number of nodes below this one: elements, texts, and what marks the places of views.
fn nodes(node: &Node) -> u32 {
    let children = node.child_nodes();
    let children = (0..children.length()).filter_map(|at| children.get(at));
    children.map(|child| 1 + nodes(&child)).sum()
}

#[wasm_bindgen_test]
async fn older_messages_come_without_a_jump_before_the_reader_is_at_their_end() {
    let mut widget = filled(ScrollMode::AnswerTop, 100).await;
    let count = widget.all("[part=message]").len();
    scroll_to(&widget, 100).await;
    let seen = widget.all("[part=message]")[3].clone();
    let y = seen.get_bounding_client_rect().top();
    let mut intents = widget.settle().await;
    // The reading position is reported after a moment, which may be this one.
    intents.retain(|it| !matches!(it, Intent::ReadAt(_)));
    assert_eq!(intents, [Intent::ShowEarlier], "asked for once");
    frames().await;
    assert_eq!(widget.all("[part=message]").len(), count + 10);
    let expected = format!("Message {}", 100 - count - 10 + 1);
    assert!(first(&widget).contains(&expected), "{}", first(&widget));
    let now = seen.get_bounding_client_rect().top();
    assert!((now - y).abs() <= 1.0, "it moved by {}", now - y);
    assert!(seen.is_connected(), "its nodes are kept");
}

#[wasm_bindgen_test]
async fn what_is_shown_at_first_fills_the_screen_and_a_half() {
    let widget = filled(ScrollMode::AnswerTop, 100).await;
    let area = area(&widget);
    assert!(area.scroll_height() * 2 >= area.client_height() * 5);
    assert_eq!(area.scroll_top(), end(&area));
}

#[wasm_bindgen_test]
async fn a_button_reaches_the_first_message_and_keeps_the_focus_as_long_as_it_is_there() {
    let mut widget = stored(ScrollMode::AnswerTop, 25).await;
    let button = widget.one(".earlier");
    button.focus().unwrap();
    button.click();
    widget.settle().await;
    frames().await;
    assert_eq!(widget.read(".earlier"), "Show earlier messages7");
    assert!(button.is_same_node(widget.focused().as_deref()));
    button.click();
    widget.settle().await;
    frames().await;
    assert!(widget.all(".earlier").is_empty());
    assert!(first(&widget).contains("Message 1"));
    assert!(
        area(&widget).is_same_node(widget.focused().as_deref()),
        "the focus stays in the transcript"
    );
}

#[wasm_bindgen_test]
async fn what_is_new_does_not_push_older_messages_out_of_the_window() {
    let mut widget = filled(ScrollMode::AnswerTop, 40).await;
    let count = widget.all("[part=message]").len();
    let before = widget.all("[part=message]")[0].clone();
    let stream = widget.send("Why?").await;
    say(&mut widget, stream, 1..=2).await;
    assert_eq!(widget.all("[part=message]").len(), count + 2);
    assert!(before.is_same_node(Some(&widget.all("[part=message]")[0])));
}

#[wasm_bindgen_test]
async fn a_conversation_that_fits_has_no_button_for_older_messages() {
    let widget = stored(ScrollMode::AnswerTop, 8).await;
    assert!(widget.all(".earlier").is_empty());
    assert_eq!(widget.all("[part=message]").len(), 8);
}

#[wasm_bindgen_test]
async fn the_latest_messages_stay_in_place_when_the_others_come() {
    for up in [0, 150] {
        let mut widget = widget(ScrollMode::AnswerTop);
        open_latest(&mut widget, &messages(21..=60));
        frames().await;
        while !widget.settle().await.is_empty() {
            frames().await;
        }
        assert_eq!(
            area(&widget).scroll_top(),
            end(&area(&widget)),
            "opened at its end"
        );
        let shown = area(&widget).get_attribute("data-state");
        assert_eq!(shown.as_deref(), Some("loading"));
        scroll_to(&widget, end(&area(&widget)) - up).await;
        while !widget.settle().await.is_empty() {
            frames().await;
        }
        let before = question(&widget);
        widget.read_messages(Ok(parsed(&messages(1..=60))));
        frames().await;
        assert!((question(&widget) - before).abs() <= 1.0, "{up}");
        scroll_to(&widget, 0).await;
        for _ in 0..20 {
            widget.settle().await;
            scroll_to(&widget, 0).await;
        }
        assert_eq!(widget.all("[part=message]").len(), 60, "all can be reached");
    }
}
