//! Statements that run on either database.
//!
//! Each statement is one text, written once and compiled once; which driver runs it is decided when
//! it runs. `sqlx::Any` would be the ready-made form: it reads no boolean from SQLite
//! (<https://github.com/launchbadge/sqlx/issues/2778>), and knows neither the pragmas of the one nor
//! the arrays of the other. A store that is generic over the database would spread bounds over each
//! statement and each handle (<https://github.com/launchbadge/sqlx/issues/1674>).

use std::{convert::identity, marker::PhantomData};

use sqlx::{FromRow, postgres::PgRow, sqlite::SqliteRow};

use super::{Connection, Pool, postgres};
use crate::store::probe::Probe;

/// The text of a statement, with `$1`, `$2` and so on for its arguments.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) enum Sql {
    /// One text for both databases.
    Same(&'static str),
    /// What the databases do not say in the same way.
    Each {
        /// The text for SQLite.
        sqlite: &'static str,
        /// The text for PostgreSQL.
        postgres: &'static str,
    },
}

impl From<&'static str> for Sql {
    fn from(text: &'static str) -> Self {
        Self::Same(text)
    }
}

impl Sql {
    pub(in crate::store) fn sqlite(self) -> &'static str {
        match self {
            Self::Same(text) | Self::Each { sqlite: text, .. } => text,
        }
    }

    fn postgres(self) -> &'static str {
        match self {
            Self::Same(text) | Self::Each { postgres: text, .. } => text,
        }
    }
}

/// An argument of a statement. A NULL has a type, too: PostgreSQL does not guess one.
#[derive(Clone, Debug)]
pub(in crate::store) enum Argument {
    /// A text or NULL.
    Text(Option<String>),
    /// A number or NULL.
    Integer(Option<i64>),
    /// True or false; SQLite keeps it as 1 or 0.
    Boolean(bool),
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(Some(text.to_owned()))
    }
}

impl From<&String> for Argument {
    fn from(text: &String) -> Self {
        Self::Text(Some(text.clone()))
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(Some(text))
    }
}

impl From<Option<&str>> for Argument {
    fn from(text: Option<&str>) -> Self {
        Self::Text(text.map(str::to_owned))
    }
}

