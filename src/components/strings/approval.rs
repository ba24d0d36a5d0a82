//! The texts about approvals: the request, the warnings to check, the possible answers, and the
//! outcome.

use crate::components::escape_invisible::escape_invisible;
use assent_conversation::{ApprovalStatus, Doubt, ExecutionId, Failure, Obstacle, Unanswerable};
use assent_i18n::{Text, Texts, texts};

/// Maximum number of names of pending tools in an announcement.
const MAX_TOOLS_ANNOUNCED: usize = 5;
/// Maximum length of a name in an announcement, in characters.
const MAX_NAME_ANNOUNCED: usize = 60;

texts! { pub(in crate::components),
    APPROVAL, "approval", "Approval needed";
    NEEDS_APPROVAL, "needsApproval", "Needs approval";
    UNNAMED_TOOL, "unnamedTool", "Tool without a name";
    APPROVE, "approve", "Approve";
    DENY, "deny", "Deny";
    APPROVE_ALL, "approveAll", "Approve all";
    DENY_ALL, "denyAll", "Deny all";
    SUBMIT_DECISIONS, "submitDecisions", "Submit decisions";
    DECISION_ON, "decisionOn", "Decision on {tool}";
    ARGUMENTS_OF, "argumentsOf", "Arguments of {tool}";
    ACTIONS_WAIT, "actionsWait", "The agent wants to do this. Nothing runs without your decision.", "The agent wants to do these {count} things. Nothing runs without your decision.";
    DECIDED, "decided", "Not decided yet", "{done} of {count} decided";
    READING_REQUEST, "readingRequest", "Reading the request…";
    CANNOT_SHOW, "cannotShow", "This request cannot be shown, so that it cannot be approved. Reload the page to try again.";
    OPEN_FIRST, "openFirst", "This can be approved once you have opened what is folded above.";
    OPEN_ALL_FIRST, "openAllFirst", "Open every folded value first to use “Approve all”.";
    CONTRADICTED, "contradicted", "What this browser kept of this request is not what the service has stored, so that it cannot be approved. You can deny it and ask the agent again.";
    UNCONFIRMED_REQUEST, "unconfirmedRequest", "This request is being compared with the one that the service has stored…";
    AGENT_BUSY, "agentBusy", "You can submit when the agent has finished speaking.";
    STOP_WITH_FEEDBACK, "stopWithFeedback", "Stop and give feedback";
    FEEDBACK, "feedback", "Feedback";
    FEEDBACK_HINT, "feedbackHint", "None of these actions will run. Tell the agent what it should do instead.";
    STOP_ACTIONS, "stopActions", "Stop these actions";
    BACK, "back", "Back";
    SUBMITTING, "submitting", "Sending your decision…";
    LOOKING_IT_UP, "lookingItUp", "Looking up what became of it…";
    ELSEWHERE, "decidedSomewhereElse", "This was decided somewhere else; what was chosen here was not used.";
    THESE_DECIDED_ELSEWHERE, "actionsDecidedElsewhere", "These actions were decided elsewhere.";
    START_ANOTHER, "startAnother", "Start a new conversation";
    DECIDED_ELSEWHERE, "decisionElsewhere", "This conversation waits for a decision that cannot be made here.";
    DECIDE_FIRST, "decideFirst", "The agent waits for your decision above. If you send a message now, you will be asked whether it should stop the actions or wait.";
    DECISION_OPEN, "decisionOpen", "What became of your decision is still open.";
    WHAT_IS_MEANT, "whatIsMeant", "What should happen with your message?";
    ASKED_MEANWHILE, "askedMeanwhile", "The agent waits for a decision and takes no message until then.", "The agent waits for several decisions and takes no message until then. As feedback, it stops the actions of the first request.";
    SEND_AS_FEEDBACK, "sendAsFeedback", "Stop the actions and send as feedback";
    SEND_AFTERWARDS, "sendAfterwards", "Send after the decision";
    KEEP_WRITING, "keepWriting", "Keep writing";
    WILL_BE_SENT, "willBeSent", "Will be sent when the agent has finished:";
    TAKE_BACK, "takeBack", "Take back";
    QUOTED, "quoted", "“{text}”";
    ACTIONS_NEED_APPROVAL, "actionsNeedApproval", "1 action needs your approval", "{count} actions need your approval";
    IN_OTHERS, "inOtherConversations", "{actions} in other conversations";
    IN_THIS, "approvalHere", "{actions}: {tools}.";
    IN_NAMED, "approvalIn", "{actions} in “{name}”: {tools}.";
    IN_UNNAMED, "approvalInAnother", "{actions} in another conversation: {tools}.";
    AND_MORE, "andMore", "{tools} and 1 more", "{tools} and {count} more";
    BETWEEN, "between", ", ";
    WAITING_FOR_YOU, "waitingForYou", "Waiting for you";
    APPROVED, "approved", "Approved";
    DENIED, "denied", "Denied";
    ABORTED, "aborted", "Stopped";
    YOU_APPROVE, "youApprove", "You approve";
    YOU_DENY, "youDeny", "You deny";
    YOU_STOP, "youStop", "You stop";
    DECISION_LOST, "decisionLost", "The connection broke, and it is not known whether your decision arrived. It will not be sent again by itself.";
    ANSWERED_IN_OTHER_TAB, "answeredInOtherTab", "Another tab is answering this. What you chose here was not sent.";
    NEVER_SEEN, "neverSeen", "This request came before this page was loaded, or to another tab or device. It can only be answered where it arrived; you can go on in a new conversation.";
    DECIDED_IN_PART, "decidedInPart", "Part of this was already decided; the rest can only be decided where it was asked.";
    UNREAD_CHECKING, "unreadChecking", "Part of this request could not be read, so that it cannot be answered as a whole. Checking…";
    UNREAD, "unread", "Part of this request could not be read, so that it cannot be answered as a whole.";
    CONFLICT, "conflict", "These decisions do not go together: {decisions}.";
    DECISION_OF, "decisionOf", "{tool}: {decision}";
}

