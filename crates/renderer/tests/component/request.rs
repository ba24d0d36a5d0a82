//! Tool requests, rendered on their own: their elements, opening, and removal.

use std::ops::Deref;

use assent_renderer::ToolRequest;
use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement};

use crate::replaced_property::ReplacedProperty;

/// The widget's request. Its elements are removed from the page when the value is dropped.
pub(crate) struct Request {
    handed: Object,
    elements: [Element; 3],
}

impl Deref for Request {
    type Target = Object;

    fn deref(&self) -> &Object {
        &self.handed
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        self.elements.iter().for_each(Element::remove);
    }
}

/// Creates a tool with one short argument and two long ones, the last of which was opened.
pub(crate) fn request() -> Request {
    let script = "const argument = (name, text, state) => ({ name, text, state }); \
         const make = () => document.body.appendChild(document.createElement('div')); \
         const opened = []; const long = 'a'.repeat(700); \
         return { head: make(), rows: make(), warnings: make(), label: 'pay [U+200B] pal', name: 'pay\\u200bpal', \
             provider: 'Shop', category: 'Payments', before: undefined, opened, open: (place) => opened.push(place), \
             arguments: [argument('amount', '1', 'short'), argument('text', long, 'folded'), argument('', long, 'opened')] };";
    let made = Function::new_no_args(script).call0(&JsValue::NULL);
    let handed: Object = made.unwrap().unchecked_into();
    let elements = ["head", "rows", "warnings"].map(|name| part(&handed, name));
    Request { handed, elements }
}

pub(crate) fn argument(name: &str, text: &str, state: Option<&str>) -> JsValue {
    let argument = Object::new();
    let members = [("name", Some(name)), ("text", Some(text)), ("state", state)];
    for (name, value) in members {
        Reflect::set(&argument, &name.into(), &value.into()).unwrap();
    }
    argument.into()
}

pub(crate) fn get(request: &Object, name: &str) -> JsValue {
    Reflect::get(request, &name.into()).unwrap()
}

pub(crate) fn part(request: &Object, name: &str) -> Element {
    get(request, name).unchecked_into()
}

fn opened(request: &Object) -> u32 {
    get(request, "opened").unchecked_into::<Array>().length()
}

pub(crate) fn one(root: &Element, selector: &str) -> HtmlElement {
    let found = root.query_selector(selector).unwrap();
    let found = found.unwrap_or_else(|| panic!("no {selector} in {}", root.outer_html()));
    found.unchecked_into()
}

pub(crate) fn count(root: &Element, selector: &str) -> u32 {
    root.query_selector_all(selector).unwrap().length()
}

#[wasm_bindgen_test]
fn a_name_that_comes_twice_is_warned_of_at_each_place() {
    let request = request();
    let amounts = ["1", "9999"].map(|text| argument("amount", text, Some("short")));
    let other = argument("to", "ada", Some("short"));
    let arguments: Array = amounts.into_iter().chain([other]).collect();
    Reflect::set(&request, &"arguments".into(), &arguments).unwrap();
    let _drawn = ToolRequest::new(request.clone().unchecked_into()).unwrap();
    let rows = part(&request, "rows");
    assert_eq!(count(&rows, ".argument[data-weight=warning]"), 2);
    let note = one(&rows, ".argument-note").text_content().unwrap();
    assert!(note.starts_with("A name comes twice"), "{note}");
    let warnings = part(&request, "warnings").text_content().unwrap();
    assert!(
        warnings.contains("3 suspicious values") && warnings.ends_with("amountamount"),
        "{warnings}"
    );
}

#[wasm_bindgen_test]
fn each_part_goes_into_its_place() {
    let request = request();
    let _drawn = ToolRequest::new(request.clone().unchecked_into()).unwrap();
    let head = part(&request, "head");
    assert_eq!(count(&head, ".tool-name .mark"), 1);
    assert_eq!(one(&head, ".tool-origin").inner_text(), "Shop · Payments");
    let rows = part(&request, "rows");
    assert_eq!(count(&rows, "dl > .argument"), 3);
    assert_eq!(one(&rows, "dd.argument-value").inner_text(), "1");
    let warnings = part(&request, "warnings");
    assert_eq!(
        one(&warnings, ".warnings-title").inner_text(),
        "1 suspicious value"
    );
    assert_eq!(
        one(&warnings, ".warnings-links").inner_text(),
        "the tool’s name or provider"
    );
}

