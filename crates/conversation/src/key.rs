//! Identifiers within this process: they are counted, never sent, and mean nothing after a reload.

/// A point in time or a span, in milliseconds; points count from 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(pub i64);

/// The identifier of a conversation, which exists also before the service knows the conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConversationKey(pub u32);

/// The identifier of a message on the screen, which exists also before the service stored the
/// message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageKey(pub u32);

/// The identifier of a post and of the stream that answers the post.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId(pub u32);

/// The identifier of one load of the stored messages; only the result of a conversation's last load
/// is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoadId(pub u32);

/// The identifier of a request of the host page, by which the page gets the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub u32);

/// The number of one version of a request for approval, as it is drawn. A request that replaces
/// another one has another number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestVersion(pub u32);

/// The identifier of a file that was chosen on this page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UploadId(pub u32);

/// The counter that gives all identifiers their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct KeyCounter {
    last: u32,
    /// The beginning of the keys of this page's posts, which no other page has; `None` if the service
    /// offers no such keys.
    pub(crate) posts: Option<String>,
}

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

    /// Returns the key of a new post, by which the service knows the post again; `None` if the service
    /// offers no such keys.
    pub(crate) fn next_post(&mut self) -> Option<String> {
        let number = self.next();
        let page = self.posts.as_deref()?;
        Some(format!("{page}-{number}"))
    }

    fn next(&mut self) -> u32 {
        self.last = self.last.wrapping_add(1);
        self.last
    }
}
