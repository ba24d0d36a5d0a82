//! The texts about approvals: the request, the warnings to check, the possible answers, and the
//! outcome.

use super::english::*;
use crate::components::{escape_invisible::escape_invisible, tool_title::tool_title};
use assent_conversation::{
    ApprovalStatus, ExecutionId, Failure, Obstacle, UnanswerableReason, UnconfirmedReason,
};
use assent_i18n::{Text, Texts};

/// Maximum number of tools that an announcement of requests for approval names.
const MAX_TOOLS_ANNOUNCED: usize = 5;
/// Maximum length of a name in an announcement, in characters.
const MAX_NAME_ANNOUNCED: usize = 60;

/// Returns the text that `count` actions of tools need approval.
pub(in crate::components) fn actions_need_approval(texts: Texts, count: usize) -> String {
    texts.plural(ACTIONS_NEED_APPROVAL, count, &[])
}

pub(in crate::components) fn needed_elsewhere_text(texts: Texts, count: usize) -> String {
    let actions = actions_need_approval(texts, count);
    texts.fill(IN_OTHER_CONVERSATIONS, &[("actions", &actions)])
}

/// Returns the announcement of approval requests for these tools. `elsewhere` is the name of the
/// conversation, if it is not the one that is shown.
pub fn approval_needed(texts: Texts, tools: &[String], elsewhere: Option<&str>) -> String {
    let actions = actions_need_approval(texts, tools.len());
    let said = tools.iter().take(MAX_TOOLS_ANNOUNCED);
    let said: Vec<String> = said.map(|tool| tool_title(tool)).collect();
    let mut said = said.join(texts.get(BETWEEN));
    if let Some(more) = tools
        .len()
        .checked_sub(MAX_TOOLS_ANNOUNCED)
        .filter(|more| *more > 0)
    {
        said = texts.plural(AND_MORE, more, &[("tools", &said)]);
    }
    let name = elsewhere.map(|name| shorten_for_speech(&escape_invisible(name.trim())));
    let (text, name) = match name.as_deref() {
        None => (APPROVAL_HERE, ""),
        Some("") => (APPROVAL_IN_ANOTHER, ""),
        Some(name) => (APPROVAL_IN, name),
    };
    texts.fill(
        text,
        &[("actions", &actions), ("name", name), ("tools", &said)],
    )
}

/// Returns a name, cut to the maximum length of names in announcements.
pub(in crate::components) fn shorten_for_speech(name: &str) -> String {
    cut_to(name, MAX_NAME_ANNOUNCED)
}

/// Returns the text, or the first `most` characters of a longer one with "…" behind them.
pub(in crate::components) fn cut_to(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => [text.get(..end).unwrap_or_default(), "…"].concat(),
        None => text.to_owned(),
    }
}

pub(in crate::components) fn decided_text(texts: Texts, done: usize, of: usize) -> String {
    texts.plural(DECIDED, of, &[("done", &texts.format_number(done))])
}

/// Returns the name of the button that sends the decisions on a batch, which tells the numbers of
/// approvals and of denials.
pub(in crate::components) fn submit_name(
    texts: Texts,
    (approved, denied): (usize, usize),
) -> String {
    let [approves, denies] = [approved, denied].map(|count| texts.format_number(count));
    match (approved, denied) {
        (_, 0) => texts.fill(SUBMIT_APPROVED, &[("count", &approves)]),
        (0, _) => texts.fill(SUBMIT_DENIED, &[("count", &denies)]),
        _ => texts.fill(
            SUBMIT_MIXED,
            &[("approved", &approves), ("denied", &denies)],
        ),
    }
}

pub(in crate::components) fn outcome_text(texts: Texts, status: &ApprovalStatus) -> &str {
    match status {
        ApprovalStatus::Pending => texts.get(WAITING_FOR_YOU),
        ApprovalStatus::Approved => texts.get(APPROVED),
        ApprovalStatus::Denied => texts.get(DENIED),
        ApprovalStatus::Aborted => texts.get(ABORTED),
        ApprovalStatus::Other(text) => {
            let end = text.char_indices().nth(MAX_NAME_ANNOUNCED);
            text.get(..end.map_or(text.len(), |(end, _)| end))
                .unwrap_or_default()
        }
    }
}

/// Returns the text of a decision that the person has sent, while nobody knows whether the service
/// accepted it.
pub(in crate::components) fn chosen_text(texts: Texts, status: &ApprovalStatus) -> &str {
    match status {
        ApprovalStatus::Approved => texts.get(YOU_APPROVE),
        ApprovalStatus::Denied => texts.get(YOU_DENY),
        ApprovalStatus::Aborted => texts.get(YOU_STOP),
        other => outcome_text(texts, other),
    }
}

pub(in crate::components) fn unconfirmed_text(reason: UnconfirmedReason) -> Text {
    match reason {
        UnconfirmedReason::Lost => DECISION_LOST,
        UnconfirmedReason::OtherTab => ANSWERED_IN_OTHER_TAB,
    }
}

pub(in crate::components) fn obstacle_text(why: Obstacle) -> Text {
    match why {
        Obstacle::Contradicted => CONTRADICTED,
        Obstacle::Unconfirmed => UNCONFIRMED_REQUEST,
        Obstacle::Folded => OPEN_FIRST,
        Obstacle::InvalidEdit => CORRECT_FIRST,
        Obstacle::Unseen => SEE_FIRST,
    }
}

/// Returns the text that says why a batch cannot be answered on this page.
pub(in crate::components) fn unanswerable_text(why: UnanswerableReason) -> Text {
    match why {
        UnanswerableReason::NeverSeen => NEVER_SEEN,
        UnanswerableReason::DecidedInPart => DECIDED_IN_PART,
        UnanswerableReason::Unread { checking: true } => UNREAD_CHECKING,
        UnanswerableReason::Unread { checking: false } => UNREAD,
    }
}

/// Returns the text that lists decisions which contradict each other; `None` if the service reports
/// none in `failure`. `name` returns the name of the tool of a run.
pub(in crate::components) fn conflict_text(
    texts: Texts,
    failure: &Failure,
    name: &dyn Fn(&ExecutionId) -> String,
) -> Option<String> {
    let state =
        |status_name: &str| outcome_text(texts, &ApprovalStatus::from(status_name)).to_owned();
    let mut states: Vec<String> = failure.conflicting.iter().map(|it| state(it)).collect();
    states.extend(failure.states.iter().map(|it| {
        let name = name(&it.tool_execution_id);
        texts.fill(
            DECISION_OF,
            &[("tool", &name), ("decision", &state(&it.state))],
        )
    }));
    let decisions = states.join(texts.get(BETWEEN));
    (!decisions.is_empty()).then(|| texts.fill(CONFLICT, &[("decisions", &decisions)]))
}
