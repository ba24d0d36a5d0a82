//! The decisions of a post, as its readers and the agent that asked are told of them.

use assent_protocol::{ApprovalStatus, EventType};

use crate::{
    agents::{Answer as _, DecidedQuestion},
    answers::writer::AnswerWriter,
    rules::approval::transition_event,
    store::AnsweredQuestion,
};

/// Tells readers of the decisions that a post made.
pub(super) async fn notify_decisions(answer: &mut AnswerWriter, answered: &[AnsweredQuestion]) {
    answer.emit(EventType::ApprovalResponse, "", None).await;
    for decision in answered.iter().flat_map(|a| &a.decisions) {
        let event = transition_event(decision.verdict);
        let word = event.info().map_or("", |info| info.text);
        let text = format!("{word}: {}", decision.approval.request.tool_name);
        answer.notify(event, &text).await;
    }
}

/// Returns what the agent that asked is told of the decisions.
pub(super) fn outcome(answered: AnsweredQuestion) -> DecidedQuestion {
    let pending = |status: &ApprovalStatus| *status == ApprovalStatus::Pending;
    DecidedQuestion {
        open: answered
            .approvals
            .iter()
            .filter(|a| pending(&a.status))
            .count(),
        approvals: answered.approvals,
        feedback: answered.feedback,
        memory: answered.memory,
    }
}
