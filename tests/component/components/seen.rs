//! What was on the screen: a long request and a whole card are approved only after that.

use assent_conversation::{Intent, Verdict};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::widget::{Widget, frames, load_renderer, tool};

const SCROLL: &str = "This can be approved once you have scrolled through all of it, or moved into it with the Tab key.";
const SCROLL_ALL: &str =
    "Not every action was on the screen yet. “Approve all” shows the next one first.";

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
    element.has_attribute("disabled") || element.has_attribute("aria-disabled")
}

#[wasm_bindgen_test]
async fn a_request_of_many_arguments_is_approved_once_all_of_it_was_on_the_screen() {
    let (mut widget, area) = boxed(&[with("pay", 100)]).await;
    let approve = widget.one(".approve input");
    let all = widget.button("Approve all");
    let choices = widget.one("[role=radiogroup]");
    assert!(is_disabled(&approve) && is_disabled(&all));
    assert_eq!(widget.description(&choices), SCROLL);
    assert!(widget.description(&all).starts_with(SCROLL_ALL));
    assert!(!is_disabled(&widget.one(".deny input")));
    approve.click();
    all.click();
    assert!(widget.settle().await.is_empty());

    area.set_scroll_top(area.scroll_height());
    widget.paint().await;
    assert!(is_disabled(&approve), "its middle was skipped");

    area.set_scroll_top(0);
    scroll_through(&mut widget, &area).await;
    assert!(!is_disabled(&approve) && !is_disabled(&all));
    assert_eq!(widget.description(&choices), "");
    assert!(!widget.description(&all).contains("Scroll"));
    approve.click();
    let wanted = widget.settle().await;
    let approves = |it: &Intent| matches!(it, Intent::Decide(_, _, Verdict::Approve));
    assert!(wanted.iter().any(approves));
}

#[wasm_bindgen_test]
async fn all_of_many_tools_are_approved_at_once_after_each_was_on_the_screen() {
    for arguments in [r#""to":"ann""#, ""] {
        let tools: Vec<String> = (0..5)
            .map(|at| tool(&format!("t{at}"), arguments))
            .collect();
        let (mut widget, area) = boxed(&tools).await;
        let all = widget.button("Approve all");
        assert!(is_disabled(&all), "however short they are");
        assert_eq!(
            widget.description(&all),
            [SCROLL_ALL, "0 of 5 decided"].concat()
        );
        let approves = widget.all(".approve input");
        assert!(approves.iter().all(|it| !is_disabled(it)), "one by one");
        assert!(!is_disabled(&widget.button("Deny all")));
        scroll_through(&mut widget, &area).await;
        assert!(!is_disabled(&all));
        assert_eq!(widget.description(&all), "0 of 5 decided");
        widget.press("Approve all").await;
        assert_eq!(widget.all(".approve input:checked").len(), 5);
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
    let all = widget.button("Approve all");
    for _ in 0..50 {
        widget.paint().await;
        if !is_disabled(&all) {
            break;
        }
    }
    widget.press("Approve all").await;
    assert_eq!(widget.all(".approve input:checked").len(), 2);
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
    let all = widget.button("Approve all");
    let mut presses = 0;
    while is_disabled(&all) {
        assert!(widget.all(".approve input:checked").is_empty());
        widget.press("Approve all").await;
        let tool = widget.focused().unwrap();
        assert_eq!(tool.get_attribute("part").unwrap(), "approval-tool");
        let [top, of_area] = [&tool, area.as_ref()].map(|it| it.get_bounding_client_rect().top());
        let is_at_end = area.scroll_top() + area.client_height() >= area.scroll_height() - 1;
        let is_on_top = (0.0..=20.0).contains(&(top - of_area));
        assert!(is_on_top || is_at_end, "{top} {of_area}");
        widget.paint().await;
        presses += 1;
        assert!(presses <= 5, "nothing new comes into view");
    }
    assert!(presses > 0, "all was on the screen");
    widget.press("Approve all").await;
    assert_eq!(widget.all(".approve input:checked").len(), 5);
}

#[wasm_bindgen_test]
async fn going_into_a_tool_with_the_keyboard_counts_as_seeing_it() {
    let (mut widget, _area) = boxed(&[with("pay", 100), with("mail", 100)]).await;
    let approves = widget.all(".approve input");
    widget.all(".deny input")[0].focus().unwrap();
    widget.settle().await;
    assert!(!is_disabled(&approves[0]) && is_disabled(&approves[1]));
    assert!(is_disabled(&widget.button("Approve all")));
    widget.all(".deny input")[1].focus().unwrap();
    widget.settle().await;
    assert!(!is_disabled(&approves[1]));
    assert!(!is_disabled(&widget.button("Approve all")));
}

#[wasm_bindgen_test]
async fn a_focus_that_the_widget_moves_is_no_look() {
    load_renderer();
    let mut widget = Widget::new();
    in_a_box(&widget);
    let stream = widget.send("do it").await;
    for count in [100, 101] {
        let request = with("pay", count);
        let request = format!(r#""content":"","toolExecutionApprovalRequest":[{request}]"#);
        widget.event(stream, "TOOL_EXECUTION_APPROVAL_REQUEST", &request);
        widget.paint().await;
        assert!(is_disabled(&widget.one(".approve input")), "{count}");
        let deny = widget.one(".deny input");
        if count == 101 {
            assert!(deny.is_same_node(widget.focused().as_deref()), "moved");
        }
        deny.blur().unwrap();
        deny.focus().unwrap();
        widget.settle().await;
        assert!(!is_disabled(&widget.one(".approve input")), "{count}");
    }
}

#[wasm_bindgen_test]
async fn what_is_not_displayed_was_not_seen() {
    let (mut widget, area) = boxed(&many("refund")).await;
    widget.look().await;
    assert!(!is_disabled(&widget.button("Approve all")), "it was there");
    let style = area.style();
    style.set_property("display", "none").unwrap();
    let stream = {
        widget.press("Deny all").await;
        widget.press("Submit decisions").await;
        widget.accept().await
    };
    widget.ask(stream, &many("mail")).await;
    widget.paint().await;
    assert!(is_disabled(&widget.button("Approve all")));
    style.set_property("display", "block").unwrap();
    widget.look().await;
    assert!(!is_disabled(&widget.button("Approve all")));
}
