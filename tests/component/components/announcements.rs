//! What is announced, one text after the other and without marks.

use assent_conversation::{Announcement, Change, Input, Intent, ThreadId};
use assent_protocol::SessionThread;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::widget::{Widget, tick};

fn say(widget: &Widget, what: Announcement) {
    widget.show(&[Change::Announce(what)]);
}

fn regions(widget: &Widget) -> [String; 2] {
    ["polite", "assertive"].map(|how| widget.read(&format!("[aria-live={how}]")))
}

#[wasm_bindgen_test]
async fn two_texts_are_said_one_after_the_other_and_the_urgent_one_first() {
    let widget = Widget::new();
    say(&widget, Announcement::Answering);
    tick().await;
    let first = "Assistant is answering.";
    assert_eq!(regions(&widget), [first, ""]);
    say(&widget, Announcement::Renamed);
    tick().await;
    say(&widget, Announcement::Deleted);
    let tools = vec!["refund".to_owned()];
    say(
        &widget,
        Announcement::ApprovalNeeded {
            tools,
            elsewhere: None,
        },
    );
    tick().await;
    assert_eq!(regions(&widget), [first, ""], "not a moment later");
    let asks = "1 action needs your approval: Refund.";
    assert_eq!(widget.said().await, [first, asks]);
    assert_eq!(widget.said().await, ["Renamed Deleted", asks]);
    assert_eq!(widget.said().await, ["Renamed Deleted", asks]);
}

#[wasm_bindgen_test]
async fn answers_are_said_without_the_marks_of_markdown() {
    for (markdown, said) in [
        (
            "# Stock\n\nIt is **low**, see [the list](https://a.example/b).",
            "Stock It is low, see the list.",
        ),
        ("- [x] one\n- *two*\n> 3. three", "one two 3. three"),
        (
            "| Part | Left |\n|:-----|-----:|\n| Bolt | 4 |",
            "Part, Left Bolt, 4",
        ),
        (
            "```sh\nls -la snake_case\n```\nand `rm`",
            "ls -la snake_case and rm",
        ),
        (
            "A note[^1] ![plan](x.png) ~~old~~ __new__\n\n[^1]: Here",
            "A note plan old new Here",
        ),
        (
            "2 * 3 * 4 = 24, 1 < 2, a_b_c, 5 - 3",
            "2 * 3 * 4 = 24, 1 < 2, a_b_c, 5 - 3",
        ),
        ("\\*as it is\\* 5 % - 2", "*as it is* 5 % - 2"),
    ] {
        let widget = Widget::new();
        say(
            &widget,
            Announcement::Answered {
                author: String::new(),
                text: markdown.to_owned(),
                words: Vec::new(),
            },
        );
        assert_eq!(widget.said().await[0], format!("Assistant: {said}"));
    }
}

/// Returns a widget that lists these conversations.
async fn listed(names: &[&str]) -> Widget {
    let mut widget = Widget::new();
    let thread = |name: &&str| SessionThread {
        id: ThreadId::from(*name),
        thread_name: (*name).to_owned(),
        ..SessionThread::default()
    };
    widget.input(Input::Threads(Ok(names.iter().map(thread).collect())));
    tick().await;
    let toggle = widget.one("[part=threads-toggle]");
    if toggle.get_attribute("aria-expanded").unwrap() == "false" {
        toggle.click();
        tick().await;
    }
    widget
}

#[wasm_bindgen_test]
async fn after_a_deletion_it_is_said_and_the_focus_is_on_the_next_conversation() {
    for (deleted, next) in [("One", "Two"), ("Three", "Two")] {
        let mut widget = listed(&["One", "Two", "Three"]).await;
        widget.press(&format!("Actions for {deleted}")).await;
        widget.press("Delete").await;
        widget.one("[role=alertdialog] .danger").click();
        let wanted = widget.settle().await;
        assert_eq!(wanted, [Intent::DeleteThread(deleted.into())]);
        let focused = widget.focused().unwrap();
        assert_eq!(focused.get_attribute("aria-label").unwrap(), next);
        widget.input(Input::ThreadDeleted {
            thread: deleted.into(),
            result: Ok(()),
        });
        assert_eq!(widget.said().await[0], "Deleted");
        assert!(
            widget
                .button(next)
                .is_same_node(widget.focused().as_deref())
        );
    }
}
