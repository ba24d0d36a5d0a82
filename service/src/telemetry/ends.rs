//! The ends of answers and of calls, as they are counted.

/// The way in which an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunEnd {
    /// The answer is complete.
    Done,
    /// It ended with a question.
    Asked,
    /// The agent failed.
    Failed,
    /// The service failed.
    Internal,
    /// The service was stopped.
    Stopped,
    /// The user stopped the answer.
    Cancelled,
    /// Its conversation was deleted.
    Deleted,
    /// Another replica goes on with it.
    TakenOver,
}

impl RunEnd {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Asked => "asked",
            Self::Failed => "failed",
            Self::Internal => "internal",
            Self::Stopped => "stopped",
            Self::Cancelled => "cancelled",
            Self::Deleted => "deleted",
            Self::TakenOver => "taken-over",
        }
    }
}

/// The source of a decision about a call of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecidedBy {
    /// The policy or a limit decided.
    Policy,
    /// A person decided.
    Person,
}

impl DecidedBy {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Person => "person",
        }
    }
}

/// The way in which a call of a tool ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolEnd {
    /// The tool ran and reported no error.
    Succeeded,
    /// The tool ran and reported an error, or could not be started.
    Failed,
    /// The tool was started, and nobody knows how far it came.
    Unknown,
    /// The call was not allowed.
    Refused,
    /// A person denied the call.
    Denied,
    /// A person stopped everything before the tool ran.
    Skipped,
}

impl ToolEnd {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
            Self::Refused => "refused",
            Self::Denied => "denied",
            Self::Skipped => "skipped",
        }
    }
}
