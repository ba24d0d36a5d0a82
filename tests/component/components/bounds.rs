//! Names and reasons of any length, and names that would pass for the user's heading.

use assent_conversation::{Failure, FailureKind, Input};
use assent_protocol::SessionThread;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::widget::{Widget, tick};

fn texts(widget: &Widget, selector: &str) -> Vec<String> {
    let found = widget.all(selector);
    found.iter().map(|it| it.text_content().unwrap()).collect()
}

fn thread(name: &str, agent: &str) -> SessionThread {
    SessionThread {
        id: "t1".into(),
        thread_name: name.to_owned(),
        agent_name: agent.to_owned(),
        agent_handle: format!("@{agent}"),
        ..SessionThread::default()
    }
}

#[wasm_bindgen_test]
async fn a_conversation_with_a_name_of_any_length_can_be_deleted_and_renamed() {
    let name = "n\u{202e}".repeat(50_000);
    let mut widget = Widget::new();
    widget.input(Input::Threads(Ok(vec![thread(&name, "Ann")])));
    tick().await;
    let toggle = widget.one("[part=threads-toggle]");
    if toggle.get_attribute("aria-expanded").unwrap() == "false" {
        toggle.click();
        tick().await;
    }
    let label = widget.one("[part=thread-menu]").get_attribute("aria-label");
    let label = label.unwrap();
    assert!(label.chars().count() < 3_000, "{label}");
    assert!(label.contains("[U+202E]") && !label.contains('\u{202e}'));
    widget.press(&label).await;
    widget.press("Delete").await;
    let question = widget.read(".dialog");
    assert!(question.chars().count() < 3_000, "{question}");
    widget.press("Cancel").await;
    widget.press(&label).await;
    widget.press("Rename").await;
    // There the rest of it can be read.
    let input = widget.one("li input");
    let input: web_sys::HtmlInputElement = input.unchecked_into();
    assert_eq!(input.value().chars().count(), name.chars().count());
}

#[wasm_bindgen_test]
async fn an_agent_with_a_name_of_any_length_has_a_short_heading() {
    let name = "a".repeat(200_000);
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    let message =
        format!(r#""content":"Hi","agent":{{"id":"a","name":"{name}","handle":"{name}b"}}"#);
    widget.event(stream, "AGENT_THINKING_STARTED", &message);
    widget.event(stream, "AGENT_RESPONSE_COMPLETE", &message);
    widget.input(Input::Threads(Ok(vec![thread("", &name)])));
    tick().await;
    let shown = widget.read("[part=transcript]");
    assert!(shown.len() < 2_000, "{} characters", shown.len());
    let label = widget.all("[part=message]")[1].get_attribute("aria-label");
    assert!(label.unwrap().len() < 300);
    let spoken = widget.all("[part=status]");
    assert!(
        spoken
            .iter()
            .all(|it| it.text_content().unwrap().len() < 1_000)
    );
}

#[wasm_bindgen_test]
async fn no_agent_has_the_heading_of_the_user() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    let names = [
        "You",
        "y o u",
        "Y\u{2060}ou",
        "\u{3a5}\u{3bf}\u{3c5}",
        "\u{ff39}ou",
        "Yours",
    ];
    for (place, name) in names.iter().enumerate() {
        let message = format!(r#""content":"Hi","agent":{{"id":"{place}","name":"{name}"}}"#);
        widget.event(stream, "AGENT_RESPONSE_COMPLETE", &message);
    }
    tick().await;
    let authors = texts(&widget, ".author");
    assert_eq!(authors.len(), 1 + names.len(), "{authors:?}");
    assert_eq!(authors[0], "You");
    assert_eq!(authors[1], "You (agent)");
    assert_eq!(authors[2], "y o u (agent)");
    assert!(authors[3].contains("[U+2060]"), "{authors:?}");
    assert!(authors[4].ends_with(" (agent)") && authors[5].ends_with(" (agent)"));
    assert_eq!(authors[6], "Yours");
}

#[wasm_bindgen_test]
async fn a_reason_of_any_length_is_cut_and_scrolls_where_it_is_opened() {
    let reason = "It failed because of this. ".repeat(40_000);
    let mut widget = Widget::new();
    let mut failure = Failure::of(FailureKind::Service);
    failure.message = Some(reason.clone());
    widget.input(Input::Threads(Err(failure)));
    tick().await;
    let error = widget.read("[part=error]");
    assert!(error.len() < 600, "{} characters", error.len());
    let box_of = |widget: &Widget| widget.one("[part=error] .long-sentence");
    assert_eq!(box_of(&widget).get_attribute("tabindex"), None);
    widget.press("Show all").await;
    assert!(widget.read("[part=error]").contains(reason.trim()));
    let opened = box_of(&widget);
    assert_eq!(opened.get_attribute("tabindex").as_deref(), Some("0"));
    widget.press("Show less").await;
    assert!(widget.read("[part=error]").len() < 600);
}

#[wasm_bindgen_test]
async fn an_error_of_an_agent_of_any_length_is_cut() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    let reason = "x".repeat(1_000_000);
    widget.event(stream, "ERROR", &format!(r#""content":"{reason}""#));
    tick().await;
    let shown = widget.read("[part=transcript]");
    assert!(shown.len() < 2_000, "{} characters", shown.len());
    widget.button("Show all");
}
