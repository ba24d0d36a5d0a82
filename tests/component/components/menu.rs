//! The menu of the whole chat: its actions, and the confirmation before deleting stored data.

use assent_conversation::{Command, Input, Intent};
use assent_widget::store::set_if_changed;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::widget::Widget;

/// Returns the lines of the menu that is open.
fn lines(widget: &Widget) -> Vec<String> {
    let lines = widget.all("[role=menuitem]").into_iter();
    lines.map(|it| it.text_content().unwrap()).collect()
}

async fn opened() -> Widget {
    let mut widget = Widget::new();
    widget.one("[part=menu]").click();
    widget.settle().await;
    widget
}

fn name_of_focus(widget: &Widget) -> Option<String> {
    widget.focused()?.get_attribute("aria-label")
}

#[wasm_bindgen_test]
async fn copying_leaves_the_menu_open_and_its_line_says_how_it_ended() {
    let mut widget = opened().await;
    assert_eq!(
        lines(&widget),
        ["Clear data on this device…", "Copy diagnostic log"]
    );
    widget.one("[role=menuitem]:last-of-type").click();
    assert_eq!(widget.settle().await, [Intent::CopyLog]);
    assert_eq!(widget.commands.last(), Some(&Command::CopyLog));
    widget.input(Input::LogCopied(true));
    widget.settle().await;
    assert_eq!(lines(&widget)[1], "Diagnostic log copied");
    widget.input(Input::LogCopied(false));
    widget.settle().await;
    assert_eq!(lines(&widget)[1], "The log was not copied.");
}

#[wasm_bindgen_test]
async fn the_device_forgets_after_a_question_and_the_focus_comes_back() {
    for is_confirmed in [false, true] {
        let mut widget = opened().await;
        widget.one("[role=menuitem]:first-of-type").click();
        assert_eq!(widget.settle().await, []);
        assert!(lines(&widget).is_empty());
        let dialog = widget.all("[role=alertdialog]");
        assert!(
            dialog[0]
                .text_content()
                .unwrap()
                .contains("Clear data on this device?")
        );
        let button = if is_confirmed { "last" } else { "first" };
        widget
            .one(&format!("[role=alertdialog] button:{button}-of-type"))
            .click();
        let wanted = widget.settle().await;
        assert_eq!(wanted.contains(&Intent::ForgetDevice), is_confirmed);
        assert!(widget.all("[role=alertdialog]").is_empty());
        assert_eq!(name_of_focus(&widget).as_deref(), Some("More"));
    }
}

#[wasm_bindgen_test]
async fn the_permission_to_notify_is_asked_for_by_a_line_that_is_there_while_it_can_be() {
    let mut widget = opened().await;
    set_if_changed(&widget.settings.asks_permission, true);
    widget.settle().await;
    assert_eq!(lines(&widget)[0], "Tell me when a decision waits");
    // The module that notifies hears the click there.
    widget.one(".menu-item.tell-me").click();
    assert_eq!(widget.settle().await, []);
    assert!(lines(&widget).is_empty());
    assert_eq!(name_of_focus(&widget).as_deref(), Some("More"));
    set_if_changed(&widget.settings.asks_permission, false);
    widget.one("[part=menu]").click();
    widget.settle().await;
    assert_eq!(lines(&widget).len(), 2);
}
