//! Long lists of conversations, of which a window is in the page.

use assent_conversation::{Draft, Input, Intent};
use assent_protocol::SessionThread;
use wasm_bindgen_test::wasm_bindgen_test;

use super::message::{it_is, stamp};
use crate::widget::{Widget, tick};

fn threads(count: usize) -> Vec<SessionThread> {
    let thread = |at: usize| SessionThread {
        id: format!("t{at}").as_str().into(),
        thread_name: format!("Conversation {at}"),
        ..SessionThread::default()
    };
    (0..count).map(thread).collect()
}

async fn listed(count: usize) -> Widget {
    let mut widget = Widget::new();
    widget.input(Input::Threads(Ok(threads(count))));
    tick().await;
    let toggle = widget.one("[part=threads-toggle]");
    if toggle.get_attribute("aria-expanded").unwrap() == "false" {
        toggle.click();
        tick().await;
    }
    widget
}

#[wasm_bindgen_test]
async fn of_a_long_list_a_window_is_in_the_page_and_each_row_says_its_place_in_the_whole() {
    let widget = listed(5_000).await;
    let rows = widget.all(".row");
    assert!((40..=50).contains(&rows.len()), "{}", rows.len());
    let place = |at: usize| {
        ["aria-posinset", "aria-setsize"].map(|name| rows[at].get_attribute(name).unwrap())
    };
    assert_eq!(place(0), ["1", "5000"]);
    assert_eq!(place(39), ["40", "5000"]);
}

#[wasm_bindgen_test]
async fn a_list_of_fifty_is_drawn_whole_and_needs_no_places() {
    let widget = listed(50).await;
    let rows = widget.all(".row");
    assert_eq!(rows.len(), 50);
    assert!(!rows[49].has_attribute("aria-posinset") && !rows[49].has_attribute("aria-setsize"));
}