impl From<Option<String>> for Argument {
    fn from(text: Option<String>) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Argument {
    fn from(number: i64) -> Self {
        Self::Integer(Some(number))
    }
}

impl From<bool> for Argument {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

/// A row that both drivers can read; `#[derive(FromRow)]` makes one.
pub(in crate::store) trait Row:
    for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin
{
}

impl<T> Row for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin
{}

/// The place where a statement runs.
pub(in crate::store) enum At<'a> {
    /// A connection of a pool, for this statement alone.
    Pool(&'a Pool),
    /// The connection of a transaction, and the probe that sees its statements.
    Transaction(&'a mut Connection, Option<&'a dyn Probe>),
}

impl<'a> From<&'a Pool> for At<'a> {
    fn from(pool: &'a Pool) -> Self {
        Self::Pool(pool)
    }
}

/// A statement whose rows are read as `T`; a statement without rows has `T = ()`.
#[derive(Debug)]
pub(in crate::store) struct Query<T> {
    sql: Sql,
    arguments: Vec<Argument>,
    rows: PhantomData<fn() -> T>,
}

/// A statement whose rows have one column.
#[derive(Debug)]
pub(in crate::store) struct ScalarQuery<T>(Query<(T,)>);

/// Returns a statement whose rows are not read.
pub(in crate::store) fn query(sql: impl Into<Sql>) -> Query<()> {
    query_as(sql)
}

/// Returns a statement whose rows are read as `T`.
pub(in crate::store) fn query_as<T>(sql: impl Into<Sql>) -> Query<T> {
    Query {
        sql: sql.into(),
        arguments: Vec::new(),
        rows: PhantomData,
    }
}

/// Returns a statement whose rows have one column, which is read as `T`.
pub(in crate::store) fn query_scalar<T>(sql: impl Into<Sql>) -> ScalarQuery<T> {
    ScalarQuery(query_as(sql))
}

/// Binds all arguments to a query of one driver; `$text` changes each text.
macro_rules! bind_all {
    ($query:expr, $arguments:expr, $text:expr) => {
        $arguments
            .into_iter()
            .fold($query, |query, argument| match argument {
                Argument::Text(text) => query.bind(text.map($text)),
                Argument::Integer(number) => query.bind(number),
                Argument::Boolean(value) => query.bind(value),
            })
    };
}

/// Runs a query: `$prepare` makes one of a text, `$run` is the method of the driver, and `$read` reads
/// what that returns.
macro_rules! run {
    ($query:expr, $at:expr, $prepare:path, $run:ident, $read:expr) => {{
        let Query { sql, arguments, .. } = $query;
        match $at.into() {
            At::Pool(Pool::Sqlite(pool)) => {
                let query = bind_all!($prepare(sql.sqlite()), arguments, identity);
                query.$run(pool).await.map($read)
            }
            At::Pool(Pool::Postgres(pool)) => {
                let query = bind_all!($prepare(sql.postgres()), arguments, postgres::text);
                query.$run(pool).await.map($read)
            }
            At::Transaction(connection, probe) => {
                probe.map_or(Ok(()), |probe| probe.before_statement())?;
                match connection {
                    Connection::Sqlite(connection) => {
                        let query = bind_all!($prepare(sql.sqlite()), arguments, identity);
                        query.$run(&mut **connection).await.map($read)
                    }
                    Connection::Postgres(connection) => {
                        let query = bind_all!($prepare(sql.postgres()), arguments, postgres::text);
                        query.$run(&mut **connection).await.map($read)
                    }
                }
            }
        }
    }};
}

impl<T> Query<T> {
    /// Gives the next argument.
    pub(in crate::store) fn bind(mut self, argument: impl Into<Argument>) -> Self {
        self.arguments.push(argument.into());
        self
    }
}

impl Query<()> {
    /// Runs the statement; returns the number of rows that it changed.
    pub(in crate::store) async fn execute<'a>(self, at: impl Into<At<'a>>) -> sqlx::Result<u64> {
        run!(self, at, sqlx::query, execute, |done| done.rows_affected())
    }
}

impl<T: Row> Query<T> {
    /// Returns the only row.
    pub(in crate::store) async fn fetch_one<'a>(self, at: impl Into<At<'a>>) -> sqlx::Result<T> {
        run!(self, at, sqlx::query_as, fetch_one, identity)
    }

    /// Returns the first row, if there is one.
    pub(in crate::store) async fn fetch_optional<'a>(
        self,
        at: impl Into<At<'a>>,
    ) -> sqlx::Result<Option<T>> {
        run!(self, at, sqlx::query_as, fetch_optional, identity)
    }

    /// Returns all rows.
    pub(in crate::store) async fn fetch_all<'a>(
        self,
        at: impl Into<At<'a>>,
    ) -> sqlx::Result<Vec<T>> {
        run!(self, at, sqlx::query_as, fetch_all, identity)
    }
}

impl<T> ScalarQuery<T>
where
    (T,): Row,
{
    /// Gives the next argument.
    pub(in crate::store) fn bind(self, argument: impl Into<Argument>) -> Self {
        Self(self.0.bind(argument))
    }

    /// Returns the column of the only row.
    pub(in crate::store) async fn fetch_one<'a>(self, at: impl Into<At<'a>>) -> sqlx::Result<T> {
        Ok(self.0.fetch_one(at).await?.0)
    }

    /// Returns the column of the first row, if there is one.
    pub(in crate::store) async fn fetch_optional<'a>(
        self,
        at: impl Into<At<'a>>,
    ) -> sqlx::Result<Option<T>> {
        Ok(self.0.fetch_optional(at).await?.map(|row| row.0))
    }

    /// Returns the column of all rows.
    pub(in crate::store) async fn fetch_all<'a>(
        self,
        at: impl Into<At<'a>>,
    ) -> sqlx::Result<Vec<T>> {
        let rows = self.0.fetch_all(at).await?;
        Ok(rows.into_iter().map(|row| row.0).collect())
    }
}
