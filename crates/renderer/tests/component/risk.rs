//! What a request makes plain: deceptive values, changes since the last call, and what a tool does.

use assent_renderer::ToolRequest;
use js_sys::{Array, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Element;

use crate::request::{Request, argument, count, one, part, request};

fn set(request: &Request, name: &str, value: impl Into<JsValue>) {
    Reflect::set(request, &name.into(), &value.into()).unwrap();
}

/// Creates arguments that are short, or of the same call as last time.
fn arguments(list: &[(&str, &str, bool)]) -> Array {
    let each = list.iter().map(|(name, text, known)| {
        let argument = argument(name, text, Some("short"));
        Reflect::set(&argument, &"known".into(), &(*known).into()).unwrap();
        argument
    });
    each.collect()
}

fn drawn(request: &Request) -> ToolRequest {
    ToolRequest::new((**request).clone().unchecked_into()).unwrap()
}

fn texts(root: &Element, selector: &str) -> Vec<String> {
    let list = root.query_selector_all(selector).unwrap();
    let texts = (0..list.length()).map(|at| list.item(at).unwrap().text_content().unwrap());
    texts.map(|text| text.trim().to_owned()).collect()
}

/// Draws a clean tool with these arguments, and maybe those of the last call.
fn call(now: &[(&str, &str, bool)], before: &[(&str, &str)]) -> (Request, ToolRequest) {
    let request = request();
    set(&request, "name", "pay");
    set(&request, "label", "Pay");
    set(&request, "arguments", arguments(now));
    if !before.is_empty() {
        let each = before.iter().map(|(name, text)| argument(name, text, None));
        set(&request, "before", each.collect::<Array>());
    }
    let drawn = drawn(&request);
    (request, drawn)
}

#[wasm_bindgen_test]
fn the_suspicious_values_are_counted_and_each_is_a_step_away() {
    let (request, _drawn) = call(
        &[
            ("to", "billing@p\u{430}yments.example", false),
            ("amount", "1", false),
            ("note", "a\u{200b}b", false),
        ],
        &[],
    );
    let (rows, warnings) = (part(&request, "rows"), part(&request, "warnings"));
    assert_eq!(texts(&warnings, ".warnings-title"), ["2 suspicious values"]);
    assert_eq!(texts(&warnings, ".warnings-links button"), ["to", "note"]);
    one(&warnings, "li:nth-child(2) button").click();
    let row = one(&rows, ".argument:nth-child(3)");
    let focused = web_sys::window().unwrap().document().unwrap();
    assert!(row.is_same_node(focused.active_element().as_deref()));
}

#[wasm_bindgen_test]
fn a_value_has_one_note_with_the_most_important_first() {
    let (request, _drawn) = call(
        &[
            ("to", "billing@p\u{430}yments.example", false),
            ("code", "1\u{200b}0", false),
            ("file", "invoice_\u{202e}fdp.exe", false),
            (
                "link",
                "https://accounts.bank.example@tracker.invalid/",
                false,
            ),
            ("page", "https://ada:secret@shop.example/", false),
        ],
        &[],
    );
    let rows = part(&request, "rows");
    assert_eq!(count(&rows, ".argument-note"), 5);
    let notes = texts(&rows, ".argument-note");
    let domain = "Cyrillic letters imitate Latin ones. Real domain: xn--pyments-2fg.example";
    assert!(notes[0].starts_with(domain), "{notes:?}");
    assert_eq!(
        notes[1..],
        [
            "Contains an invisible character (zero width space).",
            "Hidden characters reorder this text.",
            "Opens tracker.invalid, not accounts.bank.example.",
            "Opens shop.example. What comes before the @ is only a sign-in name.",
        ]
    );
}

#[wasm_bindgen_test]
fn the_rest_of_many_findings_is_within_reach() {
    let value = "\u{202e}a\u{200b}b\u{7}c p\u{430}y";
    let (request, _drawn) = call(&[("note", value, false)], &[]);
    let rows = part(&request, "rows");
    assert_eq!(texts(&rows, ".argument-note > span").len(), 2);
    assert_eq!(texts(&rows, ".argument-note summary"), ["2 more notes"]);
    assert_eq!(texts(&rows, ".argument-note details > span").len(), 2);
}

#[wasm_bindgen_test]
fn changed_values_come_first_and_are_marked_letter_by_letter() {
    let (request, _drawn) = call(
        &[
            ("invoice", "2026-0815", true),
            ("urgent", "true", false),
            ("amount", "12,500.00 EUR", false),
        ],
        &[("invoice", "2026-0815"), ("amount", "1,250.00 EUR")],
    );
    let rows = part(&request, "rows");
    let names = texts(&rows, ":scope > .arguments dt");
    assert_eq!(names, ["amount Changed", "urgent New"]);
    assert_eq!(texts(&rows, ".argument-value ins"), ["2,50"]);
    assert_eq!(texts(&rows, ".argument-was"), ["Was: 1,250.00 EUR"]);
    assert_eq!(texts(&rows, ".argument-was del"), [",25"]);
    assert_eq!(texts(&rows, ".same > summary"), ["Same as last time (1)"]);
    assert!(!one(&rows, ".same").has_attribute("open"));
    assert_eq!(texts(&rows, ".same dd"), ["2026-0815"]);
}

#[wasm_bindgen_test]
fn json_is_compared_as_it_is_shown() {
    let (request, _drawn) = call(
        &[("items", r#"{"lamp":2}"#, false)],
        &[("items", r#"{"lamp":1}"#)],
    );
    assert_eq!(texts(&part(&request, "rows"), ".argument-value ins"), ["2"]);
}

#[wasm_bindgen_test]
fn nothing_that_could_deceive_is_folded_away() {
    let (request, _drawn) = call(
        &[("to", "a\u{200b}b", true), ("amount", "2", false)],
        &[("to", "a\u{200b}b"), ("amount", "1")],
    );
    let rows = part(&request, "rows");
    assert_eq!(count(&rows, ".same"), 0);
    assert_eq!(count(&rows, ":scope > .arguments > .argument"), 2);
}

#[wasm_bindgen_test]
fn what_was_not_approved_last_time_is_not_folded_away() {
    let (request, _drawn) = call(
        &[("to", "ada", false), ("amount", "2", false)],
        &[("to", "ada"), ("amount", "1")],
    );
    assert_eq!(count(&part(&request, "rows"), ".same"), 0);
}

#[wasm_bindgen_test]
fn a_value_that_differs_is_not_the_same_whatever_is_claimed() {
    let (request, _drawn) = call(&[("to", "ada", true)], &[("to", "bob")]);
    let rows = part(&request, "rows");
    assert_eq!(count(&rows, ".same"), 0);
    assert_eq!(texts(&rows, "dt"), ["to Changed"]);
}

#[wasm_bindgen_test]
fn a_call_that_is_the_same_altogether_is_open_to_read() {
    let (request, _drawn) = call(&[("to", "ada", true)], &[("to", "ada")]);
    assert!(one(&part(&request, "rows"), ".same").has_attribute("open"));
}

#[wasm_bindgen_test]
fn a_tool_has_a_title_and_its_identifier_in_small_print() {
    let request = request();
    set(&request, "name", "delete_file");
    set(&request, "label", "Delete file");
    let _drawn = drawn(&request);
    let head = part(&request, "head");
    assert_eq!(texts(&head, ".tool-name"), ["Delete file"]);
    let origin = "delete_file · Shop · Payments";
    assert_eq!(texts(&head, ".tool-origin"), [origin]);
}

#[wasm_bindgen_test]
fn what_a_tool_does_is_said_with_who_says_it() {
    for (effect, source, said) in [
        ("reads", "policy", vec!["Reads by this service’s policy"]),
        ("writes", "server", vec!["Writes as the tool’s server says"]),
        (
            "deletes",
            "policy",
            vec!["Deletes by this service’s policy"],
        ),
        (
            "deletes",
            "server",
            vec!["May change or delete as the tool’s server says"],
        ),
        ("writes", "rumour", vec!["Writes"]),
        ("burns", "policy", vec![]),
        ("", "", vec![]),
    ] {
        let request = request();
        set(&request, "effect", effect);
        set(&request, "effectSource", source);
        let _drawn = drawn(&request);
        assert_eq!(texts(&part(&request, "head"), ".tool-effect"), said);
        let danger = texts(&part(&request, "warnings"), ".final");
        let is_final = (effect, source) == ("deletes", "policy");
        assert_eq!(danger.len(), usize::from(is_final), "{effect}");
        assert!(!is_final || danger == ["This cannot be undone."]);
    }
}

#[wasm_bindgen_test]
fn english_sentences_say_that_they_are_english() {
    let request = request();
    set(&request, "locale", "ar");
    let own = argument("request.deletes", "يحذف", None);
    set(&request, "texts", Array::of1(&own));
    set(&request, "effect", "deletes");
    set(&request, "effectSource", "policy");
    let _drawn = drawn(&request);
    let name = one(&part(&request, "head"), ".effect-name");
    assert_eq!(name.text_content().unwrap(), "يحذف");
    assert!(!name.has_attribute("lang"));
    let danger = one(&part(&request, "warnings"), ".final p");
    assert_eq!(danger.get_attribute("lang").as_deref(), Some("en"));
    assert_eq!(danger.get_attribute("dir").as_deref(), Some("auto"));
}
