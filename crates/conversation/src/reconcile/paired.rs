//! The stored messages that have a partner among the local ones.

/// Flags of the stored messages: true for one that has a partner among the local messages.
pub(super) struct PairedFlags(Vec<bool>);

impl PairedFlags {
    /// Creates flags for `count` stored messages without a partner.
    pub(super) fn with_count(count: usize) -> Self {
        Self(vec![false; count])
    }

    /// Returns true if the stored message at index `at` has a partner.
    pub(super) fn contains(&self, at: usize) -> bool {
        self.0.get(at).is_some_and(|paired| *paired)
    }

    /// Marks the stored message at index `at` as paired; returns false if it was paired before.
    pub(super) fn mark(&mut self, at: usize) -> bool {
        let before = self.0.get_mut(at);
        before.is_some_and(|paired| !std::mem::replace(paired, true))
    }
}
