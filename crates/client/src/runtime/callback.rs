//! Callbacks for what the runtime owns, which do not keep it alive.

use std::rc::{Rc, Weak};

/// Returns a callback that calls `act` with the owner, and does nothing once the owner is gone.
pub(super) fn weak_callback<T: 'static>(
    owner: &Weak<T>,
    act: impl Fn(&Rc<T>) + 'static,
) -> impl Fn() + 'static {
    let owner = owner.clone();
    move || {
        if let Some(owner) = owner.upgrade() {
            act(&owner);
        }
    }
}
