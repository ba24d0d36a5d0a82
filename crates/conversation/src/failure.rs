//! What went wrong, as a value. The sentence for people is made from it in the view, by the table of strings.

use assent_protocol::{ExecutionId, InvalidState, Issue};

use crate::Millis;

/// A failed request, stream or agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its kind, which decides the sentence and what can be done.
    pub kind: FailureKind,
    /// HTTP status, where there was a response.
    pub status: Option<u16>,
    /// The service's own sentence, where it gave a readable one.
    pub message: Option<String>,
    /// What is wrong with which tool (specification, Approval validation errors).
    pub issues: Vec<Issue>,
    /// Which decisions do not go together, where the service names the tools (the same, `invalidStates`).
    pub states: Vec<InvalidState>,
    /// Which decisions do not go together, where it does not (the same, `conflictingStates`).
    pub conflicting: Vec<String>,
    /// When it can be tried again, where the service says so.
    pub retry_at: Option<Millis>,
}

/// The kinds of failure that people can tell apart by what they can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// No response: refused, reset, or no such host.
    Unreachable,
    /// The browser had no network: nothing left it.
    Offline,
    /// The service is there, but no answer of it may be read: it does not allow this page (CORS).
    Blocked,
    /// 401: the token is missing or no longer valid.
    Unauthorized,
    /// 403: not for this user.
    Forbidden,
    /// 404: agent or thread not found.
    NotFound,
    /// 429: too many requests.
    TooMany,
    /// Any other 4xx: the service did not accept it.
    Rejected,
    /// 5xx: the service or something in front of it failed.
    Service,
    /// A response that is not what the service sends: HTML, another content type, unreadable JSON.
    Unreadable,
    /// The agent reported an error in its stream (specification, Error events).
    Agent,
    /// A post that the stored messages show not to have arrived.
    NotDelivered,
    /// The page did not let it be sent.
    Withheld,
    /// The page could not give access to the service: no token, or no headers.
    NoAccess,
    /// Not now: an answer is being written.
    Busy,
    /// Not now: the agent waits for a decision.
    Undecided,
    /// The answer stopped short.
    Interrupted,
    /// The person, or the page, stopped listening to the answer.
    Stopped,
    /// The page asked for something that cannot be done.
    Invalid,
    /// Another tab was answering, but the service still waits.
    OtherTab,
}

impl FailureKind {
    /// What the page knows it by.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Offline => "offline",
            Self::Blocked => "blocked",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not-found",
            Self::TooMany => "too-many-requests",
            Self::Rejected => "rejected",
            Self::Service => "service",
            Self::Unreadable => "unreadable",
            Self::Agent => "agent",
            Self::NotDelivered => "not-delivered",
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
    /// A failure without status, sentence or issues.
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

    /// False where trying again cannot help by itself.
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

    /// True where the same may go well in a moment, so that a reading is tried again by itself.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        matches!(
            self.kind,
            FailureKind::Unreachable
                | FailureKind::Offline
                | FailureKind::Blocked
                | FailureKind::TooMany
                | FailureKind::Service
        )
    }

    /// What the service says is wrong with one tool run.
    #[must_use]
    pub fn issue_of(&self, execution: &ExecutionId) -> Option<&str> {
        let mut issues = self.issues.iter();
        let issue = issues.find(|issue| issue.tool_execution_id == *execution)?;
        Some(&issue.error)
    }

    /// True where the service certainly did not accept the request, so that sending it again cannot do it twice.
    #[must_use]
    pub fn refused(&self) -> bool {
        matches!(
            self.kind,
            FailureKind::Offline
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
