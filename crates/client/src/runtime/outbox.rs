//! The times of writing drafts and unsent messages, and of reading those of other pages.
//!
//! Typing is debounced. A change that moves a text from one place to another is written at once,
//! before other tabs are notified: two tabs that move the same draft would have it twice.

use std::rc::{Rc, Weak};

use assent_conversation::Input;

use super::Inner;
use super::callback::weak_callback;
use crate::outbox::{OutboxCallbacks, WriteResult};

impl Inner {
    /// Returns what the outbox of this widget calls later: to write changes, and to take over
    /// messages of closed pages.
    pub(super) fn outbox_callbacks(weak: &Weak<Self>) -> OutboxCallbacks {
        let takes = weak.clone();
        OutboxCallbacks {
            write: Box::new(weak_callback(weak, |inner| inner.sync_outbox())),
            take_over: Box::new(move |unsent| {
                let inner = takes.upgrade();
                if let Some(inner) = &inner {
                    inner.inputs.dispatch(Input::Unsent(unsent));
                    inner.sync_outbox();
                }
                inner.is_some()
            }),
        }
    }

    /// Writes changed drafts, messages and positions to the storage, and reads the drafts again if
    /// other tabs had changed them.
    pub(super) fn sync_outbox(self: &Rc<Self>) {
        let WriteResult {
            is_shared,
            unstored,
            ..
        } = self.write_outbox();
        if is_shared {
            self.inputs.dispatch(Input::Drafts(self.outbox.drafts()));
        }
        if self.state.borrow().unstored_drafts != unstored {
            self.inputs.dispatch(Input::DraftsUnstored(unstored));
        }
    }

    /// Writes drafts, messages and positions to the storage, if they may have changed since the
    /// last write.
    pub(super) fn sync_if_stale(self: &Rc<Self>) {
        if self.outbox.is_stale() {
            self.sync_outbox();
        }
    }

    /// Writes changed drafts, messages and positions to the storage, also for a widget that ends.
    pub(super) fn write_outbox(&self) -> WriteResult {
        let written = self.outbox.write_changes(&self.state.borrow());
        if written.is_draft {
            self.draft_events.notify_others();
        }
        written
    }

    /// Reads the stored drafts, which other pages may have changed, and gives them to the core.
    pub(super) fn read_drafts(self: &Rc<Self>) {
        // Recent typing here is written first, so that it is among them and merged with changes of
        // others.
        self.sync_outbox();
        self.inputs.dispatch(Input::Drafts(self.outbox.drafts()));
    }
}
