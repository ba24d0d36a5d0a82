//! The answer being written in a thread: its parts, its end, and its recovery after a crash.

use std::time::Duration;

use assent_protocol::Words;
use futures_util::future::BoxFuture;

use super::{
    Store, ThreadKey, Transaction, approvals, calls,
    database::{query, query_as, query_scalar},
    messages, threads, tool_images,
};
use crate::{
    Error, Result,
    rules::approval::Question,
    sentence::{Sentence, with_sentence},
};

/// The time in which storing a part of an answer is tried again before that counts as failed: a
/// reader waits for it.
const STORE_TIMEOUT: Duration = Duration::from_secs(3);

/// A finished part of an answer, by one agent; it becomes one stored message.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The thread that is answered in.
    pub thread: ThreadKey,
    /// The id of the request that is answered.
    pub request_id: String,
    /// The number of segments of the answer that were stored before.
    pub number: i64,
    /// The handle of the agent that wrote the segment.
    pub handle: String,
    /// The handle of the agent that speaks after the segment.
    pub next: String,
    /// The text; empty text without a question is stored only as the last part, and only if there
    /// are images of tools that no part names.
    pub text: String,
    /// The sentences of the service in `text`.
    pub words: Vec<Words>,
    /// The question that is asked after the text, if one is.
    pub question: Option<Question>,
    /// The place of the answer in a trace, as the header `traceparent`; empty without a trace.
    pub asked_in: String,
    /// True if the answer ends with this segment.
    pub last: bool,
}

impl Store {
    /// Stores a part of the answer with the question after it and, if it is the last part, ends the
    /// answer. A part that is stored already is not stored again.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if this answer is not being written any more, because it ended or its
    /// thread was deleted; [`Error::Database`].
    pub async fn store_segment(&self, segment: &Segment) -> Result<()> {
        self.write(|writing| Box::pin(store_segment(writing, segment)))
            .await?;
        self.forget_draft(&segment.request_id);
        Ok(())
    }

    /// Stores a part of the answer like [`Store::store_segment`], and tries again for some
    /// seconds if the database fails.
    ///
    /// # Errors
    ///
    /// As for [`Store::store_segment`].
    pub async fn store_segment_with_retries(&self, segment: &Segment) -> Result<()> {
        let write = |again| -> BoxFuture<'_, _> {
            Box::pin(async move {
                match self.store_segment(segment).await {
                    // The commit that failed had happened, and the answer is at its end.
                    Err(Error::NotFound(_))
                        if again && threads::exists(&self.readers, &segment.thread).await? =>
                    {
                        Ok(())
                    }
                    stored => stored,
                }
            })
        };
        self.with_retries("a part of an answer", STORE_TIMEOUT, write)
            .await
    }

    /// Returns true if the answer to this request was begun and has no stored end.
    pub(super) async fn is_in_progress(
        &self,
        thread: &ThreadKey,
        request_id: &str,
    ) -> Result<bool> {
        let exists = query_scalar(
            "SELECT EXISTS (SELECT 1 FROM answers_in_progress \
             WHERE user_id = $1 AND thread_id = $2 AND request_id = $3)",
        )
        .bind(&thread.user_id)
        .bind(&thread.id)
        .bind(request_id)
        .fetch_one(&self.readers)
        .await?;
        Ok(exists)
    }
}

