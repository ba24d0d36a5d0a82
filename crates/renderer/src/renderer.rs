//! Everything that the nodes of one answer are made with. Which nodes these are is in `build`, `code`,
//! `inline` and `patch`.

use std::{cell::RefCell, rc::Rc};

use web_sys::Document;

use crate::{
    node::{DomResult, element},
    page::Page,
};

/// Creates and changes the nodes of one answer.
pub(crate) struct Renderer {
    pub(crate) document: Document,
    pub(crate) page: Rc<Page>,
    /// Distinguishes the footnote ids of this answer from those of others.
    pub(crate) number: u32,
    /// The names of the answer's footnotes, in the order in which they came.
    pub(crate) footnotes: RefCell<Vec<String>>,
}

impl Renderer {
    pub(crate) fn element(&self, tag: &str, class: &str) -> DomResult {
        element(&self.document, tag, class)
    }

    /// Returns the number of a footnote as it is shown. Its name is only for whoever writes the
    /// text.
    pub(crate) fn footnote_number(&self, name: &str) -> String {
        let mut names = self.footnotes.borrow_mut();
        let place = names.iter().position(|known| known == name);
        let place = place.unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
        (place + 1).to_string()
    }

    /// Returns the id of a footnote's element. A name can contain anything, but an id that is
    /// referred to no spaces.
    pub(crate) fn footnote_id(&self, name: &str) -> String {
        let mut id = format!("note-{}-", self.number);
        for character in name.chars() {
            if character.is_alphanumeric() {
                id.push(character);
            } else {
                id.push_str(&format!("_{:x}_", u32::from(character)));
            }
        }
        id
    }
}
