//! The end of an answer that could not be stored when it came.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::{Error, answers::writer::AnswerWriter, sentence::Sentence, store::Store};

/// The time between two tries to store the end of an answer.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// The end of an answer that is still to be stored.
pub(super) struct UnstoredEnd {
    /// The sentence that the answer ends with, if it does with one.
    pub(super) note: Option<Sentence>,
    /// The reason of the failure, which readers are told.
    pub(super) reason: String,
}

/// Tries to store the end of an answer until that succeeds, its thread is deleted, or another replica
/// has taken it over; the thread accepts no post before. If the service is stopped, its next start stores the end, and this
/// returns false.
pub(super) async fn store_later(
    store: &Store,
    answer: &mut AnswerWriter,
    end: &UnstoredEnd,
    stop: &CancellationToken,
    lost: &CancellationToken,
) -> bool {
    loop {
        tokio::select! {
            () = tokio::time::sleep(RETRY_INTERVAL) => {}
            () = stop.cancelled() => return false,
            () = lost.cancelled() => return true,
        }
        match answer.end_early(end.note.as_ref(), &end.reason).await {
            Ok(()) => {
                tracing::info!("the end of an answer is stored");
                return true;
            }
            Err(Error::NotFound(_) | Error::TakenOver) => return true,
            Err(_) if store.is_closed() => return false,
            Err(error) => tracing::debug!(%error, "the end of an answer is still not stored"),
        }
    }
}
