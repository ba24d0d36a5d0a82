//! Full-text search, which each database does in its own way: SQLite by FTS5, PostgreSQL by
//! `tsvector`.

use sha2::{Digest as _, Sha256};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

use super::{
    Transaction,
    database::{Sql, query, query_scalar},
};
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
}

/// Adds a text to a shelf, with a number (`place`) by which it is found.
pub(super) async fn put(
    writing: &mut Transaction<'_>,
    mark: &ShelfMark,
    place: i64,
    text: &str,
) -> Result<()> {
    let text = if writing.is_of_sqlite() {
        text.to_owned()
    } else {
        fold(text)
    };
    query(Sql::Each {
        sqlite: "INSERT INTO full_text (shelf, place, body) VALUES ($1, $2, $3)",
        postgres: "INSERT INTO full_text (shelf, place, words) \
                   VALUES ($1, $2, to_tsvector('assent', $3))",
    })
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
    query(Sql::Each {
        sqlite: "DELETE FROM full_text WHERE rowid IN (SELECT rowid FROM full_text \
                 WHERE full_text MATCH 'shelf : \"' || $1 || '\"') AND place = $2",
        postgres: "DELETE FROM full_text WHERE shelf = $1 AND place = $2",
    })
    .bind(&mark.0)
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
    let removed = query(Sql::Each {
        sqlite: "DELETE FROM full_text WHERE rowid IN (SELECT rowid FROM full_text \
                 WHERE full_text MATCH 'shelf : \"' || $1 || '\"' LIMIT $2)",
        postgres: "DELETE FROM full_text WHERE shelf = $1 AND place IN \
                   (SELECT place FROM full_text WHERE shelf = $1 LIMIT $2)",
    })
    .bind(&mark.0)
    .bind(i64::try_from(most).unwrap_or(i64::MAX))
    .execute(writing)
    .await?;
    Ok(removed > 0)
}

/// Returns the numbers of at most `limit` texts of a shelf that have any of these words, best
/// first. PostgreSQL counts how often a text has the words, SQLite also how rare they are.
pub(super) async fn search(
    reading: &mut Transaction<'_>,
    mark: &ShelfMark,
    words: &[String],
    limit: i64,
) -> Result<Vec<i64>> {
    if words.is_empty() {
        return Ok(Vec::new());
    }
    // Words hold letters and digits only; the quotes keep OR and NEAR from meaning anything.
    let any = if reading.is_of_sqlite() {
        let words = words.iter().map(|word| format!("\"{word}\""));
        words.collect::<Vec<_>>().join(" OR ")
    } else {
        let words = words.iter().map(|word| format!("'{}'", fold(word)));
        words.collect::<Vec<_>>().join(" | ")
    };
    let places = query_scalar(Sql::Each {
        sqlite: "SELECT place FROM full_text \
                 WHERE full_text MATCH 'shelf : \"' || $1 || '\" AND body : (' || $2 || ')' \
                 ORDER BY bm25(full_text, 0.0, 0.0, 1.0), place LIMIT $3",
        postgres: "SELECT place FROM full_text \
                   WHERE shelf = $1 AND words @@ to_tsquery('assent', $2) \
                   ORDER BY ts_rank(words, to_tsquery('assent', $2)) DESC, place LIMIT $3",
    })
    .bind(&mark.0)
    .bind(any)
    .bind(limit)
    .fetch_all(reading)
    .await?;
    Ok(places)
}

/// Returns a text in the form in which SQLite's tokenizer would see it: lower case, without marks, and
/// with a blank for whatever is neither a letter nor a digit. PostgreSQL would look for addresses and
/// hyphens, and its lower case depends on the database's locale.
fn fold(text: &str) -> String {
    let letters = text.nfd().filter(|it| !is_combining_mark(*it));
    let words = letters.map(|it| if it.is_alphanumeric() { it } else { ' ' });
    words.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn a_text_is_folded_to_its_words() {
        assert_eq!(
            fold("Café-Regel: REFUND_30, https://a.example/b?c"),
            "cafe regel  refund 30  https   a example b c"
        );
    }
}
