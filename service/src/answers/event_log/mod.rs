//! The log of events as this process writes it: an event leaves the process only after it is in the
//! log, so that its id means the same to whoever goes on reading, here or after a restart.
//!
//! The events of all runs are appended together, as soon as the last append has ended: many answers
//! at the same time cost the database little more than one.

mod followed;
mod shared_tail;
mod tail;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::{
    Error, Result,
    store::{Hint, LoggedEvent, OwnedRun, Store, ThreadKey},
};
use followed::Followed;
use tail::Tail;
pub(super) use {shared_tail::SharedTail, tail::Found};

/// The shortest time from the begin of an append to that of the next one.
const INTERVAL: Duration = Duration::from_millis(10);

/// The pause after an append, in times that it took: the more it costs, the more events the next one
/// takes together, in as few rows. With 500 answers at once most of the cost is for each row, whose
/// place in the index is another one for each run (docs/MEASUREMENTS.md).
const PAUSE_RATIO: u32 = 3;

/// The longest pause after an append: a database that stands still for a moment is not to delay all
/// that follows.
const MAX_PAUSE: Duration = Duration::from_millis(50);

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
    /// The runs whose logs have events that the other replicas were not told of.
    untold: Mutex<Vec<String>>,
    /// True if there are other replicas.
    has_others: AtomicBool,
    followed: Followed,
}

/// The log of one run. A clone is the same log.
#[derive(Clone, Debug)]
pub struct RunLog(Arc<Run>);

#[derive(Debug)]
struct Run {
    log: EventLog,
    run: OwnedRun,
    tail: SharedTail,
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
            untold: Mutex::default(),
            has_others: AtomicBool::new(false),
            followed: Followed::default(),
        }))
    }

    /// Opens the log of a run whose first event will have the number `first_event`.
    #[must_use]
    pub fn open(&self, run: &OwnedRun, first_event: i64) -> RunLog {
        let log = RunLog(Arc::new(Run {
            log: self.clone(),
            run: run.clone(),
            tail: SharedTail::new(first_event),
        }));
        lock(&self.0.runs).insert(run.id.clone(), log.clone());
        log
    }

    /// Notes whether there are other replicas, which are told of new events.
    pub fn set_has_others(&self, has_others: bool) {
        self.0.has_others.store(has_others, Ordering::Relaxed);
    }

    /// Returns the log of a run that this process writes.
    #[must_use]
    pub fn get(&self, run: &str) -> Option<RunLog> {
        lock(&self.0.runs).get(run).cloned()
    }

    pub(super) fn store(&self) -> &Store {
        &self.0.store
    }

    /// Tells the other replicas of new events in the log of a run, soon.
    fn tell(&self, run: &str) {
        if self.0.has_others.load(Ordering::Relaxed) {
            lock(&self.0.untold).push(run.to_owned());
        }
    }

    async fn tell_all(&self) {
        let runs = std::mem::take(&mut *lock(&self.0.untold));
        if !runs.is_empty() {
            self.0.store.give_hint(Hint::Events(runs)).await;
        }
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
            if runs.is_empty() && lock(&self.0.untold).is_empty() {
                self.0.is_appending.store(false, Ordering::Release);
                // What came after the look above did not start another task.
                if !lock(&self.0.waiting).is_empty() || !lock(&self.0.untold).is_empty() {
                    self.start_appending();
                }
                return;
            }
            // After a failure each by itself: what the database refuses of one run is not to keep
            // the others waiting.
            let together = if is_failing { 1 } else { runs.len().max(1) };
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
            self.tell_all().await;
            is_failing = !failed.is_empty();
            if is_failing {
                lock(&self.0.waiting).extend(failed);
                sleep(RETRY_PAUSE).await;
            } else {
                let ended = Instant::now();
                let pause = (ended - began).saturating_mul(PAUSE_RATIO).min(MAX_PAUSE);
                sleep_until((began + INTERVAL).max(ended + pause)).await;
            }
        }
    }

    async fn append(&self, runs: &[RunLog]) -> Result<()> {
        let (mut entries, mut appended) = (Vec::new(), Vec::new());
        for log in runs {
            let run = &log.0;
            if let Some(entry) = run.tail.change_quietly(Tail::begin_append)? {
                entries.push((run.run.clone(), entry));
                appended.push(log);
            }
        }
        let there = self.0.store.append_events(&entries).await?;
        for log in appended {
            let id = &log.0.run.id;
            if log.change(|tail| tail.end_append(there.contains(id))) {
                lock(&self.0.waiting).push(log.clone());
            }
            self.tell(id);
        }
        Ok(())
    }
}

impl RunLog {
    /// Logs an event. It waits while too many events are not in the log yet.
    pub async fn push(&self, event: LoggedEvent) {
        let tail = &self.0.tail;
        if !tail.look(Tail::has_room) {
            tail.wait_until(Tail::has_room).await;
        }
        if tail.change_quietly(|tail| tail.push(event)) {
            self.0.log.schedule(self.clone());
        }
    }

    /// Waits until all events are in the log, and returns the number of the next one.
    ///
    /// # Errors
    ///
    /// [`Error::TakenOver`] if the log has not taken all events and never will, since the run is not
    /// its owner's any more; [`Error::NotReady`] if it does not take them now.
    pub async fn next_number(&self) -> Result<i64> {
        let tail = &self.0.tail;
        let all = tail.wait_until(|tail| tail.next_number().is_some());
        timeout(LOG_TIMEOUT, all)
            .await
            .map_err(|_| Error::NotReady)?;
        if tail.look(Tail::is_lost) {
            return Err(Error::TakenOver);
        }
        tail.look(Tail::next_number).ok_or(Error::NotReady)
    }

    /// Waits until the log has taken no event for too long.
    pub async fn stuck(&self) {
        self.0.tail.wait_until(Tail::is_stuck).await;
    }

    /// Waits until the run is not its owner's any more: its thread is deleted, or another replica goes
    /// on with it.
    pub async fn lost(&self) {
        self.0.tail.wait_until(Tail::is_lost).await;
    }

    /// Shows readers events that came into the log in another way, of which the first has the number
    /// `first`.
    pub fn show(&self, first: i64, events: Vec<LoggedEvent>) {
        let events = events.into_iter().map(Arc::new).collect();
        self.change(|tail| tail.add_logged(first, events));
        self.0.log.tell(&self.0.run.id);
        self.0.log.start_appending();
    }

    /// Shows readers a last event that is in no log: the run is gone with its thread.
    pub fn show_unlogged(&self, event: LoggedEvent) {
        self.change(|tail| tail.add_logged(tail.logged() + 1, vec![Arc::new(event)]));
    }

    /// Ends the log: no event follows, and readers end with the last one.
    pub fn close(&self) {
        self.change(Tail::close);
        lock(&self.0.log.0.runs).remove(&self.0.run.id);
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
        &self.0.run.thread
    }

    /// Returns the number of the last event that is in the log.
    #[must_use]
    pub fn logged(&self) -> i64 {
        self.0.tail.logged()
    }

    pub(super) fn tail(&self) -> &SharedTail {
        &self.0.tail
    }

    fn change<T>(&self, change: impl FnOnce(&mut Tail) -> T) -> T {
        self.0.tail.change(change)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
