//! Stored messages, read in the order in which they were written, a bounded part at a time.

use std::collections::HashMap;

use assent_protocol::{Role, StoredMessage, StoredToolApproval, Timestamp, Words};
use sqlx::FromRow;

use super::{
    Run, Store, ThreadKey, Transaction,
    approvals::ApprovalRow,
    database::{query, query_as, query_scalar},
    named_uploads, runs, threads, tool_images,
};
use crate::{
    Result,
    generate::{new_id, now},
};

/// The most messages, and the most bytes of text, that are read at once; a single longer message is
/// read as a whole.
const PAGE_MESSAGES: i64 = 100;
const PAGE_BYTES: i64 = 256 * 1024;

/// The most messages of a thread, and the most bytes of text, that an agent is given.
const RECENT_MESSAGES: i64 = 200;
const RECENT_BYTES: i64 = 1024 * 1024;

/// A part of a thread's messages, oldest first.
#[derive(Clone, Debug)]
pub struct MessagePage {
    /// The messages, with the present status of every approval.
    pub messages: Vec<StoredMessage>,
    /// The beginning of the next part, if there is one.
    pub next: Option<Position>,
    /// The run that was writing an answer when the part was read, if one was.
    pub running: Option<Run>,
}

/// A place between two messages of a thread, where the next part of a read begins.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    after: i64,
    /// The number of the last message of the thread when its first part was read.
    last: i64,
}

#[derive(FromRow)]
struct Row {
    id: String,
    role: String,
    handle: Option<String>,
    content: String,
    words: Option<String>,
    timestamp: String,
}

/// The latest messages of a thread, or those before one of them, oldest first.
#[derive(Clone, Debug)]
pub struct EarlierPage {
    /// The messages, with the present status of every approval.
    pub messages: Vec<StoredMessage>,
    /// The number of the first of these messages; `None` if the thread has no earlier ones.
    pub earlier: Option<MessageNumber>,
    /// The run that was writing an answer when the messages were read, if one was.
    pub running: Option<Run>,
}

/// The number of a message in its thread.
#[derive(Clone, Copy, Debug)]
pub struct MessageNumber(pub i64);

impl Store {
    /// Returns the last messages of a thread, or the last ones before one of them: at most `limit`,
    /// and as many as are read at once.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn earlier_messages(
        &self,
        thread: &ThreadKey,
        before: Option<MessageNumber>,
        limit: usize,
    ) -> Result<EarlierPage> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.read(|reading| Box::pin(earlier_messages(reading, thread, before, limit)))
            .await
    }

    /// Returns messages of a thread from a position on, or from the first one: as many as are read
    /// at once. Messages that came after the first part was read are left out.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NotFound`] if the thread was deleted since; [`crate::Error::Database`] or
    /// [`crate::Error::Stored`].
    pub async fn page(&self, thread: &ThreadKey, from: Option<Position>) -> Result<MessagePage> {
        self.read(|reading| Box::pin(page(reading, thread, from)))
            .await
    }

    /// Returns the latest messages of a thread, oldest first: as many as an agent is given.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn latest_messages(&self, thread: &ThreadKey) -> Result<Vec<StoredMessage>> {
        self.read(|reading| Box::pin(latest_messages(reading, thread)))
            .await
    }
}

