//! The answer being written in a thread: its parts, its end, and its recovery after a crash.

use std::{collections::BTreeSet, time::Duration};

use assent_protocol::{EventType, Words};
use futures_util::future::BoxFuture;

use super::{
    OwnedRun, Store, Transaction, approvals, calls,
    database::{Sql, query, query_as, query_scalar},
    events::{self, LogEntry, LoggedEvent},
    messages, notices, runs, threads, tool_images,
};
use crate::{
    Error, Result,
    generate::now,
    rules::approval::Question,
    sentence::{Sentence, with_sentence},
};

/// The time in which storing a part of an answer is tried again before that counts as failed: a
/// reader waits for it.
const STORE_TIMEOUT: Duration = Duration::from_secs(3);

/// The statement that finds the run of a segment, with the lock that keeps it as it is.
macro_rules! segment_run {
    ($lock:literal) => {
        concat!(
            "SELECT segments, ended_at IS NULL, owner = $4 AND epoch = $5 FROM runs \
             WHERE user_id = $1 AND thread_id = $2 AND id = $3",
            $lock
        )
    };
}

/// The error for an answer that is at its end already.
const ENDED: Error = Error::NotFound("This answer is at its end.");

/// A finished part of an answer, by one agent; it becomes one stored message.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The run that writes the answer.
    pub run: OwnedRun,
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
    /// The events that tell of the segment; they come into the log together with the message.
    pub events: Vec<LoggedEvent>,
    /// The number of the first of these events, which follows the last one that is in the log.
    pub first_event: i64,
    /// True if the answer ends with this segment.
    pub last: bool,
}

impl Store {
    /// Stores a part of the answer with the question after it and, if it is the last part, ends the
    /// answer. A part that is stored already is not stored again. Returns the number of the first
    /// of its events, which is another one if a commit had happened that seemed to fail.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if this answer is not being written any more, because it ended or its
    /// thread was deleted; [`Error::TakenOver`] if another replica writes it; [`Error::Database`].
    pub async fn store_segment(&self, segment: &Segment) -> Result<i64> {
        let delay = self.notice_delay;
        self.write_by_thread(|writing| Box::pin(store_segment(writing, segment, delay)))
            .await
    }

    /// Stores a part of the answer like [`Store::store_segment`], and tries again for some
    /// seconds if the database fails.
    ///
    /// # Errors
    ///
    /// As for [`Store::store_segment`].
    pub async fn store_segment_with_retries(&self, segment: &Segment) -> Result<i64> {
        let write = |_| -> BoxFuture<'_, _> { Box::pin(self.store_segment(segment)) };
        self.with_retries("a part of an answer", STORE_TIMEOUT, write)
            .await
    }

    /// Returns true if a run was begun and has no stored end.
    pub(super) async fn is_in_progress(&self, run: &OwnedRun) -> Result<bool> {
        let exists = query_scalar(
            "SELECT EXISTS (SELECT 1 FROM runs \
             WHERE user_id = $1 AND thread_id = $2 AND id = $3 AND ended_at IS NULL)",
        )
        .bind(&run.thread.user_id)
        .bind(&run.thread.id)
        .bind(&run.id)
        .fetch_one(&self.readers)
        .await?;
        Ok(exists)
    }
}