#[wasm_bindgen_test]
fn what_is_not_to_be_seen_is_not_drawn() {
    let request = request();
    let rows = part(&request, "rows");
    let warnings = part(&request, "warnings");
    for name in ["rows", "warnings"] {
        Reflect::set(&request, &name.into(), &JsValue::UNDEFINED).unwrap();
    }
    let _drawn = ToolRequest::new(request.clone().unchecked_into()).unwrap();
    assert_eq!(count(&part(&request, "head"), ".tool-name"), 1);
    assert!(rows.first_child().is_none() && warnings.first_child().is_none());
}

#[wasm_bindgen_test]
fn opening_is_told_once_and_what_was_opened_is_not_told_again() {
    let request = request();
    let _drawn = ToolRequest::new(request.clone().unchecked_into()).unwrap();
    let rows = part(&request, "rows");
    let folded = one(&rows, ".argument:nth-child(2) button");
    let whole = one(&rows, ".argument:nth-child(3) button");
    assert_eq!(folded.inner_text(), "Show all 700 characters");
    assert_eq!(whole.inner_text(), "Show less");
    whole.click();
    whole.click();
    assert_eq!(opened(&request), 0);
    for _ in 0..3 {
        folded.click();
    }
    assert_eq!(opened(&request), 1);
    let places: Array = get(&request, "opened").unchecked_into();
    assert_eq!(places.get(0), JsValue::from(1));
}

#[wasm_bindgen_test]
fn what_could_not_be_drawn_was_not_opened() {
    let request = request();
    let _drawn = ToolRequest::new(request.clone().unchecked_into()).unwrap();
    let rows = part(&request, "rows");
    let refuse = "() => { throw new Error('no more'); }";
    let refusing = ReplacedProperty::new("document.createElement", refuse);
    let button = one(&rows, ".argument:nth-child(2) button");
    button.click();
    drop(refusing);
    assert_eq!(opened(&request), 0);
    button.click();
    assert_eq!(opened(&request), 1, "the next try");
    assert_eq!(count(&rows, ".argument:nth-child(2) .argument-box"), 1);
}

#[wasm_bindgen_test]
fn a_name_is_not_broken_while_there_is_room() {
    let request = request();
    let rows: Array = get(&request, "arguments").unchecked_into();
    rows.set(1, argument("permanently", "true", Some("short")));
    rows.set(2, argument("a", "true", Some("short")));
    let _drawn = ToolRequest::new(request.clone().unchecked_into()).unwrap();
    let root = part(&request, "rows");
    let sheet = web_sys::window().unwrap().document().unwrap();
    let sheet = sheet.create_element("style").unwrap();
    sheet.set_text_content(Some(include_str!("../../../../style/argument.css")));
    root.append_child(&sheet).unwrap();
    // As wide as a tool in a chat of 360 pixels. The width of a letter must not depend on the system.
    let style = "inline-size: 250px; font: 15px monospace; overflow-wrap: anywhere";
    root.set_attribute("style", style).unwrap();
    let height = |place: u32| {
        let row = format!(".argument:nth-child({place}) .argument-name");
        one(&root, &row).get_bounding_client_rect().height()
    };
    let one_line = height(1);
    assert!(one_line > 0.0);
    assert!((height(2) - one_line).abs() < 1.0, "{}", height(2));
}

#[wasm_bindgen_test]
fn after_its_end_it_hears_nothing() {
    let request = request();
    let drawn = ToolRequest::new(request.clone().unchecked_into()).unwrap();
    let button = one(&part(&request, "rows"), ".argument:nth-child(2) button");
    drop(drawn);
    button.click();
    assert_eq!(opened(&request), 0);
    assert_eq!(button.inner_text(), "Show all 700 characters");
}

#[wasm_bindgen_test]
fn without_all_of_it_nothing_counts_as_drawn() {
    for name in [
        "head",
        "label",
        "name",
        "provider",
        "category",
        "arguments",
        "open",
    ] {
        let request = request();
        Reflect::set(&request, &name.into(), &JsValue::UNDEFINED).unwrap();
        assert!(
            ToolRequest::new(request.clone().unchecked_into()).is_err(),
            "{name}"
        );
    }
    let request = request();
    let rows: Array = get(&request, "arguments").unchecked_into();
    rows.set(1, argument("text", "without a state", None));
    assert!(ToolRequest::new(request.clone().unchecked_into()).is_err());
}
