//! The one table of texts that people see or hear. Those about answers, approvals and messages are in files of their own.

mod answer;
mod approval;
mod files;
mod message;

use assent_conversation::{Announcement, Failure, FailureKind, Interruption, NoticeSubject};

pub(super) use answer::*;
pub(super) use approval::*;
pub use approval::{actions_need_approval, approval_needed};
pub(super) use files::*;
pub(super) use message::*;

pub(super) const HEADING: &str = "Assistant";
pub(super) const CONVERSATIONS: &str = "Conversations";
pub(super) const NEW_CONVERSATION: &str = "New conversation";
pub(super) const UNNAMED: &str = "Untitled conversation";
pub(super) const NO_CONVERSATIONS: &str = "Your conversations will be listed here.";
pub(super) const LOADING: &str = "Loading…";
pub(super) const RENAME: &str = "Rename";
pub(super) const DELETE: &str = "Delete";
pub(super) const CANCEL: &str = "Cancel";
pub(super) const CONVERSATION_NAME: &str = "Conversation name";
pub(super) const DELETE_QUESTION: &str = "Delete conversation?";
pub(super) const MESSAGES: &str = "Messages";
pub(super) const GREETING: &str = "How can I help?";
pub(super) const GREETING_HINT: &str = "Before I act on your behalf, I ask you.";
pub(super) const SUGGESTIONS: &str = "Suggestions";
pub(super) const YOU: &str = "You";
pub(super) const MESSAGE: &str = "Message";
pub(super) const PLACEHOLDER: &str = "Write a message…";
pub(super) const SEND: &str = "Send";
pub(super) const STOP: &str = "Stop";
pub(super) const RETRY: &str = "Retry";
pub(super) const DISMISS: &str = "Dismiss";
pub(super) const CHECK_AGAIN: &str = "Check again";
pub(super) const JUMP: &str = "Jump to latest";
pub(super) const EARLIER: &str = "Show earlier messages";
pub(super) const ACTIVITY: &str = "Agent activity";
pub(super) const WORKING: &str = "Working";
pub(super) const FAILED: &str = "failed";
pub(super) const GARBLED: &str = "Something unreadable was received";
pub(super) const SENDING: &str = "Sending…";
pub(super) const CHECKING: &str = "Checking whether it arrived…";
pub(super) const CHECKING_ANSWER: &str = "Reading the rest of the answer…";
pub(super) const UNCONFIRMED: &str =
    "The connection broke, and it is not known whether this message arrived.";

pub(super) fn actions_for(name: &str) -> String {
    format!("Actions for {name}")
}

pub(super) fn delete_warning(name: &str) -> String {
    format!("“{name}” and its messages will be deleted. This cannot be undone.")
}

/// A span in tenths of seconds. In whole numbers: writing a fraction would bring 15 kB of float formatting.
pub(super) fn seconds(millis: i64) -> String {
    let tenths = millis / 100;
    format!("{}.{} s", tenths / 10, tenths % 10)
}

pub(super) fn new_messages(count: usize) -> String {
    if count == 1 {
        "1 new message".to_owned()
    } else {
        format!("{count} new messages")
    }
}

pub(super) fn steps(count: usize) -> String {
    if count == 1 {
        "1 step".to_owned()
    } else {
        format!("{count} steps")
    }
}

pub(super) fn interruption(by: Interruption) -> &'static str {
    match by {
        Interruption::Lost => "The connection ended before the answer was complete.",
        Interruption::Stopped => {
            "You stopped listening. The agent may still finish its answer on the service."
        }
    }
}

/// How much of an answer is announced, in bytes: about a minute of speech, which nobody can leave and come back to. A
/// browser also lays out what is announced, although nobody sees it.
const ANNOUNCED: usize = 1_000;

const THE_REST_IS_SHOWN: &str = "The whole answer is in the messages.";

/// The first words of an answer that is too long to be announced whole.
fn beginning(text: &str) -> Option<&str> {
    if text.len() <= ANNOUNCED {
        return None;
    }
    let (shown, _) = text.split_at(text.floor_char_boundary(ANNOUNCED));
    let words = shown.rfind(char::is_whitespace).unwrap_or(shown.len());
    shown.get(..words)
}

/// `agent` gives the name to say from the one that came with a message.
pub(super) fn announcement(what: &Announcement, agent: &dyn Fn(&str) -> String) -> String {
    match what {
        Announcement::Answering => format!("{} is answering.", agent("")),
        Announcement::Answered { author, text } => {
            let name = agent(author);
            match beginning(text) {
                Some(beginning) => format!("{name}: {beginning} … {THE_REST_IS_SHOWN}"),
                None => format!("{name}: {text}"),
            }
        }
        Announcement::ApprovalNeeded { tools, elsewhere } => {
            approval_needed(tools, elsewhere.as_deref())
        }
        Announcement::DecidedElsewhere => "These actions were decided elsewhere.".to_owned(),
        Announcement::Uploading(name) => uploading(&file_name(name)),
        Announcement::Uploaded(name) => uploaded(&file_name(name)),
        Announcement::Interrupted => interruption(Interruption::Lost).to_owned(),
    }
}

pub(super) fn notice(subject: &NoticeSubject) -> &'static str {
    match subject {
        NoticeSubject::Rename(..) => "The conversation could not be renamed.",
        NoticeSubject::Delete(_) => "The conversation could not be deleted.",
        NoticeSubject::Reload => "The conversation could not be read again.",
    }
}

/// What happened, as a sentence that says what to do, with the service's own words where it gave some.
pub fn failure(failure: &Failure) -> String {
    let sentence = match failure.kind {
        FailureKind::Unreachable => {
            "The service cannot be reached. Check your connection and try again."
        }
        FailureKind::Unauthorized => {
            "The service does not accept this page's sign-in. Sign in again, or tell the owner of this page."
        }
        FailureKind::Forbidden => "You are not allowed to do this.",
        FailureKind::NotFound => "The service does not know this conversation or agent.",
        FailureKind::TooMany => "There were too many requests. Wait a moment and try again.",
        FailureKind::Rejected => "The service did not accept this.",
        FailureKind::Service => "The service has a problem. Try again in a moment.",
        FailureKind::Unreadable => {
            "Something that is not the chat service answered. Try again, or tell the owner of this page."
        }
        FailureKind::Agent => "The agent could not finish.",
        FailureKind::Withheld => "This page did not let this be sent.",
        FailureKind::NoAccess => {
            "This page could not give access to the service. Try again, or tell the owner of this page."
        }
        FailureKind::Busy => "An answer is still being written.",
        FailureKind::Undecided => "The agent waits for a decision first.",
        FailureKind::Interrupted => "The answer was interrupted.",
        FailureKind::Stopped => "The answer was stopped.",
        FailureKind::Invalid => "The page asked for something that cannot be done.",
        FailureKind::OtherTab => {
            "Another tab was answering this, but the service still waits for a decision."
        }
        FailureKind::NotDelivered => "This did not reach the service.",
    };
    match failure.message.as_deref().map(str::trim) {
        // A sentence of the service is more exact than ours, where ours says nothing to do.
        Some(message) if !message.is_empty() => match failure.kind {
            FailureKind::Rejected | FailureKind::Agent => message.to_owned(),
            _ => format!("{sentence} ({message})"),
        },
        _ => sentence.to_owned(),
    }
}
