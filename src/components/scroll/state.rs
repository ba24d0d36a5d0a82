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
    measure::{TurnHead, distance_below_top},
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
    /// True while the message that the user came back to is kept in its position.
    pub(super) stays: RwSignal<bool>,
    pub(super) away: RwSignal<bool>,
    /// A signal that notifies after each change of the scroll position or of a size.
    pub(super) moves: RwSignal<()>,
    pub(super) state: StoredValue<ScrollState, LocalStorage>,
    pub(super) inputs: ScrollInputs,
}

/// State that is kept between movements.
#[derive(Clone, Default)]
pub(super) struct ScrollState {
    /// The scroll position that was measured or set last, in CSS pixels.
    pub(super) top: i32,
    /// The element that the scroll position was set to and that is kept at the top; `None`: none.
    pub(super) pinned: Option<Pinned>,
    /// True if an answer came since the position was last set to the end.
    pub(super) answered: bool,
    /// The message at which the turn begins; `None` if no turn is followed.
    pub(super) head: Option<Element>,
    /// The head of a turn that has begun, while the node of its message is not there yet.
    pub(super) begins: Option<TurnHead>,
    /// The height of the empty element behind the content, in CSS pixels.
    pub(super) room: i32,
    /// The number of messages before the window at the time when more were requested; `None` if no
    /// request is open.
    pub(super) asked: Option<usize>,
    /// True if the focus was on the button for older messages, which goes away when all are shown.
    pub(super) was_on_button: bool,
    /// The message that keeps its position while older ones are added, and before it its distance
    /// below the top in CSS pixels.
    pub(super) anchor: Option<(i32, Element)>,
    /// True while an update of the scroll position is scheduled for the next frame.
    pub(super) is_scheduled: bool,
    /// The saved, kept and reported reading positions.
    pub(super) reading: ReadingState,
}

/// What the scroll position depends on besides the nodes.
#[derive(Clone, Copy)]
pub(in crate::components) struct ScrollInputs {
    /// The setting for what an answer does to the scroll position.
    pub(in crate::components) mode: RwSignal<ScrollMode>,
    /// The composer's state: whether a decision is pending, or there is no message yet.
    pub(in crate::components) composer: RwSignal<ComposerView>,
    /// Number of messages before those that are shown.
    pub(in crate::components) earlier: RwSignal<usize>,
    /// The saved reading position in a conversation that is opened; `None`: it is read from its
    /// end.
    pub(in crate::components) position: RwSignal<Option<ReadingPosition>>,
    /// The destination of requests for more messages, and of the current reading position.
    pub(in crate::components) dispatch: Dispatch,
}

/// The saved, kept and reported reading positions.
#[derive(Clone, Default)]
pub(super) struct ReadingState {
    /// The saved reading position that is to be restored once the nodes are there; `None` if none
    /// is.
    pub(super) returns: Option<ReadingPosition>,
    /// The message that the user came back to, and before it its distance below the top in CSS
    /// pixels. The message stays there until the user scrolls: answers may be drawn anew, and the
    /// browser would keep a line in place, not the message, or nothing at all.
    pub(super) pinned: Option<(i32, Element)>,
    /// The reading position that was reported last.
    pub(super) reported: Option<ReadingPosition>,
    /// True while a timer runs that will report the reading position.
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

    /// Scrolls so that a message has the distance below the top that it had before. Nothing moves
    /// for `None`.
    pub(super) fn restore_anchor(self, area: &HtmlElement, anchor: Option<(i32, Element)>) {
        let Some((before, node)) = anchor.filter(|(_, node)| node.is_connected()) else {
            return;
        };
        let moved = distance_below_top(area, &node) - before;
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
