//! The texts of messages: authors, days, status, actions, and contributors.

use assent_conversation::ContributionState;
use assent_i18n::{Text, texts};

texts! { pub(in crate::components),
    YOU, "you", "You";
    TODAY, "today", "Today";
    YESTERDAY, "yesterday", "Yesterday";
    COPY_MESSAGE, "copyMessage", "Copy";
    MESSAGE_COPIED, "messageCopied", "Copied";
    COPY_ANSWER, "copyAnswer", "Copy answer";
    COPY_AS_MARKDOWN, "copyAsMarkdown", "Copy as Markdown";
    SENDING, "sending", "Sending…";
    CHECKING, "checking", "Checking whether it arrived…";
    CHECKING_ANSWER, "checkingAnswer", "Reading the rest of the answer…";
    UNCONFIRMED, "unconfirmed", "The connection broke, and it is not known whether this message arrived.";
    SEND_AGAIN, "sendAgain", "Send again";
    MAY_ARRIVE_TWICE, "mayArriveTwice", "If this message did arrive, it will be there twice.";
    QUIET, "quiet", "Nothing has come for 45 seconds. The agent may still be at work.";
    DRAFT_UNSTORED, "draftUnstored", "This text is too long to be kept on this device. It is lost if you close the page.";
    OFFLINE_HINT, "offlineHint", "You are offline. What you write stays here.";
    CONTRIBUTION_OF, "contributionOf", "Contribution of {agent}";
    CONTRIBUTION_WRITING, "contributionWriting", "writing…";
    CONTRIBUTION_SHORT, "contributionShort", "cut short";
}

/// Returns the text of a contribution's state; `None`: nothing is shown.
pub(in crate::components) fn contribution_state(state: ContributionState) -> Option<Text> {
    match state {
        ContributionState::Writing => Some(CONTRIBUTION_WRITING),
        ContributionState::Whole => None,
        ContributionState::Short => Some(CONTRIBUTION_SHORT),
    }
}
