//! The status table of one tool execution (specification, States and transitions).

use assent_protocol::{ApprovalStatus, EventType, notification};
use serde::{Deserialize, Serialize};

/// A decision: one that a person may submit, or the end of waiting for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The call is approved: `APPROVED`.
    Approved,
    /// The call is denied: `DENIED`.
    Denied,
    /// The whole batch is stopped: `ABORTED_WITH_FEEDBACK`; `ABORTED`, which the integration
    /// guidance mentions, is the same.
    Aborted,
    /// No decision came in time (extension `expiry`): `DENIED`. The service alone decides this.
    Expired,
}

impl Verdict {
    /// Parses the field `approvalResult` of a result; `None` for everything that may not be
    /// submitted.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        match text {
            "APPROVED" => Some(Self::Approved),
            "DENIED" => Some(Self::Denied),
            "ABORTED_WITH_FEEDBACK" | "ABORTED" => Some(Self::Aborted),
            _ => None,
        }
    }

    /// Returns the verdict as the interface spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "APPROVED",
            Self::Denied | Self::Expired => "DENIED",
            Self::Aborted => "ABORTED_WITH_FEEDBACK",
        }
    }
}

/// Returns the status that `verdict` makes of `from`; `None` for every `from` but pending, because
/// the table has no such row.
#[must_use]
pub fn transition(from: &ApprovalStatus, verdict: Verdict) -> Option<ApprovalStatus> {
    match (from, verdict) {
        (ApprovalStatus::Pending, Verdict::Approved) => Some(ApprovalStatus::Approved),
        (ApprovalStatus::Pending, Verdict::Denied | Verdict::Expired) => {
            Some(ApprovalStatus::Denied)
        }
        (ApprovalStatus::Pending, Verdict::Aborted) => Some(ApprovalStatus::Aborted),
        _ => None,
    }
}

/// Returns the type of the event that reports a verdict.
#[must_use]
pub fn transition_event(verdict: Verdict) -> EventType {
    match verdict {
        Verdict::Approved => notification::TOOL_EXECUTION_APPROVAL_ACCEPTED,
        Verdict::Denied | Verdict::Expired => notification::TOOL_EXECUTION_APPROVAL_DENIED,
        Verdict::Aborted => notification::TOOL_EXECUTION_APPROVAL_ABORTED,
    }
}

#[cfg(test)]
mod tests {
    use assent_protocol::ApprovalStatus as S;

    use super::{Verdict as V, transition};

    #[test]
    fn pending_becomes_approved() {
        assert_eq!(transition(&S::Pending, V::Approved), Some(S::Approved));
    }

    #[test]
    fn pending_becomes_denied() {
        assert_eq!(transition(&S::Pending, V::Denied), Some(S::Denied));
    }

    #[test]
    fn pending_becomes_denied_when_its_time_is_over_and_nobody_can_submit_that() {
        assert_eq!(transition(&S::Pending, V::Expired), Some(S::Denied));
        assert_eq!(V::read("EXPIRED"), None);
        assert_eq!(V::read(V::Expired.as_str()), Some(V::Denied));
    }

    #[test]
    fn pending_becomes_aborted_with_feedback() {
        assert_eq!(transition(&S::Pending, V::Aborted), Some(S::Aborted));
    }

    #[test]
    fn decided_statuses_never_change() {
        let unknown = S::Other("PAUSED".to_owned());
        for from in [S::Approved, S::Denied, S::Aborted, unknown] {
            for verdict in [V::Approved, V::Denied, V::Aborted, V::Expired] {
                assert_eq!(transition(&from, verdict), None, "{from:?} {verdict:?}");
            }
        }
    }

    #[test]
    fn pending_is_no_answer_and_aborted_is_read_as_aborted_with_feedback() {
        assert_eq!(V::read("PENDING_HUMAN_APPROVAL"), None);
        assert_eq!(V::read("approved"), None);
        assert_eq!(V::read("ABORTED"), Some(V::Aborted));
    }
}
