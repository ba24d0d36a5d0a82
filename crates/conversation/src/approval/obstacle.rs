//! Where what is shown of a request comes from, and why it cannot be approved.

/// The origin of what is shown of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Provenance {
    /// The service: its stream on this page, or a request that was kept on the device and agrees
    /// with what the service stored.
    Service,
    /// The device, which kept the request. Whether the service stored the same is being looked up.
    Device,
    /// The service stored something else than the device kept, or does not tell the arguments. The
    /// request is shown as the service stored it.
    Contradicted,
}

/// The reason why a tool run cannot be approved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Obstacle {
    /// The service tells another request than the device kept: [`Provenance::Contradicted`].
    Contradicted,
    /// The device alone has the request so far: [`Provenance::Device`].
    Unconfirmed,
    /// An argument is too long to be read at a glance, and was not opened.
    Folded,
    /// The user changed an argument to a value that the tool does not take.
    InvalidEdit,
    /// Some of the request was not on the screen yet.
    Unseen,
}
