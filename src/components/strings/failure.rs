//! The texts about failures: each says what to do.

use assent_conversation::{Failure, FailureKind};
use assent_i18n::{Texts, texts};

use super::super::time;

texts! { pub(in crate::components),
    UNREACHABLE, "unreachable", "The service cannot be reached. Check your connection and try again.";
    OFFLINE, "offline", "You are offline. Try again when you are connected.";
    BLOCKED, "blocked", "The service does not allow this page to use it. Tell the owner of this page.";
    UNAUTHORIZED, "unauthorized", "The service does not accept this page's sign-in. Sign in again, or tell the owner of this page.";
    FORBIDDEN, "forbidden", "You are not allowed to do this.";
    NOT_FOUND, "notFound", "The service does not know this conversation or agent.";
    TOO_MANY, "tooMany", "There were too many requests. Wait a moment and try again.";
    TOO_MANY_UNTIL, "tooManyUntil", "There were too many requests. Try again at {time}.";
    REJECTED, "rejected", "The service did not accept this.";
    SERVICE_FAILED, "serviceFailed", "The service has a problem. Try again in a moment.";
    UNREADABLE, "unreadable", "Something that is not the chat service answered. Try again, or tell the owner of this page.";
    AGENT_FAILED, "agentFailed", "The agent could not finish.";
    WITHHELD, "withheld", "This page did not let this be sent.";
    NO_ACCESS, "noAccess", "This page could not give access to the service. Try again, or tell the owner of this page.";
    BUSY, "busy", "An answer is still being written.";
    UNDECIDED, "undecided", "The agent waits for a decision first.";
    INTERRUPTED, "interrupted", "The answer was interrupted.";
    ANSWER_WAS_STOPPED, "stopped", "The answer was stopped.";
    INVALID, "invalid", "The page asked for something that cannot be done.";
    OTHER_TAB, "otherTab", "Another tab was answering this, but the service still waits for a decision.";
    NOT_DELIVERED, "notDelivered", "The service does not have this.";
    SERVICE_SAID, "serviceSaid", "The service had an error: {reason}";
    SERVICE_ERROR, "serviceError", "The service had an error.";
    WITH_REASON, "withReason", "{sentence} ({reason})";
}

/// Returns the response to a post whose outcome is open, as a sentence without advice.
pub fn response(texts: Texts, failure: &Failure) -> String {
    match failure.message.as_deref().map(str::trim) {
        Some(reason) if !reason.is_empty() => texts.fill(SERVICE_SAID, &[("reason", reason)]),
        _ => texts.get(SERVICE_ERROR).to_owned(),
    }
}

/// Returns the failure as a sentence that says what to do, with the service's own message if it
/// gave one.
pub fn failure(texts: Texts, failure: &Failure) -> String {
    let until = failure
        .retry_at
        .map(|at| time::clock_to_the_second(texts, at));
    let sentence = texts.get(match failure.kind {
        FailureKind::Unreachable => UNREACHABLE,
        FailureKind::Offline => OFFLINE,
        FailureKind::Blocked => BLOCKED,
        FailureKind::Unauthorized => UNAUTHORIZED,
        FailureKind::Forbidden => FORBIDDEN,
        FailureKind::NotFound => NOT_FOUND,
        FailureKind::TooMany => TOO_MANY,
        FailureKind::Rejected => REJECTED,
        FailureKind::Service => SERVICE_FAILED,
        FailureKind::Unreadable => UNREADABLE,
        FailureKind::Agent => AGENT_FAILED,
        FailureKind::Withheld => WITHHELD,
        FailureKind::NoAccess => NO_ACCESS,
        FailureKind::Busy => BUSY,
        FailureKind::Undecided => UNDECIDED,
        FailureKind::Interrupted => INTERRUPTED,
        FailureKind::Stopped => ANSWER_WAS_STOPPED,
        FailureKind::Invalid => INVALID,
        FailureKind::OtherTab => OTHER_TAB,
        FailureKind::NotDelivered => NOT_DELIVERED,
    });
    if failure.kind == FailureKind::NotDelivered && failure.status.is_some() {
        return [&*response(texts, failure), " ", sentence].concat();
    }
    let until = until.filter(|_| failure.kind == FailureKind::TooMany);
    let until = until.map(|time| texts.fill(TOO_MANY_UNTIL, &[("time", &time)]));
    let sentence = until.as_deref().unwrap_or(sentence);
    match failure.message.as_deref().map(str::trim) {
        // A sentence of the service is more exact than ours, if ours names no action.
        Some(message) if !message.is_empty() => match failure.kind {
            FailureKind::Rejected | FailureKind::Agent => message.to_owned(),
            _ => texts.fill(WITH_REASON, &[("sentence", sentence), ("reason", message)]),
        },
        _ => sentence.to_owned(),
    }
}
