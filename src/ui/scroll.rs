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

/// What stays free above an approval that was scrolled to, in CSS pixels.
const MARGIN: i32 = 12;

/// The one owner of the transcript's scroll position.
#[derive(Clone, Copy)]
pub(super) struct Scroll {
    area: ElementRef,
    follows: RwSignal<bool>,
    away: RwSignal<bool>,
    /// The position that was seen or set last.
    top: StoredValue<i32>,
}

impl Scroll {
    pub(super) fn new(area: ElementRef, content: ElementRef) -> Self {
        let scroll = Self {
            area,
            follows: RwSignal::new(true),
            away: RwSignal::new(false),
            top: StoredValue::new(0),
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
        if let Some(area) = self.area.now() {
            self.set_top(&area, area.scroll_height());
            self.set_away(false);
        }
    }

    /// Goes to where reading begins: the end, or before it what is to be decided.
    pub(super) fn arrive(self) {
        self.follows.set(true);
        if let Some(area) = self.area.now() {
            self.set_top(&area, goal(&area));
        }
        self.settle();
    }

    /// The reader wants to go up.
    pub(super) fn release(self) {
        self.follows.set(false);
    }

    /// The position changed, by the reader or by [`Self::settle`].
    pub(super) fn moved(self) {
        if let Some(area) = self.area.now() {
            let (top, at_end) = (area.scroll_top(), rest(&area) < NEAR);
            // Only a reader moves up. Where the position is the same, the end moved before this was heard of.
            if at_end {
                self.follows.set(true);
            } else if self.top.try_get_value().is_some_and(|before| top < before) {
                self.follows.set(false);
            }
            self.top.try_set_value(top);
            self.set_away(!at_end);
        }
    }

    fn settle(self) {
        let Some(area) = self.area.now() else { return };
        if self.follows.try_get_untracked() == Some(true) {
            let goal = goal(&area);
            // The way back up is the reader's own.
            if goal > area.scroll_top() {
                self.set_top(&area, goal);
            }
        }
        self.set_away(rest(&area) >= NEAR);
    }

    fn set_top(self, area: &HtmlElement, top: i32) {
        area.set_scroll_top(top);
        // The browser keeps it within bounds.
        self.top.try_set_value(area.scroll_top());
    }

    fn set_away(self, away: bool) {
        if self.away.try_get_untracked() == Some(!away) {
            self.away.set(away);
        }
    }
}

/// The end, or the first undecided approval if that begins further up: what is to be decided is read from its beginning.
fn goal(area: &HtmlElement) -> i32 {
    let end = area.scroll_height() - area.client_height();
    first_question(area).map_or(end, |top| end.min(top))
}

/// The scroll position that shows the first undecided approval from its head on.
fn first_question(area: &HtmlElement) -> Option<i32> {
    let card = area
        .query_selector("[part=approval][data-state=pending]")
        .ok()??;
    let below = card.get_bounding_client_rect().top() - area.get_bounding_client_rect().top();
    #[allow(
        clippy::cast_possible_truncation,
        reason = "positions on a page are small"
    )]
    let below = below as i32;
    Some(area.scroll_top() + below - MARGIN)
}

/// How far the end is below what is seen.
fn rest(area: &HtmlElement) -> i32 {
    area.scroll_height() - area.scroll_top() - area.client_height()
}
