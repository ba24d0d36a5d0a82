//! Views that are made anew.

use leptos::{either::Either, prelude::*};

/// A view that is made anew, with nodes of its own, whenever something changes that making it reads.
///
/// Leptos puts a view into the nodes of the one before it where both are of the same type. Where nodes belong to somebody
/// else, who draws into them, or the focus is to be moved from the old ones to the new, they have to be other nodes: a view
/// on the other side of an `Either` is of another type.
pub(super) fn remade<V: IntoView + 'static>(view: impl Fn() -> V + Send + 'static) -> AnyView {
    boxed(Box::new(move || view().into_any()))
}

fn boxed(view: Box<dyn Fn() -> AnyView + Send>) -> AnyView {
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
