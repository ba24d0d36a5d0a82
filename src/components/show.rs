//! Views that are there while a condition holds.

use leptos::{children::ViewFn, either::Either, prelude::*};

/// Shows `children` while `when` returns true, and `fallback` otherwise.
///
/// This is `<Show>` for one type of condition and of children. Leptos compiles its own anew for
/// each: 34 uses took 3,200 bytes more of the widget's module (brotli, November 2026).
#[component(transparent)]
pub(super) fn Show(
    when: impl Fn() -> bool + Send + Sync + 'static,
    #[prop(default = ViewFn::from(nothing), into)] fallback: ViewFn,
    children: ChildrenFn,
) -> impl IntoView {
    boxed_show(Box::new(when), fallback, children)
}

/// Returns a view of nothing. It leaves one comment node in the page, where `().into_any()` would
/// leave two.
pub(super) fn nothing() -> AnyView {
    None::<AnyView>.into_any()
}

fn boxed_show(
    when: Box<dyn Fn() -> bool + Send + Sync>,
    fallback: ViewFn,
    children: ChildrenFn,
) -> AnyView {
    let when = ArcMemo::new(move |_| when());
    let view = move || match when.get() {
        true => Either::Left(children()),
        false => Either::Right(fallback.run()),
    };
    view.into_any()
}
