//! The checks before an answer to a batch is posted: the page may object, and no other tab may be
//! answering it.

use assent_conversation::{AnswerSummary, Withheld};

use super::lock::{self, Lock};
use super::{Page, PendingApprovals};

/// Permission to post an answer. It holds the lock of the batch, and must be kept until the stream
/// ends.
pub(super) struct Permit {
    _lock: Lock,
}

/// Asks the page, takes the lock of the batch, and checks that its requests are still pending as
/// the answer echoes them, in this order.
///
/// `scope` is the prefix of lock names, so that two services, agents or users share none.
pub(super) async fn permit(
    answer: &AnswerSummary,
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
    // The holder of the lock before may have answered, and has removed the requests then. A tab
    // that was asked something else meanwhile has stored other ones.
    if pending_approvals.holds(answer) {
        Ok(Permit { _lock: lock })
    } else {
        Err(Withheld::ForOtherTab)
    }
}
