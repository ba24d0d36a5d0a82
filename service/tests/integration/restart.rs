//! Data that survives a restart of the service: everything, and answers that were cut off say so.

use std::sync::Arc;

use assent_protocol::EventType;
use assent_service::{
    Error,
    sentence::{INTERRUPTED, Sentence},
    store::{LogEntry, LoggedEvent, Store},
};
use serde_json::Value;
use sqlx::{SqlitePool, sqlite::SqliteConnectOptions};

use crate::common::{
    self, Folder, Service, THREADS, USER, body, content, database::on_postgres, decided, requests,
    service_in, settings, types,
};

/// Serves the same database anew.
async fn again(service: Service) -> Service {
    let folder = service.folder.clone();
    service.state.store().close().await;
    drop(service);
    service_in(folder, settings(), Vec::new()).await
}

#[tokio::test]
async fn threads_and_messages_survive() {
    let service = service_in(Folder::new(), settings(), Vec::new()).await;
    let thread = service.thread("demo").await;
    service.say(&thread, "hello").await;
    let before = (
        service.messages(&thread).await,
        service.get(&format!("{THREADS}/demo")).await.text,
    );
    let service = again(service).await;
    let after = (
        service.messages(&thread).await,
        service.get(&format!("{THREADS}/demo")).await.text,
    );
    assert_eq!(before, after);
}

#[tokio::test]
async fn a_database_in_use_is_not_opened_a_second_time() {
    if on_postgres() {
        return;
    }
    let service = service_in(Folder::new(), settings(), Vec::new()).await;
    let storage = service.folder.storage();
    let refused = Store::open(&storage).await;
    assert!(matches!(refused, Err(Error::InUse { .. })), "{refused:?}");
    service.state.store().close().await;
    Store::open(&storage).await.unwrap();
}

#[tokio::test]
async fn pending_approvals_survive_and_are_answered_as_they_were_asked() {
    let service = service_in(Folder::new(), settings(), Vec::new()).await;
    let thread = service.thread("demo").await;
    let first = requests(&service.say(&thread, "approve twice").await);
    let service = again(service).await;
    let stored = &service.messages(&thread).await[1]["toolExecutionHumanApprovalRequest"][0];
    assert_eq!(stored["status"], "PENDING_HUMAN_APPROVAL");
    let events = service
        .stream(&thread, &body(&[decided(&first[0], &["APPROVED"])]))
        .await;
    let second = requests(&events);
    let service = again(service).await;
    let events = service
        .stream(&thread, &body(&[decided(&second[0], &["DENIED"])]))
        .await;
    assert_eq!(
        content(&events, "AGENT_RESPONSE_COMPLETE"),
        "I left the old address as it is."
    );
}

#[tokio::test]
async fn what_a_tool_does_is_told_before_and_after_a_restart() {
    let service = service_in(Folder::new(), settings(), Vec::new()).await;
    let thread = service.thread("demo").await;
    let asked = requests(&service.say(&thread, "approve three").await).remove(0);
    let told = |tool: &Value| (tool["effect"].clone(), tool["effectSource"].clone());
    let expected: Vec<_> = ["writes", "writes", "deletes"]
        .map(|effect| (effect.into(), "policy".into()))
        .into();
    assert_eq!(asked.iter().map(told).collect::<Vec<_>>(), expected);
    let service = again(service).await;
    let stored = &service.messages(&thread).await[1]["toolExecutionHumanApprovalRequest"];
    let stored = stored.as_array().unwrap().iter().map(told);
    assert_eq!(stored.collect::<Vec<_>>(), expected);
    let events = service
        .stream(&thread, &body(&[decided(&asked, &["DENIED"; 3])]))
        .await;
    assert!(content(&events, "AGENT_RESPONSE_COMPLETE").contains("Nothing was done"));
}

