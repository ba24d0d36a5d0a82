//! Folders of knowledge: their passages and vectors, searched by words, and what earlier searches
//! found.

use sqlx::FromRow;

use super::{
    Store, ThreadKey, Transaction,
    database::{query, query_as, query_scalar},
    full_text::{self, ShelfMark},
    threads,
};
use crate::{
    Result,
    transcript::knowledge::{FolderState, Passage, Shelf, Vector},
};

#[derive(FromRow)]
struct ShelfRow {
    revision: String,
    vectors_of: Option<String>,
}

#[derive(FromRow)]
struct PassageRow {
    ordinal: i64,
    file: String,
    heading: String,
    body: String,
}

impl From<PassageRow> for (i64, Passage) {
    fn from(row: PassageRow) -> Self {
        let passage = Passage {
            file: row.file,
            heading: row.heading,
            text: row.body,
        };
        (row.ordinal, passage)
    }
}

/// The number of passages that one transaction writes: that takes a hundredth of a second or so.
const PASSAGES_PER_WRITE: usize = 100;

/// The revision of a shelf that is being filled, or was when the service ended.
const FILLING_REVISION: &str = "";

/// Folders of knowledge, read into passages that can be searched, and what earlier searches in one
/// thread found: a handle that an answer gives to an agent.
#[derive(Clone, Debug)]
pub struct Knowledge {
    store: Store,
    thread: ThreadKey,
}

impl Store {
    /// Returns the folders of knowledge, for an answer in a thread.
    #[must_use]
    pub fn knowledge(&self, thread: &ThreadKey) -> Knowledge {
        Knowledge {
            store: self.clone(),
            thread: thread.clone(),
        }
    }
}

impl Knowledge {
    /// Returns the state of a shelf; `None` if it was never filled.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn folder_state(&self, shelf: &Shelf) -> Result<Option<FolderState>> {
        let row: Option<ShelfRow> = query_as(
            "SELECT revision, vectors_of FROM knowledge_sources WHERE agent_id = $1 AND source = $2",
        )
        .bind(&shelf.agent)
        .bind(&shelf.source)
        .fetch_optional(&self.store.readers)
        .await?;
        Ok(row.map(|row| FolderState {
            revision: row.revision,
            vectors_of: row.vectors_of,
        }))
    }

    /// Replaces all passages of a shelf; they are numbered from 0. Other writers come between the
    /// parts that are written. Until all passages are there, the shelf has a revision that no
    /// folder has.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn fill(&self, shelf: &Shelf, revision: &str, passages: &[Passage]) -> Result<()> {
        self.store
            .write(|writing| Box::pin(set_revision(writing, shelf, FILLING_REVISION)))
            .await?;
        while self
            .store
            .write(|writing| Box::pin(remove_part(writing, shelf)))
            .await?
        {}
        for (at, part) in passages.chunks(PASSAGES_PER_WRITE).enumerate() {
            let first = i64::try_from(at * PASSAGES_PER_WRITE).unwrap_or(i64::MAX);
            self.store
                .write(|writing| Box::pin(put(writing, shelf, first, part)))
                .await?;
        }
        self.store
            .write(|writing| Box::pin(set_revision(writing, shelf, revision)))
            .await
    }

    /// Returns the numbers of at most `limit` passages of a shelf that have any of these words,
    /// best first.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn search(&self, shelf: &Shelf, words: &[String], limit: usize) -> Result<Vec<i64>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mark = mark(shelf);
        self.store
            .read(|reading| Box::pin(full_text::search(reading, &mark, words, limit)))
            .await
    }

    /// Returns all passages of a shelf with their numbers.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn passages(&self, shelf: &Shelf) -> Result<Vec<(i64, Passage)>> {
        let rows: Vec<PassageRow> = query_as(
            "SELECT ordinal, file, heading, body FROM knowledge_pieces \
             WHERE agent_id = $1 AND source = $2 ORDER BY ordinal",
        )
        .bind(&shelf.agent)
        .bind(&shelf.source)
        .fetch_all(&self.store.readers)
        .await?;
        Ok(rows.into_iter().map(Into::into).collect())
    }

    /// Returns the passage of a shelf with this number, if there is one.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn passage(&self, shelf: &Shelf, number: i64) -> Result<Option<Passage>> {
        let row: Option<PassageRow> = query_as(
            "SELECT ordinal, file, heading, body FROM knowledge_pieces \
             WHERE agent_id = $1 AND source = $2 AND ordinal = $3",
        )
        .bind(&shelf.agent)
        .bind(&shelf.source)
        .bind(number)
        .fetch_optional(&self.store.readers)
        .await?;
        Ok(row.map(|row| <(i64, Passage)>::from(row).1))
    }

    /// Stores vectors of passages of a shelf, made by `model`, unless the shelf has another
    /// revision by now. Vectors of another model are removed.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn put_vectors(
        &self,
        shelf: &Shelf,
        revision: &str,
        model: &str,
        vectors: &[Vector],
    ) -> Result<()> {
        self.store
            .write(|writing| Box::pin(put_vectors(writing, shelf, revision, model, vectors)))
            .await
    }

    /// Returns the vectors of a shelf, with the numbers of their passages.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn vectors(&self, shelf: &Shelf) -> Result<Vec<Vector>> {
        let rows: Vec<(i64, String)> = query_as(
            "SELECT ordinal, vector FROM knowledge_pieces \
             WHERE agent_id = $1 AND source = $2 AND vector IS NOT NULL ORDER BY ordinal",
        )
        .bind(&shelf.agent)
        .bind(&shelf.source)
        .fetch_all(&self.store.readers)
        .await?;
        rows.into_iter()
            .map(|(number, vector)| Ok((number, serde_json::from_str(&vector)?)))
            .collect()
    }

    /// Returns the numbers of the passages that the same search found before in this thread; `None`
    /// if there was none, or the folders have another revision now.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn found_before(&self, key: &str, revision: &str) -> Result<Option<Vec<i64>>> {
        let found: Option<String> = query_scalar(
            "SELECT found FROM retrievals \
             WHERE user_id = $1 AND thread_id = $2 AND query_key = $3 AND revision = $4",
        )
        .bind(&self.thread.user_id)
        .bind(&self.thread.id)
        .bind(key)
        .bind(revision)
        .fetch_optional(&self.store.readers)
        .await?;
        Ok(found
            .map(|found| serde_json::from_str(&found))
            .transpose()?)
    }

    /// Keeps the numbers of the passages that a search found, for [`Knowledge::found_before`].
    ///
    /// # Errors
    ///
    /// [`crate::Error::NotFound`] if the thread was deleted; [`crate::Error::Database`].
    pub async fn keep_found(&self, key: &str, revision: &str, found: &[i64]) -> Result<()> {
        self.store
            .write(|writing| Box::pin(keep_found(writing, &self.thread, key, revision, found)))
            .await
    }
}

