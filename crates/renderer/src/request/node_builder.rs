//! Functions that create the nodes of a request for approval.

use std::cell::Cell;

use assent_i18n::{Text, Texts};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{Document, Element};

use crate::node::{DomResult, append_element, append_text, element, set_attributes};

/// What the nodes of one request for approval are created with: the document and the widget's
/// texts.
#[derive(Clone)]
pub(crate) struct NodeBuilder {
    pub(crate) document: Document,
    pub(crate) texts: Texts,
}

impl NodeBuilder {
    pub(crate) fn element(&self, tag: &str, class: &str) -> DomResult {
        element(&self.document, tag, class)
    }

    pub(crate) fn append_text(&self, parent: &Element, text: &str) -> DomResult<()> {
        append_text(&self.document, parent, text)
    }

    /// Appends a new element with the text `text` to `parent`, and returns the element.
    pub(crate) fn append(&self, parent: &Element, tag: &str, class: &str, text: &str) -> DomResult {
        let element = self.element(tag, class)?;
        self.append_text(&element, text)?;
        append_element(parent, &element)?;
        Ok(element)
    }

    /// Appends a new element with one of the widget's texts to `parent`, and returns the element.
    pub(super) fn append_own_text(
        &self,
        parent: &Element,
        tag: &str,
        class: &str,
        text: Text,
    ) -> DomResult {
        let element = self.append(parent, tag, class, self.texts.get(text))?;
        self.mark_language(&element, self.texts.is_english(text))?;
        Ok(element)
    }

    /// Makes the direction of an element that of its own text. If `is_english`, because the text is
    /// the widget's and not the page's, it gets `lang="en"`, too.
    pub(super) fn mark_language(&self, element: &Element, is_english: bool) -> DomResult<()> {
        if is_english {
            element.set_attribute("lang", "en")?;
        }
        element.set_attribute("dir", "auto")
    }

    /// Appends one of the widget's texts to `into`, with an element in the place of each `{name}`:
    /// the one that `values` has for this name.
    pub(super) fn append_filled(
        &self,
        into: &Element,
        text: Text,
        values: &[(&str, &Element)],
    ) -> DomResult<()> {
        self.mark_language(into, self.texts.is_english(text))?;
        let mut rest = self.texts.get(text);
        while let Some((before, after)) = rest.split_once('{') {
            self.append_text(into, before)?;
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
                append_element(into, value)?;
            }
            rest = after;
        }
        self.append_text(into, rest)
    }

    /// Creates a scrolling box for long content; `name` is its accessible name.
    pub(super) fn scrolling_box(&self, name: &str) -> DomResult {
        let scrolling = self.element("pre", "argument-box")?;
        let attributes = [("tabindex", "0"), ("role", "group"), ("aria-label", name)];
        set_attributes(&scrolling, &attributes)?;
        Ok(scrolling)
    }
}

/// A button with the listener for its clicks, which is removed when the value is dropped.
pub(super) struct Button {
    button: Element,
    listener: Closure<dyn FnMut()>,
}

impl Button {
    pub(super) fn new(button: &Element, press: impl FnMut() + 'static) -> DomResult<Self> {
        button.set_attribute("type", "button")?;
        let listener = Closure::<dyn FnMut()>::new(press);
        button.add_event_listener_with_callback("click", listener.as_ref().unchecked_ref())?;
        Ok(Self {
            button: button.clone(),
            listener,
        })
    }
}

impl Drop for Button {
    fn drop(&mut self) {
        let listener = self.listener.as_ref().unchecked_ref();
        self.button
            .remove_event_listener_with_callback("click", listener)
            .ok();
    }
}

/// Returns an id that is unique in the widget: the ids of the widget's own module begin with
/// another letter.
pub(super) fn new_id() -> String {
    thread_local! {
        static LAST: Cell<u32> = const { Cell::new(0) };
    }
    let id = LAST.get().wrapping_add(1);
    LAST.set(id);
    ["r", &id.to_string()].concat()
}