/// Returns the number of pending tool runs as a text, also as the name of the mark at the launcher.
pub fn actions_need_approval(texts: Texts, count: usize) -> String {
    texts.count(ACTIONS_NEED_APPROVAL, count, &[])
}

pub(in crate::components) fn needed_elsewhere(texts: Texts, count: usize) -> String {
    let actions = actions_need_approval(texts, count);
    texts.fill(IN_OTHERS, &[("actions", &actions)])
}

/// Returns the announcement of approval requests. `elsewhere`: the name of the conversation, if it
/// is not the one that is shown.
pub fn approval_needed(texts: Texts, tools: &[String], elsewhere: Option<&str>) -> String {
    let actions = actions_need_approval(texts, tools.len());
    let said = tools.iter().take(MAX_TOOLS_ANNOUNCED);
    let said: Vec<String> = said
        .map(|tool| shortened(&escape_invisible(tool)))
        .collect();
    let mut said = said.join(texts.get(BETWEEN));
    if let Some(more) = tools
        .len()
        .checked_sub(MAX_TOOLS_ANNOUNCED)
        .filter(|more| *more > 0)
    {
        said = texts.count(AND_MORE, more, &[("tools", &said)]);
    }
    let name = elsewhere.map(|name| shortened(&escape_invisible(name.trim())));
    let (text, name) = match name.as_deref() {
        None => (IN_THIS, ""),
        Some("") => (IN_UNNAMED, ""),
        Some(name) => (IN_NAMED, name),
    };
    texts.fill(
        text,
        &[("actions", &actions), ("name", name), ("tools", &said)],
    )
}

/// Returns a name cut to the announced length.
pub(in crate::components) fn shortened(name: &str) -> String {
    match name.char_indices().nth(MAX_NAME_ANNOUNCED) {
        Some((end, _)) => [name.get(..end).unwrap_or_default(), "…"].concat(),
        None => name.to_owned(),
    }
}

pub(in crate::components) fn decided(texts: Texts, done: usize, of: usize) -> String {
    texts.count(DECIDED, of, &[("done", &texts.number(done))])
}

pub(in crate::components) fn outcome(texts: Texts, status: &ApprovalStatus) -> &str {
    match status {
        ApprovalStatus::Pending => texts.get(WAITING_FOR_YOU),
        ApprovalStatus::Approved => texts.get(APPROVED),
        ApprovalStatus::Denied => texts.get(DENIED),
        ApprovalStatus::Aborted => texts.get(ABORTED),
        ApprovalStatus::Other(text) => text,
    }
}

/// Returns the text of a decision, while its acceptance is not known.
pub(in crate::components) fn chosen(texts: Texts, status: &ApprovalStatus) -> &str {
    match status {
        ApprovalStatus::Approved => texts.get(YOU_APPROVE),
        ApprovalStatus::Denied => texts.get(YOU_DENY),
        ApprovalStatus::Aborted => texts.get(YOU_STOP),
        other => outcome(texts, other),
    }
}

pub(in crate::components) fn doubt(doubt: Doubt) -> Text {
    match doubt {
        Doubt::Lost => DECISION_LOST,
        Doubt::OtherTab => ANSWERED_IN_OTHER_TAB,
    }
}

pub(in crate::components) fn obstacle(why: Obstacle) -> Text {
    match why {
        Obstacle::Contradicted => CONTRADICTED,
        Obstacle::Unconfirmed => UNCONFIRMED_REQUEST,
        Obstacle::Folded => OPEN_FIRST,
    }
}

/// Returns the text that says why a tool run cannot be approved.
pub(in crate::components) fn unanswerable(why: Unanswerable) -> Text {
    match why {
        Unanswerable::NeverSeen => NEVER_SEEN,
        Unanswerable::DecidedInPart => DECIDED_IN_PART,
        Unanswerable::Unread { checking: true } => UNREAD_CHECKING,
        Unanswerable::Unread { checking: false } => UNREAD,
    }
}

/// Returns the text about decisions that do not go together, if the service reports that. `name` is
/// that of the tool of a run.
pub(in crate::components) fn conflict(
    texts: Texts,
    failure: &Failure,
    name: &dyn Fn(&ExecutionId) -> String,
) -> Option<String> {
    let state = |spelled: &str| outcome(texts, &ApprovalStatus::from(spelled)).to_owned();
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
