//! The user's decision on one tool run.

use assent_protocol::ApprovalStatus;

/// The user's decision on one tool run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The tool is run.
    Approve,
    /// The tool is run, and accepted as it is defined now: later calls need not be asked about for
    /// the definition's sake.
    ApproveDefinition,
    /// The tool is run, and calls like this one are allowed beforehand ([`crate::ToolRun::grant`]).
    ApproveBeforehand,
    /// The tool is run. That was chosen by itself, because what is allowed beforehand with another
    /// run of the batch covers this one.
    ApproveCovered,
    /// The tool is not run.
    Deny,
}

impl Verdict {
    /// Returns the approval status for the verdict.
    #[must_use]
    pub fn status(self) -> ApprovalStatus {
        match self {
            Self::Approve
            | Self::ApproveDefinition
            | Self::ApproveBeforehand
            | Self::ApproveCovered => ApprovalStatus::Approved,
            Self::Deny => ApprovalStatus::Denied,
        }
    }
}
