//! Recovery after a crash: an answer in which nothing is unknown goes on, once; each other one is
//! stored as far as it came, with a sentence.

use std::{sync::Arc, time::Duration};

use sqlx::FromRow;

use super::{
    AcceptedPost, AnsweredQuestion, OwnedRun, Store, ThreadKey, Transaction, answers,
    approvals::ApprovalRow, calls, database::query_as, input::StoredInput, replicas, runs,
    transcripts,
};
use crate::{Error, Result, rules::content::UserContent, sentence::Sentence};

/// The outcome for an answer that nobody was writing any more.
#[derive(Debug)]
pub enum Recovered {
    /// It is ended.
    Ended,
    /// It goes on.
    Resumed(Box<ResumedAnswer>),
    /// Another replica was quicker, or its thread is deleted.
    Gone,
}

/// An answer that goes on: from now on it is being written again.
#[derive(Debug)]
pub struct ResumedAnswer {
    /// The id of the thread's agent.
    pub agent_id: String,
    /// True if it was handed on to this replica, and nobody has begun it before.
    pub is_first_time: bool,
    /// The user's text and files.
    pub content: UserContent,
    /// The accepted message that is answered.
    pub accepted: AcceptedPost,
}

#[derive(FromRow)]
struct LeftRow {
    agent_id: String,
    segments: i64,
    input: String,
    items_before: i64,
    resumed: i64,
    handed_on: i64,
}

impl Store {
    /// Returns the answers that this process has to go on with or to end: those of replicas that are
    /// gone, which it takes over, and its own that nobody is writing.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn abandoned_runs(&self) -> Result<Vec<OwnedRun>> {
        let mut abandoned = self.take_over().await?;
        let me = self.replica.id();
        let own = self.own_runs().await?.into_iter();
        // First those in the database, then those that are being written: one that began between is
        // among the latter.
        let left = own.filter(|run| !self.running.contains(&run.id));
        let left = left.map(|run| OwnedRun {
            thread: ThreadKey {
                user_id: run.user_id,
                id: run.thread_id,
            },
            id: run.id,
            owner: Arc::clone(&me),
            epoch: run.epoch,
        });
        for run in left {
            if !abandoned.iter().any(|taken| taken.id == run.id) {
                abandoned.push(run);
            }
        }
        Ok(abandoned)
    }

    /// Ends an answer that nobody is writing, with its draft and `sentence`, or lets it go on if its
    /// agent is one for whose id `can_resume` is true, and it has not gone on before.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn recover(
        &self,
        run: &OwnedRun,
        sentence: &Sentence,
        can_resume: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Recovered> {
        let recovered = self
            .write_by_thread(|writing| {
                Box::pin(self.recover_in(writing, run, sentence, can_resume))
            })
            .await;
        match recovered {
            Err(Error::NotFound(_) | Error::TakenOver) => Ok(Recovered::Gone),
            recovered => recovered,
        }
    }

    async fn recover_in(
        &self,
        writing: &mut Transaction<'_>,
        run: &OwnedRun,
        sentence: &Sentence,
        can_resume: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Recovered> {
        replicas::hold(writing, run).await?;
        let row: LeftRow = query_as(
            "SELECT t.agent_id, r.segments, r.input, r.items_before, r.resumed, r.handed_on \
             FROM runs r JOIN threads t ON t.user_id = r.user_id AND t.id = r.thread_id \
             WHERE r.user_id = $1 AND r.id = $2",
        )
        .bind(&run.thread.user_id)
        .bind(&run.id)
        .fetch_one(&mut *writing)
        .await?;
        if row.handed_on == 1
            || can_resume(&row.agent_id) && is_resumable(writing, &run.thread, &row).await?
        {
            let resumed = self.resume(writing, run, row).await?;
            return Ok(Recovered::Resumed(Box::new(resumed)));
        }
        answers::interrupt(writing, run, sentence).await?;
        Ok(Recovered::Ended)
    }

    async fn resume(
        &self,
        writing: &mut Transaction<'_>,
        run: &OwnedRun,
        row: LeftRow,
    ) -> Result<ResumedAnswer> {
        let thread = &run.thread;
        let input: StoredInput = serde_json::from_str(&row.input)?;
        let mut answered = Vec::new();
        for memory_id in &input.memories {
            let mut question = read_answered_question(writing, thread, memory_id).await?;
            // They were told before a crash, and not before the post was handed on.
            if row.handed_on == 1 {
                let decisions = input.decisions.iter();
                let decisions = decisions.filter_map(|it| it.find_in(&question.approvals));
                question.decisions = decisions.collect();
            }
            answered.push(question);
        }
        calls::allow_again(writing, thread).await?;
        // The answer says again what the model had said, and the rest anew.
        let first_event = runs::begin_again(writing, run).await?;
        let room = self.check_room(writing, thread, "").await?;
        let ticket = Arc::new(self.running.add(&run.id));
        Ok(ResumedAnswer {
            agent_id: row.agent_id,
            is_first_time: row.handed_on == 1,
            content: input.content,
            accepted: AcceptedPost {
                run: run.clone(),
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
async fn is_resumable(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
    row: &LeftRow,
) -> Result<bool> {
    if row.segments > 0 || row.resumed > 0 || row.input.is_empty() {
        return Ok(false);
    }
    let input: StoredInput = serde_json::from_str(&row.input)?;
    for memory_id in &input.memories {
        // The question of a colleague is kept with what it is about.
        let question = read_answered_question(reading, thread, memory_id).await?;
        if !question.memory.is_empty() {
            return Ok(false);
        }
    }
    let colleagues = transcripts::has_colleagues(reading, thread, row.items_before).await?;
    Ok(!colleagues && !calls::has_unknown_outcome(reading, thread).await?)
}

/// Returns the approvals and the feedback of a question, without the decisions.
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
