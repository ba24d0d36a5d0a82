//! The nodes and signals of the scroll position, and what is kept between movements.
//!
//! What changes the position is in the other files, which all go through the few methods here.

use assent_conversation::ReadingPosition;
use leptos::{
    html::Div,
    prelude::*,
    web_sys::{Element, HtmlElement},
};

use super::{
    super::dispatch::Dispatch,
    measure::{Head, below},
    target::Pinned,
};
use crate::store::{ComposerView, ScrollMode};

/// The one owner of the transcript's scroll position.
#[derive(Clone, Copy)]
pub(in crate::components) struct Scroll {
    pub(super) area: NodeRef<Div>,
    pub(super) content: NodeRef<Div>,
    pub(super) room: NodeRef<Div>,
    pub(super) follows: RwSignal<bool>,
    /// True while the position that the user came back to is kept.
    pub(super) stays: RwSignal<bool>,
    pub(super) away: RwSignal<bool>,
    /// Changes with each change of the position or of a size.
    pub(super) moves: RwSignal<()>,
    pub(super) state: StoredValue<ScrollState, LocalStorage>,
    pub(super) inputs: ScrollInputs,
}

/// State that is kept between movements.
#[derive(Clone, Default)]
pub(super) struct ScrollState {
    /// The position that was measured or set last.
    pub(super) top: i32,
    /// The element that was set to the top.
    pub(super) pinned: Option<Pinned>,
    /// True if an answer came since the position was last set to the end.
    pub(super) answered: bool,
    /// The head of the turn; `None`: its end.
    pub(super) head: Option<Element>,
    /// The beginning of a turn whose node is not there yet.
    pub(super) begins: Option<Head>,
    /// The height of the room.
    pub(super) room: i32,
    /// The number of messages before the window when more were requested.
    pub(super) asked: Option<usize>,
    /// True if the focus was on the button for more, which goes away when all are shown.
    pub(super) was_on_button: bool,
    /// The message that keeps its position while the window grows, and its distance below the top.
    pub(super) anchor: Option<(i32, Element)>,
    /// True while a call before the next frame is pending.
    pub(super) is_scheduled: bool,
    /// The user's previous and current reading position.
    pub(super) reading: ReadingState,
}

/// Inputs of the position besides the nodes.
#[derive(Clone, Copy)]
pub(in crate::components) struct ScrollInputs {
    /// The effect of an answer on the position.
    pub(in crate::components) mode: RwSignal<ScrollMode>,
    /// The composer's state: whether a decision is pending, or there is no message yet.
    pub(in crate::components) composer: RwSignal<ComposerView>,
    /// Number of messages before the window.
    pub(in crate::components) earlier: RwSignal<usize>,
    /// The saved reading position in a conversation that is opened.
    pub(in crate::components) position: RwSignal<Option<ReadingPosition>>,
    /// The destination of requests for more messages, and of the current reading position.
    pub(in crate::components) dispatch: Dispatch,
}

/// The user's previous and current reading position.
#[derive(Clone, Default)]
pub(super) struct ReadingState {
    /// The saved reading position, to be restored once the nodes are there.
    pub(super) returns: Option<ReadingPosition>,
    /// The message that the user came back to, and its distance below the top. It stays there until
    /// the user scrolls: answers may be drawn anew, and the browser would keep a line in place, not
    /// the message, or nothing at all.
    pub(super) pinned: Option<(i32, Element)>,
    /// The reading position that was reported last.
    pub(super) reported: Option<ReadingPosition>,
    /// True while a report is pending.
    pub(super) is_report_pending: bool,
    /// Counter of visits of conversations: a pending report of one visit is dropped in the next.
    pub(super) visit: u32,
}

impl Scroll {
    /// Returns the element that scrolls; `None` after the component's end.
    pub(super) fn area(self) -> Option<HtmlElement> {
        self.area.try_get_untracked().flatten().map(Into::into)
    }

    /// Returns the element around the messages; `None` after the component's end.
    pub(super) fn content(self) -> Option<HtmlElement> {
        self.content.try_get_untracked().flatten().map(Into::into)
    }

    /// Restores the position of a message.
    pub(super) fn restore(self, area: &HtmlElement, anchor: Option<(i32, Element)>) {
        let Some((before, node)) = anchor.filter(|(_, node)| node.is_connected()) else {
            return;
        };
        let moved = below(area, &node) - before;
        if moved != 0 {
            self.set_top(area, area.scroll_top() + moved);
        }
    }

    pub(super) fn mode(self) -> ScrollMode {
        self.inputs.mode.try_get_untracked().unwrap_or_default()
    }

    pub(super) fn set_top(self, area: &HtmlElement, top: i32) {
        area.set_scroll_top(top);
        // The browser keeps the position within bounds.
        self.update_state(|state| state.top = area.scroll_top());
    }

    pub(super) fn update_state(self, change: impl FnOnce(&mut ScrollState)) {
        self.state.try_update_value(change);
    }
}
