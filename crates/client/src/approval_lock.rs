//! The checks before an answer to a batch is posted: the page may object, and no other tab may be
//! answering it, or have answered it just now.

use assent_conversation::{AnswerSummary, BatchId, Millis, WithheldReason};

use super::lock::{self, Lock};
use super::{Page, PendingApprovals};

/// The time in milliseconds for which the lock of a batch is held after its answer was accepted: by
/// then the other tabs know of the answer.
pub(super) const LOCK_LINGER_TIME: Millis = Millis(60_000);

/// Permission to post an answer. It holds the lock of the batch, and must be kept until the stream
/// ends, and for as long as [`LOCK_LINGER_TIME`] if the answer was accepted.
pub(super) struct Permit {
    pub(super) batch: BatchId,
    _lock: Lock,
}

/// Returns the permission to post an answer to a batch. Asks the page, takes the lock of the batch,
/// and checks that no other tab received another request for a run of it, in this order.
///
/// A request that is missing in the storage is no objection: the page may have cleared the storage,
/// or other requests may have taken its room.
///
/// `scope` is the prefix of lock names, so that two services, agents or users share none.
pub(super) async fn request_permit(
    answer: &AnswerSummary,
    page: &dyn Page,
    pending_approvals: &PendingApprovals,
    scope: &str,
) -> Result<Permit, WithheldReason> {
    if !page.allows_answer(answer) {
        return Err(WithheldReason::ByPage);
    }
    let name = format!(
        "{scope}{}{}",
        PendingApprovals::prefix(),
        answer.batch.as_str()
    );
    let lock = lock::try_take(&name)
        .await
        .ok_or(WithheldReason::ForOtherTab)?;
    if pending_approvals.differ_from(answer) {
        return Err(WithheldReason::ForOtherTab);
    }
    Ok(Permit {
        batch: answer.batch.clone(),
        _lock: lock,
    })
}
