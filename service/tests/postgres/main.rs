//! What PostgreSQL does otherwise than SQLite. All other tests of the service run on both.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    unreachable_pub,
    missing_docs,
    reason = "a failed expectation is a failed test"
)]

mod audit;
#[path = "../common/mod.rs"]
mod common;
mod copy;
mod leases;
mod replicas;
mod restore;
mod standstill;
mod tool_sessions;

use std::sync::Arc;

use assent_service::store::{Database, Store};
use axum::http::Method;
use serde_json::json;
use sqlx::Connection as _;

use common::{
    Folder, Service, THREADS, USER,
    database::{Raw, TestDatabase, start_encrypted_cluster},
    messages_of, request, service_in, settings, text,
};

async fn service_on(database: TestDatabase) -> Service {
    service_in(Folder::with(database), settings(), Vec::new()).await
}

async fn service() -> Service {
    service_on(TestDatabase::postgres("")).await
}

#[tokio::test]
async fn a_text_with_a_zero_is_stored_with_a_mark_in_its_place() {
    let service = service().await;
    let thread = service.thread("demo").await;
    service.say(&thread, "zero\0zero").await;
    let messages = service.messages(&thread).await;
    assert_eq!(messages[0]["content"], "zero\u{fffd}zero");
    let listed = service.get(&format!("{THREADS}/demo")).await.json();
    assert_eq!(listed[0]["threadName"], "zero\u{fffd}zero");
    let renamed = service
        .put(
            &format!("{THREADS}/{thread}"),
            &json!({ "threadName": "a\0b" }),
        )
        .await;
    assert_eq!(renamed.status, 200, "{}", renamed.text);
    assert_eq!(renamed.json()["threadName"], "a\u{fffd}b");
}

#[tokio::test]
async fn an_id_with_a_zero_is_the_id_of_nothing() {
    let service = service().await;
    for path in [messages_of("a%00b"), format!("{THREADS}/a%00b")] {
        let answer = service.delete(&path).await;
        assert!(
            [404, 405].contains(&answer.status.as_u16()),
            "{path}: {}",
            answer.text
        );
    }
    let answer = service.post(&messages_of("a%00b"), &text("hi")).await;
    assert_eq!(answer.status, 404, "{}", answer.text);
    let other = request(Method::GET, &format!("{THREADS}/demo"), USER, None);
    assert_eq!(service.send(other).await.status, 200);
}

/// In most locales but "C", "~" stands before the digits.
#[tokio::test]
async fn threads_are_listed_and_paged_in_any_locale() {
    let icu = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-x-icu'";
    let service = service_on(TestDatabase::postgres(icu)).await;
    let mut threads = Vec::new();
    for _ in 0..3 {
        let thread = service.thread("demo").await;
        service.say(&thread, "hi").await;
        threads.push(thread);
    }
    threads.reverse();
    let first = service.get(&format!("{THREADS}/demo?limit=2")).await;
    let ids = |answer: &common::Answer| -> Vec<String> {
        let listed = answer.json();
        let listed = listed.as_array().unwrap().iter();
        listed
            .map(|it| it["id"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids(&first), threads[..2]);
}

/// Waits until another connection to the same database waits for a lock.
async fn until_somebody_waits(database: &mut Raw) {
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
                   AND wait_event_type = 'Lock'";
    while database.number(waiting).await == 0 {
        tokio::task::yield_now().await;
    }
}

/// Does `ours`, and once that waits for a lock of the other connection, lets that one go on with these
/// statements. Returns true if it has waited.
async fn meet<T>(ours: impl Future<Output = T>, other: &mut Raw, then: &[&str]) -> (T, bool) {
    tokio::pin!(ours);
    tokio::select! {
        done = &mut ours => return (done, false),
        () = until_somebody_waits(other) => {}
    }
    for statement in then {
        other.execute(*statement).await.unwrap();
    }
    (ours.await, true)
}

#[tokio::test]
async fn a_transaction_that_met_another_one_is_run_again() {
    let folder = Folder::with(TestDatabase::postgres(""));
    let mut other = folder.connect().await;
    let serializable = "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET \
                        default_transaction_isolation = serializable', current_database()); END $$";
    other.execute(serializable).await.unwrap();
    let service = service_in(Arc::clone(&folder), settings(), Vec::new()).await;
    let thread = service.thread("demo").await;
    let change = "BEGIN; UPDATE threads SET stored_bytes = 7";
    other.execute(change).await.unwrap();
    let path = format!("{THREADS}/{thread}");
    let name = json!({ "threadName": "Ours" });
    let (renamed, ()) = tokio::join!(service.put(&path, &name), async {
        until_somebody_waits(&mut other).await;
        other.execute("COMMIT").await.unwrap();
    });
    assert_eq!(renamed.status, 200, "{}", renamed.text);
    assert_eq!(renamed.json()["threadName"], "Ours");
    assert_eq!(other.number("SELECT stored_bytes FROM threads").await, 7);
}

#[tokio::test]
async fn a_post_that_meets_another_each_time_can_be_made_again() {
    let folder = Folder::with(TestDatabase::postgres(""));
    let service = service_in(Arc::clone(&folder), settings(), Vec::new()).await;
    let thread = service.thread("demo").await;
    let mut other = folder.connect().await;
    for statement in [
        "CREATE FUNCTION meet() RETURNS trigger AS $$ BEGIN \
         RAISE EXCEPTION 'could not serialize access' USING ERRCODE = '40001'; END $$ LANGUAGE plpgsql",
        "CREATE TRIGGER meets BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION meet()",
    ] {
        other.execute(statement).await.unwrap();
    }
    let path = messages_of(&thread);
    let post = text("hi");
    let refused = service.post(&path, &post).await;
    assert_eq!(refused.status, 503, "{}", refused.text);
    assert!(refused.text.contains("Try again soon"), "{}", refused.text);
    assert!(service.messages(&thread).await.is_empty());
    other.execute("DROP TRIGGER meets ON runs").await.unwrap();
    service.say(&thread, "hi").await;
    assert_eq!(service.messages(&thread).await.len(), 2);
}

#[tokio::test]
async fn a_service_goes_on_after_the_server_ended_its_connections() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let mut other = service.folder.connect().await;
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
               WHERE datname = current_database() AND pid <> pg_backend_pid()";
    other.execute(end).await.unwrap();
    service.say(&thread, "hi").await;
    assert_eq!(service.messages(&thread).await.len(), 2);
}

#[tokio::test]
async fn a_command_needs_a_database_with_tables() {
    let folder = Folder::with(TestDatabase::postgres("TEMPLATE template0"));
    let error = Store::attach(&folder.storage())
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("has no tables of the service"), "{error}");
}

