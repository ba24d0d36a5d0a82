//! Ids of elements that others refer to.

use std::cell::Cell;

/// An id that nothing else in the widget has.
pub(super) fn new_id() -> String {
    thread_local! {
        static LAST: Cell<u32> = const { Cell::new(0) };
    }
    let id = LAST.get().wrapping_add(1);
    LAST.set(id);
    ["a", &id.to_string()].concat()
}
