//! What was on the screen: a long request and a whole card are approved only after that.

use assent_conversation::{Intent, Verdict};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::approval_request::{TYPE, asking};
use crate::widget::{Widget, frames, load_renderer, tool};

const SCROLL: &str = "Scroll through all of it to approve, or move into it with the Tab key.";

/// Returns a widget with these tools in a scrolling box of 200 pixels, at whose top it is.
async fn boxed(tools: &[String]) -> (Widget, HtmlElement) {
    let mut widget = Widget::new();
    let area = in_a_box(&widget);
    let stream = widget.send("do it").await;
    widget.ask(stream, tools).await;
    let card = widget.one("[part=approval]");
    area.set_scroll_top(card.offset_top() - area.offset_top());
    area.scroll_into_view();
    widget.paint().await;
    (widget, area)
}

/// Puts a widget into a scrolling box of 200 pixels.
fn in_a_box(widget: &Widget) -> HtmlElement {
    let area = widget.container.clone();
    for (property, value) in [
        ("display", "block"),
        ("height", "200px"),
        ("overflow", "auto"),
    ] {
        area.style().set_property(property, value).unwrap();
    }
    area
}

/// Returns a tool with so many short arguments.
fn with(name: &str, count: usize) -> String {
    let pairs = (0..count).map(|at| format!(r#""field {at}":"1""#));
    tool(name, &pairs.collect::<Vec<_>>().join(","))
}

/// Returns more tools than the box shows.
fn many(name: &str) -> Vec<String> {
    (0..5)
        .map(|at| tool(&format!("{name} {at}"), r#""to":"ann""#))
        .collect()
}

/// Scrolls to the end as a person does, and waits for the browser at each place.
async fn scroll_through(widget: &mut Widget, area: &HtmlElement) {
    for top in (area.scroll_top()..area.scroll_height()).step_by(120) {
        area.set_scroll_top(top);
        frames().await;
    }
    widget.settle().await;
}

fn is_disabled(element: &HtmlElement) -> bool {
    element.has_attribute("disabled")
}

/// Returns true if all tools can be approved at once, and not just the next one be shown.
fn can_approve_all(widget: &Widget) -> bool {
    let first = widget.all(".decisions .button")[0].clone();
    first.text_content().unwrap() == "Approve all" && !is_disabled(&first)
}

#[wasm_bindgen_test]
async fn a_request_of_many_arguments_is_approved_once_all_of_it_was_on_the_screen() {
    let (mut widget, area) = boxed(&[with("pay", 100)]).await;
    let approve = widget.one(".approve");
    assert!(is_disabled(&approve));
    assert_eq!(widget.description(&approve), SCROLL);
    assert!(!is_disabled(&widget.one(".deny")));
    approve.click();
    assert!(widget.settle().await.is_empty());

    area.set_scroll_top(area.scroll_height());
    widget.paint().await;
    assert!(is_disabled(&approve), "its middle was skipped");

    area.set_scroll_top(0);
    scroll_through(&mut widget, &area).await;
    assert!(!is_disabled(&approve));
    assert_eq!(widget.description(&approve), "");
    approve.click();
    let wanted = widget.settle().await;
    let approves = |it: &Intent| matches!(it, Intent::Answer(_, _, Verdict::Approve));
    assert!(wanted.iter().any(approves));
}

#[wasm_bindgen_test]
async fn all_of_many_tools_are_approved_at_once_after_each_was_on_the_screen() {
    for arguments in [r#""to":"ann""#, ""] {
        let tools: Vec<String> = (0..5)
            .map(|at| tool(&format!("t{at}"), arguments))
            .collect();
        let (mut widget, area) = boxed(&tools).await;
        let all = widget.button("Review next");
        let hint = widget.description(&all);
        assert!(hint.ends_with("not reviewed yet."), "{hint}: however short");
        assert_eq!(
            widget.description(&widget.submit_button()),
            "0 of 5 decided"
        );
        let approves = widget.all(".approve");
        assert!(approves.iter().all(|it| !is_disabled(it)), "one by one");
        assert!(!is_disabled(&widget.button("Deny all")));
        scroll_through(&mut widget, &area).await;
        assert_eq!(all.text_content().unwrap(), "Approve all");
        assert!(!is_disabled(&all));
        assert_eq!(widget.description(&all), "");
        widget.press("Approve all").await;
        assert_eq!(widget.all(".approve[aria-pressed=true]").len(), 5);
    }
}

/// Adds this style sheet to a widget, with icons of a size: without one they fill the page.
fn add_style(widget: &Widget, sheet: &str) {
    let document = web_sys::window().unwrap().document().unwrap();
    let style = document.create_element("style").unwrap();
    let icons = "svg { inline-size: 16px; block-size: 16px; }";
    style.set_text_content(Some(&[sheet, icons].concat()));
    widget.container.append_child(&style).unwrap();
}

#[wasm_bindgen_test]
async fn tools_that_are_all_on_the_screen_are_approved_at_once_without_more() {
    let mut widget = Widget::new();
    add_style(&widget, "");
    let stream = widget.send("do it").await;
    let tools = [tool("one", r#""to":"ann""#), tool("two", "")];
    widget.ask(stream, &tools).await;
    widget.one("[part=approval]").scroll_into_view();
    for _ in 0..50 {
        widget.paint().await;
        if can_approve_all(&widget) {
            break;
        }
    }
    widget.press("Approve all").await;
    assert_eq!(widget.all(".approve[aria-pressed=true]").len(), 2);
}

#[wasm_bindgen_test]
async fn approve_all_shows_what_was_not_on_the_screen_before_it_approves() {
    let mut widget = Widget::new();
    let own = ".transcript-frame { block-size: 400px; } .message { flex: none; }";
    let transcript = include_str!("../../../style/transcript.css");
    add_style(&widget, &[transcript, own].concat());
    let stream = widget.send("do it").await;
    widget.ask(stream, &many("refund")).await;
    let area = widget.one("[part=transcript]");
    area.scroll_into_view();
    area.set_scroll_top(area.scroll_height());
    widget.paint().await;
    let mut presses = 0;
    while !can_approve_all(&widget) {
        assert!(widget.all(".approve[aria-pressed=true]").is_empty());
        widget.press("Review next").await;
        let tool = widget.focused().unwrap();
        assert_eq!(tool.get_attribute("part").unwrap(), "approval-tool");
        let [top, of_area] = [&tool, area.as_ref()].map(|it| it.get_bounding_client_rect().top());
        let is_at_end = area.scroll_top() + area.client_height() >= area.scroll_height() - 1;
        let is_on_top = (0.0..=160.0).contains(&(top - of_area));
        assert!(is_on_top || is_at_end, "{top} {of_area}");
        widget.paint().await;
        presses += 1;
        assert!(presses <= 5, "nothing new comes into view");
    }
    assert!(presses > 0, "all was on the screen");
    widget.press("Approve all").await;
    assert_eq!(widget.all(".approve[aria-pressed=true]").len(), 5);
}

#[wasm_bindgen_test]
async fn going_into_a_tool_with_the_keyboard_counts_as_seeing_it() {
    let (mut widget, _area) = boxed(&[with("pay", 100), with("mail", 100)]).await;
    let approves = widget.all(".approve");
    widget.all(".deny")[0].focus().unwrap();
    widget.settle().await;
    assert!(!is_disabled(&approves[0]) && is_disabled(&approves[1]));
    assert!(!can_approve_all(&widget));
    widget.all(".deny")[1].focus().unwrap();
    widget.settle().await;
    assert!(!is_disabled(&approves[1]));
    assert!(can_approve_all(&widget));
}

#[wasm_bindgen_test]
async fn a_focus_that_the_widget_moves_is_no_look() {
    load_renderer();
    let mut widget = Widget::new();
    in_a_box(&widget);
    let stream = widget.send("do it").await;
    for count in [100, 101] {
        let request = asking(&[with("pay", count), tool("mail", "")]);
        widget.event(stream, TYPE, &request);
        widget.paint().await;
        assert!(is_disabled(&widget.all(".approve")[0]), "{count}");
        let deny = widget.all(".deny")[0].clone();
        if count == 101 {
            assert!(deny.is_same_node(widget.focused().as_deref()), "moved");
        }
        deny.blur().unwrap();
        deny.focus().unwrap();
        widget.settle().await;
        assert!(!is_disabled(&widget.all(".approve")[0]), "{count}");
    }
}

#[wasm_bindgen_test]
async fn what_is_not_displayed_was_not_seen() {
    let (mut widget, area) = boxed(&many("refund")).await;
    widget.look().await;
    assert!(can_approve_all(&widget), "it was there");
    let style = area.style();
    style.set_property("display", "none").unwrap();
    let stream = {
        widget.press("Deny all").await;
        widget.submit().await;
        widget.accept().await
    };
    widget.ask(stream, &many("mail")).await;
    widget.paint().await;
    assert!(!can_approve_all(&widget));
    style.set_property("display", "block").unwrap();
    widget.look().await;
    assert!(can_approve_all(&widget));
}
