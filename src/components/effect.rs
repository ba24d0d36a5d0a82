//! Effects and memos of Leptos, compiled for one type of closure to keep the widget's module small.

use leptos::{html::ElementType, prelude::*, wasm_bindgen::JsCast, web_sys::HtmlElement};

/// Runs `act` now, and again whenever a signal that `act` read has changed, until the reactive
/// owner ends.
///
/// This is `Effect::new` for one type of closure. Leptos compiles its own anew for each closure:
/// twenty of them took 1,900 bytes more of the widget's module (brotli, November 2026).
pub(super) fn effect(act: impl FnMut() + 'static) {
    boxed_effect(Box::new(act));
}

fn boxed_effect(mut act: Box<dyn FnMut()>) {
    Effect::new(move |_| act());
}

/// Calls `act` with the element of `node`, one time, when the element is in the page.
pub(super) fn on_load<E>(node: NodeRef<E>, act: impl FnOnce(HtmlElement) + 'static)
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    let mut act: Option<Box<dyn FnOnce(HtmlElement)>> = Some(Box::new(act));
    effect(move || {
        if let Some(element) = node.get()
            && let Some(act) = act.take()
        {
            untrack(|| act(element.unchecked_into()));
        }
    });
}

/// Returns a memo: a signal with what `act` returns, which notifies only if that is another value.
///
/// This is `Memo::new` for one type of closure for each type of value. Leptos compiles its own anew
/// for each closure: thirty of them took 1,200 bytes more of the widget's module.
pub(super) fn memo<T>(act: impl Fn() -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    boxed_memo(Box::new(act))
}

fn boxed_memo<T>(act: Box<dyn Fn() -> T + Send + Sync>) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| act())
}
