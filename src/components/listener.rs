//! Listeners of events that have one Rust type for each type of event, to keep the widget's module
//! small.

/// Boxes a listener of an event. Leptos compiles the attribute of a listener anew for each closure
/// that is not boxed: fifty of them took 2,300 bytes more of the widget's module (brotli, November
/// 2026).
pub(super) fn boxed_listener<E: 'static>(listener: impl FnMut(E) + 'static) -> Box<dyn FnMut(E)> {
    Box::new(listener)
}