async fn store_segment(
    writing: &mut Transaction<'_>,
    segment: &Segment,
    notice_delay: Option<Duration>,
) -> Result<i64> {
    let run = &segment.run;
    let thread = &run.thread;
    threads::lock(writing, thread).await?;
    let found: Option<(i64, bool, bool)> = query_as(Sql::Each {
        sqlite: segment_run!(""),
        postgres: segment_run!(" FOR NO KEY UPDATE"),
    })
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(&run.id)
    .bind(&*run.owner)
    .bind(run.epoch)
    .fetch_optional(&mut *writing)
    .await?;
    let (stored, is_running, is_own) = found.ok_or(ENDED)?;
    if !is_own {
        return Err(Error::TakenOver);
    }
    let mut first = segment.first_event;
    let entry = |first| LogEntry::new(first, segment.events.iter());
    // True if a commit that seemed to fail had happened: of this segment, or of one with its text.
    let has_text = stored != segment.number;
    if has_text {
        if !is_running || events::is_logged(writing, run, &entry(first)?).await? {
            return Ok(first);
        }
        let last = events::last(writing, &thread.user_id, &run.id).await?;
        first = last.map_or(first, |last| last + 1);
    }
    if !is_running {
        return Err(ENDED);
    }
    let (mut text, mut words) = (segment.text.clone(), segment.words.clone());
    if segment.last {
        let left_running = calls::abandon(writing, thread).await?;
        add_unknown_outcomes(&mut text, &mut words, left_running);
    }
    let says = !text.is_empty() || segment.question.is_some();
    if !has_text
        && (says || segment.last && tool_images::has_waiting_images(writing, thread).await?)
    {
        let handle = Some(segment.handle.as_str());
        let message_id = messages::append(writing, thread, handle, &text, &words).await?;
        if let Some(question) = &segment.question {
            store_question(writing, segment, &message_id, question).await?;
            if let Some(delay) = notice_delay {
                let batches = question.requests.iter();
                let batches = batches.map(|it| it.tool_execution_batch_id.as_str());
                for batch in batches.collect::<BTreeSet<_>>() {
                    notices::insert(writing, thread, batch, delay).await?;
                }
            }
        }
    }
    let entry = entry(first)?;
    if !segment.events.is_empty() {
        events::append(writing, run, &entry).await?;
    }
    query(
        "UPDATE runs SET segments = $3, handle = $4, stored_event = $5 \
         WHERE user_id = $1 AND id = $2",
    )
    .bind(&thread.user_id)
    .bind(&run.id)
    .bind(segment.number + 1)
    .bind(&segment.next)
    .bind(entry.last)
    .execute(&mut *writing)
    .await?;
    if segment.last {
        runs::end(writing, run, entry.last).await?;
    }
    Ok(first)
}

async fn store_question(
    writing: &mut Transaction<'_>,
    segment: &Segment,
    message_id: &str,
    question: &Question,
) -> Result<()> {
    let thread = &segment.run.thread;
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

/// Ends an answer that nobody writes any more: stores what was said since its last part, marked with
/// a sentence, which its readers are told as the reason why it failed.
pub(super) async fn interrupt(
    writing: &mut Transaction<'_>,
    run: &OwnedRun,
    sentence: &Sentence,
) -> Result<()> {
    let thread = &run.thread;
    let (handle, stored): (String, i64) =
        query_as("SELECT handle, stored_event FROM runs WHERE user_id = $1 AND id = $2")
            .bind(&thread.user_id)
            .bind(&run.id)
            .fetch_one(&mut *writing)
            .await?;
    let mut said = events::events_after(writing, &thread.user_id, &run.id, stored).await?;
    said.retain(|event| event.event_type == EventType::AgentResponseChunk);
    let speaker = said.last().and_then(|event| event.agent.as_ref());
    let speaker = speaker.map_or(handle, |agent| agent.handle.clone());
    let draft: String = said.iter().map(|event| event.content.as_str()).collect();
    let mut words: Vec<_> = said.into_iter().flat_map(|event| event.words).collect();
    let left_running = calls::abandon(writing, thread).await?;
    let mut text = with_sentence(&draft, sentence);
    words.push(sentence.words());
    add_unknown_outcomes(&mut text, &mut words, left_running);
    messages::append(writing, thread, Some(&speaker), &text, &words).await?;
    let last = events::last(writing, &thread.user_id, &run.id).await?;
    let error = LoggedEvent {
        // A reason is shown as it is, and not as a paragraph of an answer, which is set apart.
        content: sentence.text().trim_matches('*').to_owned(),
        ..LoggedEvent::new(EventType::Error, now())
    };
    let first = last.unwrap_or(stored) + 1;
    let entry = LogEntry::new(first, [&error].into_iter())?;
    events::append(writing, run, &entry).await?;
    runs::end(writing, run, first).await
}

/// Adds a paragraph about the tools of which nobody knows whether they ran, if there are any.
fn add_unknown_outcomes(text: &mut String, words: &mut Vec<Words>, tools: Vec<String>) {
    if !tools.is_empty() {
        let sentence = Sentence::UnknownOutcomes(tools);
        *text = with_sentence(text, &sentence);
        words.push(sentence.words());
    }
}
