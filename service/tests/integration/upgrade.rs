//! A database of the release before keys began with the user (its tables have the version 16): all
//! that is in it is there afterwards, in its order.

use std::sync::Arc;

use assent_service::{Error, sentence::INTERRUPTED, store::Store};
use serde_json::json;
use sqlx::{AssertSqlSafe, SqlitePool, sqlite::SqliteConnectOptions};

use crate::common::{
    DEMO, Folder, Service, THREADS, database::on_postgres, recover, service_in, settings,
};

/// Rows of two users in each table whose key changes, written in turn.
const ROWS: &str = r#"
INSERT INTO threads (id, user_id, agent_id, agent_name, agent_handle, build_id, name, named, last_message_time,
                     stored_bytes)
VALUES ('t1', 'ada', 'demo', 'Demo', '@demo', 'b1', 'first', 1, '2026-01-02T00:00:00.000Z', 11),
       ('t2', 'bob', 'demo', 'Demo', '@demo', 'b1', 'of bob', 2, '2026-01-02T00:00:00.000Z', 22),
       ('t3', 'ada', 'demo', 'Demo', '@demo', 'b2', 'third', 1, '2026-01-02T00:00:00.000Z', 33),
       ('t4', 'ada', 'gone', 'Gone', '@gone', 'b3', 'fourth', 2, '2026-01-01T00:00:00.000Z', 44);
DELETE FROM threads WHERE id = 't4';
INSERT INTO threads (id, user_id, agent_id, agent_name, agent_handle, build_id, name, last_message_time)
VALUES ('t5', 'ada', 'demo', 'Demo', '@demo', 'b2', 'fifth', '2026-01-01T00:00:00.000Z');
INSERT INTO messages (id, thread_id, role, handle, content, words, timestamp)
VALUES ('z', 't1', 'user', NULL, 'one', NULL, '2026-01-01T00:00:01.000Z'),
       ('y', 't2', 'user', NULL, 'hello of bob', NULL, '2026-01-01T00:00:02.000Z'),
       ('x', 't1', 'assistant', '@demo', 'two', '[{"key":"service.abandoned","text":"two"}]',
        '2026-01-01T00:00:03.000Z'),
       ('w', 't3', 'user', NULL, 'of the third', NULL, '2026-01-01T00:00:04.000Z'),
       ('v', 't1', 'user', NULL, 'three', NULL, '2026-01-01T00:00:05.000Z'),
       ('u', 't2', 'assistant', '@demo', 'hello, bob', NULL, '2026-01-01T00:00:06.000Z');
INSERT INTO answers_in_progress (thread_id, request_id, handle, segments, input, items_before, resumed)
VALUES ('t1', 'r1', '@demo', 2, '', 1, 1), ('t2', 'r2', '@demo', 0, '', 0, 1);
INSERT INTO draft_pieces (thread_id, handle, text, words)
VALUES ('t1', '@demo', 'once', NULL), ('t2', '@helper', 'never', NULL),
       ('t1', '@demo', ' upon', '[{"key":"service.goesOn","text":"upon"}]');
INSERT INTO memories (id, thread_id, body, feedback, asked_in)
VALUES ('m1', 't1', 'about one', '{"text":"so far"}', '00-1-2-01'), ('m2', 't2', 'about bob', '{}', '');
INSERT INTO approvals (thread_id, message_id, execution_id, memory_id, request, status, batch_id)
VALUES ('t1', 'x', 'e3', 'm1', '{"toolName":"c"}', 'APPROVED', 'b1'),
       ('t2', 'u', 'e2', 'm2', '{"toolName":"b"}', 'PENDING_HUMAN_APPROVAL', 'b2'),
       ('t1', 'x', 'e1', 'm1', '{"toolName":"a"}', 'DENIED', 'b1');
