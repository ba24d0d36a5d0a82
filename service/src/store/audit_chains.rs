//! The chains of the audit that this process extends. A transaction on PostgreSQL that records a
//! decision takes one that no other transaction has, so that none waits for another one, and nothing is
//! read before a line is appended.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use crate::rules::audit::ChainHead;

/// The chains of a process that no transaction has at the moment; a clone shares them.
#[derive(Clone, Debug)]
pub(super) struct AuditChains(Arc<Chains>);

#[derive(Debug)]
struct Chains {
    process: String,
    started: AtomicU64,
    free: Mutex<Vec<ChainHead>>,
    /// The heads of chains that have grown since the last checkpoint, the last one of each chain.
    grown: Mutex<Vec<ChainHead>>,
}

impl AuditChains {
    /// Makes the chains of a process, none at first.
    pub(super) fn of(process: &str) -> Self {
        Self(Arc::new(Chains {
            process: process.to_owned(),
            started: AtomicU64::new(0),
            free: Mutex::default(),
            grown: Mutex::default(),
        }))
    }

    /// Takes a chain, or begins one. It is given back with the end of its transaction; one whose commit
    /// is in doubt never is: whether its last line is there is not known.
    pub(super) fn take(&self) -> ChainHead {
        let free = self
            .0
            .free
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        free.unwrap_or_else(|| {
            let number = self.0.started.fetch_add(1, Ordering::Relaxed);
            ChainHead {
                chain: format!("{}/{number}", self.0.process),
                ..ChainHead::default()
            }
        })
    }

    /// Gives back a chain that did not grow.
    pub(super) fn give_back(&self, head: ChainHead) {
        let mut free = self.0.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(head);
    }

    /// Gives back a chain whose new lines are committed.
    pub(super) fn give_back_grown(&self, head: ChainHead) {
        self.note_grown(vec![head.clone()]);
        self.give_back(head);
    }

    /// Takes the heads that no checkpoint has yet.
    pub(super) fn take_grown(&self) -> Vec<ChainHead> {
        let mut grown = self.0.grown.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut grown)
    }

    /// Notes heads for the next checkpoint, unless it has later ones of their chains.
    pub(super) fn note_grown(&self, heads: Vec<ChainHead>) {
        let mut grown = self.0.grown.lock().unwrap_or_else(PoisonError::into_inner);
        for head in heads {
            match grown.iter_mut().find(|it| it.chain == head.chain) {
                Some(there) if there.ordinal >= head.ordinal => {}
                Some(there) => *there = head,
                None => grown.push(head),
            }
        }
    }
}
