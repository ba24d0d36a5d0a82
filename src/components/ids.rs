//! Ids of elements that other elements refer to.

use std::cell::Cell;

/// Returns a new id for an element, which is unique in the widget.
pub(super) fn new_id() -> String {
    thread_local! {
        static LAST_ID: Cell<u32> = const { Cell::new(0) };
    }
    let id = LAST_ID.get().wrapping_add(1);
    LAST_ID.set(id);
    ["a", &id.to_string()].concat()
}
