//! The pauses between attempts: each is twice as long as the one before, up to an hour, and as long as
//! the receiver asks for.

use std::time::Duration;

/// The longest pause.
const MAX_PAUSE: Duration = Duration::from_secs(3600);

/// Returns the pause after so many attempts that failed, with a part that is random: what became due
/// together is not sent together again and again. `asked` is the time that the receiver wants to be
/// left alone, of which an hour at most is kept.
pub(super) fn pause_after(first: Duration, attempts: i64, asked: Option<Duration>) -> Duration {
    let doubled = u32::try_from(attempts.saturating_sub(1)).unwrap_or(u32::MAX);
    let factor = 2_u32.saturating_pow(doubled);
    let pause = first.saturating_mul(factor).max(asked.unwrap_or_default());
    let pause = pause.min(MAX_PAUSE);
    let random = uuid::Uuid::new_v4().as_u128() % 100;
    let percent = u32::try_from(random).unwrap_or_default();
    pause + pause * percent / 500
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{MAX_PAUSE, pause_after};

    const FIRST: Duration = Duration::from_secs(5);

    #[test]
    fn each_pause_is_twice_as_long_up_to_an_hour() {
        for (attempts, seconds) in [
            (1, 5),
            (2, 10),
            (3, 20),
            (10, 2560),
            (11, 3600),
            (1000, 3600),
            (i64::MAX, 3600),
        ] {
            let pause = pause_after(FIRST, attempts, None);
            let least = Duration::from_secs(seconds);
            assert!(
                pause >= least && pause < least * 6 / 5,
                "{attempts}: {pause:?}"
            );
        }
    }

    #[test]
    fn a_day_has_about_thirty_attempts() {
        let (mut time, mut attempts) = (Duration::ZERO, 1);
        while time < Duration::from_secs(24 * 3600) {
            time += pause_after(FIRST, attempts, None);
            attempts += 1;
        }
        assert!((28..=34).contains(&attempts), "{attempts}");
        assert!(pause_after(MAX_PAUSE, 2, None) < MAX_PAUSE * 6 / 5);
    }

    #[test]
    fn a_receiver_is_left_alone_as_long_as_it_asks_for_up_to_an_hour() {
        for (asked, seconds) in [(0, 5), (3, 5), (120, 120), (86_400, 3600)] {
            let asked = Duration::from_secs(asked);
            let (pause, least) = (
                pause_after(FIRST, 1, Some(asked)),
                Duration::from_secs(seconds),
            );
            assert!(
                pause >= least && pause < least * 6 / 5,
                "{asked:?}: {pause:?}"
            );
        }
    }
}
