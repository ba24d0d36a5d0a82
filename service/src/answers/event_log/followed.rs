//! The logs of runs that this process does not write and that somebody reads here: one task reads
//! them all from the database, in one statement, when a hint names them and from time to time.

use std::{
    collections::{HashMap, HashSet},
    mem::take,
    sync::Mutex,
    time::Duration,
};

use tokio::{
    sync::Notify,
    time::{Instant, sleep_until},
};

use super::{
    EventLog, INTERVAL, lock,
    shared_tail::{SharedTail, WeakTail},
    tail::Tail,
};
use crate::{
    Result,
    store::{LogCursor, LogPart, ThreadKey},
};

/// The time between two looks at all followed logs, if no hints arrive.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// The time between two looks at all followed logs, if hints arrive: one may be lost.
const HINTED_INTERVAL: Duration = Duration::from_secs(1);

/// The followed logs.
#[derive(Debug, Default)]
pub(super) struct Followed {
    state: Mutex<State>,
    news: Notify,
}

#[derive(Debug, Default)]
struct State {
    runs: HashMap<String, FollowedRun>,
    /// Runs that a hint has named since the last look.
    hinted: HashSet<String>,
    /// True if hints arrive.
    hints_arrive: bool,
    /// True while a task reads.
    is_reading: bool,
}

#[derive(Debug)]
struct FollowedRun {
    user_id: String,
    tail: WeakTail,
}

impl EventLog {
    /// Returns the tail of the log of a run that another process writes, after the event with the
    /// number `after` or a later one. It is filled as long as somebody has it.
    pub(in crate::answers) fn follow(
        &self,
        thread: &ThreadKey,
        run: &str,
        after: i64,
    ) -> SharedTail {
        let followed = &self.0.followed;
        let mut state = lock(&followed.state);
        let present = state.runs.get(run).and_then(|it| it.tail.upgrade());
        let tail = present.unwrap_or_else(|| {
            let tail = SharedTail::new(after + 1);
            let entry = FollowedRun {
                user_id: thread.user_id.clone(),
                tail: tail.downgrade(),
            };
            state.runs.insert(run.to_owned(), entry);
            tail
        });
        state.hinted.insert(run.to_owned());
        if !state.is_reading {
            state.is_reading = true;
            let log = self.clone();
            tokio::spawn(async move { log.read_followed().await });
        }
        drop(state);
        followed.news.notify_one();
        tail
    }

    /// Lets the logs of these runs be read soon, as far as somebody follows them.
    pub fn hint(&self, runs: Vec<String>) {
        let followed = &self.0.followed;
        let mut state = lock(&followed.state);
        let before = state.hinted.len();
        for run in runs {
            if state.runs.contains_key(&run) {
                state.hinted.insert(run);
            }
        }
        let is_new = state.hinted.len() > before;
        drop(state);
        if is_new {
            followed.news.notify_one();
        }
    }

    /// Notes whether hints arrive; without them all followed logs are read more often.
    pub fn set_hints_arrive(&self, hints_arrive: bool) {
        lock(&self.0.followed.state).hints_arrive = hints_arrive;
    }

    /// Reads followed logs until nobody follows one any more.
    async fn read_followed(&self) {
        let followed = &self.0.followed;
        let mut next_look = Instant::now();
        let mut is_failing = false;
        loop {
            let began = Instant::now();
            let Some((cursors, interval)) = self.due_cursors(began >= next_look) else {
                return;
            };
            if began >= next_look {
                next_look = began + interval;
            }
            match self.read_parts(&cursors).await {
                Ok(()) => is_failing = false,
                Err(error) => {
                    if !is_failing {
                        tracing::warn!(%error, "answers of other replicas are not read");
                    }
                    is_failing = true;
                }
            }
            tokio::select! {
                () = sleep_until(next_look) => {}
                () = followed.news.notified() => {}
            }
            sleep_until(began + INTERVAL).await;
        }
    }

    /// Returns the places to read on from, of all followed logs or of those that a hint has named,
    /// with the time between two looks at all; `None` if nobody follows one any more.
    fn due_cursors(&self, all: bool) -> Option<(Vec<LogCursor>, Duration)> {
        let mut state = lock(&self.0.followed.state);
        state.runs.retain(|_, run| run.tail.is_read());
        if state.runs.is_empty() {
            state.is_reading = false;
            return None;
        }
        let hinted = take(&mut state.hinted);
        let due = state
            .runs
            .iter()
            .filter(|(id, _)| all || hinted.contains(*id));
        let cursor = |(id, run): (&String, &FollowedRun)| {
            Some(LogCursor {
                user_id: run.user_id.clone(),
                run: id.clone(),
                after: run.tail.upgrade()?.logged(),
            })
        };
        let interval = if state.hints_arrive {
            HINTED_INTERVAL
        } else {
            POLL_INTERVAL
        };
        Some((due.filter_map(cursor).collect(), interval))
    }

    async fn read_parts(&self, cursors: &[LogCursor]) -> Result<()> {
        if cursors.is_empty() {
            return Ok(());
        }
        let parts = self.0.store.parts_after(cursors).await?;
        for part in parts {
            let tail = {
                let state = lock(&self.0.followed.state);
                state.runs.get(&part.run).and_then(|it| it.tail.upgrade())
            };
            let Some(tail) = tail else { continue };
            if part.is_partial {
                self.hint(vec![part.run.clone()]);
            }
            if add(&tail, &part)? {
                lock(&self.0.followed.state).runs.remove(&part.run);
            }
        }
        Ok(())
    }
}

/// Adds a part of its log to the tail; returns true if nothing follows.
fn add(tail: &SharedTail, part: &LogPart) -> Result<bool> {
    for entry in &part.entries {
        let logged = tail.logged();
        if entry.first > logged + 1 {
            // The run has begun again: what readers have does not count any more.
            tail.change(Tail::break_off);
            return Ok(true);
        }
        let events = entry.events()?.into_iter();
        let new = events.filter(|(number, _)| *number > logged);
        let new = new.map(|(_, event)| event.into()).collect();
        tail.change(|tail| tail.add_logged(logged + 1, new));
    }
    let is_ended = !part.is_running && !part.is_partial;
    if is_ended {
        tail.change(Tail::close);
    }
    Ok(is_ended)
}
