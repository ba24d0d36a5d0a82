//! The page's suggestions in an empty conversation: visibility of the buttons, effect of pressing
//! one, focus.

use assent_conversation::{
    Command, ContentItem, Failure, FailureKind, Input, Intent, PageRequest, RequestId,
};
use assent_widget::store::ScrollMode;
use leptos::prelude::Set;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::widget::{Widget, frames, tick};

async fn suggesting(texts: &[&str]) -> Widget {
    let widget = Widget::new();
    suggest(&widget, texts).await;
    widget
}

async fn suggest(widget: &Widget, texts: &[&str]) {
    let texts = texts.iter().map(|text| (*text).to_owned());
    widget.settings.suggestions.set(texts.collect());
    tick().await;
}

/// Returns the texts of the buttons.
fn shown(widget: &Widget) -> Vec<String> {
    let buttons = widget.all("[part=suggestion]").into_iter();
    buttons.map(|it| it.text_content().unwrap()).collect()
}

fn part_of_focus(widget: &Widget) -> Option<String> {
    widget.focused()?.get_attribute("part")
}

fn sent(widget: &Widget) -> usize {
    let commands = widget.commands.iter();
    commands
        .filter(|command| matches!(command, Command::CreateThread { .. } | Command::Post { .. }))
        .count()
}

#[wasm_bindgen_test]
async fn without_suggestions_nothing_is_there() {
    let widget = suggesting(&[]).await;
    assert!(widget.all(".suggestions").is_empty());
    assert!(widget.all("[part=suggestion]").is_empty());
}

#[wasm_bindgen_test]
async fn they_are_a_named_list_of_buttons_below_the_greeting() {
    let widget = suggesting(&["Where is it?", "أين طلبي؟", "<b>Where</b>", "Where is it?"]).await;
    assert_eq!(
        shown(&widget),
        ["Where is it?", "أين طلبي؟", "<b>Where</b>", "Where is it?"],
        "as they are, in their order"
    );
    let list = widget.one(".greeting-hint + .suggestions");
    assert_eq!(list.get_attribute("role").unwrap(), "list");
    assert_eq!(list.get_attribute("aria-label").unwrap(), "Suggestions");
    for button in widget.all(".suggestions > li > button") {
        assert_eq!(button.get_attribute("type").unwrap(), "button");
        assert_eq!(button.get_attribute("dir").unwrap(), "auto");
    }
}

#[wasm_bindgen_test]
async fn pressing_one_sends_it_and_leaves_what_is_typed() {
    let mut widget = suggesting(&["Where is it?", "Give it back"]).await;
    widget.type_text("I would");
    widget.settle().await;
    let wanted = widget.press("Give it back").await;
    assert_eq!(wanted, [Intent::SendSuggestion("Give it back".to_owned())]);
    assert_eq!(widget.read(".bubble"), "Give it back");
    assert_eq!(shown(&widget), [""; 0]);
    assert_eq!(part_of_focus(&widget).as_deref(), Some("input"));
    let value = js_sys::Reflect::get(&widget.one("[part=input]"), &"value".into()).unwrap();
    assert_eq!(value.as_string().unwrap(), "I would");
    assert_eq!(sent(&widget), 1);
}

#[wasm_bindgen_test]
async fn a_second_click_sends_nothing() {
    let mut widget = suggesting(&["Where is it?", "Give it back"]).await;
    let [first, second] = ["Where is it?", "Give it back"].map(|name| widget.button(name));
    for button in [&first, &first, &second] {
        button.click();
    }
    widget.settle().await;
    assert_eq!(sent(&widget), 1);
    assert_eq!(widget.all("[part=message]").len(), 1);
    first.click();
    assert_eq!(widget.settle().await, [], "nobody listens to what is gone");
}