async fn page(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
    from: Option<Position>,
) -> Result<MessagePage> {
    let last: Option<i64> =
        query_scalar("SELECT MAX(ordinal) FROM messages WHERE user_id = $1 AND thread_id = $2")
            .bind(&thread.user_id)
            .bind(&thread.id)
            .fetch_one(&mut *reading)
            .await?;
    let running = runs::running(&mut *reading, thread).await?;
    let from = match (from, last) {
        (Some(from), Some(_)) => from,
        (None, Some(last)) => Position { after: 0, last },
        (Some(_), None) => return Err(threads::NO_THREAD),
        (None, None) => {
            return Ok(MessagePage {
                messages: Vec::new(),
                next: None,
                running,
            });
        }
    };
    let sizes: Vec<(i64, i64)> = query_as(
        "SELECT ordinal, CAST(OCTET_LENGTH(content) AS BIGINT) FROM messages \
         WHERE user_id = $1 AND thread_id = $2 AND ordinal > $3 AND ordinal <= $4 \
         ORDER BY ordinal LIMIT $5",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(from.after)
    .bind(from.last)
    .bind(PAGE_MESSAGES)
    .fetch_all(&mut *reading)
    .await?;
    let Some(end) = end_of_part(&sizes, PAGE_BYTES) else {
        return Ok(MessagePage {
            messages: Vec::new(),
            next: None,
            running,
        });
    };
    let messages = messages_between(reading, thread, from.after, end).await?;
    let next = (end < from.last).then_some(Position { after: end, ..from });
    Ok(MessagePage {
        messages,
        next,
        running,
    })
}

async fn earlier_messages(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
    before: Option<MessageNumber>,
    limit: i64,
) -> Result<EarlierPage> {
    let before = before.map_or(i64::MAX, |before| before.0);
    let sizes: Vec<(i64, i64)> = query_as(
        "SELECT ordinal, CAST(OCTET_LENGTH(content) AS BIGINT) FROM messages \
         WHERE user_id = $1 AND thread_id = $2 AND ordinal < $3 ORDER BY ordinal DESC LIMIT $4",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(before)
    .bind(limit)
    .fetch_all(&mut *reading)
    .await?;
    let running = runs::running(&mut *reading, thread).await?;
    let Some(first) = end_of_part(&sizes, RECENT_BYTES) else {
        return Ok(EarlierPage {
            messages: Vec::new(),
            earlier: None,
            running,
        });
    };
    let messages = messages_between(reading, thread, first - 1, before - 1).await?;
    let more = query_scalar(
        "SELECT EXISTS (SELECT 1 FROM messages \
         WHERE user_id = $1 AND thread_id = $2 AND ordinal < $3)",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(first)
    .fetch_one(reading)
    .await?;
    let earlier = if more {
        Some(MessageNumber(first))
    } else {
        None
    };
    Ok(EarlierPage {
        messages,
        earlier,
        running,
    })
}

async fn latest_messages(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
) -> Result<Vec<StoredMessage>> {
    let sizes: Vec<(i64, i64)> = query_as(
        "SELECT ordinal, CAST(OCTET_LENGTH(content) AS BIGINT) FROM messages \
         WHERE user_id = $1 AND thread_id = $2 ORDER BY ordinal DESC LIMIT $3",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(RECENT_MESSAGES)
    .fetch_all(&mut *reading)
    .await?;
    let Some(first) = end_of_part(&sizes, RECENT_BYTES) else {
        return Ok(Vec::new());
    };
    messages_between(reading, thread, first - 1, i64::MAX).await
}

/// Returns the number of the last of the messages that are together no longer than `most` bytes, or
/// of the first one, however long that is; `None` without messages.
fn end_of_part(sizes: &[(i64, i64)], most: i64) -> Option<i64> {
    let mut bytes = 0_i64;
    let mut end = None;
    for &(number, size) in sizes {
        bytes = bytes.saturating_add(size);
        if end.is_some() && bytes > most {
            break;
        }
        end = Some(number);
    }
    end
}

/// Reads the messages of a thread whose numbers are above `after`, up to `last`.
async fn messages_between(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
    after: i64,
    last: i64,
) -> Result<Vec<StoredMessage>> {
    let rows: Vec<Row> = query_as(
        "SELECT id, role, handle, content, words, timestamp FROM messages \
         WHERE user_id = $1 AND thread_id = $2 AND ordinal > $3 AND ordinal <= $4 \
         ORDER BY ordinal",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(after)
    .bind(last)
    .fetch_all(&mut *reading)
    .await?;
    let mut approvals: HashMap<String, Vec<StoredToolApproval>> = HashMap::new();
    for row in ApprovalRow::of_messages(reading, thread, after, last).await? {
        let message_id = row.message_id.clone();
        approvals.entry(message_id).or_default().push(row.stored()?);
    }
    let mut files = named_uploads::files_of_messages(reading, thread, after, last).await?;
    let mut images = tool_images::images_of_messages(reading, thread, after, last).await?;
    let stored = |row: Row| {
        Ok(StoredMessage {
            tool_images: images.remove(&row.id).unwrap_or_default(),
            files: files.remove(&row.id).unwrap_or_default(),
            tool_execution_human_approval_request: approvals.remove(&row.id).unwrap_or_default(),
            id: row.id.as_str().into(),
            role: match row.role.as_str() {
                "user" => Role::User,
                _ => Role::Assistant,
            },
            handle: row.handle,
            content: row.content,
            words: decode_words(row.words.as_deref())?,
            timestamp: Timestamp(row.timestamp),
        })
    };
    rows.into_iter().map(stored).collect()
}

/// Returns the sentences of the service in a text as they were stored by [`encode_words`].
pub(super) fn decode_words(stored: Option<&str>) -> Result<Vec<Words>> {
    let words = stored.map(serde_json::from_str).transpose()?;
    Ok(words.unwrap_or_default())
}

/// Returns the sentences of the service in a text as they are stored; `None` if there are none.
pub(super) fn encode_words(words: &[Words]) -> Result<Option<String>> {
    let some = (!words.is_empty()).then_some(words);
    Ok(some.map(serde_json::to_string).transpose()?)
}

/// Appends a message (of the user if there is no handle), moves its thread to the top, and returns
/// the message's id. `words` are the sentences of the service in it. A message of an agent names
/// the images that tools made before it.
pub(super) async fn append(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    handle: Option<&str>,
    content: &str,
    words: &[Words],
) -> Result<String> {
    let id = new_id();
    let time = now();
    let role = if handle.is_some() {
        "assistant"
    } else {
        "user"
    };
    query(
        "INSERT INTO messages \
         (user_id, thread_id, ordinal, id, role, handle, content, words, timestamp) \
         SELECT $1, $2, COALESCE(MAX(ordinal), 0) + 1, $3, $4, $5, $6, $7, $8 \
         FROM messages WHERE user_id = $1 AND thread_id = $2",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(&id)
    .bind(role)
    .bind(handle)
    .bind(content)
    .bind(encode_words(words)?)
    .bind(&time)
    .execute(&mut *writing)
    .await?;
    query("UPDATE threads SET last_message_time = $3 WHERE user_id = $1 AND id = $2")
        .bind(&thread.user_id)
        .bind(&thread.id)
        .bind(&time)
        .execute(&mut *writing)
        .await?;
    if handle.is_some() {
        tool_images::attach(writing, thread, &id).await?;
    }
    threads::add_stored_bytes(writing, thread, content.len()).await?;
    Ok(id)
}
