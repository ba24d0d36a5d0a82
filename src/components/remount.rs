//! Views that are mounted anew, with new nodes, whenever they change.

use leptos::{either::Either, prelude::*};

/// Mounts a view anew, with nodes of its own, whenever a signal that `view` reads changes.
///
/// Leptos puts a view into the nodes of the view before it if both are of the same type. Where
/// other code draws into the nodes, or the focus is to be moved from the old nodes to the new ones,
/// the view needs new nodes. A view on the other side of an `Either` is of another type.
pub(super) fn remount<V: IntoView + 'static>(view: impl Fn() -> V + Send + 'static) -> AnyView {
    boxed_remount(Box::new(move || view().into_any()))
}

fn boxed_remount(view: Box<dyn Fn() -> AnyView + Send>) -> AnyView {
    let is_odd = StoredValue::new(false);
    let either = move || {
        is_odd.update_value(|is_odd| *is_odd = !*is_odd);
        let view = view();
        if is_odd.get_value() {
            Either::Left(view)
        } else {
            Either::Right(view)
        }
    };
    either.into_any()
}
