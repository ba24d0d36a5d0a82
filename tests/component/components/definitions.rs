//! Requests for calls of a tool that is new, or was changed since it was accepted.

use assent_conversation::{Intent, Verdict};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::widget::{Widget, tool};

/// Returns a request for a tool with what its server says of it now, and said before.
fn changed(now: &str, accepted: &str) -> String {
    let told = |name: &str, description: &str| match description {
        "" => String::new(),
        _ => format!(
            r#","{name}":{{"description":"{description}","inputSchema":"{{}}","readOnlyHint":"false"}}"#
        ),
    };
    let request = tool("pay", r#""amount":"1""#);
    let request = request.strip_suffix('}').unwrap();
    let (now, accepted) = (
        told("definition", now),
        told("acceptedDefinition", accepted),
    );
    format!(r#"{request},"definitionChanged":true{now}{accepted}}}"#)
}

async fn asked(now: &str, accepted: &str) -> Widget {
    let mut widget = Widget::asked(&[changed(now, accepted)]).await;
    widget.look().await;
    widget
}

fn choices(widget: &Widget) -> Vec<String> {
    let labels = widget.all(".choice span").into_iter();
    labels.map(|it| it.text_content().unwrap()).collect()
}

#[wasm_bindgen_test]
async fn a_changed_definition_is_shown_with_what_changed_and_approved_for_one_call_or_for_good() {
    let widget = asked("Pays anybody.", "Pays Ann.").await;
    assert_eq!(
        widget.all(".argument").len(),
        2,
        "what is equal is not shown"
    );
    let rows = widget.read(".approval");
    assert!(
        rows.contains("What its provider says of this tool now:"),
        "{rows}"
    );
    assert!(rows.contains("Pays anybody."), "{rows}");
    assert_eq!(widget.read(".argument-was"), "Accepted before: Pays Ann.");
    assert_eq!(widget.read(".argument-was del"), "Ann");
    let expected = [
        "Approve this call",
        "Approve, and the tool from now on",
        "Deny",
    ];
    assert_eq!(choices(&widget), expected);
    for (place, verdict) in [(0, Verdict::Approve), (1, Verdict::ApproveDefinition)] {
        let mut widget = asked("Pays anybody.", "Pays Ann.").await;
        widget.all(".choice")[place].click();
        let wanted = widget.settle().await;
        assert!(
            matches!(wanted.as_slice(), [Intent::Answer(_, _, it)] if *it == verdict),
            "{wanted:?}"
        );
    }
}

#[wasm_bindgen_test]
async fn a_new_tool_is_shown_whole_and_what_is_not_told_cannot_be_accepted() {
    let widget = asked("Pays anybody.", "").await;
    assert_eq!(widget.all(".argument").len(), 4);
    assert!(
        widget
            .read(".approval")
            .contains("What its provider says of this tool:")
    );
    assert!(widget.all(".argument-was").is_empty());
    assert_eq!(choices(&widget).len(), 3);
    let widget = asked("", "").await;
    assert_eq!(choices(&widget), ["Approve", "Deny"]);
}

#[wasm_bindgen_test]
async fn a_long_change_is_shown_as_one_text_with_what_went_and_what_came() {
    let (now, accepted) = ("Pays anybody. ".repeat(20), "Pays Ann only. ".repeat(20));
    let widget = asked(&now, &accepted).await;
    let change = widget.one(".argument-was .argument-box");
    assert_eq!(change.get_attribute("tabindex").unwrap(), "0");
    let said = change.text_content().unwrap();
    assert!(
        said.contains("Ann only") && said.contains("anybody"),
        "{said}"
    );
    assert_eq!(widget.all(".argument-was :is(del, ins)").len(), 2);
}

#[wasm_bindgen_test]
async fn a_long_definition_is_to_be_opened_before_anything_is_approved() {
    let mut widget = asked(&"Pays anybody. ".repeat(100), "Pays Ann.").await;
    let approve = widget.all(".approve");
    assert!(approve.iter().all(|it| it.has_attribute("disabled")));
    widget.button("Show all 1,400 characters").click();
    let wanted = widget.settle().await;
    assert!(
        matches!(wanted.as_slice(), [Intent::OpenArgument(_, _, 1)]),
        "{wanted:?}"
    );
    approve[1].click();
    let wanted = widget.settle().await;
    let accepts = |it: &Intent| matches!(it, Intent::Answer(_, _, Verdict::ApproveDefinition));
    assert!(wanted.iter().any(accepts), "{wanted:?}");
}
