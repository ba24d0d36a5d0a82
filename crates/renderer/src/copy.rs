//! Copying of an answer to the clipboard: as the HTML that is shown, and as its Markdown.

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Clipboard, Element, XmlSerializer};

use crate::events::give_address;

/// Selector of the nodes in an answer that are not part of its content, and so are not copied.
const UNCOPIED: &str = "button, svg, .code-head, .image:not(.loaded)";

/// Writes the answer to the clipboard as HTML, and as `text` for programs that take plain text.
/// Returns `None` if the browser cannot write both.
pub(crate) fn copy_answer(answer: &Element, text: &str) -> Option<Promise> {
    let forms = [
        ("text/plain", blob("text/plain", text)?),
        ("text/html", blob("text/html", &answer_markup(answer)?)?),
    ];
    let item = construct("ClipboardItem", &Array::of1(&js_object(&forms)))?;
    Some(clipboard(answer)?.write(&Array::of1(&item)))
}

/// Returns the clipboard of the page; `None` on pages that are not served securely.
fn clipboard(answer: &Element) -> Option<Clipboard> {
    let window = answer.owner_document()?.default_view()?;
    let clipboard = window.navigator().clipboard();
    let there: &JsValue = clipboard.as_ref();
    (!there.is_undefined()).then_some(clipboard)
}

/// Returns the answer as HTML for the clipboard, without buttons, and with the addresses of links.
/// All its nodes were created by the renderer, so that nothing in it runs.
fn answer_markup(answer: &Element) -> Option<String> {
    let copy: Element = answer.clone_node_with_deep(true).ok()?.unchecked_into();
    for tool in select_all(&copy, UNCOPIED)? {
        tool.remove();
    }
    for link in select_all(&copy, "[data-address]")? {
        give_address(&link).ok()?;
    }
    let serializer = XmlSerializer::new().ok()?;
    serializer.serialize_to_string(&copy).ok()
}

fn select_all(element: &Element, selector: &str) -> Option<impl Iterator<Item = Element>> {
    let list = element.query_selector_all(selector).ok()?;
    Some((0..list.length()).filter_map(move |place| list.item(place)?.dyn_into().ok()))
}

fn blob(kind: &str, content: &str) -> Option<JsValue> {
    let parts = Array::of1(&content.into());
    construct(
        "Blob",
        &Array::of2(&parts, &js_object(&[("type", kind.into())])),
    )
}

/// Calls the constructor of a class of the browser, such as `Blob`; `None` if the browser does not
/// have the class.
fn construct(class: &str, arguments: &Array) -> Option<JsValue> {
    let class = Reflect::get(&js_sys::global(), &class.into()).ok()?;
    Reflect::construct(class.dyn_ref::<Function>()?, arguments).ok()
}

fn js_object(members: &[(&str, JsValue)]) -> Object {
    let record = Object::new();
    for (name, value) in members {
        // A plain object accepts any property.
        Reflect::set(&record, &(*name).into(), value).ok();
    }
    record
}
