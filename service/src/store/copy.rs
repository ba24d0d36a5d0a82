//! The copy of everything from a SQLite file into PostgreSQL.

use futures_util::TryStreamExt as _;
use serde_json::{Map, Value};
use sqlx::{Column as _, Row as _, SqlitePool, TypeInfo as _, ValueRef as _, sqlite::SqliteRow};

use super::{
    Database, Pool, Storage, Store, Transaction,
    database::{query, query_scalar},
    files::Files,
    full_text, knowledge, memories, open,
};
use crate::{Error, Result, transcript::knowledge::Shelf};

/// The numbers of what was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// The number of rows, of all tables together.
    pub rows: i64,
    /// The number of files that users had sent.
    pub files: usize,
    /// The number of files that the database names and that are not there.
    pub missing: usize,
}

/// A table with the statements that copy it.
struct Table {
    name: &'static str,
    /// Reads the rows after one with a number of SQLite's own, `place`.
    read: &'static str,
    /// Writes rows that are given as an array of JSON objects.
    write: &'static str,
    count: &'static str,
}

macro_rules! table {
    ($name:literal) => {
        Table {
            name: $name,
            read: concat!(
                "SELECT rowid AS place, * FROM ",
                $name,
                " WHERE rowid > $1 ORDER BY rowid LIMIT 500"
            ),
            write: concat!(
                "INSERT INTO ",
                $name,
                " SELECT * FROM json_populate_recordset(CAST(NULL AS ",
                $name,
                "), CAST($1 AS json))"
            ),
            count: concat!("SELECT COUNT(*) FROM ", $name),
        }
    };
}

/// All tables but the one of full texts, each after those that its rows refer to.
const TABLES: [Table; 23] = [
    table!("threads"),
    table!("messages"),
    table!("runs"),
    table!("events"),
    table!("memories"),
    table!("approvals"),
    table!("notices"),
    table!("uploads"),
    table!("thread_uploads"),
    table!("message_uploads"),
    table!("tool_images"),
    table!("transcript_items"),
    table!("tool_calls"),
    table!("retrievals"),
    table!("knowledge_sources"),
    table!("knowledge_pieces"),
    table!("user_memories"),
    table!("tool_definitions"),
    table!("grants"),
    table!("token_use"),
    table!("audit"),
    table!("audit_checkpoints"),
    table!("readiness"),
];

/// Copies a SQLite database with its files into a PostgreSQL database that holds nothing yet: all of
/// its rows, or none. No service may use either. Files that are at the target's place already stay.
///
/// # Errors
///
/// [`Error::CopyDatabases`] for databases of another kind or a target that is not empty, those of
/// [`Store::open`], and [`Error::Database`].
pub async fn copy(from: &Storage, to: &Storage) -> Result<Copied> {
    if !matches!(
        (&from.database, &to.database),
        (Database::File(_), Database::Server(_))
    ) {
        return Err(Error::CopyDatabases(
            "it goes from a SQLite file (--from) to PostgreSQL (--to).".to_owned(),
        ));
    }
    if let Database::File(path) = &from.database
        && !path.exists()
    {
        let database = from.database.to_string();
        return Err(Error::NoDatabase { database });
    }
    let source = open::open(from).await?;
    let target = open::open(to).await?;
    let done = copy_between(&source, &target).await;
    target.close().await;
    source.close().await;
    done
}

async fn copy_between(source: &Store, target: &Store) -> Result<Copied> {
    let Pool::Sqlite(rows) = &source.readers else {
        return Ok(Copied::default());
    };
    let mut copied = Copied::default();
    let present: i64 = query_scalar("SELECT COUNT(*) FROM uploads")
        .fetch_one(&target.readers)
        .await?;
    if present > 0 {
        return Err(Error::CopyDatabases(
            "the target has files already: give an empty database.".to_owned(),
        ));
    }
    // The files first: a row names a file that is there.
    let ids: Vec<String> = query_scalar("SELECT id FROM uploads ORDER BY id")
        .fetch_all(&source.readers)
        .await?;
    for id in ids {
        if copy_file(&source.files, &target.files, &id).await? {
            copied.files += 1;
        } else {
            copied.missing += 1;
        }
    }
    copied.rows = target
        .write(|writing| Box::pin(copy_rows(rows, writing)))
        .await?;
    match target.audit().await?.fault(None) {
        Some(fault) => Err(Error::Audit(fault)),
        None => Ok(copied),
    }
}

