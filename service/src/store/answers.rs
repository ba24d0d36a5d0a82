//! The answer being written in a thread: its parts, its end, and its recovery after a crash.

use super::{Store, approvals, messages, threads};
use crate::{Result, approval::Question};

/// A finished part of an answer, by one agent; it becomes one stored message.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The thread.
    pub thread_id: String,
    /// The accepted message that is answered.
    pub request_id: String,
    /// The handle of the agent that wrote it.
    pub handle: String,
    /// The handle of the agent that speaks after it.
    pub next: String,
    /// The text; empty text without a question is not stored.
    pub text: String,
    /// The question that is asked after it.
    pub question: Option<Question>,
    /// True if the answer ends with it.
    pub last: bool,
}

impl Store {
    /// Stores a part of the answer with the question after it and, if it is the last part, ends the
    /// answer.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NotFound`] if this answer is not being written any more, because it ended or
    /// its thread was deleted; [`crate::Error::Database`].
    pub async fn store_segment(&self, segment: Segment) -> Result<()> {
        let thread_id = &segment.thread_id;
        let mut writing = self.write().await?;
        let (being_written,): (bool,) = sqlx::query_as(
            "SELECT EXISTS (SELECT 1 FROM answers_in_progress WHERE request_id = ?)",
        )
        .bind(&segment.request_id)
        .fetch_one(&mut *writing)
        .await?;
        if !being_written {
            return Err(threads::NO_THREAD);
        }
        if !segment.text.is_empty() || segment.question.is_some() {
            let message_id = messages::append(
                &mut writing,
                thread_id,
                Some(&segment.handle),
                &segment.text,
            )
            .await?;
            if let Some(question) = &segment.question {
                sqlx::query("INSERT INTO memories (id, thread_id, body) VALUES (?, ?, ?)")
                    .bind(&question.memory_id)
                    .bind(thread_id)
                    .bind(&question.memory)
                    .execute(&mut *writing)
                    .await?;
                for request in &question.requests {
                    approvals::insert(&mut writing, thread_id, &message_id, request).await?;
                }
            }
        }
        let after = if segment.last {
            sqlx::query("DELETE FROM answers_in_progress WHERE request_id = ?")
        } else {
            sqlx::query("DELETE FROM draft_pieces WHERE thread_id = ?")
                .bind(thread_id)
                .execute(&mut *writing)
                .await?;
            sqlx::query(
                "UPDATE answers_in_progress SET segments = segments + 1, handle = ? \
                 WHERE request_id = ?",
            )
            .bind(&segment.next)
        };
        after
            .bind(&segment.request_id)
            .execute(&mut *writing)
            .await?;
        writing.commit().await?;
        self.forget_draft(&segment.request_id);
        Ok(())
    }

    /// Stores the drafts of answers that a crash interrupted, each marked with `note`; returns how
    /// many there were.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn recover(&self, note: &str) -> Result<usize> {
        let mut writing = self.write().await?;
        let left: Vec<(String, String)> =
            sqlx::query_as("SELECT thread_id, handle FROM answers_in_progress")
                .fetch_all(&mut *writing)
                .await?;
        for (thread_id, handle) in &left {
            let pieces: Vec<(String, String)> = sqlx::query_as(
                "SELECT handle, text FROM draft_pieces WHERE thread_id = ? ORDER BY seq",
            )
            .bind(thread_id)
            .fetch_all(&mut *writing)
            .await?;
            let speaker = pieces.last().map_or(handle, |(speaker, _)| speaker);
            let draft: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
            let text = with_note(&draft, note);
            messages::append(&mut writing, thread_id, Some(speaker), &text).await?;
        }
        sqlx::query("DELETE FROM answers_in_progress")
            .execute(&mut *writing)
            .await?;
        writing.commit().await?;
        Ok(left.len())
    }
}

/// Returns a text that ended early, with a paragraph that says so.
pub(crate) fn with_note(draft: &str, note: &str) -> String {
    let draft = draft.trim_end();
    if draft.is_empty() {
        return note.to_owned();
    }
    format!("{draft}\n\n{note}")
}