#[wasm_bindgen_test]
async fn rows_keep_their_nodes_while_another_one_comes_to_the_top_of_a_long_list() {
    let mut widget = listed(5_000).await;
    let first = widget.all(".row")[0].clone();
    let mut all = threads(5_000);
    all[4_000].last_message_time = serde_json::from_str(r#""2026-01-01T00:00:00Z""#).unwrap();
    widget.input(Input::Threads(Ok(all)));
    tick().await;
    let rows = widget.all(".row");
    assert!(
        rows[0]
            .text_content()
            .unwrap()
            .contains("Conversation 4000")
    );
    assert!(rows[1].is_same_node(Some(&first)));
    assert_eq!(rows[1].get_attribute("aria-posinset").unwrap(), "2");
}

#[wasm_bindgen_test]
async fn rows_are_in_the_order_of_the_list_and_keep_their_nodes() {
    let mut widget = listed(1).await;
    let orders = [
        "abc", "cab", "bca", "cdb", "xyz", "zyx", "zaybx", "b", "abcdefgh", "hgfedcba", "bdfh",
        "fxbyh", "hfb", "a",
    ];
    let mut before: Vec<(String, web_sys::HtmlElement)> = Vec::new();
    for order in orders {
        let thread = |name: char| SessionThread {
            id: name.to_string().as_str().into(),
            thread_name: name.to_string(),
            ..SessionThread::default()
        };
        let all = order.chars().map(thread).collect();
        widget.input(Input::Threads(Ok(all)));
        tick().await;
        let rows = widget.all("[part~=thread]").into_iter();
        let after: Vec<_> = rows
            .map(|row| (row.text_content().unwrap_or_default(), row))
            .collect();
        let names: Vec<&str> = after.iter().map(|(name, _)| name.trim()).collect();
        assert_eq!(names.concat(), order);
        for (name, row) in &before {
            let stays = after.iter().any(|(_, it)| it.is_same_node(Some(row)));
            assert_eq!(stays, order.contains(name.trim()), "{name} in {order}");
        }
        before = after;
    }
}

/// A thread whose last message is so many days old.
fn aged(name: &str, days: f64) -> SessionThread {
    let at = js_sys::Date::new(&(js_sys::Date::now() - days * 86_400_000.0).into());
    let time = format!("\"{}\"", String::from(at.to_iso_string()));
    SessionThread {
        id: name.into(),
        thread_name: name.into(),
        last_message_time: serde_json::from_str(&time).unwrap(),
        ..SessionThread::default()
    }
}

#[wasm_bindgen_test]
async fn days_are_headings_above_their_first_conversations() {
    let mut widget = listed(0).await;
    let groups = |widget: &Widget| -> Vec<(String, String)> {
        let rows = widget.all(".row").into_iter();
        let named = rows.filter_map(|row| {
            let group = row.query_selector("h3").unwrap()?;
            let name = row.query_selector(".thread").unwrap().unwrap();
            Some((group.text_content()?, name.text_content()?))
        });
        named.collect()
    };
    let all = [
        ("a", 0.0),
        ("b", 0.0001),
        ("c", 1.0),
        ("d", 2.0),
        ("e", 40.0),
    ];
    let all: Vec<_> = all
        .into_iter()
        .map(|(name, days)| aged(name, days))
        .collect();
    let is = |group: &str, name: &str| (group.to_owned(), name.to_owned());
    widget.input(Input::Threads(Ok(all.clone())));
    tick().await;
    let expected = [is("Today", "a"), is("Yesterday", "c"), is("Earlier", "d")];
    assert_eq!(groups(&widget), expected);
    // A day without conversations has no heading.
    widget.input(Input::Threads(Ok(vec![all[0].clone(), all[4].clone()])));
    tick().await;
    assert_eq!(groups(&widget), [is("Today", "a"), is("Earlier", "e")]);
}

#[wasm_bindgen_test]
async fn at_midnight_the_headings_of_an_open_list_change() {
    let evening = it_is(20, 11 * 60 + 58);
    let mut widget = listed(0).await;
    let thread = |name: &str, time: String| SessionThread {
        id: name.into(),
        thread_name: name.into(),
        last_message_time: serde_json::from_str(&format!("\"{time}\"")).unwrap(),
        ..SessionThread::default()
    };
    let all = vec![thread("a", stamp(20, 0)), thread("b", stamp(19, 0))];
    widget.input(Input::Threads(Ok(all)));
    tick().await;
    let names = |widget: &Widget| -> Vec<_> {
        let names = widget.all(".row h3").into_iter();
        names.filter_map(|name| name.text_content()).collect()
    };
    assert_eq!(names(&widget), ["Today", "Yesterday"]);
    drop(evening);
    let _night = it_is(20, 12 * 60);
    // The clock moves on once a minute, and when the page is shown again.
    let shown = web_sys::Event::new("visibilitychange").unwrap();
    let document = web_sys::window().unwrap().document().unwrap();
    document.dispatch_event(&shown).unwrap();
    tick().await;
    assert_eq!(names(&widget), ["Yesterday", "Earlier"]);
}

#[wasm_bindgen_test]
async fn a_list_without_times_has_no_headings() {
    assert!(listed(3).await.all(".row h3").is_empty());
}

#[wasm_bindgen_test]
async fn a_conversation_that_is_not_open_says_that_it_has_a_draft() {
    let mut widget = listed(2).await;
    let draft = Draft {
        thread: Some("t1".into()),
        text: "later".into(),
        ..Draft::default()
    };
    widget.input(Input::Drafts(vec![draft]));
    tick().await;
    assert_eq!(widget.read(".thread-mark"), "Draft");
    let button = widget.all("[part=thread]")[1].clone();
    assert_eq!(widget.description(&button), "Draft");
    widget.input(Input::Intent(Intent::OpenThread("t1".into())));
    tick().await;
    assert!(widget.all(".thread-mark").is_empty());
    widget.input(Input::Intent(Intent::OpenThread("t0".into())));
    tick().await;
    assert_eq!(widget.read(".thread-mark"), "Draft");
}

#[wasm_bindgen_test]
async fn the_button_for_a_new_conversation_is_at_the_list_while_that_is_shown() {
    let widget = listed(1).await;
    let place = |widget: &Widget| {
        let button = widget.one("[part=thread-new]");
        button.closest("nav").unwrap().is_some()
    };
    assert!(place(&widget));
    widget.one("[part=threads-toggle]").click();
    tick().await;
    assert!(!place(&widget));
}

#[wasm_bindgen_test]
async fn a_long_list_that_becomes_short_is_drawn_whole() {
    let mut widget = listed(5_000).await;
    widget.input(Input::Threads(Ok(threads(3))));
    tick().await;
    let rows = widget.all(".row");
    assert_eq!(rows.len(), 3);
    assert!(!rows[2].has_attribute("aria-setsize"));
}

#[wasm_bindgen_test]
async fn a_focused_row_keeps_the_focus_while_others_come_before_it() {
    let mut widget = listed(30).await;
    let button = widget.all("[part=thread]")[20].clone();
    button.focus().unwrap();
    let more = (0..12).map(|at| SessionThread {
        id: format!("new{at}").as_str().into(),
        ..SessionThread::default()
    });
    widget.input(Input::Threads(Ok(more.chain(threads(30)).collect())));
    tick().await;
    assert_eq!(widget.all(".row").len(), 42);
    let focused = widget.focused();
    assert!(focused.is_some_and(|it| it.is_same_node(Some(&button))));
}
