//! The stored messages that have a partner among the local ones.

/// Flags for the stored messages that have a partner.
pub(super) struct Paired(Vec<bool>);

impl Paired {
    /// Creates the flags of this many messages without a partner.
    pub(super) fn none_of(count: usize) -> Self {
        Self(vec![false; count])
    }

    /// Returns true for a stored message with a partner.
    pub(super) fn contains(&self, at: usize) -> bool {
        self.0.get(at).is_some_and(|paired| *paired)
    }

    /// Marks a stored message as paired; returns false if it was before.
    pub(super) fn mark(&mut self, at: usize) -> bool {
        let before = self.0.get_mut(at);
        before.is_some_and(|paired| !std::mem::replace(paired, true))
    }
}
