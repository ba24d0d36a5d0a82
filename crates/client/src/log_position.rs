//! The position of a stream in the service's log: which events came, and whether one is still
//! missing.

use std::cell::{Cell, RefCell};

use assent_protocol::EventType;

/// How far a stream was read.
pub(super) struct LogPosition {
    /// The id of the last event; empty before the first.
    last_event: RefCell<String>,
    /// True if an answer, or the whole stream, ended with the last of the events that say so.
    is_whole: Cell<bool>,
}

impl LogPosition {
    /// Returns the position behind the event with this id; empty: before all events.
    pub(super) fn behind(event: String) -> Self {
        Self {
            last_event: RefCell::new(event),
            is_whole: Cell::default(),
        }
    }

    /// Returns the id of the last event; empty before the first.
    pub(super) fn last_event(&self) -> String {
        self.last_event.borrow().clone()
    }

    /// Returns true if this is the id of the last event.
    pub(super) fn is_behind(&self, event: &str) -> bool {
        *self.last_event.borrow() == event
    }

    /// Returns true if no event came that the log has a number for.
    pub(super) fn is_at_start(&self) -> bool {
        self.is_behind("")
    }

    /// Returns true if the log has a number for the last event.
    pub(super) fn is_numbered(&self) -> bool {
        event_number(&self.last_event.borrow()).is_some()
    }

    /// Returns true if the connection may end now.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole.get()
    }

    /// Notes the id of an event. Returns false if the service repeats one that came before.
    pub(super) fn note_event(&self, id: String) -> bool {
        let mut last = self.last_event.borrow_mut();
        let number = event_number(&id);
        if number.is_some() {
            if number <= event_number(&last) {
                return false;
            }
            *last = id;
        }
        true
    }

    /// Notes the type of an event.
    pub(super) fn note_type(&self, event_type: &EventType) {
        match event_type {
            EventType::AgentResponseComplete | EventType::ApprovalRequest | EventType::Error => {
                self.is_whole.set(true);
            }
            EventType::AgentResponseChunk => self.is_whole.set(false),
            _ => {}
        }
    }
}

/// Returns the number of an event within its answer, which services with the extension `resume` write
/// behind the last slash of its id; `None` for an id of another form.
fn event_number(id: &str) -> Option<u32> {
    let slash = id.bytes().rposition(|byte| byte == b'/')?;
    id.get(slash + 1..)?.parse().ok()
}
