//! Acceptance of a posted message: one transaction that decides whether it may be answered now and
//! records that it is.
//!
//! Of two posts at the same moment one gets the write lock first; the other then sees what the
//! first one did.

use std::{sync::Arc, time::Duration};

use assent_protocol::ApprovalStatus;
use jiff::Timestamp;

use super::{
    CommitOutcome, Isolation, OwnedRun, PostKey, RunningMark, StateScope, Store, ThreadKey,
    Transaction, answers, approvals,
    approvals::ApprovalRow,
    database::{query, query_as, query_scalar},
    handing_on,
    input::{StoredDecision, StoredInput},
    messages, named_uploads, people, posts, runs, threads, transcripts,
};
use crate::{
    Error, Result,
    generate::{new_id, time_since},
    rules::approval::{Approval, Decision, EditJudge, SubmittedDecision, decide},
    rules::content::UserContent,
    sentence::Sentence,
};

/// A posted message whose form is right.
#[derive(Clone)]
pub struct ValidPost<'a> {
    /// The thread that the message was posted to.
    pub thread: &'a ThreadKey,
    /// The handle of the agent that will answer.
    pub handle: &'a str,
    /// The user's text and files.
    pub content: &'a UserContent,
    /// The decisions about approvals; empty for a plain message.
    pub answer: &'a [SubmittedDecision],
    /// The key with which the post is accepted once; `None` if the client gave none.
    pub key: Option<&'a PostKey>,
    /// The turns that share working state with this one; `None`: there is no such state.
    pub state: Option<StateScope>,
    /// The judge of calls that a person changed.
    pub judge: EditJudge<'a>,
}

/// What became of a post.
#[derive(Clone, Debug)]
pub enum Acceptance {
    /// It is accepted.
    New(AcceptedPost),
    /// It was accepted before; this is the id of the run that answers it.
    Repeated(String),
    /// It is accepted, and another replica, which has the working state, answers it: in the run with
    /// this id.
    HandedOn(String),
}

/// What became of a post in its transaction.
#[derive(Debug)]
enum Decided {
    /// Its decisions, and the bytes of text that the thread still has room for.
    New(Vec<AnsweredQuestion>, usize),
    /// Another replica answers it.
    HandedOn,
    /// It was accepted before.
    Repeated(String),
}

/// An accepted message: from now on an answer is being written in its thread.
#[derive(Clone, Debug)]
pub struct AcceptedPost {
    /// The run that writes the answer; its id is that of the request, which all events have.
    pub run: OwnedRun,
    /// The decided approvals, grouped by the question they belong to; empty for a plain message.
    pub answered: Vec<AnsweredQuestion>,
    /// The bytes of text that may still be stored in the thread.
    pub room: usize,
    /// The number of the first event that is to be logged.
    pub first_event: i64,
    /// The ticket of whoever writes the answer: once it is dropped, the thread counts as free
    /// again.
    pub ticket: Arc<RunningMark>,
}

/// Decisions about one question of an agent.
#[derive(Clone, Debug)]
pub struct AnsweredQuestion {
    /// The decisions that this message makes.
    pub decisions: Vec<Decision>,
    /// All tools of the question with their present status, those decided earlier and those still
    /// open included.
    pub approvals: Vec<Approval>,
    /// The user's text with this message and with earlier decisions about the same question.
    pub feedback: UserContent,
    /// The memory that the agent gave with the question.
    pub memory: String,
    /// The time from the question to this message.
    pub waited: Duration,
    /// The place of the answer that asked in a trace, as the header `traceparent`; empty without a
    /// trace.
    pub asked_in: String,
}

