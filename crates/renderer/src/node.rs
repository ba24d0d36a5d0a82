//! Functions that create nodes of the page.

use wasm_bindgen::JsValue;
use web_sys::{Document, Element, Node};

/// What a function of the browser returned, by default an element, or the exception that it threw.
pub(crate) type DomResult<T = Element> = Result<T, JsValue>;

const SVG_NAMESPACE: &str = "http://www.w3.org/2000/svg";
const PICTURE_PATH: &str = "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01";

/// Creates an element named `tag` with the class `class`; without a class if that is empty.
pub(crate) fn element(document: &Document, tag: &str, class: &str) -> DomResult {
    let element = document.create_element(tag)?;
    if !class.is_empty() {
        element.set_attribute("class", class)?;
    }
    Ok(element)
}

/// Sets attributes of an element, each a name and its value.
pub(crate) fn set_attributes(element: &Element, attributes: &[(&str, &str)]) -> DomResult<()> {
    for (name, value) in attributes {
        element.set_attribute(name, value)?;
    }
    Ok(())
}

/// Appends the element `child` to `parent`.
pub(crate) fn append_element(parent: &Node, child: &Element) -> DomResult<()> {
    parent.append_child(child)?;
    Ok(())
}

/// Appends a text node to `parent`.
pub(crate) fn append_text(document: &Document, parent: &Node, text: &str) -> DomResult<()> {
    parent.append_child(&document.create_text_node(text))?;
    Ok(())
}

/// Creates a button of an answer with a label. By `action`, such as `copy`, the listeners in
/// `events` know what the button does.
pub(crate) fn button(document: &Document, action: &str, label: &str) -> DomResult {
    let button = element(document, "button", "link-button")?;
    set_attributes(&button, &[("type", "button"), ("data-action", action)])?;
    append_text(document, &button, label)?;
    Ok(button)
}

/// Creates the icon that stands beside the description of an image.
pub(crate) fn picture_icon(document: &Document) -> DomResult {
    icon(document, PICTURE_PATH)
}

/// Creates an icon that screen readers skip; `line` is the path of its line, as in SVG.
pub(crate) fn icon(document: &Document, line: &str) -> DomResult {
    let svg = document.create_element_ns(Some(SVG_NAMESPACE), "svg")?;
    let path = document.create_element_ns(Some(SVG_NAMESPACE), "path")?;
    path.set_attribute("d", line)?;
    set_attributes(
        &svg,
        &[
            ("viewBox", "0 0 24 24"),
            ("class", "icon"),
            ("aria-hidden", "true"),
            ("focusable", "false"),
        ],
    )?;
    svg.append_child(&path)?;
    Ok(svg)
}

/// Returns the child of `parent` at place `count` from its end, where 1 is the last child; `None` if
/// there are fewer children, or if `count` is 0.
pub(crate) fn child_from_end(parent: &Node, count: usize) -> Option<Node> {
    let mut child = parent.last_child();
    for _ in 1..count {
        child = child?.previous_sibling();
    }
    child.filter(|_| count > 0)
}
