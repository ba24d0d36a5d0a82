//! The state of the widget: the list of threads, the conversations that were opened, and which one
//! is shown.

use assent_protocol::ThreadId;

use crate::key::KeyCounter;
use crate::{
    AwaitedEvent, CachedRequest, Conversation, ConversationKey, Draft, Failure, Inbox, LoadState,
    Millis, ReadingPosition, RequestId, RequestVersion, StreamId, ThreadBinding, ThreadList,
    ToolRun,
};

/// The whole state. It always has an open conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The list of threads.
    pub threads: ThreadList,
    /// The conversations that were opened since the page was loaded, oldest first.
    pub conversations: Vec<Conversation>,
    /// The conversation that is shown.
    pub open: ConversationKey,
    /// A failure that belongs to no message, shown until it is dismissed.
    pub notice: Option<Notice>,
    /// The requests for approval that are stored on the device, oldest first.
    pub cached_requests: Vec<CachedRequest>,
    /// The drafts that are stored on the device, except those of conversations on this page.
    pub drafts: Vec<Draft>,
    /// The threads whose drafts are in the memory of the page alone, because the device cannot
    /// store them; `None`: that of a conversation without a thread.
    pub unstored_drafts: Vec<Option<ThreadId>>,
    /// The reading positions in threads, except those of conversations on this page.
    pub positions: Vec<(ThreadId, ReadingPosition)>,
    /// The requests of the host page that are not resolved.
    pub requests: Vec<(RequestId, AwaitedEvent)>,
    /// The number of answers that came while nobody could see them.
    pub unread: u32,
    /// True if the browser has a network. Without one the user is told before sending.
    pub is_online: bool,
    /// True if the service offers to end answers early.
    pub can_cancel: bool,
    /// What waits for the user in all threads, as the service tells it; `None` if it does not offer
    /// that.
    pub inbox: Option<Inbox>,
    /// True if a user can see the widget.
    pub(crate) is_visible: bool,
    /// The thread of the open conversation that was last reported to the host page.
    pub(crate) reported_thread: Option<ThreadId>,
    /// The thread that was opened because it was the last one used; `None` once another one was
    /// opened. If it is gone, that is no error.
    pub(crate) remembered: Option<ThreadId>,
    /// Threads that were created here and have no complete answer yet: the service may not list or
    /// name them so far.
    pub(crate) unanswered: Vec<ThreadId>,
    pub(crate) keys: KeyCounter,
}

/// A failure that belongs to no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The action that failed.
    pub subject: NoticeSubject,
    /// The reason why the action failed.
    pub failure: Failure,
}

/// The action that a notice is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeSubject {
    /// Renaming this thread to this name.
    Rename(ThreadId, String),
    /// Deleting this thread.
    Delete(ThreadId),
    /// Loading the open conversation again.
    Reload,
    /// Ending the answer that is being written in this thread.
    Cancel(ThreadId),
}

impl State {
    /// Makes an empty list and a new conversation; nothing is loaded until `Intent::Start`.
    #[must_use]
    pub fn new() -> Self {
        let mut state = Self {
            threads: ThreadList {
                load: LoadState::Loading,
                rows: Vec::new(),
            },
            conversations: Vec::new(),
            open: ConversationKey(0),
            notice: None,
            cached_requests: Vec::new(),
            drafts: Vec::new(),
            unstored_drafts: Vec::new(),
            positions: Vec::new(),
            requests: Vec::new(),
            unread: 0,
            is_online: true,
            can_cancel: false,
            inbox: None,
            is_visible: true,
            reported_thread: None,
            remembered: None,
            unanswered: Vec::new(),
            keys: KeyCounter::default(),
        };
        state.open = state.add_conversation(ThreadBinding::None);
        state
    }

    /// Returns the conversation that is shown; `None` never happens (`invariants::check`).
    #[must_use]
    pub fn open_conversation(&self) -> Option<&Conversation> {
        self.conversation(self.open)
    }

    /// Returns the conversation with this key, unless it was removed.
    #[must_use]
    pub fn conversation(&self, key: ConversationKey) -> Option<&Conversation> {
        self.conversations
            .iter()
            .find(|conversation| conversation.key == key)
    }

    pub(crate) fn conversation_mut(&mut self, key: ConversationKey) -> Option<&mut Conversation> {
        self.conversations
            .iter_mut()
            .find(|conversation| conversation.key == key)
    }

    /// Returns the conversation of this thread, if it was opened.
    #[must_use]
    pub fn conversation_of(&self, thread: &ThreadId) -> Option<&Conversation> {
        self.conversations
            .iter()
            .find(|conversation| conversation.thread_id() == Some(thread))
    }

    /// Returns the conversation of this stream; `None` if it ended, was cancelled or never was.
    #[must_use]
    pub fn conversation_of_stream(&self, stream: StreamId) -> Option<ConversationKey> {
        let mut all = self.conversations.iter();
        let streaming = all.find(|it| it.find_stream(stream).is_some())?;
        Some(streaming.key)
    }