impl Store {
    /// Accepts a message or returns why not.
    ///
    /// # Errors
    ///
    /// [`Error::BadRequest`] while an answer is being written or, for a plain message, while
    /// approvals are pending; [`Error::RejectedApproval`] for an answer that does not fit;
    /// [`Error::ThreadFull`] for text that the thread has no room for; [`Error::KeyReused`] for
    /// another post with the same key; [`Error::NotFound`] for a thread that is gone;
    /// [`Error::TooManyAnswers`] for a user who has as many as may be; [`Error::NotReady`] if other
    /// replicas count this one as gone.
    pub async fn accept(&self, post: ValidPost<'_>) -> Result<Acceptance> {
        let run = OwnedRun {
            thread: post.thread.clone(),
            id: new_id(),
            owner: self.replica.id(),
            epoch: 1,
        };
        let ticket = Arc::new(self.running.add(&run.id));
        let written = self.write_in_doubt(Isolation::ByThread, |writing| {
            Box::pin(self.decide(writing, &post, &run))
        });
        let decided = match written.await? {
            CommitOutcome::Committed(decided) => decided,
            CommitOutcome::InDoubt(decided, error) => {
                if !self.is_in_progress(&run).await? {
                    return Err(error);
                }
                decided
            }
        };
        let (answered, room) = match decided {
            Decided::New(answered, room) => (answered, room),
            Decided::Repeated(run) => return Ok(Acceptance::Repeated(run)),
            Decided::HandedOn => return Ok(Acceptance::HandedOn(run.id)),
        };
        Ok(Acceptance::New(AcceptedPost {
            run,
            answered,
            room,
            first_event: 1,
            ticket,
        }))
    }

    /// Records a post and that it is being answered, unless that is recorded already.
    async fn decide(
        &self,
        writing: &mut Transaction<'_>,
        post: &ValidPost<'_>,
        run: &OwnedRun,
    ) -> Result<Decided> {
        let thread = post.thread;
        threads::lock(writing, thread).await?;
        if let Some(key) = post.key
            && let Some(run) = posts::repeated(&mut *writing, thread, key).await?
        {
            return Ok(Decided::Repeated(run));
        }
        self.end_abandoned_answer(writing, thread).await?;
        if let Some(limit) = self.user_answers
            && runs::count_running(writing, &thread.user_id).await? >= limit.get()
        {
            let limit = limit.get();
            return Err(Error::TooManyAnswers { limit });
        }
        let answered = if post.answer.is_empty() {
            refuse_while_pending(approvals::count_pending(writing, thread).await?)?;
            Vec::new()
        } else {
            decide_batches(writing, post).await?
        };
        // Files alone beside an approval answer are feedback, no message.
        let text = if post.answer.is_empty() {
            post.content.stored_text()
        } else {
            post.content.text.clone()
        };
        named_uploads::name_files(writing, thread, post.content).await?;
        let room = self.check_room(writing, thread, &text).await?;
        if !text.trim().is_empty() {
            let message = messages::append(writing, thread, None, &text, &[]).await?;
            named_uploads::attach(writing, thread, &message, post.content).await?;
            threads::name_after_message(writing, thread, &text).await?;
        }
        let memory = |answered: &AnsweredQuestion| {
            let first = answered.approvals.first();
            first.map(|approval| approval.request.tool_memory_id.clone())
        };
        let input = StoredInput {
            content: post.content.clone(),
            memories: answered.iter().filter_map(memory).collect(),
            decisions: StoredDecision::of(&answered),
        };
        let holder = match post.state.filter(|_| self.is_shared()) {
            Some(scope) => handing_on::holder(writing, thread, scope, &run.owner).await?,
            None => None,
        };
        let begun = query(
            "INSERT INTO runs (user_id, id, thread_id, handle, input, items_before, post_key, \
             post_fingerprint, owner, epoch, handed_on) \
             SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 \
             WHERE EXISTS (SELECT 1 FROM replicas WHERE id = $9)",
        )
        .bind(&thread.user_id)
        .bind(&run.id)
        .bind(&thread.id)
        .bind(post.handle)
        .bind(serde_json::to_string(&input)?)
        .bind(transcripts::length(writing, thread).await?)
        .bind(post.key.map(|key| key.key.as_str()))
        .bind(post.key.map(|key| key.fingerprint.as_str()))
        .bind(holder.as_deref().unwrap_or(&run.owner))
        .bind(run.epoch)
        .bind(i64::from(holder.is_some()))
        .execute(writing)
        .await?;
        if begun == 0 {
            return Err(Error::NotReady);
        }
        if holder.is_some() {
            return Ok(Decided::HandedOn);
        }
        Ok(Decided::New(answered, room))
    }

