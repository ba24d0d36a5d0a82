//! The log of events as this process writes it: an event leaves the process only after it is in the
//! log, so that its id means the same to whoever goes on reading, here or after a restart.
//!
//! The events of all runs are appended together, as soon as the last append has ended: many answers
//! at the same time cost the database little more than one.

mod tail;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::watch,
    time::{Instant, sleep, sleep_until, timeout},
};

use crate::{
    Error, Result,
    store::{LoggedEvent, Store, ThreadKey},
};
pub(super) use tail::Found;
use tail::Tail;

/// The shortest time from the begin of an append to that of the next one.
const INTERVAL: Duration = Duration::from_millis(10);

/// The pause after an append that failed.
const RETRY_PAUSE: Duration = Duration::from_millis(250);

/// The time in which a run's events have to be in the log before a part of its answer is stored.
const LOG_TIMEOUT: Duration = Duration::from_secs(3);

/// What is said of an answer whose thread was deleted.
pub(super) const DELETED: &str = "The conversation was deleted.";

/// The logs of the runs that this process writes. A clone shares them.
#[derive(Clone, Debug)]
pub struct EventLog(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    store: Store,
    /// The logs, by the id of their run.
    runs: Mutex<HashMap<String, RunLog>>,
    /// The logs with events that wait.
    waiting: Mutex<Vec<RunLog>>,
    /// True while a task appends what waits.
    is_appending: AtomicBool,
}

/// The log of one run. A clone is the same log.
#[derive(Clone, Debug)]
pub struct RunLog(Arc<Run>);

#[derive(Debug)]
struct Run {
    log: EventLog,
    thread: ThreadKey,
    id: String,
    tail: Mutex<Tail>,
    /// Sends whenever the tail has changed.
    changed: watch::Sender<()>,
}

impl EventLog {
    /// Makes the log of a process that writes no answer yet.
    #[must_use]
    pub fn new(store: Store) -> Self {
        Self(Arc::new(Shared {
            store,
            runs: Mutex::default(),
            waiting: Mutex::default(),
            is_appending: AtomicBool::new(false),
        }))
    }

    /// Opens the log of a run whose first event will have the number `first_event`.
    #[must_use]
    pub fn open(&self, thread: &ThreadKey, run: &str, first_event: i64) -> RunLog {
        let log = RunLog(Arc::new(Run {
            log: self.clone(),
            thread: thread.clone(),
            id: run.to_owned(),
            tail: Mutex::new(Tail::new(first_event)),
            changed: watch::Sender::new(()),
        }));
        lock(&self.0.runs).insert(run.to_owned(), log.clone());
        log
    }

    /// Returns the log of a run that this process writes.
    #[must_use]
    pub fn get(&self, run: &str) -> Option<RunLog> {
        lock(&self.0.runs).get(run).cloned()
    }

    pub(super) fn store(&self) -> &Store {
        &self.0.store
    }

    /// Lets what waits be appended soon.
    fn schedule(&self, run: RunLog) {
        lock(&self.0.waiting).push(run);
        self.start_appending();
    }

    fn start_appending(&self) {
        if !self.0.is_appending.swap(true, Ordering::AcqRel) {
            let log = self.clone();
            tokio::spawn(async move { log.append_all().await });
        }
    }

    /// Appends what waits, until nothing waits any more.
    async fn append_all(&self) {
        let mut is_failing = false;
        loop {
            let began = Instant::now();
            let runs = std::mem::take(&mut *lock(&self.0.waiting));
            if runs.is_empty() {
                self.0.is_appending.store(false, Ordering::Release);
                // One that came after the look above did not start another task.
                if !lock(&self.0.waiting).is_empty() {
                    self.start_appending();
                }
                return;
            }
            // After a failure each by itself: what the database refuses of one run is not to keep
            // the others waiting.
            let together = if is_failing { 1 } else { runs.len() };
            let mut failed = Vec::new();
            for part in runs.chunks(together) {
                match self.append(part).await {
                    Ok(()) => {}
                    Err(_) if self.0.store.is_closed() => {
                        runs.iter().for_each(RunLog::break_off);
                        self.0.is_appending.store(false, Ordering::Release);
                        return;
                    }
                    Err(error) => {
                        if failed.is_empty() && !is_failing {
                            tracing::error!(%error, "events cannot be logged; that is tried again");
                        }
                        let now = Instant::now();
                        part.iter()
                            .for_each(|run| run.change(|tail| tail.fail_append(now)));
                        failed.extend_from_slice(part);
                    }
                }
            }
            is_failing = !failed.is_empty();
            if is_failing {
                lock(&self.0.waiting).extend(failed);
                sleep(RETRY_PAUSE).await;
            } else {
                sleep_until(began + INTERVAL).await;
            }
        }
    }

