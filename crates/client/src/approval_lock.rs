//! Before an answer to a batch is posted: the page may object, and no other tab may be answering it.

use assent_conversation::{Claim, Withheld};

use super::lock::{self, Lock};
use super::{Page, PendingApprovals};

/// What an answer needs before it is posted. It holds the lock of its batch; to be kept until the stream ends.
pub(super) struct Permit {
    _lock: Lock,
}

/// Asks the page, takes the lock of the batch, and looks whether its requests still wait for an answer as they are
/// echoed in it, in this order.
///
/// `scope` begins the names of locks, so that two services, agents or users share none.
pub(super) async fn permit(
    answer: &Claim,
    page: &dyn Page,
    pending_approvals: &PendingApprovals,
    scope: &str,
) -> Result<Permit, Withheld> {
    if !page.allows(answer) {
        return Err(Withheld::ByPage);
    }
    let name = format!(
        "{scope}{}{}",
        PendingApprovals::prefix(),
        answer.batch.as_str()
    );
    let lock = lock::take(&name).await.ok_or(Withheld::ForOtherTab)?;
    // Whoever held the lock before may have answered, and has forgotten the requests then. Whoever was asked otherwise
    // meanwhile keeps others.
    if pending_approvals.holds(answer) {
        Ok(Permit { _lock: lock })
    } else {
        Err(Withheld::ForOtherTab)
    }
}
