//! Listeners of events that have one Rust type for each type of event, to keep the widget's module
//! small.

/// Boxes a listener. Leptos compiles the attribute of a listener anew for each closure: the fifty
/// of the widget were 2,300 bytes more of its module (brotli, November 2026).
pub(super) fn boxed_listener<E: 'static>(listener: impl FnMut(E) + 'static) -> Box<dyn FnMut(E)> {
    Box::new(listener)
}
