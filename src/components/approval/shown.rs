//! Which requests for approval of a card are drawn. A request that cannot be read cannot be
//! approved.

use leptos::prelude::*;

use assent_conversation::{ApprovalBatch, Verdict};

/// Number of requests that a card has at first, and that are added with each press of its button
/// for more: a thousand at once would block the page.
pub(super) const REQUESTS_AT_ONCE: usize = 50;

/// How much is drawn of each request for approval in a card, by the tool's index, and how many
/// tools are in the card.
#[derive(Clone, Copy)]
pub(super) struct ShownRequests {
    drawn: RwSignal<Vec<Visibility>>,
    /// The number of tools that are in the card at most; more are added when the person asks for
    /// them.
    pub(super) limit: RwSignal<usize>,
}

/// How much of a request is drawn.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Visibility {
    /// Nothing of the request that can be read.
    #[default]
    Nothing,
    /// All of the request.
    Whole,
    /// All of the request, but it was not all on the screen at the same time.
    BeyondScreen,
}

impl ShownRequests {
    pub(super) fn new() -> Self {
        Self {
            drawn: RwSignal::new(Vec::new()),
            limit: RwSignal::new(REQUESTS_AT_ONCE),
        }
    }

    /// Returns true if the request at this index is drawn; reactive.
    pub(super) fn has_drawn(self, index: usize) -> bool {
        self.get(index) != Visibility::Nothing
    }

    /// Returns true if the request at this index is drawn now; not reactive.
    pub(super) fn is_drawn(self, index: usize) -> bool {
        let drawing = self.drawn.with_untracked(|it| it.get(index).copied());
        drawing.unwrap_or_default() != Visibility::Nothing
    }

    /// Returns true if the request at this index is too long for the screen, or is not in the card
    /// yet; reactive. It is false until the browser has told what is on the screen.
    pub(super) fn is_beyond_screen(self, index: usize) -> bool {
        index >= self.limit.get() || self.get(index) == Visibility::BeyondScreen
    }

    /// Returns true if every request of the tools that are in the card is drawn; reactive.
    pub(super) fn has_drawn_all(self, batch: &ApprovalBatch) -> bool {
        (0..batch.tools.len().min(self.limit.get())).all(|index| self.has_drawn(index))
    }

    /// Returns true if every request for which approval is chosen is drawn; reactive.
    pub(super) fn has_drawn_approved(self, batch: &ApprovalBatch) -> bool {
        let mut tools = batch.tools.iter().enumerate();
        let is_denied = |choice| matches!(choice, None | Some(Verdict::Deny));
        tools.all(|(index, tool)| is_denied(tool.choice) || self.has_drawn(index))
    }

    pub(super) fn set(self, index: usize, drawing: Visibility) {
        let before = self.drawn.try_with_untracked(|it| it.get(index).copied());
        if before.is_some_and(|it| it.unwrap_or_default() != drawing) {
            self.drawn.update(|it| {
                it.resize(it.len().max(index + 1), Visibility::Nothing);
                if let Some(it) = it.get_mut(index) {
                    *it = drawing;
                }
            });
        }
    }

    fn get(self, index: usize) -> Visibility {
        self.drawn
            .with(|it| it.get(index).copied().unwrap_or_default())
    }
}
