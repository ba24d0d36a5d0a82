//! The list of threads, and which conversation is shown.

use std::{collections::VecDeque, sync::Arc};

use assent_protocol::{SessionThread, ThreadId};

use crate::{
    Announcement, Author, AwaitedEvent, Change, Command, Conversation, ConversationKey, Draft,
    Failure, FailureKind, IdSet, Load, MessageStatus, Millis, NoticeSubject, RowState,
    ThreadBinding, ThreadRow,
};

use super::Turn;

impl Turn<'_> {
    pub(super) fn start(&mut self, remembered: Option<ThreadId>) {
        self.refresh_threads();
        if let Some(thread) = remembered.filter(|thread| !thread.as_str().is_empty()) {
            self.state.remembered = Some(thread.clone());
            self.show_thread(thread);
        }
    }

    pub(super) fn refresh_threads(&mut self) {
        self.state.threads.load = Load::Loading;
        self.change(Change::Threads);
        self.change(Change::Waiting);
        self.command(Command::ListThreads {
            latest_first: self.state.threads.rows.is_empty(),
        });
    }

    /// Shows the newest threads, and requests all while these are not known.
    pub(super) fn latest_listed(&mut self, threads: Vec<SessionThread>) {
        self.replace_rows(threads, false);
        self.change(Change::Threads);
        self.change(Change::Waiting);
        if self.state.threads.load != Load::Ready {
            self.command(Command::ListThreads {
                latest_first: false,
            });
        }
    }

    #[inline(never)]
    pub(super) fn threads_listed(&mut self, result: Result<Vec<SessionThread>, Failure>) {
        match result {
            Ok(threads) => {
                self.state.threads.load = Load::Ready;
                self.replace_rows(threads, true);
            }
            Err(failure) => {
                self.report_failure(&failure);
                self.state.threads.load = Load::Failed(failure);
            }
        }
        self.change(Change::Threads);
        self.change(Change::Waiting);
    }

    /// Takes the service's list, but keeps rows with an action under way and threads that were just
    /// created here; of a list that is not whole, all that it does not have.
    fn replace_rows(&mut self, threads: Vec<SessionThread>, is_whole: bool) {
        let mut old = VecDeque::from(std::mem::take(&mut self.state.threads.rows));
        let mut rows = Vec::with_capacity(threads.len());
        let mut listed = IdSet::default();
        for thread in threads {
            if thread.id.as_str().is_empty() || !listed.insert(thread.id.as_str()) {
                continue;
            }
            // The order mostly is the one of the last list, or that one reversed, so that the next
            // row is nearly always at an end.
            let is_it = |row: &Arc<ThreadRow>| row.id == thread.id;
            let before = match old.back().is_some_and(is_it) {
                true => old.pop_back(),
                false => old.iter().position(is_it).and_then(|at| old.remove(at)),
            };
            rows.push(Arc::new(refreshed(before, thread)));
        }
        let unlisted = old.into_iter();
        rows.extend(unlisted.filter(|row| !is_whole || self.state.unanswered.contains(&row.id)));
        self.state.threads.rows = rows;
        self.sort_rows();
    }

    fn sort_rows(&mut self) {
        let rows = &mut self.state.threads.rows;
        // Insertion sort: they are mostly in order, and equal times keep the order they came in.
        for row in std::mem::take(rows) {
            let at = rows.partition_point(|before| before.last_message >= row.last_message);
            rows.insert(at, row);
        }
    }

    pub(super) fn open_thread(&mut self, thread: ThreadId) {
        if thread.as_str().is_empty() {
            return;
        }
        self.state.remembered = None;
        self.command(Command::RememberThread(Some(thread.clone())));
        self.show_thread(thread);
    }

    fn show_thread(&mut self, thread: ThreadId) {
        let known = self.state.conversation_of(&thread).map(|c| c.key);
        let key = known.unwrap_or_else(|| self.add_bound(thread));
        self.show(key);
        let streaming = self
            .conversation(key)
            .is_some_and(|conversation| conversation.stream().is_some());
        if !streaming {
            self.load_messages(key, Millis(0));
        }
    }

    pub(super) fn new_thread(&mut self) {
        self.state.remembered = None;
        self.command(Command::RememberThread(None));
        self.keep_unsent_text(self.state.open);
        let key = self.empty_conversation();
        self.show(key);
    }

    /// Returns the empty conversation that is there already, or a new one.
    pub(super) fn empty_conversation(&mut self) -> ConversationKey {
        let empty = self.state.conversations.iter().find(|conversation| {
            conversation.thread == ThreadBinding::None && conversation.messages.is_empty()
        });
        match empty.map(|conversation| conversation.key) {
            Some(key) => key,
            None => {
                let key = self.state.add_conversation(ThreadBinding::None);
                self.take_draft(key);
                key
            }
        }
    }

    /// Adds a conversation for a thread that was not opened here yet, with its stored draft.
    pub(super) fn add_bound(&mut self, thread: ThreadId) -> ConversationKey {
        let key = (self.state).add_conversation(ThreadBinding::Bound(thread));
        self.take_draft(key);
        self.take_position(key);
        key
    }

    fn show(&mut self, key: ConversationKey) {
        let left = std::mem::replace(&mut self.state.open, key);
        if left != key {
            self.keep_unsent_text(left);
        }
        self.drop_reload_notice();
        self.change(Change::Opened);
    }

    /// Puts unsent messages of a conversation without a thread back into its draft: it is in no
    /// list, and the next new conversation finds the draft.
    pub(super) fn keep_unsent_text(&mut self, key: ConversationKey) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        if conversation.thread != ThreadBinding::None || conversation.messages.is_empty() {
            return;
        }
        put_back_unsent(conversation);
        self.change(Change::Transcript(key));
        self.change(Change::Composer(key));
        self.change(Change::Draft(key));
    }

    /// Removes a conversation whose thread is gone; its draft moves on, if it is shown.
    pub(super) fn drop_conversation(&mut self, key: ConversationKey) {
        let conversations = &mut self.state.conversations;
        let Some(at) = conversations.iter().position(|it| it.key == key) else {
            return;
        };
        let mut conversation = conversations.remove(at);
        let is_open = self.state.open == key;
        if !is_open {
            // Messages to be sent are not lost with a thread that is not shown; a draft is.
            conversation.draft.clear();
            let files = std::mem::take(&mut conversation.files);
            self.forget_files(files.iter().map(|file| file.upload).collect());
        }
        conversation.take_back();
        self.change(Change::Waiting);
        self.forget_files_of(&conversation.messages);
        put_back_unsent(&mut conversation);
        for stream in std::mem::take(&mut conversation.streams) {
            self.command(Command::CancelStream(stream.id));
        }
        let has_draft = conversation.has_draft();
        if !is_open && !has_draft {
            return;
        }
        let next = self.empty_conversation();
        if let Some(next) = self.conversation_mut(next)
            && has_draft
        {
            next.put_back(&conversation.draft, conversation.files);
            let key = next.key;
            self.change(Change::Draft(key));
            self.change(Change::Composer(key));
        }
        if is_open {
            self.command(Command::RememberThread(None));
            self.show(next);
        }
    }

    pub(super) fn rename_thread(&mut self, thread: ThreadId, name: &str) {
        let name = name.trim();
        let Some(row) = self.row_mut(&thread) else {
            return;
        };
        if name.is_empty() || row.name == name || row.state == RowState::Deleting {
            return;
        }
        let shown = std::mem::replace(&mut row.name, name.to_owned());
        if row.state == RowState::Settled {
            row.state = RowState::Renaming { before: shown };
        }
        self.change(Change::Threads);
        self.command(Command::RenameThread {
            thread,
            name: name.to_owned(),
        });
    }

    pub(super) fn thread_renamed(
        &mut self,
        thread: &ThreadId,
        result: Result<SessionThread, Failure>,
    ) {
        let done = result.as_ref().map(drop).map_err(Clone::clone);
        self.settle_first(&AwaitedEvent::Renamed(thread.clone()), &done);
        let Some(row) = self.row_mut(thread) else {
            return;
        };
        let tried = row.name.clone();
        let before = match &mut row.state {
            RowState::Renaming { before } => Some(std::mem::take(before)),
            RowState::Settled | RowState::Deleting => None,
        };
        if before.is_some() {
            row.state = RowState::Settled;
        }
        match result {
            Ok(thread) => {
                if !thread.thread_name.trim().is_empty() {
                    row.name = thread.thread_name;
                }
                self.change(Change::Announce(Announcement::Renamed));
            }
            Err(failure) => {
                if let Some(before) = before {
                    row.name = before;
                }
                self.notify(NoticeSubject::Rename(thread.clone(), tried), failure);
            }
        }
        self.change(Change::Threads);
    }

    pub(super) fn delete_thread(&mut self, thread: ThreadId) {
        let Some(row) = self.row_mut(&thread) else {
            return;
        };
        if row.state == RowState::Deleting {
            return;
        }
        row.state = RowState::Deleting;
        self.change(Change::Threads);
        self.command(Command::DeleteThread { thread });
    }

    pub(super) fn thread_deleted(&mut self, thread: &ThreadId, result: Result<(), Failure>) {
        self.settle_all(&AwaitedEvent::Deleted(thread.clone()), &gone(&result));
        match result {
            Err(failure) if failure.kind != FailureKind::NotFound => {
                if let Some(row) = self.row_mut(thread)
                    && row.state == RowState::Deleting
                {
                    row.state = RowState::Settled;
                }
                self.notify(NoticeSubject::Delete(thread.clone()), failure);
            }
            Ok(()) | Err(_) => {
                self.take_away(thread);
                self.change(Change::Announce(Announcement::Deleted));
            }
        }
        self.change(Change::Threads);
    }

    /// Removes everything of a thread that is gone.
    pub(super) fn take_away(&mut self, thread: &ThreadId) {
        self.state.threads.rows.retain(|row| row.id != *thread);
        self.state.forget_unanswered(thread);
        let is_other = |draft: &Draft| draft.thread.as_ref() != Some(thread);
        self.state.drafts.retain(is_other);
        self.state.positions.retain(|(of, _)| of != thread);
        self.forget_requests(|cached| cached.thread == *thread);
        if let Some(key) = self.state.conversation_of(thread).map(|c| c.key) {
            self.drop_conversation(key);
        }
        self.change(Change::Threads);
    }

    /// Inserts a row for a thread that was created here, on top.
    pub(super) fn insert_row(&mut self, thread: SessionThread) {
        if self.row_mut(&thread.id).is_some() {
            return;
        }
        let now = self.now;
        let mut row = refreshed(None, thread);
        row.last_message = row.last_message.or(Some(now));
        self.state.threads.rows.insert(0, Arc::new(row));
        self.change(Change::Threads);
        self.change(Change::Waiting);
    }

    /// Moves up the row of a thread that got a message at `time`.
    pub(super) fn touch_row(&mut self, thread: &ThreadId, time: Millis) {
        let Some(row) = self.row_mut(thread) else {
            return;
        };
        row.last_message = row.last_message.max(Some(time));
        self.sort_rows();
        self.change(Change::Threads);
    }

    fn row_mut(&mut self, thread: &ThreadId) -> Option<&mut ThreadRow> {
        let mut rows = self.state.threads.rows.iter_mut();
        rows.find(|row| row.id == *thread).map(Arc::make_mut)
    }
}

