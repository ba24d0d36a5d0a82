//! Full-text search: the one module that speaks FTS5, which other databases do in their own way.

use sha2::{Digest as _, Sha256};

use super::Transaction;
use crate::Result;

/// The mark of texts that belong together, as one word that no other shelf has.
#[derive(Clone, Debug)]
pub(super) struct Mark(String);

impl Mark {
    /// Returns the mark of texts by the names that they are filed under.
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

/// Adds a text.
pub(super) async fn put(
    writing: &mut Transaction<'_>,
    mark: &Mark,
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

/// Removes the text at a place.
pub(super) async fn remove(writing: &mut Transaction<'_>, mark: &Mark, place: i64) -> Result<()> {
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

/// Removes at most so many texts of the mark; returns false if there was none.
pub(super) async fn remove_some(
    writing: &mut Transaction<'_>,
    mark: &Mark,
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

/// Returns the places of the texts with most of these words, best first.
pub(super) async fn search(
    reading: &mut Transaction<'_>,
    mark: &Mark,
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
