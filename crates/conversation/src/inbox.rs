//! What waits for the user in all threads, as the service tells it (extension `inbox`).

use assent_protocol::ThreadId;

/// What waits for the user in all threads of the agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inbox {
    /// The threads with tool runs that the user is to decide, newest first, each with the number of
    /// these; `None` until the service has told it.
    pub(crate) waiting: Option<Vec<(ThreadId, usize)>>,
    pub(crate) load: InboxLoad,
}

/// How far the request for what waits is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum InboxLoad {
    /// None is under way.
    #[default]
    Idle,
    /// One is under way.
    Loading,
    /// One is under way, whose result may lack what has happened since it was sent: another one
    /// follows.
    Outdated,
}

impl Inbox {
    /// Sets the number of tool runs that wait in a thread, which this page knows better. Returns
    /// true if the service told another number.
    pub(crate) fn correct(&mut self, thread: &ThreadId, count: usize) -> bool {
        let Some(waiting) = &mut self.waiting else {
            return false;
        };
        let at = waiting.iter().position(|(it, _)| it == thread);
        let before = at.map(|at| waiting.remove(at));
        let is_changed = before.as_ref().map_or(0, |(_, before)| *before) != count;
        if count > 0 {
            waiting.insert(at.unwrap_or(0), (thread.clone(), count));
        }
        is_changed
    }
}
