//! The state of an answer to a batch that was sent, as far as it is known.

/// The delivery status of an answer to a batch that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeliveryStatus {
    /// The answer is on its way.
    Sent,
    /// The stored messages are being loaded to find out whether the service accepted the answer to
    /// the batch. The value says why this page does not know that.
    Checking(UnconfirmedReason),
    /// The stored messages did not say what became of the answer; the user may have them loaded
    /// again.
    Unknown(UnconfirmedReason),
}

/// The reason why the outcome of an answer is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnconfirmedReason {
    /// The connection broke before the service was seen to accept the answer.
    Lost,
    /// Another tab was answering the batch, and nothing was sent from this tab.
    OtherTab,
}
