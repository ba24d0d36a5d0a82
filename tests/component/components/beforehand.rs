//! What a person allows beforehand on the card (extension `grants`).

use assent_conversation::{Intent, Verdict};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

use crate::widget::{Widget, tick, tool};

const OPEN: &str = "Approve and don't ask again";
const ALLOW: &str = "Approve and allow";

fn grantable(name: &str, arguments: &str, scopes: &str) -> String {
    let request = tool(name, arguments);
    let request = request.strip_suffix('}').unwrap();
    format!(r#"{request},"grantScopes":{scopes},"grantMaxSeconds":28800}}"#)
}

async fn asked(requests: &[String]) -> Widget {
    let mut widget = Widget::asked(requests).await;
    widget.look().await;
    widget
}

fn labels(widget: &Widget) -> Vec<String> {
    let labels = widget.all(".beforehand label").into_iter();
    labels.map(|it| it.text_content().unwrap()).collect()
}

fn boxes(widget: &Widget) -> Vec<HtmlInputElement> {
    let inputs = widget.all(".beforehand [type=checkbox]").into_iter();
    inputs.map(JsCast::unchecked_into).collect()
}

#[wasm_bindgen_test]
async fn a_call_is_approved_and_such_calls_are_allowed_for_a_time_and_for_values() {
    let arguments = r#""path":"drafts/a.md","a/b~c":"1""#;
    let request = grantable("write", arguments, r#"["thread","agent"]"#);
    let mut widget = asked(&[request]).await;
    assert!(widget.all(".beforehand").is_empty());
    widget.button(OPEN).click();
    widget.settle().await;
    let expected = [
        "In this conversation",
        "For 1 hour",
        "For 8 hours",
        "Only with the same “path”",
        "Only with the same “a/b~c”",
    ];
    assert_eq!(labels(&widget), expected, "seven days are too long");
    assert!(boxes(&widget).iter().all(HtmlInputElement::checked));
    widget.all(".beforehand [type=radio]")[1].click();
    boxes(&widget)[0].click();
    widget.button(ALLOW).click();
    let before = js_sys::Date::now();
    let wanted = widget.settle().await;
    let [
        Intent::AllowBeforehand(_, _, grant),
        Intent::Answer(_, _, Verdict::ApproveBeforehand),
    ] = wanted.as_slice()
    else {
        panic!("{wanted:?}")
    };
    let (begin, rest) = grant.split_once(r#""until":""#).unwrap();
    let (until, end) = rest.split_once('"').unwrap();
    assert_eq!(begin, r#"{"scope":"agent","#);
    assert_eq!(end, r#","when":{"/a~1b~0c":"same"}}"#);
    let until = js_sys::Date::parse(until) - before;
    assert!((3_590_000.0..=3_600_000.0).contains(&until), "{until}");
}

#[wasm_bindgen_test]
async fn the_form_offers_what_the_request_does() {
    let request = grantable("write", r#""path":"a""#, r#"["thread"]"#);
    let mut widget = asked(&[request]).await;
    widget.button(OPEN).click();
    widget.settle().await;
    let expected = ["In this conversation", "Only with the same “path”"];
    assert_eq!(labels(&widget), expected);
    widget.button(ALLOW).click();
    let wanted = widget.settle().await;
    let grant = r#"{"scope":"thread","when":{"/path":"same"}}"#;
    assert!(
        matches!(wanted.first(), Some(Intent::AllowBeforehand(_, _, it)) if it == grant),
        "{wanted:?}"
    );
    let widget = asked(&[tool("write", r#""path":"a""#)]).await;
    assert!(widget.all(".beforehand-button").is_empty());
}

#[wasm_bindgen_test]
async fn what_looks_like_something_else_may_not_become_any_value() {
    let request = grantable("pay", "\"to\":\"\u{202e}nna\"", r#"["thread"]"#);
    let mut widget = asked(&[request]).await;
    widget.button(OPEN).click();
    widget.settle().await;
    assert!(
        boxes(&widget)
            .iter()
            .all(|it| it.checked() && it.disabled())
    );
}

#[wasm_bindgen_test]
async fn of_several_tools_one_is_allowed_beforehand_and_the_rest_is_decided_alone() {
    let request = |name: &str| grantable(name, r#""path":"a""#, r#"["thread"]"#);
    let mut widget = asked(&[request("write"), request("read")]).await;
    let toggles = || widget.all(".beforehand-button");
    assert_eq!(toggles().len(), 2);
    toggles()[0].click();
    widget.settle().await;
    widget.button(ALLOW).click();
    let wanted = widget.settle().await;
    assert!(
        matches!(
            wanted.as_slice(),
            [
                Intent::AllowBeforehand(..),
                Intent::Decide(_, _, Verdict::ApproveBeforehand)
            ]
        ),
        "{wanted:?}"
    );
    let toggles = widget.all(".beforehand-button");
    assert_eq!(toggles[0].get_attribute("aria-pressed").unwrap(), "true");
    assert_eq!(toggles[0].get_attribute("aria-expanded").unwrap(), "false");
    assert_eq!(toggles[1].get_attribute("aria-pressed").unwrap(), "false");
    assert!(widget.all(".beforehand").is_empty());
    let focused = widget.focused().unwrap();
    assert_eq!(focused.matches(".beforehand-button"), Ok(true));
    assert_eq!(
        widget.read(".approval-foot .decisions-hint"),
        "1 of 2 decided"
    );
}

#[wasm_bindgen_test]
async fn ten_equal_reads_are_one_decision_and_the_person_hears_of_it() {
    let reads: Vec<String> = (0..10)
        .map(|n| {
            let read = grantable("read", r#""path":"a""#, r#"["thread"]"#);
            read.replace("e-read", &format!("e{n}"))
        })
        .collect();
    let mut widget = asked(&reads).await;
    let said = |widget: &Widget| widget.read("[part=approval] .decisions > [role=status]");
    assert_eq!(said(&widget), "");
    widget.all(".tool .deny")[4].click();
    widget.settle().await;
    widget.all(".beforehand-button")[0].click();
    widget.settle().await;
    let wanted = widget.press(ALLOW).await;
    assert_eq!(wanted.len(), 2, "the rest is chosen by itself");
    let sentence = "“Approve” is chosen for 8 more actions, which are covered by what you allow. \
                    You can still change that.";
    assert_eq!(said(&widget), sentence);
    let pressed = |widget: &Widget, button: &str| {
        let pressed = [button, "[aria-pressed=true]"].concat();
        widget.all(&pressed).len()
    };
    assert_eq!(pressed(&widget, ".approve"), 8);
    assert_eq!(pressed(&widget, ".beforehand-button"), 1);
    tick().await;
    let submit = widget.submit_button();
    assert!(submit.is_same_node(widget.focused().as_deref()));
    assert_eq!(
        submit.text_content().unwrap(),
        "Submit: 9 approved, 1 denied"
    );
    // Each can be decided otherwise.
    widget.all(".tool .deny")[9].click();
    widget.settle().await;
    assert_eq!(said(&widget), sentence.replace('8', "7"));
    // Without what covers them they are undecided.
    widget.all(".tool .deny")[0].click();
    widget.settle().await;
    assert_eq!(said(&widget), "");
    assert_eq!(
        widget.read(".approval-foot .decisions-hint"),
        "3 of 10 decided"
    );
}