#[tokio::test]
async fn an_answer_cut_off_by_a_crash_is_stored_with_a_note() {
    let service = service_in(Folder::new(), settings(), Vec::new()).await;
    let thread = service.thread("demo").await;
    let store = service.state.store();
    let accepted = common::accept_text(store, &thread, "a long story, please").await;
    assert!(accepted.answered.is_empty());
    for (number, text) in [(1, "Once upon"), (2, " a time")] {
        let piece = LoggedEvent {
            content: text.to_owned(),
            words: vec![Sentence::GoesOn.words()],
            ..LoggedEvent::new(EventType::AgentResponseChunk, String::new())
        };
        let entry = LogEntry::new(number, [&piece].into_iter()).unwrap();
        let entry = (accepted.run.clone(), entry);
        let logged = store.append_events(&[entry]).await.unwrap();
        assert_eq!(logged, std::slice::from_ref(&accepted.run.id));
    }

    let service = again(service).await;
    let live = service.listen().await;
    let mut reader = live
        .post(&common::messages_of(&thread), USER, &common::text("hello"))
        .await;
    let (events, _) = reader.rest().await;
    assert_eq!(
        types(&events).last(),
        Some(&"AGENT_RESPONSE_COMPLETE"),
        "the thread is free again"
    );
    let messages = service.messages(&thread).await;
    assert_eq!(
        messages[1]["content"],
        format!("Once upon a time\n\n{INTERRUPTED}")
    );
    assert_eq!(messages[1]["handle"], "@demo");
    let before = Sentence::GoesOn.words();
    let sentences = [before.clone(), before, Sentence::Interrupted.words()];
    assert_eq!(messages[1]["words"], serde_json::json!(sentences));
    live.stop().await;
}

/// An older service kept the draft of an answer as one text, and this one has it in the log.
#[tokio::test]
async fn an_answer_that_an_older_service_was_cut_off_in_is_stored_with_a_note() {
    if on_postgres() {
        // No older service had its tables there.
        return;
    }
    let folder = Folder::new();
    let options = SqliteConnectOptions::new()
        .filename(folder.database())
        .create_if_missing(true);
    let older = SqlitePool::connect_with(options).await.unwrap();
    let migrations = sqlx::migrate!("./migrations/sqlite");
    migrations.run_to(2, &older).await.unwrap();
    let threads = sqlx::query(
        "INSERT INTO threads (id, user_id, agent_id, agent_name, agent_handle, build_id, name, last_message_time)
         SELECT value, ?, 'demo', 'Demo', '@demo', 'demo-1', value, '2026-01-01T00:00:00Z'
         FROM json_each('[\"t1\", \"t2\"]')",
    );
    threads.bind(USER).execute(&older).await.unwrap();
    let unfinished = sqlx::raw_sql(
        "INSERT INTO messages (id, thread_id, role, content, timestamp)
         SELECT 'm-' || id, id, 'user', 'a long story', '2026-01-01T00:00:00Z' FROM threads;
         INSERT INTO answers_in_progress (thread_id, request_id, handle, draft)
         VALUES ('t1', 'r1', '@demo', 'Once upon a time'), ('t2', 'r2', '@demo', '')",
    );
    unfinished.execute(&older).await.unwrap();
    older.close().await;

    let service = service_in(Arc::clone(&folder), settings(), Vec::new()).await;
    // As it was, it is kept beside, for its owner alone.
    let latest = migrations.iter().map(|it| it.version).max().unwrap();
    let aside = folder.0.join(format!("test.sqlite.before-{latest}"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&aside).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let kept = SqlitePool::connect_with(SqliteConnectOptions::new().filename(aside)).await;
    let kept = kept.unwrap();
    let drafts: i64 = sqlx::query_scalar("SELECT COUNT(draft) FROM answers_in_progress")
        .fetch_one(&kept)
        .await
        .unwrap();
    assert_eq!(drafts, 2);
    kept.close().await;
    let live = service.listen().await;
    for (thread, whole) in [
        ("t1", format!("Once upon a time\n\n{INTERRUPTED}")),
        ("t2", INTERRUPTED.to_owned()),
    ] {
        let messages = service.messages(thread).await;
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert_eq!(messages[1]["content"], whole);
        assert_eq!(messages[1]["handle"], "@demo");
    }
    live.stop().await;
}
