//! The one owner of the transcript's scroll position.
//!
//! It stays at the end while the reader is there, and lets go at once when the reader moves up.
//! Only `scrollTop` is set: `scrollIntoView` would move the page around the widget too.

use leptos::{html, prelude::*, wasm_bindgen::prelude::*, web_sys};

/// Closer to the end than this is at the end, in CSS pixels.
const NEAR: i32 = 32;

/// The one owner of the transcript's scroll position.
#[derive(Clone, Copy)]
pub(super) struct Scroll {
    area: NodeRef<html::Div>,
    follows: RwSignal<bool>,
    away: RwSignal<bool>,
}

impl Scroll {
    pub(super) fn new(area: NodeRef<html::Div>, content: NodeRef<html::Div>) -> Self {
        let scroll = Self {
            area,
            follows: RwSignal::new(true),
            away: RwSignal::new(false),
        };
        scroll.watch(content);
        scroll
    }

    /// True while the reader is away from the end.
    pub(super) fn away(self) -> bool {
        self.away.get()
    }

    /// Goes to the end and stays there.
    pub(super) fn to_end(self) {
        self.follows.set(true);
        self.settle();
    }

    /// The reader wants to go up.
    pub(super) fn release(self) {
        self.follows.set(false);
    }

    /// The position changed, by the reader or by [`Self::settle`].
    pub(super) fn moved(self) {
        let Some(area) = self.area.get_untracked() else {
            return;
        };
        let at_end = area.scroll_height() - area.scroll_top() - area.client_height() < NEAR;
        self.follows.set(at_end);
        self.set_away(!at_end);
    }

    /// After the content or the area changed its size.
    fn settle(self) {
        let Some(area) = self.area.try_get_untracked().flatten() else {
            return;
        };
        if self.follows.try_get_untracked() == Some(true) {
            area.set_scroll_top(area.scroll_height());
            self.set_away(false);
        } else {
            let rest = area.scroll_height() - area.scroll_top() - area.client_height();
            self.set_away(rest >= NEAR);
        }
    }

    fn set_away(self, away: bool) {
        if self.away.try_get_untracked() == Some(!away) {
            self.away.set(away);
        }
    }

    /// Follows the size of the content and of the area, which is when the end moves.
    fn watch(self, content: NodeRef<html::Div>) {
        Effect::new(move || {
            let (Some(content), Some(area)) = (content.get(), self.area.get()) else {
                return;
            };
            let on_resize = Closure::<dyn FnMut()>::new(move || self.settle());
            let observer = web_sys::ResizeObserver::new(on_resize.as_ref().unchecked_ref());
            if let Ok(observer) = observer {
                observer.observe(&content);
                observer.observe(&area);
                let kept = StoredValue::new_local((observer, on_resize));
                on_cleanup(move || {
                    let _ = kept.try_with_value(|(observer, _)| observer.disconnect());
                });
            }
        });
    }
}
