//! The calls of an answer that may run, and which of them run at the same time. Pure.

use std::collections::{BTreeMap, VecDeque};

use crate::transcript::{Call, Effect};

/// Calls that may run, in their order: reads run beside each other, anything else by itself. No
/// call begins before those that stand before it.
#[derive(Clone, Debug)]
pub(in crate::agents::model) struct Queue {
    /// Most reads that run at the same time.
    parallel: usize,
    waiting: VecDeque<(Call, Effect)>,
    /// The effects of the calls that run, by [`Call::id`].
    running: BTreeMap<String, Effect>,
}

impl Queue {
    pub(in crate::agents::model) fn new(parallel: usize) -> Self {
        Self {
            parallel,
            waiting: VecDeque::new(),
            running: BTreeMap::new(),
        }
    }

    /// Adds a call at the end of the queue.
    pub(in crate::agents::model) fn push(&mut self, call: Call, effect: Effect) {
        self.waiting.push_back((call, effect));
    }

    /// Takes the call with this id, which has ended, from the calls that run.
    pub(in crate::agents::model) fn ended(&mut self, id: &str) {
        self.running.remove(id);
    }

    /// Returns the calls that begin now, in their order; they count as running from now on. The
    /// list is empty if others have to end first. `None`: nothing runs, and nothing waits.
    pub(in crate::agents::model) fn begin(&mut self) -> Option<Vec<(Call, Effect)>> {
        let mut begun = Vec::new();
        while let Some((call, effect)) = self.waiting.pop_front() {
            if self.running.len() >= self.parallel_limit(effect) {
                self.waiting.push_front((call, effect));
                break;
            }
            self.running.insert(call.id.clone(), effect);
            begun.push((call, effect));
        }
        (!self.running.is_empty()).then_some(begun)
    }

    /// Returns how many calls may run at the same time if the next one has the effect `next`:
    /// several if it and all calls that run are reads, otherwise one.
    fn parallel_limit(&self, next: Effect) -> usize {
        let mut effects = self.running.values().chain([&next]);
        if effects.all(|effect| *effect == Effect::Read) {
            self.parallel
        } else {
            1
        }
    }
}
