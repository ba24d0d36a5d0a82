//! The visibility of the list of conversations: shown or not, beside the transcript or over it.

use leptos::{
    html::Div,
    prelude::*,
    wasm_bindgen::prelude::*,
    web_sys::{self, HtmlElement},
};

use super::{
    effect::{effect, on_load},
    focus::{focus_part, focused_element},
};
use crate::store::ThreadsPlacement;

/// Minimum width of the widget, in CSS pixels, at which the list has room beside the transcript.
const WIDE_PX: i32 = 720;

/// The visibility of the list of conversations. It is in the context of all components.
#[derive(Clone, Copy)]
pub(super) struct ListVisibility {
    placement: RwSignal<ThreadsPlacement>,
    wide: RwSignal<bool>,
    /// The user's choice: true to show the list, false to hide it. `None` if the user has not
    /// chosen; the placement and the width decide then.
    chosen: RwSignal<Option<bool>>,
}

impl ListVisibility {
    /// Creates the visibility. `wide` is true while the list has room beside the transcript.
    pub(super) fn new(placement: RwSignal<ThreadsPlacement>, wide: RwSignal<bool>) -> Self {
        Self {
            placement,
            wide,
            chosen: RwSignal::new(None),
        }
    }

    /// Returns the visibility of this widget's list, from the context.
    pub(super) fn from_context() -> Self {
        expect_context()
    }

    /// Returns true if there is a list at all, shown or not.
    pub(super) fn has_list(self) -> bool {
        self.placement.get() != ThreadsPlacement::Hidden
    }

    pub(super) fn is_shown(self) -> bool {
        match self.placement.get() {
            ThreadsPlacement::Hidden => false,
            ThreadsPlacement::Side => self.chosen.get().unwrap_or(true),
            ThreadsPlacement::Auto => self.chosen.get().unwrap_or_else(|| self.wide.get()),
        }
    }

    pub(super) fn is_wide(self) -> bool {
        self.wide.get()
    }

    /// Returns true if the list lies over the transcript, which is then out of reach.
    pub(super) fn covers_transcript(self) -> bool {
        self.is_shown() && !self.wide.get()
    }

    pub(super) fn toggle(self) {
        let shown = untrack(|| self.is_shown());
        self.chosen.set(Some(!shown));
    }

    /// Hides the list if it covers the transcript.
    pub(super) fn uncover(self) {
        if untrack(|| self.covers_transcript()) {
            self.chosen.set(Some(false));
        }
    }

    /// Whenever a list that covered the transcript is hidden with the focus in it, moves the focus
    /// to the button that shows the list again. `root` is the widget's outermost element.
    pub(super) fn keep_focus(self, root: NodeRef<Div>) {
        let mut covered = false;
        effect(move || {
            let (covers, shown) = (self.covers_transcript(), self.is_shown());
            if std::mem::replace(&mut covered, covers)
                && !shown
                && let Some(root) = root.get_untracked()
            {
                let in_list =
                    |it: &web_sys::Element| it.closest("nav").is_ok_and(|it| it.is_some());
                if focused_element(&root).is_none_or(|it| in_list(&it)) {
                    focus_part(&root, "threads-toggle");
                }
            }
        });
    }

    /// Notes from now on whether the widget, whose outermost element is `root`, is wide enough for
    /// a list beside the transcript. The width of the browser's window does not count.
    pub(super) fn observe_width(self, root: NodeRef<Div>) {
        on_load(root, move |root| {
            let measured = root.clone();
            observe_size(&[root.as_ref()], move || {
                self.set_wide(is_wide(&measured));
            });
        });
    }

    fn set_wide(self, wide: bool) {
        if self.wide.try_get_untracked() == Some(!wide) {
            self.wide.set(wide);
            // The choice for the other width does not apply to this one.
            self.chosen.set(None);
        }
    }
}

/// Returns true if an element of this width has room for the list beside the transcript.
pub(super) fn is_wide(element: &HtmlElement) -> bool {
    element.client_width() >= WIDE_PX
}

/// Calls `act` now and whenever one of `elements` changes its size, until the component's end.
pub(super) fn observe_size(elements: &[&HtmlElement], act: impl FnMut() + 'static) {
    let mut act: Box<dyn FnMut()> = Box::new(act);
    act();
    let on_resize = Closure::<dyn FnMut()>::new(act);
    let Ok(observer) = web_sys::ResizeObserver::new(on_resize.as_ref().unchecked_ref()) else {
        return;
    };
    elements
        .iter()
        .for_each(|element| observer.observe(element));
    let kept = StoredValue::new_local((observer, on_resize));
    on_cleanup(move || {
        kept.try_with_value(|(observer, _)| observer.disconnect());
    });
}
