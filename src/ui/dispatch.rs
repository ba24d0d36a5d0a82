//! Where components send what a person wants.

use std::rc::Rc;

use assent_conversation::Intent;
use leptos::prelude::*;

/// Where components send what a person wants. A handle that can be copied into every handler.
#[derive(Clone, Copy)]
pub struct Dispatch(StoredValue<Rc<dyn Fn(Intent)>, LocalStorage>);

impl Dispatch {
    /// Sends to `to`. Belongs to the current owner; after that owner's end it sends nothing.
    #[must_use]
    pub fn new(to: impl Fn(Intent) + 'static) -> Self {
        Self(StoredValue::new_local(Rc::new(to)))
    }

    pub(super) fn send(self, intent: Intent) {
        // The handler is taken out first: what it does may end the owner that keeps it.
        if let Some(to) = self.0.try_get_value() {
            to(intent);
        }
    }
}
