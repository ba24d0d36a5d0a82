//! Whether the list of conversations is on the screen, and whether it covers the transcript.

use leptos::{html, prelude::*, wasm_bindgen::prelude::*, web_sys};

use crate::view::ThreadsPlacement;

/// From this width on the list has room beside the transcript.
const WIDE: i32 = 720;

/// Whether the list of conversations is on the screen.
#[derive(Clone, Copy)]
pub(super) struct ListVisibility {
    placement: Signal<ThreadsPlacement>,
    wide: RwSignal<bool>,
    /// What the person chose; `None`: beside the transcript if there is room.
    chosen: RwSignal<Option<bool>>,
}

impl ListVisibility {
    pub(super) fn new(placement: ArcRwSignal<ThreadsPlacement>) -> Self {
        Self {
            placement: Signal::derive(move || placement.get()),
            wide: RwSignal::new(false),
            chosen: RwSignal::new(None),
        }
    }

    pub(super) fn shown(self) -> bool {
        match self.placement.get() {
            ThreadsPlacement::Hidden => false,
            ThreadsPlacement::Side => self.chosen.get().unwrap_or(true),
            ThreadsPlacement::Auto => self.chosen.get().unwrap_or_else(|| self.wide.get()),
        }
    }

    pub(super) fn is_wide(self) -> bool {
        self.wide.get()
    }

    /// True where the list lies over the transcript, which is then out of reach.
    pub(super) fn covers(self) -> bool {
        self.shown() && !self.wide.get() && self.placement.get() == ThreadsPlacement::Auto
    }

    pub(super) fn toggle(self) {
        let shown = untrack(|| self.shown());
        self.chosen.set(Some(!shown));
    }

    /// Gives the transcript back, if the list covers it.
    pub(super) fn uncover(self) {
        if untrack(|| self.covers()) {
            self.chosen.set(None);
        }
    }

    /// Follows the width of the widget, which is not that of the window.
    pub(super) fn watch(self, root: NodeRef<html::Div>) {
        Effect::new(move || {
            let Some(root) = root.get() else { return };
            let measured = root.clone();
            let measure = move || {
                let wide = measured.client_width() >= WIDE;
                if self.wide.try_get_untracked() == Some(!wide) {
                    self.wide.set(wide);
                    // What was chosen for the other width does not hold for this one.
                    self.chosen.set(None);
                }
            };
            measure();
            let on_resize = Closure::<dyn FnMut()>::new(measure);
            let observer = web_sys::ResizeObserver::new(on_resize.as_ref().unchecked_ref());
            if let Ok(observer) = observer {
                observer.observe(&root);
                let kept = StoredValue::new_local((observer, on_resize));
                on_cleanup(move || {
                    let _ = kept.try_with_value(|(observer, _)| observer.disconnect());
                });
            }
        });
    }
}