    /// Fails while an answer is being written in the thread; an answer of this replica that was begun
    /// and that nobody is writing is ended instead.
    async fn end_abandoned_answer(
        &self,
        writing: &mut Transaction<'_>,
        thread: &ThreadKey,
    ) -> Result<()> {
        let Some(run) = runs::running(&mut *writing, thread).await? else {
            return Ok(());
        };
        let is_begun = self.running.contains(&run.id);
        if run.owner != *self.replica.id() || is_begun || run.is_handed_on {
            return Err(Error::BadRequest(
                "An answer is still being written in this conversation. \
                 Wait until it is complete, then send again."
                    .to_owned(),
            ));
        }
        tracing::warn!(run.id, "an answer that nobody is writing is ended");
        let run = OwnedRun {
            thread: thread.clone(),
            id: run.id,
            owner: run.owner.into(),
            epoch: run.epoch,
        };
        answers::interrupt(writing, &run, &Sentence::Abandoned).await
    }

    /// Returns the bytes that a thread may still take after `text`, or fails if there is no room
    /// for `text`.
    pub(super) async fn check_room(
        &self,
        writing: &mut Transaction<'_>,
        thread: &ThreadKey,
        text: &str,
    ) -> Result<usize> {
        let stored: Option<i64> =
            query_scalar("SELECT stored_bytes FROM threads WHERE user_id = $1 AND id = $2")
                .bind(&thread.user_id)
                .bind(&thread.id)
                .fetch_optional(writing)
                .await?;
        let stored = stored.ok_or(threads::NO_THREAD)?;
        let limit = self.limits.thread_bytes;
        let room = limit.saturating_sub(u64::try_from(stored).unwrap_or_default());
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        match room.checked_sub(text.len()) {
            Some(left) => Ok(left),
            None if text.is_empty() => Ok(0),
            None => Err(self.thread_full_error()),
        }
    }
}

/// Records a post's decisions about approvals, and returns them by question.
async fn decide_batches(
    writing: &mut Transaction<'_>,
    post: &ValidPost<'_>,
) -> Result<Vec<AnsweredQuestion>> {
    let mut batches: Vec<&str> = post.answer.iter().map(|a| a.batch_id.as_str()).collect();
    batches.sort_unstable();
    batches.dedup();
    let rows = ApprovalRow::of_batches(writing, post.thread, &batches).await?;
    let asked = rows
        .iter()
        .map(ApprovalRow::approval)
        .collect::<Result<Vec<_>>>()?;
    let decisions = decide(&asked, post.answer, Timestamp::now())
        .map_err(|body| Error::RejectedApproval(Box::new(body)))?;
    people::record_decisions(writing, post.thread, &decisions, post.judge).await?;
    let mut answered = Vec::new();
    for (memory_id, approvals, decisions) in group_by_question(&rows, asked, &decisions) {
        let (memory, before, asked_in): (String, String, String) = query_as(
            "SELECT body, feedback, asked_in FROM memories WHERE user_id = $1 AND id = $2",
        )
        .bind(&post.thread.user_id)
        .bind(memory_id)
        .fetch_one(&mut *writing)
        .await?;
        let mut feedback: UserContent = serde_json::from_str(&before)?;
        feedback.append(feedback_of(&decisions, post.content));
        let after = serde_json::to_string(&feedback)?;
        query("UPDATE memories SET feedback = $3 WHERE user_id = $1 AND id = $2")
            .bind(&post.thread.user_id)
            .bind(memory_id)
            .bind(&after)
            .execute(&mut *writing)
            .await?;
        let asked_at = rows.iter().find(|row| row.memory_id == memory_id);
        let waited = asked_at.map_or(Duration::ZERO, |row| time_since(&row.asked_at));
        let more = after.len().saturating_sub(before.len());
        threads::add_stored_bytes(writing, post.thread, more).await?;
        answered.push(AnsweredQuestion {
            decisions,
            approvals,
            feedback,
            memory,
            waited,
            asked_in,
        });
    }
    Ok(answered)
}

/// Returns the part of a post's content that is feedback: files beside the decisions count only if
/// everything was stopped (rule 4).
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

fn refuse_while_pending(pending: i64) -> Result<()> {
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

/// Groups approvals and decisions by the question (the memory) that they belong to, in the order of
/// asking. Questions about which nothing is decided are left out.
fn group_by_question<'a>(
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
