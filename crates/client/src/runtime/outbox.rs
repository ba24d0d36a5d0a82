//! When drafts and unsent messages are written, and when those of other pages are read.
//!
//! Typing is written after a rest. What moves a text from one place to another is written at once,
//! before other tabs hear of it: two tabs that move the same draft would have it twice.

use std::rc::{Rc, Weak};

use assent_conversation::Input;

use super::Inner;
use crate::outbox::{Later, Written};

impl Inner {
    /// What the words of this widget do later.
    pub(super) fn words_later(weak: &Weak<Self>) -> Later {
        let (writes, takes) = (weak.clone(), weak.clone());
        Later {
            write: Box::new(move || {
                if let Some(inner) = writes.upgrade() {
                    inner.write_words();
                }
            }),
            take_over: Box::new(move |unsent| {
                let inner = takes.upgrade();
                if let Some(inner) = &inner {
                    inner.dispatch(Input::Unsent(unsent));
                    inner.write_words();
                }
                inner.is_some()
            }),
        }
    }

    /// Writes what changed.
    pub(super) fn write_words(self: &Rc<Self>) {
        if self.keep_words().is_shared {
            self.dispatch(Input::Drafts(self.outbox.drafts()));
        }
    }

    /// The same for a widget that ends.
    pub(super) fn keep_words(&self) -> Written {
        let written = self.outbox.write(&self.state.borrow());
        if written.is_draft {
            self.draft_events.tell_others();
        }
        written
    }

    /// Takes the drafts as somebody else left them.
    pub(super) fn read_drafts(self: &Rc<Self>) {
        // What was typed here a moment ago is one of them, and so is what was written without the other one's.
        self.write_words();
        self.dispatch(Input::Drafts(self.outbox.drafts()));
    }
}
