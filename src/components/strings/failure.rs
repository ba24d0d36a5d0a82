//! The texts about failures: each says what to do.

use assent_conversation::{Failure, FailureKind};
use assent_i18n::Texts;

use super::{super::time, approval::cut_to, english::*};

/// Maximum number of characters that are shown of a sentence which the service or an agent wrote,
/// where no button shows the rest.
pub(in crate::components) const MAX_SENTENCE_CHARACTERS: usize = 300;

/// Returns what the service said about a post whose outcome is unknown, as a sentence without
/// advice.
pub fn response_sentence(texts: Texts, failure: &Failure) -> String {
    match failure.message.as_deref().map(str::trim) {
        Some(reason) if !reason.is_empty() => texts.fill(
            SERVICE_SAID,
            &[("reason", &cut_to(reason, MAX_SENTENCE_CHARACTERS))],
        ),
        _ => texts.get(SERVICE_ERROR).to_owned(),
    }
}

/// Returns the failure as a sentence that says what to do, with the service's own message if it
/// gave one.
pub fn failure_sentence(texts: Texts, failure: &Failure) -> String {
    let until = failure
        .retry_at
        .map(|at| time::format_clock_with_seconds(texts, at));
    let sentence = texts.get(match failure.kind {
        FailureKind::Unreachable => UNREACHABLE,
        FailureKind::Offline => OFFLINE,
        FailureKind::Blocked => BLOCKED,
        FailureKind::Redirected => REDIRECTED,
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
        FailureKind::Stopped => STOPPED,
        FailureKind::Invalid => INVALID,
        FailureKind::OtherTab => OTHER_TAB,
        FailureKind::NotDelivered => NOT_DELIVERED,
        FailureKind::Unconfirmed => UNCONFIRMED,
    });
    if failure.kind == FailureKind::NotDelivered && failure.status.is_some() {
        return [&*response_sentence(texts, failure), " ", sentence].concat();
    }
    let until = until.and_then(|time| {
        let sentence = match failure.kind {
            FailureKind::TooMany => TOO_MANY_UNTIL,
            FailureKind::Service => SERVICE_FAILED_UNTIL,
            _ => return None,
        };
        Some(texts.fill(sentence, &[("time", &time)]))
    });
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

/// Returns the sentence that the service refused the answer to a batch, with its reason.
pub(in crate::components) fn refusal_sentence(texts: Texts, failure: &Failure) -> String {
    let mut reason = self::failure_sentence(texts, failure);
    // The ends of sentences of all languages that there are.
    if !reason.ends_with(['.', '!', '?', '…', ')', '。', '！', '？', '）', '।', '؟']) {
        reason.push('.');
    }
    texts.fill(ANSWER_REFUSED, &[("reason", &reason)])
}
