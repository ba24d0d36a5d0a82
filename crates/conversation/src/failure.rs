//! Failures as values. The view makes the message for people from them, with the table of strings.

use assent_protocol::{ExecutionId, InvalidState, Issue};

use crate::Millis;

/// A failed request, a stream that failed, or an error that an agent reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of the failure, which determines the message and the possible actions.
    pub kind: FailureKind,
    /// The HTTP status, if there was a response.
    pub status: Option<u16>,
    /// The service's own message, if it sent a readable one.
    pub message: Option<String>,
    /// The errors that the service reports about single tool runs (specification, Approval
    /// validation errors).
    pub issues: Vec<Issue>,
    /// The tool runs whose decisions conflict, if the service names them (specification, Approval
    /// validation errors, `invalidStates`).
    pub states: Vec<InvalidState>,
    /// The statuses that conflict, if the service names no tool runs (specification, Approval
    /// validation errors, `conflictingStates`).
    pub conflicting: Vec<String>,
    /// The time from which the request can be retried, if the service says so.
    pub retry_at: Option<Millis>,
}

/// The kinds of failure, distinguished by what users can do about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// No response: refused, reset, or no such host.
    Unreachable,
    /// The browser had no network: no request was sent.
    Offline,
    /// The service responds, but its responses cannot be read: it does not allow this page (CORS).
    Blocked,
    /// The service's address redirects to another one, which is not followed.
    Redirected,
    /// 401: the token is missing or no longer valid.
    Unauthorized,
    /// 403: not for this user.
    Forbidden,
    /// 404: agent or thread not found.
    NotFound,
    /// 429: too many requests.
    TooMany,
    /// Any other 4xx: the service did not accept the request.
    Rejected,
    /// 5xx: the service or something in front of it failed.
    Service,
    /// An unexpected response: HTML, another content type, unreadable JSON.
    Unreadable,
    /// The agent reported an error in its stream (specification, Error events).
    Agent,
    /// The stored messages show that a post did not arrive.
    NotDelivered,
    /// A post broke off, and the stored messages cannot be read: the post may have arrived.
    Unconfirmed,
    /// The host page objected to the message or the answer, which was not sent.
    Withheld,
    /// The host page gave no access to the service: no token, or no headers.
    NoAccess,
    /// Not now: an answer is being written.
    Busy,
    /// Not now: the agent waits for a decision.
    Undecided,
    /// The answer was interrupted.
    Interrupted,
    /// The user, or the host page, stopped listening to the answer.
    Stopped,
    /// The host page made a request that cannot be carried out.
    Invalid,
    /// Another tab was answering the batch, but the service still waits for an answer.
    OtherTab,
}

impl FailureKind {
    /// Returns the code by which the host page knows this kind.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Offline => "offline",
            Self::Blocked => "blocked",
            Self::Redirected => "redirected",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not-found",
            Self::TooMany => "too-many-requests",
            Self::Rejected => "rejected",
            Self::Service => "service",
            Self::Unreadable => "unreadable",
            Self::Agent => "agent",
            Self::NotDelivered => "not-delivered",
            Self::Unconfirmed => "unconfirmed",
            Self::Withheld => "withheld",
            Self::NoAccess => "no-access",
            Self::Busy => "busy",
            Self::Undecided => "undecided",
            Self::Interrupted => "interrupted",
            Self::Stopped => "stopped",
            Self::Invalid => "invalid",
            Self::OtherTab => "other-tab",
        }
    }
}

impl Failure {
    /// Makes a failure without status, message or issues.
    #[must_use]
    pub fn of(kind: FailureKind) -> Self {
        Self {
            kind,
            status: None,
            message: None,
            issues: Vec::new(),
            states: Vec::new(),
            conflicting: Vec::new(),
            retry_at: None,
        }
    }

    /// Returns false if the same request would fail again, unless something else changes before.
    #[must_use]
    pub fn is_recoverable(&self) -> bool {
        !matches!(
            self.kind,
            FailureKind::Forbidden
                | FailureKind::NotFound
                | FailureKind::Rejected
                | FailureKind::Invalid
        )
    }

    /// Returns true if a retry may soon succeed, so that a load is retried automatically.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(
            self.kind,
            FailureKind::Unreachable
                | FailureKind::Offline
                | FailureKind::Blocked
                | FailureKind::TooMany
                | FailureKind::Service
        )
    }

    /// Returns the text of the service's error about one tool run; `None` if it reports none.
    #[must_use]
    pub fn issue_of(&self, execution: &ExecutionId) -> Option<&str> {
        let mut issues = self.issues.iter();
        let issue = issues.find(|issue| issue.tool_execution_id == *execution)?;
        Some(&issue.error)
    }

    /// Returns true if the service certainly did not accept the request, so that a retry cannot
    /// duplicate it.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(
            self.kind,
            FailureKind::Offline
                | FailureKind::Redirected
                | FailureKind::Unauthorized
                | FailureKind::Forbidden
                | FailureKind::NotFound
                | FailureKind::TooMany
                | FailureKind::Rejected
                | FailureKind::NotDelivered
                | FailureKind::Withheld
                | FailureKind::NoAccess
                | FailureKind::OtherTab
        )
    }
}
