//! The end of a run's log as this process has it: the events that are not in the log yet, and the
//! last ones that are.
//!
//! Pure: the tasks of [`super`] call it, and wake those who wait.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use tokio::time::Instant;

use crate::{
    Result,
    store::{LogEntry, LoggedEvent},
};

/// The number of bytes of logged events that are kept for readers; who is further behind reads them
/// from the database.
const RECENT_BYTES: usize = 16 * 1024;

/// The number of bytes of events that wait for the log, from which on the agent waits, too.
const MAX_WAITING_BYTES: usize = 256 * 1024;

/// The time for which the log may take none of a run's events.
const MAX_FAILING: Duration = Duration::from_secs(30);

/// The end of a run's log.
#[derive(Debug)]
pub(super) struct Tail {
    /// Events that nobody appends yet.
    waiting: Vec<Arc<LoggedEvent>>,
    waiting_bytes: usize,
    /// The events that are being appended. They stay the same until that succeeds: an attempt whose
    /// outcome is unknown is repeated as it was.
    appending: Vec<Arc<LoggedEvent>>,
    failing_since: Option<Instant>,
    /// The last events that are in the log.
    recent: VecDeque<Arc<LoggedEvent>>,
    recent_bytes: usize,
    /// The number of the last event that is in the log.
    logged: i64,
    state: State,
    /// The number of times that the connections of readers were broken, and the number of the event
    /// after which the last time was.
    cuts: u32,
    cut_after: i64,
}

/// Whether events may follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Events may follow.
    Open,
    /// The run is gone with its thread, or another replica's: nothing can be logged here any more.
    Lost,
    /// No event follows.
    Closed,
}

/// What a reader finds after the last event that it has.
#[derive(Debug)]
pub(in crate::answers) enum Found {
    /// Events that follow, with the number of the first one.
    Events(i64, Vec<Arc<LoggedEvent>>),
    /// Events that are in the database alone.
    Earlier,
    /// Nothing yet.
    Nothing,
    /// The end of the log.
    End,
    /// The reader's connection is to be broken here.
    Cut,
}

impl Tail {
    /// Makes the tail of a log that has no event, and whose first one will have the number `first`.
    pub(super) fn new(first: i64) -> Self {
        Self {
            waiting: Vec::new(),
            waiting_bytes: 0,
            appending: Vec::new(),
            failing_since: None,
            recent: VecDeque::new(),
            recent_bytes: 0,
            logged: first - 1,
            state: State::Open,
            cuts: 0,
            cut_after: 0,
        }
    }

    /// Returns true if the agent may go on, although not all of its events are in the log.
    pub(super) fn has_room(&self) -> bool {
        self.waiting_bytes < MAX_WAITING_BYTES || self.state != State::Open
    }

    /// Adds an event that waits for the log. Returns true if nothing waited before.
    pub(super) fn push(&mut self, event: LoggedEvent) -> bool {
        if self.state != State::Open {
            return false;
        }
        self.waiting_bytes += size(&event);
        self.waiting.push(Arc::new(event));
        self.waiting.len() == 1 && self.appending.is_empty()
    }

    /// Returns the entry that is to be appended now; `None` if there is nothing to append.
    pub(super) fn begin_append(&mut self) -> Result<Option<LogEntry>> {
        if self.appending.is_empty() {
            self.appending = std::mem::take(&mut self.waiting);
            self.waiting_bytes = 0;
        }
        if self.appending.is_empty() {
            return Ok(None);
        }
        let events = self.appending.iter().map(|event| &**event);
        LogEntry::new(self.logged + 1, events).map(Some)
    }

    /// Notes that the entry of [`Tail::begin_append`] is in the log, or that its run is lost. Returns
    /// true if more events wait.
    pub(super) fn end_append(&mut self, is_own: bool) -> bool {
        self.failing_since = None;
        if !is_own {
            self.state = State::Lost;
            self.appending.clear();
            self.waiting.clear();
            return false;
        }
        let events = std::mem::take(&mut self.appending);
        self.add_recent(events);
        !self.waiting.is_empty()
    }

