//! Full-text search: the one module that speaks FTS5, which other databases do in their own way.

use sha2::{Digest as _, Sha256};

use super::Transaction;
use crate::Result;

/// The mark of a shelf, which is a set of texts that are searched together: one word that no other
/// shelf has.
#[derive(Clone, Debug)]
pub(super) struct ShelfMark(String);

impl ShelfMark {
    /// Returns the mark of a shelf by the names that its texts are filed under.
    pub(super) fn of(names: &[&str]) -> Self {
        let named = serde_json::json!(names).to_string();
        let digest = Sha256::digest(named.as_bytes());
        let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Self(format!("x{digits}x"))
    }

    fn query(&self) -> String {
        format!("shelf : \"{}\"", self.0)
    }
}

/// Adds a text to a shelf, with a number (`place`) by which it is found.
pub(super) async fn put(
    writing: &mut Transaction<'_>,
    mark: &ShelfMark,
    place: i64,
    text: &str,
) -> Result<()> {
    sqlx::query("INSERT INTO full_text (shelf, place, body) VALUES ($1, $2, $3)")
        .bind(&mark.0)
        .bind(place)
        .bind(text)
        .execute(writing)
        .await?;
    Ok(())
}

/// Removes the text with the number `place` from a shelf.
pub(super) async fn remove(
    writing: &mut Transaction<'_>,
    mark: &ShelfMark,
    place: i64,
) -> Result<()> {
    sqlx::query(
        "DELETE FROM full_text WHERE rowid IN \
         (SELECT rowid FROM full_text WHERE full_text MATCH $1) AND place = $2",
    )
    .bind(mark.query())
    .bind(place)
    .execute(writing)
    .await?;
    Ok(())
}

/// Removes at most `most` texts of a shelf; returns false if it had none.
pub(super) async fn remove_some(
    writing: &mut Transaction<'_>,
    mark: &ShelfMark,
    most: usize,
) -> Result<bool> {
    let removed = sqlx::query(
        "DELETE FROM full_text WHERE rowid IN \
         (SELECT rowid FROM full_text WHERE full_text MATCH $1 LIMIT $2)",
    )
    .bind(mark.query())
    .bind(i64::try_from(most).unwrap_or(i64::MAX))
    .execute(writing)
    .await?;
    Ok(removed.rows_affected() > 0)
}

/// Returns the numbers of at most `limit` texts of a shelf that have any of these words, best
/// first.
pub(super) async fn search(
    reading: &mut Transaction<'_>,
    mark: &ShelfMark,
    words: &[String],
    limit: i64,
) -> Result<Vec<i64>> {
    // Words hold letters and digits only; the quotes keep OR and NEAR from meaning anything.
    let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let places = sqlx::query_scalar(
        "SELECT place FROM full_text WHERE full_text MATCH $1 \
         ORDER BY bm25(full_text, 0.0, 0.0, 1.0), place LIMIT $2",
    )
    .bind(format!(
        "{} AND body : ({})",
        mark.query(),
        words.join(" OR ")
    ))
    .bind(limit)
    .fetch_all(reading)
    .await?;
    Ok(places)
}
