//! Everything the widget knows: the list of threads, the conversations that were opened, and which one is shown.

use assent_protocol::ThreadId;

use crate::{
    Awaited, Conversation, ConversationKey, Draft, Failure, KeptRequest, Load, LoadId, MessageKey,
    QueuedMessage, ReadingPosition, RequestId, StreamId, ThreadBinding, ThreadList,
};

/// The whole state. It always has an open conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The list of threads.
    pub threads: ThreadList,
    /// Conversations that were opened since the page was loaded, oldest first.
    pub conversations: Vec<Conversation>,
    /// The one that is shown.
    pub open: ConversationKey,
    /// A failure that belongs to no message, shown until it is dismissed.
    pub notice: Option<Notice>,
    /// Requests for approval that are kept beyond the life of the page, oldest first.
    pub kept: Vec<KeptRequest>,
    /// Drafts that are kept beyond the life of the page, of threads that were not opened on it.
    pub drafts: Vec<Draft>,
    /// Where the reader was in threads that were not opened on this page.
    pub positions: Vec<(ThreadId, ReadingPosition)>,
    /// What the page asked for and was not told the end of.
    pub requests: Vec<(RequestId, Awaited)>,
    /// How many answers came while nobody could see them.
    pub unread: u32,
    /// The browser has a network. What cannot be sent without one is said beforehand.
    pub is_online: bool,
    /// A person can see the widget.
    pub(crate) is_visible: bool,
    /// The thread of the open conversation, as the page was told.
    pub(crate) told_thread: Option<ThreadId>,
    /// The thread that was opened because it was the last one used; should it be gone, that is no error.
    pub(crate) remembered: Option<ThreadId>,
    /// Threads that were made here and have no whole answer yet: the service may not list or name them so far.
    pub(crate) unanswered: Vec<ThreadId>,
    next: u32,
}

/// A failure that belongs to no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What was tried.
    pub subject: NoticeSubject,
    /// Why it failed.
    pub failure: Failure,
}

/// What was tried when a notice came up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeSubject {
    /// Renaming this thread to this name.
    Rename(ThreadId, String),
    /// Deleting this thread.
    Delete(ThreadId),
    /// Reading the open conversation again.
    Reload,
}

impl State {
    /// An empty list and a new conversation; nothing is read until `Intent::Start`.
    #[must_use]
    pub fn new() -> Self {
        let mut state = Self {
            threads: ThreadList {
                load: Load::Loading,
                rows: Vec::new(),
            },
            conversations: Vec::new(),
            open: ConversationKey(0),
            notice: None,
            kept: Vec::new(),
            drafts: Vec::new(),
            positions: Vec::new(),
            requests: Vec::new(),
            unread: 0,
            is_online: true,
            is_visible: true,
            told_thread: None,
            remembered: None,
            unanswered: Vec::new(),
            next: 0,
        };
        state.open = state.add_conversation(ThreadBinding::None);
        state
    }

    /// The conversation that is shown; `None` never happens (`invariants::check`).
    #[must_use]
    pub fn open_conversation(&self) -> Option<&Conversation> {
        self.conversation(self.open)
    }

    /// The conversation with this key, unless it was taken away.
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

    /// The conversation of this thread, if it was opened.
    #[must_use]
    pub fn conversation_of(&self, thread: &ThreadId) -> Option<&Conversation> {
        self.conversations
            .iter()
            .find(|conversation| conversation.thread_id() == Some(thread))
    }

    /// The conversation whose stream this is; `None` for one that ended, was cancelled or never was.
    #[must_use]
    pub fn conversation_of_stream(&self, stream: StreamId) -> Option<ConversationKey> {
        let mut all = self.conversations.iter();
        let streaming = all.find(|it| it.stream.as_ref().is_some_and(|it| it.id == stream))?;
        Some(streaming.key)
    }

    /// How many tool runs of this thread a person is to decide, as far as this page knows.
    #[must_use]
    pub fn waiting_in(&self, thread: &ThreadId) -> usize {
        let conversation = self.conversation_of(thread);
        match conversation.filter(|conversation| conversation.load == Load::Ready) {
            Some(conversation) => conversation.undecided(),
            None if !self.may_be_there(thread) => 0,
            None => self.kept.iter().filter(|it| it.thread == *thread).count(),
        }
    }

    /// False where the list of threads was read and does not have this one: then nobody can look for it either.
    fn may_be_there(&self, thread: &ThreadId) -> bool {
        let ThreadList { load, rows } = &self.threads;
        let unread = *load != Load::Ready && rows.is_empty();
        unread || rows.iter().any(|row| row.id == *thread)
    }

    /// The threads in which a person is to decide, each with the number of its tool runs.
    #[must_use]
    pub fn waiting(&self) -> Vec<(ThreadId, usize)> {
        let bound = self
            .conversations
            .iter()
            .filter_map(Conversation::thread_id);
        let mut threads: Vec<&ThreadId> = Vec::new();
        for thread in bound.chain(self.kept.iter().map(|kept| &kept.thread)) {
            if !threads.contains(&thread) {
                threads.push(thread);
            }
        }
        let counted = threads
            .into_iter()
            .map(|thread| (thread.clone(), self.waiting_in(thread)));
        counted.filter(|(_, count)| *count > 0).collect()
    }

    pub(crate) fn add_conversation(&mut self, thread: ThreadBinding) -> ConversationKey {
        let key = ConversationKey(self.next_number());
        let load = match thread {
            ThreadBinding::Bound(_) => Load::Loading,
            ThreadBinding::None | ThreadBinding::Creating(_) => Load::Ready,
        };
        let conversation = Conversation {
            key,
            thread,
            load,
            last_load: None,
            recalled: false,
            settling: 0,
            messages: Vec::new(),
            stream: None,
            draft: String::new(),
            files: Vec::new(),
            queued: QueuedMessage::Nothing,
            stale: false,
            position: None,
        };
        self.conversations.push(conversation);
        key
    }

    pub(crate) fn next_message(&mut self) -> MessageKey {
        MessageKey(self.next_number())
    }

    pub(crate) fn next_stream(&mut self) -> StreamId {
        StreamId(self.next_number())
    }

    pub(crate) fn next_load(&mut self) -> LoadId {
        LoadId(self.next_number())
    }

    /// The thread has its first answer, or is gone; false where that was known before.
    pub(crate) fn forget_unanswered(&mut self, thread: &ThreadId) -> bool {
        let at = self.unanswered.iter().position(|id| id == thread);
        at.map(|at| self.unanswered.swap_remove(at)).is_some()
    }

    fn next_number(&mut self) -> u32 {
        self.next = self.next.wrapping_add(1);
        self.next
    }
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}