INSERT INTO uploads (id, user_id, name, media_type, size, stored_at)
VALUES ('upload-1', 'ada', 'a.png', 'image/png', 3, '2026-01-01'), ('upload-2', 'bob', 'b.txt', 'text/plain', 4, ''),
       ('upload-3', 'ada', 'c.txt', 'text/plain', 5, '2026-01-03'), ('upload-4', 'ada', 'd.gif', 'image/gif', 6, '');
INSERT INTO thread_uploads (thread_id, upload_id)
VALUES ('t1', 'upload-3'), ('t2', 'upload-2'), ('t1', 'upload-1'), ('t3', 'upload-1'), ('t1', 'upload-4');
INSERT INTO message_uploads (message_id, upload_id, is_image)
VALUES ('z', 'upload-3', 0), ('y', 'upload-2', 0), ('z', 'upload-1', 1), ('w', 'upload-1', 1);
INSERT INTO tool_images (thread_id, upload_id, tool, message_id)
VALUES ('t1', 'upload-4', 'charts/draw', 'x'), ('t2', 'upload-2', 'charts/other', NULL);
INSERT INTO transcript_items (user_id, thread_id, ordinal, body, run)
VALUES ('ada', 't1', 1, '{"n":1}', ''), ('bob', 't2', 1, '{"n":2}', ''), ('ada', 't1', 2, '{"n":3}', 'colleague');
INSERT INTO tool_calls (user_id, id, thread_id, agent_id, tool, arguments, definition, effect, state, attempts,
                        started_at, ended_at, grant_id)
VALUES ('ada', 'e1', 't1', 'demo', 's/a', '{}', 'd', 'read', 'succeeded', 2, '2026', '2027', 'g'),
       ('bob', 'e1', 't2', 'demo', 's/b', '{"x":1}', '', 'write', 'asked', 0, NULL, NULL, '');
INSERT INTO retrievals (user_id, thread_id, query_key, revision, found)
VALUES ('ada', 't1', 'k', 'r', '[2,1]'), ('bob', 't2', 'k', 'r', '[3]');
"#;

/// The tables with their columns but the user's; those that are written in capitals had another name,
/// or were told by another table.
const TABLES: [(&str, &str); 13] = [
    (
        "threads",
        "NUMBER, id, agent_id, agent_name, agent_handle, build_id, name, named, last_message_time, \
         stored_bytes",
    ),
    (
        "messages",
        "THREAD, NUMBER, id, role, handle, content, words, timestamp",
    ),
    (
        "answers_in_progress",
        "THREAD, request_id, handle, segments, input, items_before, resumed",
    ),
    ("draft_pieces", "THREAD, NUMBER, handle, text, words"),
    ("memories", "THREAD, id, body, feedback, asked_in"),
    (
        "approvals",
        "THREAD, NUMBER, execution_id, batch_id, message_id, memory_id, request, status",
    ),
    ("uploads", "id, name, media_type, size, stored_at"),
    ("thread_uploads", "THREAD, upload_id"),
    (
        "message_uploads",
        "THREAD, message_id, NUMBER, upload_id, is_image",
    ),
    ("tool_images", "THREAD, NUMBER, upload_id, tool, message_id"),
    ("transcript_items", "THREAD, ordinal, run, body"),
    (
        "tool_calls",
        "THREAD, id, agent_id, tool, arguments, definition, effect, state, attempts, started_at, \
         ended_at, grant_id",
    ),
    ("retrievals", "THREAD, query_key, revision, found"),
];

/// Returns the user of a row of version 16.
fn former_user(table: &str) -> &'static str {
    match table {
        "threads" | "uploads" | "transcript_items" | "tool_calls" | "retrievals" => "user_id",
        "message_uploads" => {
            "(SELECT user_id FROM threads WHERE id = (SELECT thread_id FROM messages \
             WHERE id = message_id))"
        }
        _ => "(SELECT user_id FROM threads WHERE id = thread_id)",
    }
}

