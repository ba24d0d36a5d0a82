//! Very many steps, tools and characters: what is shown at once is bounded, and the rest is a button
//! away.

use assent_conversation::{Intent, Verdict};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::widget::{Widget, tick, tool};

#[wasm_bindgen_test]
async fn of_very_many_steps_the_latest_are_shown_and_the_others_come_when_they_are_wanted() {
    let mut widget = Widget::new();
    let stream = widget.send("hello").await;
    for step in 0..350 {
        let message = format!(r#""content":"Step {step}""#);
        widget.event(stream, "NOTIFICATION_AGENT_THINKING_COMPLETE", &message);
    }
    tick().await;
    widget.one(".activity-line").click();
    tick().await;
    let shown = |widget: &Widget| {
        let steps = widget.all(".step-text");
        (
            steps.len(),
            steps[0].text_content().unwrap().trim().to_owned(),
        )
    };
    assert_eq!(shown(&widget), (100, "Step 250".to_owned()));
    assert_eq!(widget.one(".steps").get_attribute("start").unwrap(), "251");
    widget.event(
        stream,
        "NOTIFICATION_AGENT_THINKING_COMPLETE",
        r#""content":"Step 350""#,
    );
    tick().await;
    assert_eq!(shown(&widget), (100, "Step 251".to_owned()));
    widget.press("Show some of 251 earlier steps").await;
    assert_eq!(shown(&widget), (200, "Step 151".to_owned()));
    widget.press("Show some of 151 earlier steps").await;
    widget.press("Show some of 51 earlier steps").await;
    assert_eq!(shown(&widget), (351, "Step 0".to_owned()));
    assert_eq!(widget.one(".steps").get_attribute("start").unwrap(), "1");
}

#[wasm_bindgen_test]
async fn of_very_many_tools_those_are_drawn_that_were_wanted_and_no_other_is_approved() {
    let tools: Vec<String> = (0..120)
        .map(|n| tool(&format!("t{n}"), r#""a":"1""#))
        .collect();
    let mut widget = Widget::asked(&tools).await;
    assert_eq!(widget.all(".tool").len(), 50);
    widget.press("Show the next of 70 more actions").await;
    assert_eq!(widget.all(".tool").len(), 100);
    let wanted = widget.press("Deny all").await;
    assert!(
        matches!(wanted.as_slice(), [Intent::DecideAll(_, all, Verdict::Deny)] if all.len() == 120),
        "all are denied, drawn or not"
    );
    let wanted = widget.press("Review next").await;
    let approves = |it: &Intent| matches!(it, Intent::DecideAll(_, _, Verdict::Approve));
    assert!(!wanted.iter().any(approves), "{wanted:?}");
}

#[wasm_bindgen_test]
async fn of_a_very_long_message_the_beginning_is_shown_until_the_rest_is_wanted() {
    let mut widget = Widget::new();
    let text = "word ".repeat(10_000);
    widget.send(text.trim()).await;
    let length = |widget: &Widget| {
        widget
            .one(".bubble")
            .text_content()
            .unwrap()
            .chars()
            .count()
    };
    assert!(length(&widget) < 20_100);
    widget.press("Show all").await;
    assert_eq!(length(&widget), 49_999);
    assert!(widget.all(".bubble button").is_empty());
}
