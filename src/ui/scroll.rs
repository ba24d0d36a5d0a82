//! The one owner of the transcript's scroll position.
//!
//! It stays at the end while the reader is there, and lets go at once when the reader moves up.
//! Only `scrollTop` is set: `scrollIntoView` would move the page around the widget too.

use leptos::{prelude::*, web_sys::HtmlElement};

use super::{
    erased::{ElementRef, when_there},
    list_visibility::observe_size,
};

/// Closer to the end than this is at the end, in CSS pixels.
const NEAR: i32 = 32;

/// The one owner of the transcript's scroll position.
#[derive(Clone, Copy)]
pub(super) struct Scroll {
    area: ElementRef,
    follows: RwSignal<bool>,
    away: RwSignal<bool>,
}

impl Scroll {
    pub(super) fn new(area: ElementRef, content: ElementRef) -> Self {
        let scroll = Self {
            area,
            follows: RwSignal::new(true),
            away: RwSignal::new(false),
        };
        // The end moves when the content or the area changes its size.
        when_there(content, move |content| {
            if let Some(area) = area.now() {
                observe_size(&[content, &area], move || scroll.settle());
            }
        });
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
        if let Some(area) = self.area.now() {
            let at_end = rest(&area) < NEAR;
            self.follows.set(at_end);
            self.set_away(!at_end);
        }
    }

    fn settle(self) {
        let Some(area) = self.area.now() else { return };
        if self.follows.try_get_untracked() == Some(true) {
            area.set_scroll_top(area.scroll_height());
            self.set_away(false);
        } else {
            self.set_away(rest(&area) >= NEAR);
        }
    }

    fn set_away(self, away: bool) {
        if self.away.try_get_untracked() == Some(!away) {
            self.away.set(away);
        }
    }
}

/// How far the end is below what is seen.
fn rest(area: &HtmlElement) -> i32 {
    area.scroll_height() - area.scroll_top() - area.client_height()
}
