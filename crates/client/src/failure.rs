//! Conversion of responses and rejections to failures. No failure has a text of a parser or of the
//! browser.

use assent_conversation::{Failure, FailureKind, Millis};
use assent_protocol::ErrorBody;

use super::clock;

/// Maximum length of a text that counts as a sentence for people, in bytes; longer texts are pages
/// or dumps.
const MAX_SENTENCE_BYTES: usize = 500;

/// Converts a response with this status and body to a failure (specification, Errors).
pub(super) fn failure_of_refusal(status: u16, body: &str) -> Failure {
    let kind = match status {
        401 => FailureKind::Unauthorized,
        403 => FailureKind::Forbidden,
        404 => FailureKind::NotFound,
        429 => FailureKind::TooMany,
        400..=499 => FailureKind::Rejected,
        500..=599 => FailureKind::Service,
        _ => FailureKind::Unreadable,
    };
    failure_from_body(kind, status, body)
}

/// Returns the failure for a response whose status is fine, but whose body is not what the service
/// sends.
pub(super) fn failure_of_unreadable(status: u16, body: &str) -> Failure {
    failure_from_body(FailureKind::Unreadable, status, body)
}

/// Returns the failure of a post that was repeated, as one of the post: only a service that takes no
/// such post shows that it does not have it. 410 and 422 say that it has had the key before.
pub(super) fn failure_of_repeated(mut failure: Failure) -> Failure {
    let is_told = matches!(failure.kind, FailureKind::Rejected | FailureKind::NotFound)
        && !matches!(failure.status, Some(410 | 422));
    if failure.is_refusal() && !is_told {
        failure.kind = FailureKind::Service;
    }
    failure
}

fn failure_from_body(kind: FailureKind, status: u16, body: &str) -> Failure {
    // Anything but a JSON object, an HTML page above all, holds nothing for people to read.
    let body: ErrorBody = assent_protocol::read(body).unwrap_or_default();
    Failure {
        kind,
        status: Some(status),
        message: body
            .text()
            .filter(|text| is_sentence(text))
            .map(str::to_owned),
        issues: body
            .details
            .map(|details| details.issues)
            .unwrap_or_default(),
        states: body.invalid_states,
        conflicting: body.conflicting_states,
        retry_at: None,
    }
}

/// Returns the time that `Retry-After` names: a number of seconds from `now`, or a date (RFC 9110,
/// Retry-After). `None` for anything else.
pub(super) fn retry_at(after: &str, now: Millis) -> Option<Millis> {
    let at = match after.trim().parse::<u32>() {
        Ok(seconds) => now.0 + i64::from(seconds) * 1000,
        // Whole milliseconds of any date fit; an invalid date is not a number, and becomes 0.
        Err(_) => js_sys::Date::parse(after) as i64,
    };
    (at > now.0).then_some(Millis(at))
}

/// Returns how long the service wants no further request after this failure, in milliseconds; 0 or
/// less if it does not say.
pub(super) fn wanted_pause(failure: &Failure) -> i64 {
    failure.retry_at.map_or(0, |at| at.0 - clock::now().0)
}

/// Returns true for text that people can read: no page, no dump.
pub(super) fn is_sentence(text: &str) -> bool {
    text.len() <= MAX_SENTENCE_BYTES && !text.starts_with(['<', '{', '['])
}