    /// Returns the number of tool runs of this thread that the user is to decide, as far as this
    /// page knows.
    #[must_use]
    pub fn count_undecided_in(&self, thread: &ThreadId) -> usize {
        let conversation = self.conversation_of(thread);
        match conversation.filter(|conversation| conversation.load == LoadState::Ready) {
            Some(conversation) => conversation.count_undecided(),
            None if !self.may_thread_exist(thread) => 0,
            None => self
                .cached_requests
                .iter()
                .filter(|it| it.thread == *thread)
                .count(),
        }
    }

    /// Returns false if the list of threads was loaded and does not have this thread: then users
    /// cannot find the thread either.
    fn may_thread_exist(&self, thread: &ThreadId) -> bool {
        let ThreadList { load, rows } = &self.threads;
        let unread = *load != LoadState::Ready && rows.is_empty();
        unread || rows.iter().any(|row| row.id == *thread)
    }

    /// Returns the threads with tool runs that the user is to decide, each with the number of
    /// these: all of them, newest first, where the service tells them, and otherwise those that
    /// this page knows.
    #[must_use]
    pub fn undecided_by_thread(&self) -> Vec<(ThreadId, usize)> {
        let told = self.inbox.as_ref().and_then(|inbox| inbox.waiting.clone());
        told.unwrap_or_else(|| self.known_undecided())
    }

    fn known_undecided(&self) -> Vec<(ThreadId, usize)> {
        let bound = self
            .conversations
            .iter()
            .filter_map(Conversation::thread_id);
        let mut threads: Vec<&ThreadId> = Vec::new();
        for thread in bound.chain(self.cached_requests.iter().map(|cached| &cached.thread)) {
            if !threads.contains(&thread) {
                threads.push(thread);
            }
        }
        let counted = threads
            .into_iter()
            .map(|thread| (thread.clone(), self.count_undecided_in(thread)));
        counted.filter(|(_, count)| *count > 0).collect()
    }

    /// Returns the threads that have a draft and are not the one that is shown.
    #[must_use]
    pub fn drafts_elsewhere(&self) -> Vec<ThreadId> {
        let stored = self.drafts.iter().filter_map(|it| it.thread.as_ref());
        let others = self.conversations.iter().filter(|it| it.key != self.open);
        let opened = others.filter(|it| it.has_draft());
        let opened = opened.filter_map(Conversation::thread_id);
        stored.chain(opened).cloned().collect()
    }

    pub(crate) fn add_conversation(&mut self, thread: ThreadBinding) -> ConversationKey {
        let key = self.keys.next_conversation();
        let load = match thread {
            ThreadBinding::Bound(_) => LoadState::Loading,
            ThreadBinding::None | ThreadBinding::Creating(_) => LoadState::Ready,
        };
        let conversation = Conversation {
            key,
            thread,
            load,
            last_load: None,
            load_due: Millis(0),
            has_requested_recordings: false,
            lookup_since: Millis(0),
            messages: Vec::new(),
            streams: Vec::new(),
            draft: String::new(),
            files: Vec::new(),
            is_asking: false,
            queued: Vec::new(),
            first_unread: None,
            stale: false,
            followed: None,
            position: None,
        };
        self.conversations.push(conversation);
        key
    }

    /// Returns the keys of all conversations.
    pub(crate) fn keys_of_all(&self) -> Vec<ConversationKey> {
        self.conversations.iter().map(|it| it.key).collect()
    }

    /// Removes a thread from `unanswered` that has its first answer, or is gone; returns false if
    /// it is not in there.
    pub(crate) fn forget_unanswered(&mut self, thread: &ThreadId) -> bool {
        let at = self.unanswered.iter().position(|id| id == thread);
        at.map(|at| self.unanswered.swap_remove(at)).is_some()
    }

    /// Numbers the requests of this conversation that have no version yet, because they are new or
    /// have replaced others. Each is compared with the last call of its tool in an earlier batch of
    /// this conversation: the arguments that this call had, too, are noted in [`ToolRun::known`].
    pub(crate) fn number_requests(&mut self, key: ConversationKey) {
        let mut known = self.known_arguments(key).into_iter();
        let mut conversations = self.conversations.iter_mut();
        let messages = conversations.find(|it| it.key == key);
        let messages = messages.into_iter().flat_map(|it| &mut it.messages);
        let batches = messages.flat_map(|it| &mut it.approvals);
        for tool in batches.flat_map(|batch| &mut batch.tools) {
            if tool.version == RequestVersion::default() {
                tool.version = self.keys.next_request_version();
                tool.known = known.next().unwrap_or_default();
            }
        }
    }

    /// Returns for each request that has no version yet, in order, the indices of the arguments
    /// that the last call of its tool had, too.
    fn known_arguments(&self, key: ConversationKey) -> Vec<Vec<usize>> {
        let Some(conversation) = self.conversation(key) else {
            return Vec::new();
        };
        let is_new = |tool: &&ToolRun| tool.version == RequestVersion::default();
        let mut known = Vec::new();
        for batch in conversation.messages.iter().flat_map(|it| &it.approvals) {
            for tool in batch.tools.iter().filter(is_new) {
                let last = conversation.last_call(&batch.id, tool);
                known.push(last.map_or_else(Vec::new, |last| tool.same_arguments_as(last)));
            }
        }
        known
    }
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}
