//! Numbers that a seed decides, and the pace of whoever asks again.

use std::{future::pending, time::Duration};

use tokio::time::timeout;

/// The generator SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mixed = mixed ^ (mixed >> 31);
        (mixed % limit as u64) as usize
    }
}

/// Waits for some time, as a client does before it asks again.
pub async fn pause(time: Duration) {
    timeout(time, pending::<()>()).await.ok();
}

/// Waits a moment before a condition is looked at again: a machine that is asked without a pause has no
/// time for what it is asked about.
pub async fn moment() {
    pause(Duration::from_millis(20)).await;
}
