//! Arguments that a person corrects on the card (extension `edited-arguments`).

use assent_conversation::Intent;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::widget::{Widget, fill, tool};

const SCHEMAS: &str = r#"{"/a~1b":"{\"type\":\"integer\",\"minimum\":2}"}"#;

async fn asked() -> Widget {
    let request = tool("send", r#""to":"ann","a/b":"3""#);
    let request = request.strip_suffix('}').unwrap();
    let request =
        format!(r#"{request},"editable":["/a~1b","/gone","/to/0"],"editableSchemas":{SCHEMAS}}}"#);
    let mut widget = Widget::asked(&[request]).await;
    widget.look().await;
    widget
}

/// Types a value, and returns what the core is told of it.
async fn typed(widget: &mut Widget, value: &str) -> (Option<String>, bool) {
    fill(&widget.one(".edit-field textarea"), value);
    let intents = widget.settle().await;
    let [Intent::EditArguments(_, _, edited, is_valid)] = intents.as_slice() else {
        panic!("{intents:?}")
    };
    (edited.clone(), *is_valid)
}

#[wasm_bindgen_test]
async fn the_core_is_told_all_arguments_with_what_was_changed_and_whether_the_tool_takes_it() {
    let mut widget = asked().await;
    let buttons = widget.all(".edit");
    assert_eq!(
        buttons.len(),
        1,
        "what the request does not have is left out"
    );
    widget.press("Edit a/b").await;
    let changed = |value: &str| Some(format!(r#"{{"to":"ann","a/b":"{value}"}}"#));
    assert_eq!(typed(&mut widget, "5").await, (changed("5"), true));
    assert!(widget.read(".difference").contains('5'));
    assert_eq!(typed(&mut widget, "1").await, (changed("1"), false));
    assert_eq!(widget.read(".edit-fault"), "Too small: 2 at least");
    assert_eq!(typed(&mut widget, "3").await, (None, true));
    assert!(widget.all(".difference").is_empty());
    assert_eq!(widget.read(".edit-fault"), "");
}

#[wasm_bindgen_test]
async fn undo_brings_the_value_of_the_request_back_and_the_field_keeps_the_focus() {
    let mut widget = asked().await;
    widget.press("Edit a/b").await;
    typed(&mut widget, "5").await;
    let intents = widget.press("Undo change").await;
    assert!(
        matches!(
            intents.as_slice(),
            [Intent::EditArguments(_, _, None, true)]
        ),
        "{intents:?}"
    );
    let field = widget.one(".edit-field textarea");
    assert!(widget.focused().unwrap().is_same_node(Some(&field)));
}
