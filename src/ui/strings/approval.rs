//! The texts about approvals: what is asked, what to look at, what can be answered, and what became of it.

use crate::ui::spelled::spelled;
use assent_conversation::{ApprovalStatus, Doubt, ExecutionId, Failure, Unanswerable};

/// How many names are said of those that wait.
const SAID: usize = 5;
/// How many characters of a name are said.
const SPOKEN: usize = 60;

pub(in crate::ui) const APPROVAL: &str = "Approval needed";
pub(in crate::ui) const NEEDS_APPROVAL: &str = "Needs approval";
pub(in crate::ui) const UNNAMED_TOOL: &str = "Tool without a name";
pub(in crate::ui) const APPROVE: &str = "Approve";
pub(in crate::ui) const DENY: &str = "Deny";
pub(in crate::ui) const APPROVE_ALL: &str = "Approve all";
pub(in crate::ui) const DENY_ALL: &str = "Deny all";
pub(in crate::ui) const SUBMIT_DECISIONS: &str = "Submit decisions";
pub(in crate::ui) const READING_REQUEST: &str = "Reading the request…";
pub(in crate::ui) const CANNOT_SHOW: &str =
    "This request cannot be shown, so that it cannot be approved. Reload the page to try again.";
pub(in crate::ui) const OPEN_FIRST: &str =
    "This can be approved once you have opened what is folded above.";
pub(in crate::ui) const OPEN_ALL_FIRST: &str =
    "Open every folded value first to use “Approve all”.";
pub(in crate::ui) const AGENT_BUSY: &str = "You can submit when the agent has finished speaking.";
pub(in crate::ui) const STOP_WITH_FEEDBACK: &str = "Stop and give feedback";
pub(in crate::ui) const FEEDBACK: &str = "Feedback";
pub(in crate::ui) const FEEDBACK_HINT: &str =
    "None of these actions will run. Tell the agent what it should do instead.";
pub(in crate::ui) const STOP_ACTIONS: &str = "Stop these actions";
pub(in crate::ui) const BACK: &str = "Back";
pub(in crate::ui) const SUBMITTING: &str = "Sending your decision…";
pub(in crate::ui) const LOOKING_IT_UP: &str = "Looking up what became of it…";
pub(in crate::ui) const ELSEWHERE: &str =
    "This was decided somewhere else; what was chosen here was not used.";
pub(in crate::ui) const START_ANOTHER: &str = "Start a new conversation";
pub(in crate::ui) const DECIDED_ELSEWHERE: &str =
    "This conversation waits for a decision that cannot be made here.";
pub(in crate::ui) const DECIDE_FIRST: &str = "The agent waits for your decision above. \
     If you send a message now, you will be asked whether it should stop the actions or wait.";
pub(in crate::ui) const DECISION_OPEN: &str = "What became of your decision is still open.";
pub(in crate::ui) const WHAT_IS_MEANT: &str = "What should happen with your message?";
pub(in crate::ui) const SEND_AS_FEEDBACK: &str = "Stop the actions and send as feedback";
pub(in crate::ui) const SEND_AFTERWARDS: &str = "Send after the decision";
pub(in crate::ui) const KEEP_WRITING: &str = "Keep writing";
pub(in crate::ui) const WILL_BE_SENT: &str = "Will be sent when the agent has finished:";
pub(in crate::ui) const TAKE_BACK: &str = "Take back";

pub(in crate::ui) fn decision_on(tool: &str) -> String {
    joined(&["Decision on ", tool])
}

pub(in crate::ui) fn arguments_of(tool: &str) -> String {
    joined(&["Arguments of ", tool])
}

pub(in crate::ui) fn actions_wait(count: usize) -> String {
    match count {
        1 => "The agent wants to do this. Nothing runs without your decision.".to_owned(),
        _ => joined(&[
            "The agent wants to do these ",
            &counted(count),
            " things. Nothing runs without your decision.",
        ]),
    }
}

/// `batches`: how many requests a person is to decide.
pub(in crate::ui) fn asked_meanwhile(batches: usize) -> &'static str {
    if batches > 1 {
        "The agent waits for several decisions and takes no message until then. As feedback, it stops the actions of the first request."
    } else {
        "The agent waits for a decision and takes no message until then."
    }
}

pub(in crate::ui) fn quoted(text: &str) -> String {
    joined(&["“", text, "”"])
}

