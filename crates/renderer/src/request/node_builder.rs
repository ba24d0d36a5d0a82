//! Node creation for a request.

use std::cell::Cell;

use assent_i18n::Texts;
use web_sys::{Document, Element};

use crate::node::{DomResult, add, append_text, element};

/// Creates nodes.
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

    /// Appends an element with a text.
    pub(crate) fn append(&self, parent: &Element, tag: &str, class: &str, text: &str) -> DomResult {
        let element = self.element(tag, class)?;
        self.append_text(&element, text)?;
        add(parent, &element)?;
        Ok(element)
    }
}

/// Returns an id that is unique in the widget, whose own ids have another letter.
pub(super) fn new_id() -> String {
    thread_local! {
        static LAST: Cell<u32> = const { Cell::new(0) };
    }
    let id = LAST.get().wrapping_add(1);
    LAST.set(id);
    ["r", &id.to_string()].concat()
}
