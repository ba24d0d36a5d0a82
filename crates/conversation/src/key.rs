//! Identifiers within this process: they are counted, never sent, and mean nothing after a reload.

/// A point in time or a span, in milliseconds; points count from 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(pub i64);

/// A conversation, also before the service knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConversationKey(pub u32);

/// A message on the screen, also before the service stored it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageKey(pub u32);

/// A post and the stream that answers it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(pub u32);

/// A load of stored messages; only the result of the last one is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoadId(pub u32);

/// A request of the host page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u32);

/// One version of a request for approval, as it is drawn. A request that replaces another one has
/// another version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestVersion(pub u32);

/// A file that was chosen on this page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UploadId(pub u32);

/// The counter from which all identifiers are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyCounter(u32);

impl KeyCounter {
    pub(crate) fn next_conversation(&mut self) -> ConversationKey {
        ConversationKey(self.next())
    }

    pub(crate) fn next_message(&mut self) -> MessageKey {
        MessageKey(self.next())
    }

    pub(crate) fn next_stream(&mut self) -> StreamId {
        StreamId(self.next())
    }

    pub(crate) fn next_load(&mut self) -> LoadId {
        LoadId(self.next())
    }

    pub(crate) fn next_request_version(&mut self) -> RequestVersion {
        RequestVersion(self.next())
    }

    /// Returns the identifier of a file that was not chosen on this page: it counts down from the
    /// largest number, as those of chosen files count up.
    pub(crate) fn next_upload(&mut self) -> UploadId {
        UploadId(u32::MAX - self.next())
    }

    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(1);
        self.0
    }
}
