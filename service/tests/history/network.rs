//! What the network does to one request: when it arrives, how often, and what the client sees.

use assent_conversation::{Failure, FailureKind};

use crate::random::Random;

/// The fate of a request. Times are in milliseconds after it was sent.
#[derive(Debug)]
pub struct Plan {
    /// When it arrives; `None`: never.
    pub arrives: Option<i64>,
    /// When a second copy arrives, as browsers and proxies make them.
    pub again: Option<i64>,
    /// True if the client sees the answer to the second copy.
    pub shows_second: bool,
    /// What the client sees instead of an answer, and when.
    pub fails: Option<(i64, Failure)>,
    pub body: Spoiled,
}

/// A stream that is spoiled at this frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoiled {
    Not,
    Cut(usize),
    Truncated(usize),
    Garbled(usize),
    Twice(usize),
    Stalled(usize),
}

const LATENCY: i64 = 20;

pub fn good() -> Plan {
    Plan {
        arrives: Some(LATENCY),
        again: None,
        shows_second: false,
        fails: None,
        body: Spoiled::Not,
    }
}

/// Returns a time of travel: most are short, some take up to a minute.
fn travel(random: &mut Random) -> i64 {
    let end = random.pick(&[200, 200, 200, 200, 2_000, 10_000, 60_000]);
    random.time(end)
}

/// Chooses the fate of a request; `posts`: it is the post of a message.
pub fn plan(random: &mut Random, posts: bool, percent: usize) -> Plan {
    if !random.chance(percent) {
        return good();
    }
    let arrives = travel(random);
    let slow = Plan {
        arrives: Some(arrives),
        ..good()
    };
    let failed = |random: &mut Random, failure: Failure| Some((travel(random), failure));
    let frame = random.below(9);
    match random.below(if posts { 14 } else { 6 }) {
        0 => Plan {
            arrives: None,
            fails: failed(random, Failure::of(FailureKind::Unreachable)),
            ..good()
        },
        1 => {
            let status = random.pick(&[200, 400, 403, 429, 500, 502, 503, 504]);
            Plan {
                arrives: None,
                fails: failed(random, of_status(status)),
                ..good()
            }
        }
        // Delayed, and given up on the way.
        2 | 6 => Plan {
            fails: failed(random, Failure::of(FailureKind::Unreachable)),
            ..slow
        },
        3 => {
            let status = random.pick(&[200, 500, 502, 504]);
            Plan {
                fails: failed(random, of_status(status)),
                ..slow
            }
        }
        4 | 5 => slow,
        7 | 8 => Plan {
            again: Some(arrives + travel(random)),
            shows_second: random.chance(70),
            ..slow
        },
        9 | 10 => Plan {
            body: Spoiled::Cut(frame),
            ..slow
        },
        11 => Plan {
            body: random.pick(&[Spoiled::Truncated(frame), Spoiled::Garbled(frame)]),
            ..slow
        },
        12 => Plan {
            body: Spoiled::Twice(frame),
            ..slow
        },
        _ => Plan {
            body: Spoiled::Stalled(frame),
            ..slow
        },
    }
}

/// Returns the failure that a client reads from a status, as `crates/client/src/failure.rs`.
pub fn of_status(status: u16) -> Failure {
    let kind = match status {
        401 => FailureKind::Unauthorized,
        403 => FailureKind::Forbidden,
        404 => FailureKind::NotFound,
        429 => FailureKind::TooMany,
        400..=499 => FailureKind::Rejected,
        500..=599 => FailureKind::Service,
        _ => FailureKind::Unreadable,
    };
    Failure {
        status: Some(status),
        ..Failure::of(kind)
    }
}