/// Returns the thread of a row of version 16.
fn former_thread(table: &str) -> &'static str {
    match table {
        "message_uploads" => "(SELECT thread_id FROM messages WHERE id = message_id)",
        _ => "thread_id",
    }
}

async fn connect(folder: &Folder) -> SqlitePool {
    let options = SqliteConnectOptions::new()
        .filename(folder.database())
        .create_if_missing(true);
    SqlitePool::connect_with(options).await.unwrap()
}

/// Returns all rows of a table, each as a JSON array that begins with its user.
async fn rows(database: &SqlitePool, table: &str, columns: &str, former: bool) -> Vec<String> {
    let (user, thread, number) = if former {
        (former_user(table), former_thread(table), "seq")
    } else {
        ("user_id", "thread_id", "ordinal")
    };
    let columns = columns.replace("THREAD", thread).replace("NUMBER", number);
    let read = format!("SELECT json_array({user}, {columns}) AS line FROM {table} ORDER BY line");
    sqlx::query_scalar(AssertSqlSafe(read))
        .fetch_all(database)
        .await
        .unwrap()
}

async fn all_rows(database: &SqlitePool, former: bool) -> Vec<(&'static str, Vec<String>)> {
    let mut all = Vec::new();
    for (table, columns) in TABLES {
        let rows = rows(database, table, columns, former).await;
        assert!(rows.len() > 1, "{table}: {rows:?}");
        all.push((table, rows));
    }
    all
}

async fn version(database: &SqlitePool) -> i64 {
    sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations")
        .fetch_one(database)
        .await
        .unwrap()
}

/// Returns a folder with a database of version 16; `None` on PostgreSQL, where no service had one.
async fn former_database() -> Option<(Arc<Folder>, SqlitePool)> {
    if on_postgres() {
        return None;
    }
    let folder = Folder::new();
    let database = connect(&folder).await;
    let migrations = sqlx::migrate!("./migrations/sqlite");
    migrations.run_to(16, &database).await.unwrap();
    sqlx::raw_sql(ROWS).execute(&database).await.unwrap();
    Some((folder, database))
}

async fn upgraded() -> Option<Service> {
    let (folder, database) = former_database().await?;
    database.close().await;
    Some(service_in(folder, settings(), Vec::new()).await)
}

#[tokio::test]
async fn each_row_of_an_older_database_is_there_after_the_upgrade() {
    let Some((folder, database)) = former_database().await else {
        return;
    };
    let before = all_rows(&database, true).await;
    let migrations = sqlx::migrate!("./migrations/sqlite");
    migrations.run_to(17, &database).await.unwrap();
    assert_eq!(all_rows(&database, false).await, before);
    database.close().await;
    Store::open(&folder.storage()).await.unwrap().close().await;
    let database = connect(&folder).await;
    let latest = migrations.iter().map(|it| it.version).max();
    assert_eq!(Some(version(&database).await), latest);
    let faults = sqlx::query("PRAGMA foreign_key_check")
        .fetch_all(&database)
        .await;
    assert!(faults.unwrap().is_empty());
    database.close().await;
}

/// What was said of an answer that the older service was cut off in.
#[tokio::test]
async fn a_draft_of_an_older_database_is_stored_after_the_upgrade() {
    let Some(service) = upgraded().await else {
        return;
    };
    let store = service.state.store();
    let (ended, _) = recover(store, &|_| true).await;
    assert_eq!(ended, 2);
    let messages = service.messages("t1").await;
    let stored = messages.last().unwrap();
    assert_eq!(stored["content"], format!("once upon\n\n{INTERRUPTED}"));
    assert_eq!(stored["handle"], "@demo");
    assert_eq!(stored["words"][0]["key"], "service.goesOn");
    // Bob's colleague had said something.
    let mut database = service.folder.connect().await;
    let of_bob = "SELECT COUNT(*) FROM messages WHERE thread_id = 't2' AND handle = '@helper'";
    assert_eq!(database.number(of_bob).await, 1);
    database.close().await;
}