#[wasm_bindgen_test]
async fn a_focus_that_goes_away_with_them_goes_to_the_box() {
    let mut widget = suggesting(&["Where is it?"]).await;
    widget.button("Where is it?").focus().unwrap();
    assert_eq!(part_of_focus(&widget).as_deref(), Some("suggestion"));
    suggest(&widget, &["Where?"]).await;
    assert_eq!(part_of_focus(&widget).as_deref(), Some("input"));

    widget.button("Where?").focus().unwrap();
    let content = vec![ContentItem::Text("hi".to_owned())];
    widget.input(Input::Request(RequestId(1), PageRequest::Send(content)));
    tick().await;
    assert_eq!(shown(&widget), [""; 0]);
    assert_eq!(part_of_focus(&widget).as_deref(), Some("input"));
}

#[wasm_bindgen_test]
async fn a_focus_that_is_elsewhere_stays_there() {
    let widget = suggesting(&["Where is it?"]).await;
    widget.one("[part=transcript]").focus().unwrap();
    suggest(&widget, &["Where?"]).await;
    suggest(&widget, &[]).await;
    assert_eq!(part_of_focus(&widget).as_deref(), Some("transcript"));
}

#[wasm_bindgen_test]
async fn they_go_with_the_first_message_and_are_there_again_in_a_new_conversation() {
    let mut widget = suggesting(&["Where is it?"]).await;
    widget.send("hello").await;
    assert_eq!(shown(&widget), [""; 0]);
    widget.input(Input::Intent(Intent::NewThread));
    tick().await;
    assert_eq!(shown(&widget), ["Where is it?"]);
    suggest(&widget, &["Where?", "When?"]).await;
    assert_eq!(shown(&widget), ["Where?", "When?"]);
    widget.input(Input::Intent(Intent::OpenThread("t2".into())));
    tick().await;
    assert_eq!(shown(&widget), [""; 0], "while it is read");
}

#[wasm_bindgen_test]
async fn one_that_could_not_be_sent_is_tried_again_or_becomes_the_draft() {
    let mut widget = suggesting(&["Where is it?"]).await;
    widget.press("Where is it?").await;
    let Some(Command::CreateThread { conversation, .. }) = widget.commands.last().cloned() else {
        panic!("no thread was made");
    };
    widget.input(Input::ThreadCreated {
        conversation,
        result: Err(Failure::of(FailureKind::Unreachable)),
    });
    tick().await;
    widget.button("Try again");
    assert_eq!(shown(&widget), [""; 0]);
    widget.press("Dismiss").await;
    let value = js_sys::Reflect::get(&widget.one("[part=input]"), &"value".into()).unwrap();
    assert_eq!(value.as_string().unwrap(), "Where is it?");
    assert_eq!(shown(&widget), ["Where is it?"]);
}

#[wasm_bindgen_test]
async fn many_are_read_from_the_beginning_and_no_message_is_the_latest() {
    let many = (0..50).map(|number| format!("Question {number}"));
    let many: Vec<String> = many.collect();
    for mode in [ScrollMode::AnswerTop, ScrollMode::Bottom, ScrollMode::None] {
        let mut widget = Widget::new();
        widget.settings.scroll.set(mode);
        let style = leptos::prelude::document().create_element("style").unwrap();
        let own =
            ".transcript-frame { block-size: 400px; } .suggestions > li { inline-size: 100%; }";
        style.set_text_content(Some(
            &[include_str!("../../../style/transcript.css"), own].concat(),
        ));
        widget.container.append_child(&style).unwrap();
        widget.settings.suggestions.set(many[..40].to_vec());
        frames().await;
        let area = widget.one("[part=transcript]");
        assert!(area.scroll_height() > 1_000, "{mode:?}");
        assert_eq!(area.scroll_top(), 0, "{mode:?}: set while it is shown");
        widget.send("hello").await;
        frames().await;
        widget.input(Input::Intent(Intent::NewThread));
        frames().await;
        assert_eq!(area.scroll_top(), 0, "{mode:?}: opened");
        assert!(widget.all("[part=jump]").is_empty(), "{mode:?}");
        area.set_scroll_top(200);
        frames().await;
        widget.settings.suggestions.set(many.clone());
        frames().await;
        assert_eq!(area.scroll_top(), 200, "{mode:?}: the reader is there");
    }
}