/// Puts the messages that are not known to have arrived before the draft, except those that another
/// tab posted.
fn put_back_unsent(conversation: &mut Conversation) {
    for message in std::mem::take(&mut conversation.messages).into_iter().rev() {
        let is_own = message.author == Author::You && !message.followed;
        if is_own && message.status != MessageStatus::Sent {
            conversation.put_back(&message.text, message.files);
        }
    }
}

/// Maps the failure that a thread is not found to success: it is deleted.
fn gone(result: &Result<(), Failure>) -> Result<(), Failure> {
    match result {
        Err(failure) if failure.kind != FailureKind::NotFound => Err(failure.clone()),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Returns the row of `thread`, with the action under way in the previous row.
fn refreshed(old: Option<Arc<ThreadRow>>, thread: SessionThread) -> ThreadRow {
    let last_message = thread.last_message_time.epoch_millis().map(Millis);
    let Some(old) = old.map(Arc::unwrap_or_clone) else {
        return ThreadRow {
            id: thread.id,
            name: thread.thread_name,
            agent: thread.agent_id,
            agent_name: thread.agent_name,
            agent_handle: thread.agent_handle,
            last_message,
            state: RowState::Settled,
        };
    };
    let (name, state) = match old.state {
        RowState::Renaming { before } if thread.thread_name == old.name => {
            (old.name, RowState::Renaming { before })
        }
        RowState::Renaming { .. } => (
            old.name,
            RowState::Renaming {
                before: thread.thread_name,
            },
        ),
        state @ (RowState::Settled | RowState::Deleting) => (thread.thread_name, state),
    };
    ThreadRow {
        id: thread.id,
        name,
        agent: thread.agent_id,
        agent_name: thread.agent_name,
        agent_handle: thread.agent_handle,
        last_message: last_message.or(old.last_message),
        state,
    }
}
