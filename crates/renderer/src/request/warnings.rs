//! The warnings of a request for approval: of values that could deceive, with a button that leads
//! to each, of what cannot be undone, and of a tool that was changed.

use assent_inspect::Text;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::{
    CollectedContent, InspectedRequest,
    node_builder::{Button, NodeBuilder},
    risk, texts,
};
use crate::node::{DomResult, append_element, icon};

const ALERT_PATH: &str = "M12 8v5M12 16.5h.01M12 3l9.5 17h-19z";

/// An argument, or the tool's own name, that could deceive the person who decides.
pub(super) struct Suspect {
    /// The name of the argument; `None` if it is the tool's own name or its provider that could
    /// deceive.
    name: Option<Text>,
    /// The element of the request that shows the name or the argument.
    place: Element,
}

impl Suspect {
    pub(super) fn of_name(place: Element) -> Self {
        Self { name: None, place }
    }

    pub(super) fn of_value(name: Text, place: Element) -> Self {
        Self {
            name: Some(name),
            place,
        }
    }

    /// Creates the button that moves the focus to the element that shows the name or the argument.
    fn focus_button(&self, nodes: &NodeBuilder) -> DomResult<(Element, Button)> {
        let link = nodes.element("button", "link-button")?;
        match &self.name {
            None => {
                nodes.append_own_text(&link, "span", "", texts::THE_NAME)?;
            }
            Some(name) if name.parts().is_empty() => {
                nodes.append_own_text(&link, "span", "", texts::NO_NAME)?;
            }
            Some(name) => {
                let shown = nodes.element("bdi", "argument-name")?;
                nodes.append_inspected(&shown, name)?;
                append_element(&link, &shown)?;
            }
        }
        let place = self.place.clone();
        let button = Button::new(&link, move || {
            // The focus scrolls to it, and a screen reader reads it.
            place.set_attribute("tabindex", "-1").ok();
            place.unchecked_ref::<HtmlElement>().focus().ok();
        })?;
        Ok((link, button))
    }
}

impl InspectedRequest {
    /// Appends the warnings to `root`, each in an element of its own: what could deceive, what
    /// cannot be undone, and that the tool was changed.
    pub(super) fn append_warnings(
        &self,
        root: &Element,
        content: &mut CollectedContent,
    ) -> DomResult<()> {
        let nodes = &self.nodes;
        if !content.suspects.is_empty() {
            let part = warning_element(nodes, "tool-warning suspicious")?;
            let said = nodes.element("div", "")?;
            let count = content.suspects.len();
            let title = nodes.texts.plural(texts::SUSPICIOUS, count, &[]);
            let title = nodes.append(&said, "p", "warnings-title", &title)?;
            title.set_attribute("dir", "auto")?;
            let list = nodes.element("ul", "warnings-links")?;
            for suspect in &content.suspects {
                let item = nodes.element("li", "")?;
                let (link, button) = suspect.focus_button(nodes)?;
                append_element(&item, &link)?;
                append_element(&list, &item)?;
                content.buttons.push(button);
            }
            append_element(&said, &list)?;
            append_element(&part, &said)?;
            append_element(root, &part)?;
        }
        if risk::is_irreversible(&self.data) {
            let part = warning_element(nodes, "tool-warning final")?;
            nodes.append_own_text(&part, "p", "", texts::CANNOT_BE_UNDONE)?;
            append_element(root, &part)?;
        }
        if self.data.is_changed {
            let part = warning_element(nodes, "tool-warning")?;
            nodes.append_own_text(&part, "p", "", texts::CHANGED_TOOL)?;
            append_element(root, &part)?;
        }
        Ok(())
    }
}

/// Creates the element of a warning, which has only its icon so far.
fn warning_element(nodes: &NodeBuilder, class: &str) -> DomResult {
    let part = nodes.element("div", class)?;
    append_element(&part, &icon(&nodes.document, ALERT_PATH)?)?;
    Ok(part)
}