/// How many tool runs wait for a decision, also as the name of the mark at the launcher.
pub fn actions_need_approval(count: usize) -> String {
    match count {
        1 => "1 action needs your approval".to_owned(),
        _ => joined(&[&counted(count), " actions need your approval"]),
    }
}

pub(in crate::ui) fn needed_elsewhere(count: usize) -> String {
    joined(&[&actions_need_approval(count), " in other conversations"])
}

/// `elsewhere`: the name of the conversation, where it is not the one that is shown.
pub fn approval_needed(tools: &[String], elsewhere: Option<&str>) -> String {
    let mut text = actions_need_approval(tools.len());
    match elsewhere.map(str::trim) {
        Some("") => text.push_str(" in another conversation"),
        Some(name) => {
            text.push_str(" in “");
            text.push_str(&shortened(&spelled(name)));
            text.push('”');
        }
        None => {}
    }
    for (place, tool) in tools.iter().take(SAID).enumerate() {
        text.push_str(if place == 0 { ": " } else { ", " });
        text.push_str(&shortened(&spelled(tool)));
    }
    if let Some(more) = tools.len().checked_sub(SAID).filter(|more| *more > 0) {
        text.push_str(&joined(&[" and ", &counted(more), " more"]));
    }
    text.push('.');
    text
}

/// A name of any length, as far as it is said.
pub(in crate::ui) fn shortened(name: &str) -> String {
    match name.char_indices().nth(SPOKEN) {
        Some((end, _)) => joined(&[name.get(..end).unwrap_or_default(), "…"]),
        None => name.to_owned(),
    }
}

pub(in crate::ui) fn decided(done: usize, of: usize) -> String {
    match of {
        1 => "Not decided yet".to_owned(),
        _ => joined(&[&counted(done), " of ", &counted(of), " decided"]),
    }
}

pub(in crate::ui) fn outcome(status: &ApprovalStatus) -> &str {
    match status {
        ApprovalStatus::Pending => "Waiting for you",
        ApprovalStatus::Approved => "Approved",
        ApprovalStatus::Denied => "Denied",
        ApprovalStatus::Aborted => "Stopped",
        ApprovalStatus::Other(text) => text,
    }
}

/// What was chosen, while it is not known to have been taken.
pub(in crate::ui) fn chosen(status: &ApprovalStatus) -> &str {
    match status {
        ApprovalStatus::Approved => "You approve",
        ApprovalStatus::Denied => "You deny",
        ApprovalStatus::Aborted => "You stop",
        other => outcome(other),
    }
}

pub(in crate::ui) fn doubt(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::Lost => {
            "The connection broke, and it is not known whether your decision arrived. It will not be sent again by itself."
        }
        Doubt::OtherTab => "Another tab is answering this. What you chose here was not sent.",
    }
}

pub(in crate::ui) fn unanswerable(why: Unanswerable) -> &'static str {
    match why {
        Unanswerable::NeverSeen => {
            "This request came before this page was loaded, or to another tab or device. It can only be answered where it arrived; you can go on in a new conversation."
        }
        Unanswerable::DecidedInPart => {
            "Part of this was already decided; the rest can only be decided where it was asked."
        }
        Unanswerable::Unread { checking: true } => {
            "Part of this request could not be read, so that it cannot be answered as a whole. Checking…"
        }
        Unanswerable::Unread { checking: false } => {
            "Part of this request could not be read, so that it cannot be answered as a whole."
        }
    }
}

/// Which decisions do not go together, where the service says so. `name` is that of the tool of a run.
pub(in crate::ui) fn conflict(
    failure: &Failure,
    name: &dyn Fn(&ExecutionId) -> String,
) -> Option<String> {
    let mut states: Vec<String> = failure.conflicting.iter().map(|it| state(it)).collect();
    states.extend(failure.states.iter().map(|it| {
        let name = name(&it.tool_execution_id);
        joined(&[&name, ": ", &state(&it.state)])
    }));
    let text = states.join(", ");
    (!text.is_empty()).then(|| joined(&["These decisions do not go together: ", &text, "."]))
}

fn state(spelled: &str) -> String {
    outcome(&ApprovalStatus::from(spelled)).to_owned()
}

/// A number in groups of three digits.
pub(in crate::ui) fn counted(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn joined(pieces: &[&str]) -> String {
    pieces.concat()
}
