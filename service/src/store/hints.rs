//! Hints that services on one database give each other: where something is new. Each may be lost, and
//! so nothing depends on one; what it says is looked up in the database.
//!
//! A hint is a statement of its own. Inside of a transaction that writes, PostgreSQL would let all
//! transactions with hints commit one after the other
//! (<https://github.com/postgres/postgres/blob/REL_15_STABLE/src/backend/commands/async.c>).

use sqlx::postgres::{PgListener, PgPoolOptions};

use super::{Pool, Store, database::query};
use crate::Result;

/// The channel of all hints.
const CHANNEL: &str = "assent";

/// The most runs that one hint names: PostgreSQL takes less than 8,000 bytes.
const RUNS_PER_HINT: usize = 200;

/// A hint of a service to the others, and to itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// The logs of these runs have more events.
    Events(Vec<String>),
    /// A run is not wanted any more, or gone with its thread.
    Runs,
    /// The replica with this id lives; whoever hears itself knows that hints arrive.
    Beat(String),
}

impl Hint {
    fn text(&self) -> String {
        match self {
            Self::Events(runs) => format!("events {}", runs.join(" ")),
            Self::Runs => "runs".to_owned(),
            Self::Beat(id) => format!("beat {id}"),
        }
    }

    /// Reads a hint; `None` for one of another version of the service.
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ').map(str::to_owned);
        match words.next()?.as_str() {
            "events" => Some(Self::Events(words.collect())),
            "runs" => Some(Self::Runs),
            "beat" => words.next().map(Self::Beat),
            _ => None,
        }
    }
}

/// What hears the hints of all services on one database.
#[derive(Debug)]
pub struct HintListener(PgListener);

impl HintListener {
    /// Waits for the next hint; `None` if some may have been missed.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] if nothing is heard any more.
    pub async fn next(&mut self) -> Result<Option<Hint>> {
        loop {
            let Some(heard) = self.0.try_recv().await? else {
                return Ok(None);
            };
            if let Some(hint) = Hint::parse(heard.payload()) {
                return Ok(Some(hint));
            }
        }
    }
}

impl Store {
    /// Gives a hint. One that cannot be given is lost.
    pub async fn give_hint(&self, hint: Hint) {
        let Pool::Postgres(_) = self.keeper else {
            return;
        };
        let parts = match &hint {
            Hint::Events(runs) => runs
                .chunks(RUNS_PER_HINT)
                .map(|part| Hint::Events(part.to_vec()).text())
                .collect(),
            hint => vec![hint.text()],
        };
        for text in parts {
            let given = query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(text);
            if let Err(error) = given.execute(&self.keeper).await {
                tracing::debug!(%error, "a hint is lost");
            }
        }
    }

    /// Listens to hints, with a connection of its own; `None` with SQLite, which has none.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] if the database has no hints, or cannot be reached.
    pub async fn listen(&self) -> Result<Option<HintListener>> {
        let Pool::Postgres(pool) = &self.keeper else {
            return Ok(None);
        };
        let options = pool.connect_options().as_ref().clone();
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .connect_lazy_with(options);
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.listen(CHANNEL).await?;
        Ok(Some(HintListener(listener)))
    }
}

#[cfg(test)]
mod tests {
    use super::Hint;

    #[test]
    fn a_hint_is_read_as_it_was_given_and_another_one_is_left_alone() {
        let hints = [
            Hint::Events(vec!["a".to_owned(), "b".to_owned()]),
            Hint::Runs,
            Hint::Beat("me".to_owned()),
        ];
        for hint in hints {
            assert_eq!(Hint::parse(&hint.text()), Some(hint));
        }
        assert_eq!(Hint::parse("news of another version"), None);
        assert_eq!(Hint::parse(""), None);
    }
}
