//! The nodes and signals of the transcript's scroll position, and what is kept from one change of
//! it to the next.
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

/// The only owner of the transcript's scroll position: the nodes, signals and state with which the
/// position is set.
#[derive(Clone, Copy)]
pub(in crate::components) struct Scroll {
    pub(super) area: NodeRef<Div>,
    pub(super) content: NodeRef<Div>,
    pub(super) room: NodeRef<Div>,
    pub(super) follows: RwSignal<bool>,
    /// True while the message at a restored reading position is kept in its place on the screen.
    pub(super) stays: RwSignal<bool>,
    pub(super) away: RwSignal<bool>,
    /// A signal that notifies after each change of the scroll position or of a size.
    pub(super) moves: RwSignal<()>,
    pub(super) state: StoredValue<ScrollState, LocalStorage>,
    pub(super) inputs: ScrollInputs,
}

/// What is kept from one change of the transcript's scroll position to the next.
#[derive(Clone, Default)]
pub(super) struct ScrollState {
    /// The scroll position that was measured or set last, in CSS pixels.
    pub(super) top: i32,
    /// What the scroll position was set to show at the top and is kept there; `None` if nothing is.
    pub(super) pinned: Option<Pinned>,
    /// True if an answer came since the scroll position was last set to the end.
    pub(super) answered: bool,
    /// The node of the message that is kept at the top while an answer grows below it; `None` if
    /// none is.
    pub(super) head: Option<Element>,
    /// Which message is to be kept at the top next, while its node is not in the page yet.
    pub(super) begins: Option<TurnHead>,
    /// The height of the empty element after the messages, in CSS pixels.
    pub(super) room: i32,
    /// The number of messages before the first row when older ones were requested; `None` if no
    /// such request is open.
    pub(super) asked: Option<usize>,
    /// True if the focus was on the button for older messages when these were requested: the button
    /// goes away when all messages are shown.
    pub(super) was_on_button: bool,
    /// The distance below the top in CSS pixels, and the node, of a message that keeps its place on
    /// the screen while older messages are added.
    pub(super) anchor: Option<(i32, Element)>,
    /// True while an update of the scroll position is scheduled for the next frame.
    pub(super) is_scheduled: bool,
    /// The reading positions that are to be restored, are kept, and were sent to the core.
    pub(super) reading: ReadingState,
}

/// The signals that the transcript's scroll position depends on, besides the nodes.
#[derive(Clone, Copy)]
pub(in crate::components) struct ScrollInputs {
    /// The setting for what an answer does to the scroll position.
    pub(in crate::components) mode: RwSignal<ScrollMode>,
    /// The composer's state, which says whether a batch can be decided, and whether there is no
    /// message yet.
    pub(in crate::components) composer: RwSignal<ComposerView>,
    /// Number of messages before those that are shown.
    pub(in crate::components) earlier: RwSignal<usize>,
    /// The saved reading position to restore in a conversation that is opened; `None` if the
    /// conversation is shown from its end.
    pub(in crate::components) position: RwSignal<Option<ReadingPosition>>,
    /// What requests for older messages and the current reading position are sent with.
    pub(in crate::components) dispatch: Dispatch,
}

/// The reading positions that are to be restored, are kept, and were sent to the core.
#[derive(Clone, Default)]
pub(super) struct ReadingState {
    /// The saved reading position that is to be restored once the messages' nodes are in the page;
    /// `None` if none is.
    pub(super) returns: Option<ReadingPosition>,
    /// The distance below the top in CSS pixels, and the node, of the message at a restored reading
    /// position. It stays in place until the user scrolls: answers may be drawn anew, and the
    /// browser would keep another line in place, or none.
    pub(super) pinned: Option<(i32, Element)>,
    /// The reading position that was sent to the core last; `None` for the end of the conversation.
    pub(super) reported: Option<ReadingPosition>,
    /// True while a timer runs that will report the reading position.
    pub(super) is_report_pending: bool,
    /// Counter of the conversations that were opened: the timer of a report that was started for an
    /// earlier one does nothing.
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

    /// Scrolls so that a message has again the distance below the top that `anchor` has, in CSS
    /// pixels. For `None`, or a node that has left the page, nothing happens.
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