#[tokio::test]
async fn encryption_that_is_insisted_on_is_not_given_up() {
    let folder = Folder::with(TestDatabase::postgres(""));
    let [_, address, _, _] = folder.storage_options();
    let database: Database = format!("{address}&sslmode=require").parse().unwrap();
    let error = Store::attach(&database.into()).await.unwrap_err();
    let said = error.to_string();
    assert!(said.contains("server does not support TLS"), "{said}");
}

#[tokio::test]
async fn a_connection_is_encrypted_and_the_certificate_judged() {
    // Nobody else listens at an address that this program has for itself.
    let [_, high, middle, low] = std::process::id().to_be_bytes();
    let host = format!("127.{}.{middle}.{low}", 128 | high);
    let authority = start_encrypted_cluster(&host);
    let address = format!("postgres://assent@{host}/postgres?sslmode=verify-full");
    let database: Database = address.parse().unwrap();
    let error = Store::attach(&database.into()).await.unwrap_err();
    let said = format!("{error} {error:?}");
    assert!(said.contains("UnknownIssuer"), "{said}");
    let named = format!("{address}&sslrootcert={}", authority.display());
    let database: Database = named.parse().unwrap();
    let store = Store::open(&database.into()).await.unwrap();
    let mut beside = sqlx::PgConnection::connect(&named).await.unwrap();
    let plain = "SELECT COUNT(*) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) \
                 WHERE a.application_name LIKE 'assent%' AND NOT s.ssl";
    let encrypted = "SELECT COUNT(*) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) \
                     WHERE a.application_name LIKE 'assent%' AND s.ssl";
    let count = async |query: &'static str, beside: &mut sqlx::PgConnection| -> i64 {
        sqlx::query_scalar(query).fetch_one(beside).await.unwrap()
    };
    assert_eq!(count(plain, &mut beside).await, 0);
    assert!(count(encrypted, &mut beside).await > 0);
    store.close().await;
}

#[tokio::test]
async fn a_password_is_in_no_message() {
    let address = "postgres://ada:canary@127.0.0.1:1/chat";
    let database: Database = address.parse().unwrap();
    assert_eq!(database.to_string(), "postgres://127.0.0.1:1/chat");
    let error = Store::attach(&database.into()).await.unwrap_err();
    let said = format!("{error} {error:?}");
    assert!(said.contains("127.0.0.1:1/chat cannot be opened"), "{said}");
    assert!(
        said.contains("refused") && !said.contains("canary"),
        "{said}"
    );
}

#[tokio::test]
async fn a_service_of_before_starts_on_the_tables_of_a_newer_one() {
    let folder = Folder::with(TestDatabase::postgres(""));
    let mut database = folder.connect().await;
    let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 VALUES (9999, 'newer', TRUE, '\\x00', 0)";
    database.execute(newer).await.unwrap();
    let service = service_in(folder, settings(), Vec::new()).await;
    let thread = service.thread("demo").await;
    service.say(&thread, "hello").await;
    assert_eq!(service.messages(&thread).await.len(), 2);
}
