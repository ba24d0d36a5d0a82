//! The state of an answer that was sent, as far as it is known.

/// The delivery status of an answer that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeliveryStatus {
    /// It is on its way.
    Sent,
    /// The stored messages are being loaded to find out what became of it.
    Checking(UnconfirmedReason),
    /// The stored messages did not say; the user may have them loaded again.
    Unknown(UnconfirmedReason),
}

/// The reason why the outcome of an answer is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnconfirmedReason {
    /// The connection broke before acceptance was seen.
    Lost,
    /// Another tab was answering, and nothing was sent from here.
    OtherTab,
}