    /// Notes that the entry could not be appended at `now`.
    pub(super) fn fail_append(&mut self, now: Instant) {
        self.failing_since.get_or_insert(now);
    }

    /// Returns true if the log has taken no event for too long.
    pub(super) fn is_stuck(&self) -> bool {
        self.failing_since
            .is_some_and(|since| since.elapsed() >= MAX_FAILING)
    }

    /// Returns the number of the next event once all events are in the log; `None` before.
    pub(super) fn next_number(&self) -> Option<i64> {
        let all = self.waiting.is_empty() && self.appending.is_empty();
        all.then_some(self.logged + 1)
    }

    /// Returns true if the run is gone with its thread, or another replica's.
    pub(super) fn is_lost(&self) -> bool {
        self.state == State::Lost
    }

    /// Adds events that were put into the log in another way, of which the first has the number
    /// `first`.
    pub(super) fn add_logged(&mut self, first: i64, events: Vec<Arc<LoggedEvent>>) {
        if first != self.logged + 1 {
            // Readers find those between in the database.
            self.recent.clear();
            self.recent_bytes = 0;
            self.logged = first - 1;
        }
        self.add_recent(events);
    }

    /// Ends the log: no event follows.
    pub(super) fn close(&mut self) {
        self.state = State::Closed;
    }

    /// Breaks the connections of all who read now, after the events that are in the log.
    pub(super) fn break_off(&mut self) {
        self.cuts += 1;
        self.cut_after = self.logged;
    }

    /// Breaks the connections of all who read now, after the events so far.
    pub(super) fn cut(&mut self) {
        self.cuts += 1;
        let waiting = self.waiting.len() + self.appending.len();
        self.cut_after = self.logged + i64::try_from(waiting).unwrap_or(i64::MAX);
    }

    /// Returns the number of times that connections were broken.
    pub(super) fn cuts(&self) -> u32 {
        self.cuts
    }

    /// Returns the number of the last event that is in the log.
    pub(super) fn logged(&self) -> i64 {
        self.logged
    }

    /// Returns what follows the event with the number `after`, for a reader who came when
    /// connections had been broken `cuts` times.
    pub(super) fn after(&self, after: i64, cuts: u32) -> Found {
        if self.cuts != cuts && after >= self.cut_after {
            return Found::Cut;
        }
        if after >= self.logged {
            return match self.state {
                State::Closed => Found::End,
                // Whoever ends the run says so, and closes the log.
                State::Open | State::Lost => Found::Nothing,
            };
        }
        let first = self.logged + 1 - i64::try_from(self.recent.len()).unwrap_or(i64::MAX);
        let Ok(skipped) = usize::try_from(after + 1 - first) else {
            return Found::Earlier;
        };
        Found::Events(
            after + 1,
            self.recent.iter().skip(skipped).cloned().collect(),
        )
    }

    fn add_recent(&mut self, events: Vec<Arc<LoggedEvent>>) {
        self.logged += i64::try_from(events.len()).unwrap_or(i64::MAX);
        self.recent_bytes += events.iter().map(|event| size(event)).sum::<usize>();
        self.recent.extend(events);
        while self.recent_bytes > RECENT_BYTES && self.recent.len() > 1 {
            if let Some(event) = self.recent.pop_front() {
                self.recent_bytes -= size(&event);
            }
        }
    }
}

