//! The position in an answer up to which its events were read: the events of a service with the
//! extension `resume` have ids that count them.

use std::cell::{Cell, RefCell};

/// The last event that was read of an answer.
pub(super) struct LogPosition {
    /// The id of the last event; empty before the first.
    last_event: RefCell<String>,
    /// True once events come from the service's log, which may repeat some.
    is_log: Cell<bool>,
    /// True once the log went on with another answer: this one has ended.
    is_other_answer: Cell<bool>,
}

impl LogPosition {
    /// Returns the position after the event with this id, whose answer the log continues; with an
    /// empty one, before all events of an answer.
    pub(super) fn after(event: String) -> Self {
        Self {
            is_log: Cell::new(!event.is_empty()),
            last_event: RefCell::new(event),
            is_other_answer: Cell::default(),
        }
    }

    /// Notes that events come from the log from now on.
    pub(super) fn note_log(&self) {
        self.is_log.set(true);
    }

    /// Notes the id of an event. Returns false if the log repeats the event, or if the event belongs
    /// to another answer.
    pub(super) fn note_event(&self, id: String) -> bool {
        let mut last = self.last_event.borrow_mut();
        let (event, known) = (parse_event_id(&id), parse_event_id(&last));
        if let Some((event, known)) = event.zip(known)
            && self.is_log.get()
        {
            self.is_other_answer
                .set(self.is_other_answer.get() || event.0 != known.0);
            if event.1 <= known.1 {
                return false;
            }
        }
        let is_wanted = !self.is_other_answer.get();
        if event.is_some() && is_wanted {
            *last = id;
        }
        is_wanted
    }

    /// Returns the id of the last event.
    pub(super) fn last_event(&self) -> String {
        self.last_event.borrow().clone()
    }

    /// Returns true if the log can be asked for what follows the last event.
    pub(super) fn is_known(&self) -> bool {
        parse_event_id(&self.last_event.borrow()).is_some()
    }

    /// Returns true once the log went on with another answer.
    pub(super) fn is_other_answer(&self) -> bool {
        self.is_other_answer.get()
    }
}

/// Returns the answer that an event belongs to, and the number of the event within the answer;
/// `None` for an id of another form.
fn parse_event_id(id: &str) -> Option<(&str, u32)> {
    let slash = id.bytes().rposition(|byte| byte == b'/')?;
    let number = id.get(slash + 1..)?.parse().ok()?;
    Some((id.get(..slash)?, number))
}
