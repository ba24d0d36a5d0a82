//! Recovery after a crash: an answer in which nothing is unknown goes on, once; each other one is
//! stored as far as it came, with a sentence.

use std::{sync::Arc, time::Duration};

use sqlx::FromRow;

use super::{
    AcceptedPost, AnsweredQuestion, Store, ThreadKey, Transaction, answers, approvals::ApprovalRow,
    calls, database::query_as, input::StoredInput, runs, transcripts,
};
use crate::{Result, rules::content::UserContent, sentence::Sentence};

/// The answers that were found after a crash.
#[derive(Debug, Default)]
pub struct RecoveredAnswers {
    /// The number of answers that were ended.
    pub ended: usize,
    /// Answers that are to go on.
    pub resumed: Vec<ResumedAnswer>,
}

/// An answer that goes on: from now on it is being written again.
#[derive(Debug)]
pub struct ResumedAnswer {
    /// The thread.
    pub thread: ThreadKey,
    /// The id of the thread's agent.
    pub agent_id: String,
    /// The user's text and files.
    pub content: UserContent,
    /// The accepted message that is answered.
    pub accepted: AcceptedPost,
}

#[derive(FromRow)]
struct LeftRow {
    user_id: String,
    thread_id: String,
    agent_id: String,
    id: String,
    segments: i64,
    input: String,
    items_before: i64,
    resumed: i64,
}

impl LeftRow {
    fn thread(&self) -> ThreadKey {
        ThreadKey {
            user_id: self.user_id.clone(),
            id: self.thread_id.clone(),
        }
    }
}

impl Store {
    /// Ends the answers that a crash interrupted, each with its draft and `sentence`. Those of
    /// agents for whose id `can_resume` is true go on, if they have not done so before.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn recover(
        &self,
        sentence: &Sentence,
        can_resume: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<RecoveredAnswers> {
        self.write(|writing| Box::pin(self.recover_all(writing, sentence, can_resume)))
            .await
    }

    async fn recover_all(
        &self,
        writing: &mut Transaction<'_>,
        sentence: &Sentence,
        can_resume: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<RecoveredAnswers> {
        let left: Vec<LeftRow> = query_as(
            "SELECT r.user_id, r.thread_id, t.agent_id, r.id, r.segments, r.input, \
             r.items_before, r.resumed \
             FROM runs r JOIN threads t ON t.user_id = r.user_id AND t.id = r.thread_id \
             WHERE r.ended_at IS NULL ORDER BY r.user_id, r.thread_id",
        )
        .fetch_all(&mut *writing)
        .await?;
        let mut recovered = RecoveredAnswers::default();
        for row in left {
            if can_resume(&row.agent_id) && is_resumable(writing, &row).await? {
                recovered.resumed.push(self.resume(writing, row).await?);
            } else {
                answers::interrupt(writing, &row.thread(), &row.id, sentence).await?;
                recovered.ended += 1;
            }
        }
        Ok(recovered)
    }

    async fn resume(&self, writing: &mut Transaction<'_>, row: LeftRow) -> Result<ResumedAnswer> {
        let thread = row.thread();
        let input: StoredInput = serde_json::from_str(&row.input)?;
        let mut answered = Vec::new();
        for memory_id in &input.memories {
            answered.push(read_answered_question(writing, &thread, memory_id).await?);
        }
        calls::allow_again(writing, &thread).await?;
        // The answer says again what the model had said, and the rest anew.
        let first_event = runs::begin_again(writing, &thread, &row.id).await?;
        let room = self.check_room(writing, &thread, "").await?;
        let ticket = Arc::new(self.running.add(&row.id));
        Ok(ResumedAnswer {
            thread,
            agent_id: row.agent_id,
            content: input.content,
            accepted: AcceptedPost {
                request_id: row.id,
                answered,
                room,
                first_event,
                ticket,
            },
        })
    }
}

/// Returns true if an answer can go on: nothing in it is unknown, no part of it is stored, and it
/// is the work of one agent, since what colleagues have done is not done again.
async fn is_resumable(reading: &mut Transaction<'_>, row: &LeftRow) -> Result<bool> {
    if row.segments > 0 || row.resumed > 0 || row.input.is_empty() {
        return Ok(false);
    }
    let thread = row.thread();
    let input: StoredInput = serde_json::from_str(&row.input)?;
    for memory_id in &input.memories {
        // The question of a colleague is kept with what it is about.
        let question = read_answered_question(reading, &thread, memory_id).await?;
        if !question.memory.is_empty() {
            return Ok(false);
        }
    }
    let colleagues = transcripts::has_colleagues(reading, &thread, row.items_before).await?;
    Ok(!colleagues && !calls::has_unknown_outcome(reading, &thread).await?)
}

/// Returns the approvals and the feedback of a question. The decisions are left out: they were told
/// before the crash.
async fn read_answered_question(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
    memory_id: &str,
) -> Result<AnsweredQuestion> {
    let (memory, feedback, asked_in): (String, String, String) =
        query_as("SELECT body, feedback, asked_in FROM memories WHERE user_id = $1 AND id = $2")
            .bind(&thread.user_id)
            .bind(memory_id)
            .fetch_one(&mut *reading)
            .await?;
    let rows = ApprovalRow::of_memory(reading, thread, memory_id).await?;
    let approvals = rows.iter().map(ApprovalRow::approval);
    Ok(AnsweredQuestion {
        decisions: Vec::new(),
        approvals: approvals.collect::<Result<_>>()?,
        feedback: serde_json::from_str(&feedback)?,
        memory,
        waited: Duration::ZERO,
        asked_in,
    })
}
