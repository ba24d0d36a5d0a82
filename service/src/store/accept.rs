//! Acceptance of a posted message: one transaction that decides whether it may be answered now and
//! records that it is.
//!
//! Of two posts at the same moment one gets the write lock first; the other then sees what the
//! first one did.

use assent_protocol::ApprovalStatus;

use super::{Store, approvals, approvals::ApprovalRow, messages, threads};
use crate::{
    Error, Result,
    approval::{Approval, Decision, Submitted, decide},
    content::UserContent,
    generate::new_id,
};

/// A posted message whose form is right.
#[derive(Clone, Debug)]
pub struct Offer<'a> {
    /// The thread it was posted to; it was found for this user.
    pub thread_id: &'a str,
    /// The handle of the agent that will answer.
    pub handle: &'a str,
    /// The user's text and files.
    pub content: &'a UserContent,
    /// Decisions about approvals; empty for a plain message.
    pub answer: &'a [Submitted],
}

/// An accepted message: from now on an answer is being written in its thread.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// Equal for all events of the answer's stream.
    pub request_id: String,
    /// The decided approvals, grouped by the question they belong to; empty for a plain message.
    pub answered: Vec<Answered>,
}

/// Decisions about one question of an agent.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Decided by this message.
    pub decisions: Vec<Decision>,
    /// All tools of the question with their present status, those decided earlier and those still
    /// open included.
    pub approvals: Vec<Approval>,
    /// The user's text with this message and with earlier decisions about the same question.
    pub feedback: UserContent,
    /// The memory that the agent gave with the question.
    pub memory: String,
}

impl Store {
    /// Accepts a message or returns why not.
    ///
    /// # Errors
    ///
    /// [`Error::BadRequest`] while an answer is being written or, for a plain message, while
    /// approvals are pending; [`Error::RejectedApproval`] for an answer that does not fit;
    /// [`Error::NotFound`] for a thread that is gone.
    pub async fn accept(&self, offer: Offer<'_>) -> Result<Accepted> {
        let thread_id = offer.thread_id;
        let mut writing = self.write().await?;
        let (exists, busy): (bool, bool) = sqlx::query_as(
            "SELECT EXISTS (SELECT 1 FROM threads WHERE id = ?1),
                    EXISTS (SELECT 1 FROM answers_in_progress WHERE thread_id = ?1)",
        )
        .bind(thread_id)
        .fetch_one(&mut *writing)
        .await?;
        if !exists {
            return Err(threads::NO_THREAD);
        }
        if busy {
            return Err(Error::BadRequest(
                "An answer is still being written in this conversation. \
                 Wait until it is complete, then send again."
                    .to_owned(),
            ));
        }

        let rows = ApprovalRow::of_thread(&mut writing, thread_id).await?;
        let asked = rows
            .iter()
            .map(ApprovalRow::approval)
            .collect::<Result<Vec<_>>>()?;
        let mut answered = Vec::new();
        if offer.answer.is_empty() {
            refuse_while_pending(&asked)?;
        } else {
            let decisions = decide(&asked, offer.answer).map_err(Error::RejectedApproval)?;
            for decision in &decisions {
                approvals::settle(&mut writing, &decision.approval).await?;
            }
            for (memory_id, approvals, decisions) in by_question(&rows, asked, &decisions) {
                let (memory, before): (String, String) =
                    sqlx::query_as("SELECT body, feedback FROM memories WHERE id = ?")
                        .bind(memory_id)
                        .fetch_one(&mut *writing)
                        .await?;
                let mut feedback: UserContent = serde_json::from_str(&before)?;
                feedback.append(feedback_of(&decisions, offer.content));
                sqlx::query("UPDATE memories SET feedback = ? WHERE id = ?")
                    .bind(serde_json::to_string(&feedback)?)
                    .bind(memory_id)
                    .execute(&mut *writing)
                    .await?;
                answered.push(Answered {
                    decisions,
                    approvals,
                    feedback,
                    memory,
                });
            }
        }

        // Files alone beside an approval answer are feedback, no message.
        let text = if offer.answer.is_empty() {
            offer.content.stored_text()
        } else {
            offer.content.text.clone()
        };
        if !text.trim().is_empty() {
            messages::append(&mut writing, thread_id, None, &text).await?;
            sqlx::query("UPDATE threads SET name = ?, named = 1 WHERE id = ? AND named = 0")
                .bind(threads::name_from(&text))
                .bind(thread_id)
                .execute(&mut *writing)
                .await?;
        }
        let request_id = new_id();
        sqlx::query(
            "INSERT INTO answers_in_progress (thread_id, request_id, handle) VALUES (?, ?, ?)",
        )
        .bind(thread_id)
        .bind(&request_id)
        .bind(offer.handle)
        .execute(&mut *writing)
        .await?;
        writing.commit().await?;
        Ok(Accepted {
            request_id,
            answered,
        })
    }
}

/// Returns the feedback. Rule 4: files beside the decisions count only if everything was stopped.
fn feedback_of(decisions: &[Decision], content: &UserContent) -> UserContent {
    let stopped = decisions
        .iter()
        .all(|d| d.approval.status == ApprovalStatus::Aborted);
    if stopped {
        content.clone()
    } else {
        UserContent {
            text: content.text.clone(),
            ..UserContent::default()
        }
    }
}

fn refuse_while_pending(asked: &[Approval]) -> Result<()> {
    let pending = asked
        .iter()
        .filter(|a| a.status == ApprovalStatus::Pending)
        .count();
    match pending {
        0 => Ok(()),
        1 => Err(Error::BadRequest(
            "An action waits for your decision. \
             Approve, deny or stop it before you send another message."
                .to_owned(),
        )),
        count => Err(Error::BadRequest(format!(
            "{count} actions wait for your decision. \
             Approve, deny or stop them before you send another message."
        ))),
    }
}

/// Groups decisions by the question (the memory) they belong to, in the order of asking.
fn by_question<'a>(
    rows: &'a [ApprovalRow],
    asked: Vec<Approval>,
    decisions: &[Decision],
) -> Vec<(&'a str, Vec<Approval>, Vec<Decision>)> {
    let mut questions: Vec<(&'a str, Vec<Approval>, Vec<Decision>)> = Vec::new();
    for (row, approval) in rows.iter().zip(asked) {
        let decision = decisions
            .iter()
            .find(|d| d.approval.execution_id() == approval.execution_id());
        let present = decision.map_or(approval, |d| d.approval.clone());
        match questions.iter_mut().find(|(id, ..)| *id == row.memory_id) {
            Some((_, approvals, decided)) => {
                approvals.push(present);
                decided.extend(decision.cloned());
            }
            None => questions.push((
                &row.memory_id,
                vec![present],
                decision.cloned().into_iter().collect(),
            )),
        }
    }
    questions.retain(|(_, _, decided)| !decided.is_empty());
    questions
}