    async fn append(&self, runs: &[RunLog]) -> Result<()> {
        let (mut entries, mut appended) = (Vec::new(), Vec::new());
        for log in runs {
            let run = &log.0;
            let entry = lock(&run.tail).begin_append(&run.thread.user_id, &run.id)?;
            if let Some(entry) = entry {
                entries.push(entry);
                appended.push(log);
            }
        }
        let there = self.0.store.append_events(&entries).await?;
        for run in appended {
            let is_there = there.contains(&run.0.id);
            if run.change(|tail| tail.end_append(is_there)) {
                lock(&self.0.waiting).push(run.clone());
            }
        }
        Ok(())
    }
}

impl RunLog {
    /// Logs an event. It waits while too many events are not in the log yet.
    pub async fn push(&self, event: LoggedEvent) {
        if !lock(&self.0.tail).has_room() {
            self.wait_until(Tail::has_room).await;
        }
        if lock(&self.0.tail).push(event) {
            self.0.log.schedule(self.clone());
        }
    }

    /// Waits until all events are in the log, and returns the number of the next one.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if the run is gone with its thread; [`Error::NotReady`] if the log does
    /// not take the events.
    pub async fn next_number(&self) -> Result<i64> {
        let all = self.wait_until(|tail| tail.next_number().is_some());
        timeout(LOG_TIMEOUT, all)
            .await
            .map_err(|_| Error::NotReady)?;
        let tail = lock(&self.0.tail);
        if tail.is_gone() {
            return Err(Error::NotFound(DELETED));
        }
        tail.next_number().ok_or(Error::NotReady)
    }

    /// Waits until the log has taken no event for too long.
    pub async fn stuck(&self) {
        self.wait_until(Tail::is_stuck).await;
    }

    /// Shows readers events that came into the log in another way, of which the first has the number
    /// `first`.
    pub fn show(&self, first: i64, events: Vec<LoggedEvent>) {
        let events = events.into_iter().map(Arc::new).collect();
        self.change(|tail| tail.add_logged(first, events));
    }

    /// Shows readers a last event that is in no log: the run is gone with its thread.
    pub fn show_unlogged(&self, event: LoggedEvent) {
        self.change(|tail| tail.add_logged(tail.logged() + 1, vec![Arc::new(event)]));
    }

    /// Ends the log: no event follows, and readers end with the last one.
    pub fn close(&self) {
        self.change(Tail::close);
        lock(&self.0.log.0.runs).remove(&self.0.id);
    }

    /// Breaks the connections of all who read now, after the events that are in the log: more cannot
    /// be told.
    pub fn break_off(&self) {
        self.change(Tail::break_off);
    }

    /// Breaks the connections of all who read now, after the events so far: they see an error, no
    /// clean end.
    pub fn cut(&self) {
        self.change(Tail::cut);
    }

    /// Returns the thread of the run.
    #[must_use]
    pub fn thread(&self) -> &ThreadKey {
        &self.0.thread
    }

    /// Returns the number of the last event that is in the log.
    #[must_use]
    pub fn logged(&self) -> i64 {
        lock(&self.0.tail).logged()
    }

    /// Returns a receiver that is told whenever there may be something new, and the number of times
    /// that connections were broken.
    pub(super) fn subscribe(&self) -> (watch::Receiver<()>, u32) {
        (self.0.changed.subscribe(), lock(&self.0.tail).cuts())
    }

    pub(super) fn after(&self, after: i64, cuts: u32) -> Found {
        lock(&self.0.tail).after(after, cuts)
    }

    async fn wait_until(&self, mut done: impl FnMut(&Tail) -> bool) {
        let mut changed = self.0.changed.subscribe();
        // It fails only without a sender, which is here.
        while !done(&lock(&self.0.tail)) && changed.changed().await.is_ok() {}
    }

    fn change<T>(&self, change: impl FnOnce(&mut Tail) -> T) -> T {
        let changed = change(&mut lock(&self.0.tail));
        self.0.changed.send_replace(());
        changed
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
