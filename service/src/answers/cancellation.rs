//! The end of an answer that the user does not want to go on: at once, but for what must not be torn
//! apart.
//!
//! Whoever writes the answer holds it while a tool runs, and from the moment at which its last part
//! is stored. It is cancelled as soon as nobody holds it, and nobody can hold it any more then.

use std::{future::pending, sync::Arc};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The cancellation of one answer: it can be asked for, and kept from happening for a while
/// (`hold`). A clone shares it.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<CancellationState>);

#[derive(Debug)]
struct CancellationState {
    wanted: CancellationToken,
    /// The number of calls of [`Cancellation::hold`] without their [`Cancellation::release`]: the
    /// answer is not cancelled while there is one.
    holds: watch::Sender<usize>,
}

impl Default for CancellationState {
    fn default() -> Self {
        Self {
            wanted: CancellationToken::new(),
            holds: watch::Sender::new(0),
        }
    }
}

impl Cancellation {
    /// Cancels the answer, as soon as no call of [`Cancellation::hold`] keeps it going.
    pub fn cancel(&self) {
        self.0.wanted.cancel();
    }

    /// Waits until [`Cancellation::cancel`] was called, even if a hold still keeps the answer
    /// going.
    pub async fn wait_until_wanted(&self) {
        self.0.wanted.cancelled().await;
    }

    /// Waits until [`Cancellation::cancel`] was called and no hold keeps the answer going.
    pub async fn cancelled(&self) {
        self.0.wanted.cancelled().await;
        let mut holds = self.0.holds.subscribe();
        // It fails only without a sender, which is here.
        if holds.wait_for(|holds| *holds == 0).await.is_err() {
            pending::<()>().await;
        }
    }

    /// Keeps the answer from being cancelled until [`Cancellation::release`]. If the cancellation
    /// is wanted already, this never returns: nothing new may begin.
    pub async fn hold(&self) {
        // First held and then looked at: whoever cancels meanwhile waits for it.
        self.0.holds.send_modify(|holds| *holds += 1);
        if self.0.wanted.is_cancelled() {
            self.release();
            pending::<()>().await;
        }
    }

    /// Ends one hold that [`Cancellation::hold`] began.
    pub fn release(&self) {
        self.0
            .holds
            .send_modify(|holds| *holds = holds.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt as _;

    use super::Cancellation;

    #[test]
    fn it_waits_for_whoever_holds_it() {
        let cancellation = Cancellation::default();
        assert_eq!(cancellation.hold().now_or_never(), Some(()));
        assert_eq!(cancellation.hold().now_or_never(), Some(()));
        let mut cancelled = pin!(cancellation.cancelled());
        assert_eq!(cancelled.as_mut().now_or_never(), None, "nobody wants it");
        cancellation.cancel();
        assert_eq!(cancelled.as_mut().now_or_never(), None);
        cancellation.release();
        assert_eq!(cancelled.as_mut().now_or_never(), None);
        cancellation.release();
        assert_eq!(cancelled.now_or_never(), Some(()));
    }

    #[test]
    fn nothing_is_held_any_more_once_it_is_wanted() {
        let cancellation = Cancellation::default();
        cancellation.cancel();
        assert_eq!(cancellation.hold().now_or_never(), None);
        assert_eq!(cancellation.cancelled().now_or_never(), Some(()));
    }
}