/// Returns about the number of bytes that an event takes.
fn size(event: &LoggedEvent) -> usize {
    let requests = event.requests.iter().flatten();
    let requests: usize = requests.map(|request| request.as_str().len()).sum();
    size_of::<LoggedEvent>() + event.content.len() + event.timestamp.len() + requests
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(text: &str) -> LoggedEvent {
        LoggedEvent {
            content: text.to_owned(),
            ..LoggedEvent::new(
                assent_protocol::EventType::AgentResponseChunk,
                String::new(),
            )
        }
    }

    fn texts(found: &Found) -> (i64, Vec<&str>) {
        let Found::Events(first, events) = found else {
            panic!("{found:?}")
        };
        (
            *first,
            events.iter().map(|it| it.content.as_str()).collect(),
        )
    }

    #[test]
    fn an_event_is_found_once_it_is_in_the_log() {
        let mut tail = Tail::new(1);
        assert!(tail.push(event("a")));
        assert!(!tail.push(event("b")), "one that waits is enough");
        assert!(matches!(tail.after(0, 0), Found::Nothing));
        let entry = tail.begin_append().unwrap().unwrap();
        assert_eq!((entry.first, entry.last), (1, 2));
        assert!(!tail.push(event("c")), "this is appended next");
        assert!(matches!(tail.after(0, 0), Found::Nothing));
        tail.fail_append(Instant::now());
        let again = tail.begin_append().unwrap().unwrap();
        assert_eq!((again.first, again.last), (1, 2), "as it was");
        assert_eq!(tail.next_number(), None);
        assert!(tail.end_append(true));
        assert_eq!(texts(&tail.after(0, 0)), (1, vec!["a", "b"]));
        assert_eq!(texts(&tail.after(1, 0)), (2, vec!["b"]));
        assert_eq!(tail.begin_append().unwrap().unwrap().first, 3);
        assert!(!tail.end_append(true));
        assert_eq!(tail.next_number(), Some(4));
        tail.close();
        assert_eq!(texts(&tail.after(2, 0)), (3, vec!["c"]));
        assert!(matches!(tail.after(3, 0), Found::End));
    }

    #[test]
    fn a_reader_far_behind_is_sent_to_the_database() {
        let mut tail = Tail::new(1);
        tail.push(event("begin"));
        for _ in 0..3 {
            tail.push(event(&"x".repeat(MAX_WAITING_BYTES / 2)));
        }
        assert!(!tail.has_room());
        tail.begin_append().unwrap();
        tail.end_append(true);
        assert!(tail.has_room());
        assert!(matches!(tail.after(0, 0), Found::Earlier));
        assert_eq!(texts(&tail.after(3, 0)).0, 4);
        // As after a commit that had happened, although it failed.
        tail.add_logged(6, vec![Arc::new(event("six"))]);
        assert!(matches!(tail.after(4, 0), Found::Earlier));
        assert_eq!(texts(&tail.after(5, 0)), (6, vec!["six"]));
    }

    #[test]
    fn a_cut_breaks_the_connections_that_are_there_after_the_events_so_far() {
        let mut tail = Tail::new(1);
        tail.push(event("a"));
        tail.cut();
        assert!(matches!(tail.after(0, 0), Found::Nothing), "not logged yet");
        tail.begin_append().unwrap();
        tail.push(event("b"));
        tail.end_append(true);
        assert_eq!(texts(&tail.after(0, 0)), (1, vec!["a"]));
        assert!(matches!(tail.after(1, 0), Found::Cut));
        assert!(matches!(tail.after(1, tail.cuts()), Found::Nothing));
        // What waits for a log that takes nothing is told to nobody.
        let cuts = tail.cuts();
        tail.break_off();
        assert!(matches!(tail.after(1, cuts), Found::Cut));
    }

    #[test]
    fn nothing_waits_for_the_log_of_a_run_that_is_gone() {
        let mut tail = Tail::new(1);
        tail.push(event("a"));
        tail.begin_append().unwrap();
        tail.push(event("b"));
        assert!(!tail.end_append(false));
        assert!(tail.is_lost());
        assert!(!tail.push(event("c")));
        assert_eq!(tail.next_number(), Some(1));
        assert!(matches!(tail.after(0, 0), Found::Nothing));
        tail.add_logged(1, vec![Arc::new(event("deleted"))]);
        tail.close();
        assert_eq!(texts(&tail.after(0, 0)), (1, vec!["deleted"]));
    }
}
