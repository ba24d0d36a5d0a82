//! Faults of service and client that the checks have to find.

/// A wrong service, or a wrong client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutant {
    /// Nothing is wrong on purpose.
    None,
    /// The service stores a message twice.
    StoresTwice,
    /// The service says that it has a message, and loses it.
    LosesAcknowledged,
    /// The client posts again by itself after a lost connection.
    PostsAgain,
    /// An approved tool runs twice.
    RunsTwice,
    /// A tool runs that nobody decided about in time.
    RunsEnded,
    /// A tool runs with what the agent wanted, and not as the person changed it.
    ForgetsEdits,
    /// A denial reaches the service as an approval.
    TurnsDecisions,
    /// The service does not look whose thread it is.
    ServesAnybody,
    /// The client shows a message that it sent twice.
    ShowsTwice,
    /// The client forgets what was not sent.
    ForgetsUnsent,
}
