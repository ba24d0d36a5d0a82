//! `audit export` beside a service that goes on: it is whole and in order, whatever is appended
//! meanwhile, and holds neither the audit in memory nor the database.

#![cfg(unix)]

use std::{
    io::{BufRead as _, BufReader},
    process::{Command, Stdio},
};

use assent_service::{
    rules::audit::{Audit, AuditEntry, ChainHead, Decision, DecisionSource},
    store::{OwnedRun, RunKey, Store},
    transcript::{Call, Effect},
};

use serde::de::DeserializeOwned;

use crate::common::{Folder, accept_text, database::Raw, service_in, settings};

/// Lines of the audit before the export: more than fit into a pipe that nobody reads, and more than
/// are read at once.
const BEFORE: usize = 1_200;

/// Lines that are read at once.
const AT_ONCE: usize = 500;

/// Appends lines to the audit.
async fn append(store: &Store, run: &OwnedRun, numbers: std::ops::Range<usize>) {
    let run = RunKey {
        answer: run.clone(),
        run: String::new(),
        agent_id: "demo".to_owned(),
    };
    let entry = |number| AuditEntry {
        call: Call {
            id: format!("call-{number}"),
            tool: "files/write".to_owned(),
            arguments: "{}".to_owned(),
            definition: String::new(),
        },
        edited: None,
        effect: Effect::Write,
        decision: Decision::Asked,
        source: DecisionSource::Rule,
        rule: String::new(),
        policy: String::new(),
    };
    let entries: Vec<AuditEntry> = numbers.map(entry).collect();
    store
        .append_to_transcript(&run, &[], &entries)
        .await
        .unwrap();
}

fn parse<T: DeserializeOwned>(lines: &[String]) -> Vec<T> {
    let lines = lines.iter();
    lines.map(|it| serde_json::from_str(it).unwrap()).collect()
}

#[tokio::test]
async fn an_export_is_whole_while_others_append_and_holds_nothing_while_it_waits_for_its_reader() {
    let service = service_in(Folder::new(), settings(), Vec::new()).await;
    let store = service.state.store();
    let thread = service.thread("demo").await;
    let run = accept_text(store, &thread, "go").await.run;
    append(store, &run, 0..BEFORE).await;
    assert_eq!(
        store
            .audit_after(&ChainHead::default())
            .await
            .unwrap()
            .len(),
        AT_ONCE
    );

    let mut export = Command::new(env!("CARGO_BIN_EXE_assent-service"))
        .args(service.folder.storage_options())
        .args(["audit", "export"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut printed = BufReader::new(export.stdout.take().unwrap());
    let mut first = String::new();
    printed.read_line(&mut first).unwrap();

    // It waits for its reader from here on. Nothing that it has read keeps the database from being
    // written and its log from being emptied.
    append(store, &run, BEFORE..BEFORE + 10).await;
    let mut database = service.folder.connect().await;
    let reads = match &mut database {
        Raw::Sqlite(file) => {
            let emptied = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)");
            let (busy, _, _): (i64, i64, i64) = emptied.fetch_one(file).await.unwrap();
            busy
        }
        Raw::Postgres(_) => {
            let others = "SELECT COUNT(*) FROM pg_stat_activity \
                          WHERE datname = current_database() AND pid <> pg_backend_pid() \
                          AND xact_start IS NOT NULL";
            database.number(others).await
        }
    };
    assert_eq!(
        reads, 0,
        "it holds the database open in the middle of a read"
    );

    let rest = printed.lines().map(Result::unwrap);
    let lines = [first].into_iter().chain(rest);
    let (checkpoints, lines) = lines.partition::<Vec<_>, _>(|it| it.contains("\"heads\""));
    let audit = Audit {
        lines: parse(&lines),
        checkpoints: parse(&checkpoints),
    };
    assert!(export.wait().unwrap().success());
    assert_eq!(audit.fault(None), None);
    assert_eq!(
        audit.lines.len(),
        BEFORE + 10,
        "what was appended meanwhile is there"
    );
}