pub(super) fn mark(shelf: &Shelf) -> ShelfMark {
    ShelfMark::of(&["knowledge", &shelf.agent, &shelf.source])
}

/// Removes a part of a shelf; returns false if the shelf was empty.
async fn remove_part(writing: &mut Transaction<'_>, shelf: &Shelf) -> Result<bool> {
    let texts = full_text::remove_some(writing, &mark(shelf), PASSAGES_PER_WRITE).await?;
    let passages = query(
        "DELETE FROM knowledge_pieces WHERE agent_id = $1 AND source = $2 AND ordinal IN \
         (SELECT ordinal FROM knowledge_pieces WHERE agent_id = $1 AND source = $2 LIMIT $3)",
    )
    .bind(&shelf.agent)
    .bind(&shelf.source)
    .bind(i64::try_from(PASSAGES_PER_WRITE).unwrap_or(i64::MAX))
    .execute(writing)
    .await?;
    Ok(texts || passages > 0)
}

/// Adds passages to a shelf, numbered from `first` on.
async fn put(
    writing: &mut Transaction<'_>,
    shelf: &Shelf,
    first: i64,
    passages: &[Passage],
) -> Result<()> {
    let mark = mark(shelf);
    for (number, passage) in (first..).zip(passages) {
        query(
            "INSERT INTO knowledge_pieces (agent_id, source, ordinal, file, heading, body) \
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(&shelf.agent)
        .bind(&shelf.source)
        .bind(number)
        .bind(&passage.file)
        .bind(&passage.heading)
        .bind(&passage.text)
        .execute(&mut *writing)
        .await?;
        let text = searched(&passage.heading, &passage.text);
        full_text::put(writing, &mark, number, &text).await?;
    }
    Ok(())
}

/// Returns the text by which a passage is found.
pub(super) fn searched(heading: &str, text: &str) -> String {
    format!("{heading}\n{text}")
}

async fn set_revision(writing: &mut Transaction<'_>, shelf: &Shelf, revision: &str) -> Result<()> {
    query(
        "INSERT INTO knowledge_sources (agent_id, source, revision) VALUES ($1, $2, $3) \
         ON CONFLICT (agent_id, source) DO UPDATE SET revision = $3, vectors_of = NULL",
    )
    .bind(&shelf.agent)
    .bind(&shelf.source)
    .bind(revision)
    .execute(writing)
    .await?;
    Ok(())
}

async fn put_vectors(
    writing: &mut Transaction<'_>,
    shelf: &Shelf,
    revision: &str,
    model: &str,
    vectors: &[Vector],
) -> Result<()> {
    let row: Option<ShelfRow> = query_as(
        "SELECT revision, vectors_of FROM knowledge_sources WHERE agent_id = $1 AND source = $2",
    )
    .bind(&shelf.agent)
    .bind(&shelf.source)
    .fetch_optional(&mut *writing)
    .await?;
    let Some(row) = row.filter(|row| row.revision == revision) else {
        return Ok(());
    };
    if row.vectors_of.as_deref() != Some(model) {
        query(
            "UPDATE knowledge_pieces SET vector = NULL \
             WHERE agent_id = $1 AND source = $2 AND vector IS NOT NULL",
        )
        .bind(&shelf.agent)
        .bind(&shelf.source)
        .execute(&mut *writing)
        .await?;
    }
    for (number, vector) in vectors {
        query(
            "UPDATE knowledge_pieces SET vector = $1 \
             WHERE agent_id = $2 AND source = $3 AND ordinal = $4",
        )
        .bind(serde_json::to_string(vector)?)
        .bind(&shelf.agent)
        .bind(&shelf.source)
        .bind(*number)
        .execute(&mut *writing)
        .await?;
    }
    query("UPDATE knowledge_sources SET vectors_of = $1 WHERE agent_id = $2 AND source = $3")
        .bind(model)
        .bind(&shelf.agent)
        .bind(&shelf.source)
        .execute(writing)
        .await?;
    Ok(())
}

async fn keep_found(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    key: &str,
    revision: &str,
    found: &[i64],
) -> Result<()> {
    threads::check(writing, thread).await?;
    query(
        "INSERT INTO retrievals (user_id, thread_id, query_key, revision, found) \
         VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (user_id, thread_id, query_key) DO UPDATE SET revision = $4, found = $5",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(key)
    .bind(revision)
    .bind(serde_json::to_string(found)?)
    .execute(writing)
    .await?;
    Ok(())
}
