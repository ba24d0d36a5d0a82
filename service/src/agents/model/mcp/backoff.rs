//! When a tool server that does not stay alive is started again.

use std::time::Duration;

use tokio::time::Instant;

/// The pause after the first failure of a tool server; each further failure doubles it.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// Longest pause before a server is started again.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// The time that a server has to run for its earlier failures to be forgotten.
const STABLE_AFTER: Duration = Duration::from_secs(30);

/// The failures of a server's earlier starts, and the pause that follows from them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Backoff {
    failures: u32,
    last: Option<Instant>,
}

impl Backoff {
    /// Returns true if the server may be started now.
    pub(super) fn may_start(self, now: Instant) -> bool {
        let Some(last) = self.last.filter(|_| self.failures > 0) else {
            return true;
        };
        let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(self.failures - 1));
        now.saturating_duration_since(last) >= pause.min(MAX_PAUSE)
    }

    /// Counts a start that failed, or a server, started at `started`, that ended by itself. After a
    /// server that ran long enough the count begins anew.
    pub(super) fn ended(&mut self, started: Instant, now: Instant) {
        if now.saturating_duration_since(started) >= STABLE_AFTER {
            self.failures = 0;
        }
        self.failures = self.failures.saturating_add(1);
        self.last = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::Backoff;

    #[test]
    fn pauses_double_up_to_a_minute_and_begin_anew_after_a_server_that_ran() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let mut backoff = Backoff::default();
        assert!(backoff.may_start(begin));
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            backoff.ended(begin, begin);
            assert!(!backoff.may_start(at(pause - 1)), "{pause}");
            assert!(backoff.may_start(at(pause)), "{pause}");
        }
        backoff.ended(begin, at(30));
        assert!(!backoff.may_start(at(30)));
        assert!(backoff.may_start(at(31)));
    }
}
