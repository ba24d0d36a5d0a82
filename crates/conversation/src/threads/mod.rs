//! The rows of the list of threads.

use std::{collections::VecDeque, sync::Arc};

use assent_protocol::{AgentId, SessionThread, ThreadId};

use crate::{Change, IdSet, Millis, Output, RowState, ThreadList, ThreadRow};

impl ThreadList {
    /// Replaces the rows by the service's list. A row keeps its action under way. Rows that the
    /// list lacks are removed, except those for which `stays` returns true.
    pub(crate) fn replace_rows(
        &mut self,
        threads: Vec<SessionThread>,
        stays: &dyn Fn(&ThreadRow) -> bool,
    ) {
        let mut old = VecDeque::from(std::mem::take(&mut self.rows));
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
            rows.push(Arc::new(refreshed_row(before, thread)));
        }
        rows.extend(old.into_iter().filter(|row| stays(row)));
        self.rows = rows;
        self.sort();
    }

    fn sort(&mut self) {
        // Insertion sort: they are mostly in order, and equal times keep the order they came in.
        for row in std::mem::take(&mut self.rows) {
            let rows = &mut self.rows;
            let at = rows.partition_point(|before| before.last_message >= row.last_message);
            rows.insert(at, row);
        }
    }

    /// Inserts a row for a thread that was created here, on top.
    pub(crate) fn insert(&mut self, output: &mut Output, thread: SessionThread, now: Millis) {
        if self.row(&thread.id).is_some() {
            return;
        }
        let mut row = refreshed_row(None, thread);
        row.last_message = row.last_message.or(Some(now));
        self.rows.insert(0, Arc::new(row));
        output.change(Change::Threads);
        output.change(Change::Waiting);
    }

    /// Moves up the row of a thread that got a message at `time`.
    pub(crate) fn move_up(&mut self, output: &mut Output, thread: &ThreadId, time: Millis) {
        let Some(row) = self.row_mut(thread) else {
            return;
        };
        row.last_message = row.last_message.max(Some(time));
        self.sort();
        output.change(Change::Threads);
    }

    pub(crate) fn row(&self, thread: &ThreadId) -> Option<&ThreadRow> {
        let mut rows = self.rows.iter();
        rows.find(|row| row.id == *thread).map(|row| &**row)
    }

    pub(crate) fn row_mut(&mut self, thread: &ThreadId) -> Option<&mut ThreadRow> {
        let mut rows = self.rows.iter_mut();
        rows.find(|row| row.id == *thread).map(Arc::make_mut)
    }

    /// Returns the agent of a thread; `None` if the thread is not in the list or its agent is not
    /// known.
    pub(crate) fn agent_of(&self, thread: &ThreadId) -> Option<&AgentId> {
        self.row(thread).map(|row| &row.agent)
    }
}

/// Returns a row for `thread`, with the action under way of the previous row `old`.
fn refreshed_row(old: Option<Arc<ThreadRow>>, thread: SessionThread) -> ThreadRow {
    let last_message = thread.last_message_time.epoch_millis().map(Millis);
    let Some(old) = old.map(Arc::unwrap_or_clone) else {
        return ThreadRow {
            id: thread.id,
            name: thread.thread_name,
            agent: thread.agent_id,
            agent_name: thread.agent_name,
            agent_handle: thread.agent_handle,
            last_message,
            state: RowState::Idle,
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
        state @ (RowState::Idle | RowState::Deleting) => (thread.thread_name, state),
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
