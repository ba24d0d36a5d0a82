//! What the functions that create the nodes of an answer share; they are methods of `Renderer` in
//! `build`, `code`, `inline` and `patch`.

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
    /// The number of this answer, which keeps the ids of its footnotes apart from those of other
    /// answers.
    pub(crate) number: u32,
    /// The names of the answer's footnotes, in the order in which their numbers were given.
    pub(crate) footnotes: RefCell<Vec<String>>,
}

impl Renderer {
    pub(crate) fn element(&self, tag: &str, class: &str) -> DomResult {
        element(&self.document, tag, class)
    }

    /// Returns the number that is shown for the footnote with this name: a new name gets the next
    /// one.
    pub(crate) fn footnote_number(&self, name: &str) -> String {
        let mut names = self.footnotes.borrow_mut();
        let place = names.iter().position(|known| known == name);
        let place = place.unwrap_or_else(|| {
            names.push(name.to_owned());
            names.len() - 1
        });
        (place + 1).to_string()
    }

    /// Returns the id of the element with the text of the footnote `name`. Every character of the
    /// name that is no letter or digit is encoded, as an id cannot contain spaces.
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