async fn store_segment(writing: &mut Transaction<'_>, segment: &Segment) -> Result<()> {
    let thread = &segment.thread;
    let stored: Option<i64> = query_scalar(
        "SELECT segments FROM answers_in_progress \
         WHERE user_id = $1 AND thread_id = $2 AND request_id = $3",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(&segment.request_id)
    .fetch_optional(&mut *writing)
    .await?;
    let stored = stored.ok_or(threads::NO_THREAD)?;
    let (mut text, mut words) = (segment.text.clone(), segment.words.clone());
    if segment.last {
        let left_running = calls::abandon(writing, thread).await?;
        add_unknown_outcomes(&mut text, &mut words, left_running);
    }
    let says = !text.is_empty() || segment.question.is_some();
    if stored == segment.number
        && (says || segment.last && tool_images::has_waiting_images(writing, thread).await?)
    {
        let handle = Some(segment.handle.as_str());
        let message_id = messages::append(writing, thread, handle, &text, &words).await?;
        if let Some(question) = &segment.question {
            store_question(writing, segment, &message_id, question).await?;
        }
    }
    if segment.last {
        remove(writing, thread).await?;
    } else if stored == segment.number {
        query("DELETE FROM draft_pieces WHERE user_id = $1 AND thread_id = $2")
            .bind(&thread.user_id)
            .bind(&thread.id)
            .execute(&mut *writing)
            .await?;
        query(
            "UPDATE answers_in_progress SET segments = segments + 1, handle = $3 \
             WHERE user_id = $1 AND thread_id = $2",
        )
        .bind(&thread.user_id)
        .bind(&thread.id)
        .bind(&segment.next)
        .execute(writing)
        .await?;
    }
    Ok(())
}

async fn store_question(
    writing: &mut Transaction<'_>,
    segment: &Segment,
    message_id: &str,
    question: &Question,
) -> Result<()> {
    let thread = &segment.thread;
    query(
        "INSERT INTO memories (user_id, id, thread_id, body, asked_in) \
         VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(&thread.user_id)
    .bind(&question.memory_id)
    .bind(&thread.id)
    .bind(&question.memory)
    .bind(&segment.asked_in)
    .execute(&mut *writing)
    .await?;
    threads::add_stored_bytes(writing, thread, question.memory.len()).await?;
    for request in &question.requests {
        approvals::insert(writing, thread, message_id, request).await?;
    }
    Ok(())
}

/// Ends the answer that is being written in a thread: stores its draft, marked with a sentence.
pub(super) async fn interrupt(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    sentence: &Sentence,
) -> Result<()> {
    let handle: String = query_scalar(
        "SELECT handle FROM answers_in_progress WHERE user_id = $1 AND thread_id = $2",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .fetch_one(&mut *writing)
    .await?;
    let pieces: Vec<(String, String, Option<String>)> = query_as(
        "SELECT handle, text, words FROM draft_pieces \
         WHERE user_id = $1 AND thread_id = $2 ORDER BY ordinal",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .fetch_all(&mut *writing)
    .await?;
    let speaker = pieces.last().map_or(&handle, |(speaker, ..)| speaker);
    let draft: String = pieces.iter().map(|(_, text, _)| text.as_str()).collect();
    let mut words = Vec::new();
    for (_, _, of_piece) in &pieces {
        words.extend(messages::decode_words(of_piece.as_deref())?);
    }
    let left_running = calls::abandon(writing, thread).await?;
    let mut text = with_sentence(&draft, sentence);
    words.push(sentence.words());
    add_unknown_outcomes(&mut text, &mut words, left_running);
    messages::append(writing, thread, Some(speaker), &text, &words).await?;
    remove(writing, thread).await
}

/// Removes the record that an answer is being written in a thread, with the answer's draft.
async fn remove(writing: &mut Transaction<'_>, thread: &ThreadKey) -> Result<()> {
    query("DELETE FROM answers_in_progress WHERE user_id = $1 AND thread_id = $2")
        .bind(&thread.user_id)
        .bind(&thread.id)
        .execute(writing)
        .await?;
    Ok(())
}

/// Adds a paragraph about the tools of which nobody knows whether they ran, if there are any.
fn add_unknown_outcomes(text: &mut String, words: &mut Vec<Words>, tools: Vec<String>) {
    if !tools.is_empty() {
        let sentence = Sentence::UnknownOutcomes(tools);
        *text = with_sentence(text, &sentence);
        words.push(sentence.words());
    }
}
