//! The drawn requests of a card. A request that cannot be read cannot be approved.

use leptos::prelude::*;

use assent_conversation::{ApprovalBatch, Verdict};

/// For each tool, by index, true if its request is drawn.
#[derive(Clone, Copy)]
pub(super) struct Shown(RwSignal<Vec<bool>>);

impl Shown {
    pub(super) fn new() -> Self {
        Self(RwSignal::new(Vec::new()))
    }

    /// Returns true if the request at this index is drawn; reactive.
    pub(super) fn has(self, index: usize) -> bool {
        self.0.with(|it| it.get(index).copied().unwrap_or_default())
    }

    /// Returns true if every request of the batch is drawn; reactive.
    pub(super) fn has_all(self, batch: &ApprovalBatch) -> bool {
        (0..batch.tools.len()).all(|index| self.has(index))
    }

    /// Returns true if every request that would be approved is drawn; reactive.
    pub(super) fn has_approved(self, batch: &ApprovalBatch) -> bool {
        let mut tools = batch.tools.iter().enumerate();
        tools.all(|(index, tool)| tool.choice != Some(Verdict::Approve) || self.has(index))
    }

    pub(super) fn set(self, index: usize, is_drawn: bool) {
        let before = self
            .0
            .with_untracked(|it| it.get(index).copied().unwrap_or_default());
        if before != is_drawn {
            self.0.update(|it| {
                it.resize(it.len().max(index + 1), false);
                if let Some(it) = it.get_mut(index) {
                    *it = is_drawn;
                }
            });
        }
    }
}
