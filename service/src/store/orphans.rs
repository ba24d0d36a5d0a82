//! The removal of files without a row: what an upload left that nobody completed, or a deletion that
//! did not come to its end.
//!
//! Other replicas use the same place, and a file is there before it has its row. So a file has to be
//! older than any upload that can still be under way. It also has to be younger than the database:
//! one that is older was put there for another database, which may be the right one.

use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _};
use jiff::Timestamp;

use super::{
    Store,
    database::{Sql, query_scalar},
    files::ListedFile,
};
use crate::Result;

/// The age that a file without a row has at least: more than the day that an upload may take.
const MIN_AGE: Duration = Duration::from_hours(48);

/// The number of files that are looked up at once.
const CHUNK: usize = 500;

/// The most files that are removed in one go; the next one goes on.
const MAX_REMOVALS: usize = 10_000;

/// The time at which the first tables were made, in seconds since 1970.
const MADE: Sql = Sql::Each {
    sqlite: "SELECT CAST(strftime('%s', MIN(installed_on)) AS INTEGER) FROM _sqlx_migrations",
    postgres: "SELECT CAST(EXTRACT(EPOCH FROM MIN(installed_on)) AS BIGINT) FROM _sqlx_migrations",
};

/// Those of some ids, given as a JSON array, that have a row.
const NAMED: Sql = Sql::Each {
    sqlite: "SELECT id FROM uploads WHERE id IN (SELECT value FROM json_each($1))",
    postgres: "SELECT id FROM uploads WHERE id IN \
               (SELECT json_array_elements_text(CAST($1 AS json)))",
};

impl Store {
    /// Removes the files that no row names, as far as they can be nobody's.
    ///
    /// # Errors
    ///
    /// [`crate::Error::FileStore`] or [`crate::Error::Database`].
    pub async fn remove_orphans(&self) -> Result<()> {
        let made: i64 = query_scalar(MADE).fetch_one(&self.readers).await?;
        let age = i64::try_from(MIN_AGE.as_secs()).unwrap_or(i64::MAX);
        let before = Timestamp::now().as_second().saturating_sub(age);
        self.files.remove_unfinished(before).await?;
        let mut found = Found::default();
        let mut chunks = self.files.list().await?.try_chunks(CHUNK);
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|error| error.1)?;
            let named = self.named(&chunk).await?;
            found.named += named.len();
            let is_unnamed = |file: &ListedFile| !named.contains(&file.id);
            let old = chunk.into_iter().filter(|file| file.written < before);
            for file in old.filter(is_unnamed) {
                if file.written < made {
                    found.older += 1;
                } else if found.orphans.len() < MAX_REMOVALS {
                    found.orphans.push(file.id);
                }
            }
        }
        let orphans = found.orphans.len();
        if found.older > 0 {
            tracing::warn!(
                files = found.older,
                "files stay that no row names, and that are older than this database: is it the \
                 right one for them? If so, they can be removed by hand"
            );
        }
        if orphans > 0 && found.named == 0 {
            tracing::warn!(
                files = orphans,
                "files stay that no row names: this database names none of the files at this \
                 place. Is it the right one for them?"
            );
        } else if orphans > 0 {
            tracing::info!(files = orphans, "files that no row names are removed");
            self.files.remove(&found.orphans).await;
        }
        Ok(())
    }

    async fn named(&self, files: &[ListedFile]) -> Result<Vec<String>> {
        let ids: Vec<&str> = files.iter().map(|file| file.id.as_str()).collect();
        let named = query_scalar(NAMED)
            .bind(serde_json::to_string(&ids)?)
            .fetch_all(&self.readers)
            .await?;
        Ok(named)
    }
}

/// What was found at the place of the files.
#[derive(Debug, Default)]
struct Found {
    /// The number of files that have a row.
    named: usize,
    /// The number of files without a row that are older than the database.
    older: usize,
    /// The ids of the others that are old enough.
    orphans: Vec<String>,
}