/// Copies all rows; returns their number.
async fn copy_rows(source: &SqlitePool, writing: &mut Transaction<'_>) -> Result<i64> {
    let mut copied = 0;
    for table in &TABLES {
        let present: i64 = query_scalar(table.count).fetch_one(&mut *writing).await?;
        if present > 0 {
            return Err(Error::CopyDatabases(format!(
                "the table {} of the target has {present} rows already: give an empty database.",
                table.name
            )));
        }
        copied += copy_table(source, writing, table).await?;
        let present: i64 = query_scalar(table.count).fetch_one(&mut *writing).await?;
        let expected: i64 = sqlx::query_scalar(table.count).fetch_one(source).await?;
        if present != expected {
            return Err(Error::CopyDatabases(format!(
                "the table {} has {expected} rows, and {present} arrived.",
                table.name
            )));
        }
    }
    Ok(copied)
}

async fn copy_table(
    source: &SqlitePool,
    writing: &mut Transaction<'_>,
    table: &Table,
) -> Result<i64> {
    let mut place = 0_i64;
    let mut copied = 0;
    loop {
        let rows = sqlx::query(table.read)
            .bind(place)
            .fetch_all(source)
            .await?;
        let Some(last) = rows.last() else {
            return Ok(copied);
        };
        place = last.try_get("place")?;
        let objects = rows.iter().map(object).collect::<Result<Vec<_>>>()?;
        query(table.write)
            .bind(serde_json::to_string(&objects)?)
            .execute(&mut *writing)
            .await?;
        for object in &objects {
            index(writing, table.name, object).await?;
        }
        copied += i64::try_from(rows.len()).unwrap_or(i64::MAX);
    }
}

/// Puts a row's words into the full texts, if it has some.
async fn index(writing: &mut Transaction<'_>, table: &str, row: &Map<String, Value>) -> Result<()> {
    let text = |column: &str| row.get(column).and_then(Value::as_str).unwrap_or_default();
    let ordinal = row
        .get("ordinal")
        .and_then(Value::as_i64)
        .unwrap_or_default();
    match table {
        "knowledge_pieces" => {
            let shelf = Shelf {
                agent: text("agent_id").to_owned(),
                source: text("source").to_owned(),
            };
            let words = knowledge::searched(text("heading"), text("body"));
            full_text::put(writing, &knowledge::mark(&shelf), ordinal, &words).await
        }
        "user_memories" => {
            let mark = memories::mark(text("user_id"), text("agent_id"));
            full_text::put(writing, &mark, ordinal, text("body")).await
        }
        _ => Ok(()),
    }
}

/// Returns a row as a JSON object with a member for each column.
fn object(row: &SqliteRow) -> Result<Map<String, Value>> {
    let mut object = Map::new();
    for column in row.columns().iter().filter(|it| it.name() != "place") {
        let number = column.ordinal();
        let raw = row.try_get_raw(number)?;
        let value = if raw.is_null() {
            Value::Null
        } else if raw.type_info().name() == "INTEGER" {
            row.try_get::<i64, _>(number)?.into()
        } else {
            // As texts are stored there.
            row.try_get::<String, _>(number)?
                .replace('\0', "\u{fffd}")
                .into()
        };
        object.insert(column.name().to_owned(), value);
    }
    Ok(object)
}

/// Copies a file; returns false if there is none. A file of the target is whole, whenever it came.
async fn copy_file(from: &Files, to: &Files, id: &str) -> Result<bool> {
    if to.has(id).await? {
        return Ok(true);
    }
    let Some(source) = from.open(id).await? else {
        tracing::warn!(id, "the file of an upload is missing");
        return Ok(false);
    };
    let mut target = to.begin(id).await?;
    let mut pieces = source.into_stream();
    while let Some(piece) = pieces
        .try_next()
        .await
        .map_err(|error| from.failure(&error))?
    {
        target.write(piece.into()).await?;
    }
    target.complete().await?;
    target.keep();
    Ok(true)
}
