//! The list of threads, and which conversation is shown.

use assent_protocol::{SessionThread, ThreadId};

use crate::approval::cache;
use crate::page::waiting;
use crate::{
    Announcement, AwaitedEvent, Change, Command, ConversationKey, Draft, Failure, FailureKind,
    LoadState, Millis, NoticeSubject, RowState, ThreadBinding, ThreadRow,
};

use super::sequencer::Sequencer;

impl Sequencer<'_> {
    pub(super) fn open_first_thread(&mut self, remembered: Option<ThreadId>) {
        self.refresh_threads();
        if let Some(thread) = remembered.filter(|thread| !thread.as_str().is_empty()) {
            self.state.remembered = Some(thread.clone());
            self.show_thread(thread);
        }
    }

    pub(super) fn refresh_threads(&mut self) {
        self.state.threads.load = LoadState::Loading;
        self.change(Change::Threads);
        self.change(Change::Waiting);
        self.command(Command::ListThreads {
            latest_first: self.state.threads.rows.is_empty(),
        });
        self.load_inbox();
    }

    /// Shows the newest threads, and requests all threads if these are not loaded yet.
    pub(super) fn latest_listed(&mut self, threads: Vec<SessionThread>) {
        self.state.threads.replace_rows(threads, &|_| true);
        self.change(Change::Threads);
        self.change(Change::Waiting);
        if self.state.threads.load != LoadState::Ready {
            self.command(Command::ListThreads {
                latest_first: false,
            });
        }
    }

    #[inline(never)]
    pub(super) fn threads_listed(&mut self, result: Result<Vec<SessionThread>, Failure>) {
        match result {
            Ok(threads) => {
                self.state.threads.load = LoadState::Ready;
                let unanswered = &self.state.unanswered;
                let is_new = |row: &ThreadRow| unanswered.contains(&row.id);
                self.state.threads.replace_rows(threads, &is_new);
            }
            Err(failure) => {
                self.output.report_failure(&failure);
                self.state.threads.load = LoadState::Failed(failure);
            }
        }
        self.change(Change::Threads);
        self.change(Change::Waiting);
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
        let key = known.unwrap_or_else(|| self.add_bound_conversation(thread));
        self.show_conversation(key);
        if let Some((conversation, mut cx)) = self.conversation_context(key)
            && conversation.stream().is_none()
        {
            conversation.followed = None;
            conversation.load_messages(&mut cx, Millis(0));
        }
    }

    pub(super) fn new_thread(&mut self) {
        self.state.remembered = None;
        self.command(Command::RememberThread(None));
        self.keep_unsent_text(self.state.open);
        let key = self.empty_conversation();
        self.show_conversation(key);
    }

    /// Gives a conversation its stored draft.
    pub(super) fn take_draft(&mut self, key: ConversationKey) {
        let mut drafts = std::mem::take(&mut self.state.drafts);
        if let Some((conversation, mut cx)) = self.conversation_context(key) {
            conversation.take_draft(&mut cx, &mut drafts);
        }
        self.state.drafts = drafts;
    }

    /// Gives a conversation the stored reading position of its thread.
    pub(super) fn take_position(&mut self, key: ConversationKey) {
        let conversations = &mut self.state.conversations;
        let Some(conversation) = conversations.iter_mut().find(|it| it.key == key) else {
            return;
        };
        let (thread, positions) = (conversation.thread_id(), &mut self.state.positions);
        let at = positions.iter().position(|(of, _)| Some(of) == thread);
        conversation.position = at.map(|at| positions.remove(at).1);
    }

    /// Returns a conversation that has no thread and no message yet, which is made if there is
    /// none.
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
    pub(super) fn add_bound_conversation(&mut self, thread: ThreadId) -> ConversationKey {
        let key = (self.state).add_conversation(ThreadBinding::Bound(thread));
        self.take_draft(key);
        self.take_position(key);
        key
    }

    fn keep_unsent_text(&mut self, key: ConversationKey) {
        if let Some((conversation, mut cx)) = self.conversation_context(key) {
            conversation.keep_unsent_text(&mut cx);
        }
    }

    fn show_conversation(&mut self, key: ConversationKey) {
        let left = std::mem::replace(&mut self.state.open, key);
        if left != key {
            self.keep_unsent_text(left);
        }
        self.drop_reload_notice();
        self.change(Change::Opened);
    }

    /// Removes a conversation whose thread is gone. The draft moves to an empty conversation, if
    /// the removed one is shown.
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
            self.output
                .cancel_uploads(files.iter().map(|file| file.upload).collect());
        }
        conversation.take_back_queue();
        self.change(Change::Waiting);
        for message in &conversation.messages {
            self.output.cancel_uploads(message.unfinished_uploads());
        }
        conversation.put_back_unsent();
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
            next.prepend_to_draft(&conversation.draft, conversation.files);
            let key = next.key;
            self.change(Change::Draft(key));
            self.change(Change::Composer(key));
        }
        if is_open {
            self.command(Command::RememberThread(None));
            self.show_conversation(next);
        }
    }

    pub(super) fn rename_thread(&mut self, thread: ThreadId, name: &str) {
        let name = name.trim();
        let Some(row) = self.state.threads.row_mut(&thread) else {
            return;
        };
        if name.is_empty() || row.name == name || row.state == RowState::Deleting {
            return;
        }
        let before = std::mem::replace(&mut row.name, name.to_owned());
        if row.state == RowState::Idle {
            row.state = RowState::Renaming { before };
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
        let awaited = AwaitedEvent::Renamed(thread.clone());
        waiting::resolve_first(&mut self.state.requests, &mut self.output, &awaited, &done);
        let Some(row) = self.state.threads.row_mut(thread) else {
            return;
        };
        let tried = row.name.clone();
        let before = match &mut row.state {
            RowState::Renaming { before } => Some(std::mem::take(before)),
            RowState::Idle | RowState::Deleting => None,
        };
        if before.is_some() {
            row.state = RowState::Idle;
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
                self.show_notice(NoticeSubject::Rename(thread.clone(), tried), failure);
            }
        }
        self.change(Change::Threads);
    }

    pub(super) fn delete_thread(&mut self, thread: ThreadId) {
        let Some(row) = self.state.threads.row_mut(&thread) else {
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
        self.resolve_all(
            &AwaitedEvent::Deleted(thread.clone()),
            &deletion_result(&result),
        );
        match result {
            Err(failure) if failure.kind != FailureKind::NotFound => {
                if let Some(row) = self.state.threads.row_mut(thread)
                    && row.state == RowState::Deleting
                {
                    row.state = RowState::Idle;
                }
                self.show_notice(NoticeSubject::Delete(thread.clone()), failure);
            }
            Ok(()) | Err(_) => {
                self.remove_thread(thread);
                self.change(Change::Announce(Announcement::Deleted));
            }
        }
        self.change(Change::Threads);
    }

    /// Removes a thread that another tab deleted. The draft moves as if the thread was deleted
    /// here, unless the draft moved in that tab already.
    pub(super) fn thread_gone(&mut self, thread: &ThreadId) {
        self.resolve_all(&AwaitedEvent::Deleted(thread.clone()), &Ok(()));
        let draft = self
            .state
            .conversation_of(thread)
            .map(|it| it.draft.clone());
        let mut others = self.state.conversations.iter();
        let moved = others.any(|it| it.thread_id().is_none() && Some(&it.draft) == draft.as_ref());
        let key = self.state.conversation_of(thread).map(|it| it.key);
        if let Some(conversation) = key
            .filter(|_| moved)
            .and_then(|it| self.conversation_mut(it))
        {
            conversation.draft.clear();
        }
        self.remove_thread(thread);
    }

    /// Gives `result` to all requests of the host page that wait for the event `awaited`.
    pub(super) fn resolve_all(&mut self, awaited: &AwaitedEvent, result: &Result<(), Failure>) {
        waiting::resolve_all(&mut self.state.requests, &mut self.output, awaited, result);
    }

    /// Removes a thread that is gone from the state: its row in the list, draft, reading position,
    /// requests for approval and conversation.
    fn remove_thread(&mut self, thread: &ThreadId) {
        self.state.threads.rows.retain(|row| row.id != *thread);
        self.state.forget_unanswered(thread);
        let is_other = |draft: &Draft| draft.thread.as_ref() != Some(thread);
        self.state.drafts.retain(is_other);
        self.state.positions.retain(|(of, _)| of != thread);
        let cached = &mut self.state.cached_requests;
        cache::forget_requests(cached, &mut self.output, &|it| it.thread == *thread);
        if let Some(inbox) = &mut self.state.inbox {
            inbox.correct(thread, 0);
            self.change(Change::Waiting);
        }
        if let Some(key) = self.state.conversation_of(thread).map(|c| c.key) {
            self.drop_conversation(key);
        }
        self.change(Change::Threads);
    }
}

/// Returns the result of a deletion, where a thread that is not found counts as deleted.
fn deletion_result(result: &Result<(), Failure>) -> Result<(), Failure> {
    match result {
        Err(failure) if failure.kind != FailureKind::NotFound => Err(failure.clone()),
        Ok(()) | Err(_) => Ok(()),
    }
}