#[tokio::test]
async fn an_older_database_is_read_in_its_order_after_the_upgrade() {
    let Some(service) = upgraded().await else {
        return;
    };
    let field = |rows: &serde_json::Value, name: &str| -> Vec<String> {
        let rows = rows.as_array().unwrap().iter();
        rows.map(|row| row[name].as_str().unwrap().to_owned())
            .collect()
    };
    let threads = service.get(DEMO).await.json();
    assert_eq!(field(&threads, "threadName"), ["third", "first", "fifth"]);
    let messages = json!(service.messages("t1").await);
    assert_eq!(field(&messages, "content"), ["one", "two", "three"]);
    assert_eq!(messages[1]["words"][0]["text"], "two");
    let asked = &messages[1]["toolExecutionHumanApprovalRequest"];
    assert_eq!(field(asked, "status"), ["APPROVED", "DENIED"]);
    assert_eq!(field(&messages[0]["files"], "name"), ["c.txt", "a.png"]);
    // New rows come after those that were there.
    service.thread("demo").await;
    service.say("t3", "and more").await;
    let threads = service.get(DEMO).await.json();
    assert_eq!(field(&threads, "threadName")[0], "third");
    let messages = json!(service.messages("t3").await);
    let said = field(&messages, "content");
    assert_eq!(
        said[..2],
        ["of the third".to_owned(), "and more".to_owned()]
    );
}

#[tokio::test]
async fn a_thread_of_an_older_database_goes_with_all_of_its_rows() {
    let Some(service) = upgraded().await else {
        return;
    };
    let gone = service.delete(&format!("{THREADS}/t1")).await;
    assert_eq!(gone.status, 204, "{}", gone.text);
    let mut database = service.folder.connect().await;
    for (table, _) in TABLES {
        let table = match table {
            "answers_in_progress" => "runs",
            "draft_pieces" => "events",
            table => table,
        };
        let (of_thread, of_bob) = match table {
            "events" => ("run_id = 'r1'", "run_id = 'r2'"),
            "threads" => ("id = 't1'", "id = 't2'"),
            "uploads" => ("id IN ('upload-3', 'upload-4')", "id = 'upload-2'"),
            _ => ("thread_id = 't1'", "thread_id = 't2'"),
        };
        let count = |rows: &str| format!("SELECT COUNT(*) FROM {table} WHERE {rows}");
        assert_eq!(database.number(&count(of_thread)).await, 0, "{table}");
        assert!(database.number(&count(of_bob)).await > 0, "{table}");
    }
    // Another thread names this file, too.
    let shared = "SELECT COUNT(*) FROM uploads WHERE id = 'upload-1'";
    assert_eq!(database.number(shared).await, 1);
    database.close().await;
}

#[tokio::test]
async fn an_upgrade_that_fails_changes_nothing() {
    let Some((folder, database)) = former_database().await else {
        return;
    };
    // Of a user who has no such thread: the new table refuses it, after others are filled.
    let corrupt = "INSERT INTO tool_calls (user_id, id, thread_id, tool, arguments, state) \
                   VALUES ('nobody', 'e9', 't1', 's/x', '{}', 'asked')";
    sqlx::query(corrupt).execute(&database).await.unwrap();
    let before = all_rows(&database, true).await;
    database.close().await;
    for _ in 0..2 {
        let refused = Store::open(&folder.storage()).await;
        assert!(matches!(refused, Err(Error::Migration(_))), "{refused:?}");
    }
    let database = connect(&folder).await;
    assert_eq!(version(&database).await, 16);
    assert_eq!(all_rows(&database, true).await, before);
    sqlx::query("DELETE FROM tool_calls WHERE user_id = 'nobody'")
        .execute(&database)
        .await
        .unwrap();
    database.close().await;
    Store::open(&folder.storage()).await.unwrap().close().await;
}
