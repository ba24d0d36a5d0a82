//! Long lists of conversations, of which a window is in the page.

use assent_conversation::Input;
use assent_protocol::SessionThread;
use wasm_bindgen_test::wasm_bindgen_test;

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
