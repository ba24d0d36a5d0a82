//! The audit of several replicas: chains beside each other, and checkpoints over all of them.

use std::{collections::BTreeSet, sync::Arc};

use assent_service::{
    rules::audit::{Audit, AuditEntry, Decision, DecisionSource},
    store::{OwnedRun, RunKey, Store},
    transcript::{Call, Effect},
};
use tokio::task::JoinSet;

use crate::common::{
    Folder, accept_text,
    database::TestDatabase,
    faults::{Faults, Kind},
    service_in, settings,
};

const RUNS: usize = 8;
const LINES: usize = 20;

/// Records decisions of a run, each in a transaction of its own.
async fn record(store: &Store, run: &OwnedRun, lines: usize) -> assent_service::Result<()> {
    let run = RunKey {
        answer: run.clone(),
        run: String::new(),
        agent_id: "demo".to_owned(),
    };
    for number in 0..lines {
        let entry = AuditEntry {
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
        store.append_to_transcript(&run, &[], &[entry]).await?;
    }
    Ok(())
}

fn chains(audit: &Audit) -> BTreeSet<&str> {
    audit.lines.iter().map(|line| line.chain.as_str()).collect()
}

#[tokio::test]
async fn replicas_record_side_by_side_and_a_checkpoint_covers_all() {
    let folder = Folder::with(TestDatabase::postgres(""));
    let a = service_in(Arc::clone(&folder), settings(), Vec::new()).await;
    let b = service_in(Arc::clone(&folder), settings(), Vec::new()).await;
    let mut recording = JoinSet::new();
    for service in [&a, &b] {
        for _ in 0..RUNS {
            let thread = service.thread("demo").await;
            let store = service.state.store().clone();
            let run = accept_text(&store, &thread, "go").await.run;
            recording.spawn(async move { record(&store, &run, LINES).await });
        }
    }
    while let Some(recorded) = recording.join_next().await {
        recorded.unwrap().unwrap();
    }
    let audit = a.state.store().audit().await.unwrap();
    assert_eq!(audit.lines.len(), 2 * RUNS * LINES);
    assert_eq!(audit.fault(None), None);
    assert!(chains(&audit).len() >= 2, "{:?}", chains(&audit));
    a.state.store().checkpoint().await.unwrap();
    b.state.store().checkpoint().await.unwrap();
    // Nothing has grown since.
    b.state.store().checkpoint().await.unwrap();
    let audit = a.state.store().audit().await.unwrap();
    assert_eq!(audit.heads_without_checkpoint(), []);
    assert_eq!(audit.checkpoints.len(), 2);
    let last = audit.checkpoints[1].hash.clone();
    assert_eq!(audit.fault(Some(&last)), None);

    // A whole chain that is cut off is missed.
    let mut database = folder.connect().await;
    let chain = chains(&audit).into_iter().next().unwrap().to_owned();
    for statement in [
        "ALTER TABLE audit DISABLE TRIGGER ALL".to_owned(),
        format!("DELETE FROM audit WHERE chain = '{chain}'"),
    ] {
        database.execute(statement).await.unwrap();
    }
    let fault = a.state.store().audit().await.unwrap().fault(None).unwrap();
    assert!(fault.contains("which checkpoint"), "{fault}");
}

#[tokio::test]
async fn a_chain_whose_end_is_in_doubt_is_not_extended() {
    for (kind, at, lines, kept) in [
        // The statement after BEGIN: nothing of it is there, and the chain goes on.
        (Kind::Single, 2, 2, 1),
        // Whether the commit happened is not known: here it did.
        (Kind::Commit, 1, 3, 2),
    ] {
        let folder = Folder::with(TestDatabase::postgres(""));
        let faults = Faults::new(kind);
        let store = Store::open(&folder.storage()).await.unwrap();
        let store = store.with_probe(faults.clone());
        let service =
            crate::common::service_over(store, Arc::clone(&folder), settings(), Vec::new());
        let store = service.state.store();
        let thread = service.thread("demo").await;
        let run = accept_text(store, &thread, "go").await.run;
        record(store, &run, 1).await.unwrap();
        faults.arm(at);
        record(store, &run, 1).await.unwrap_err();
        assert!(faults.disarm());
        record(store, &run, 1).await.unwrap();
        let audit = store.audit().await.unwrap();
        assert_eq!(audit.fault(None), None, "{kind:?}");
        assert_eq!(audit.lines.len(), lines, "{kind:?}");
        assert_eq!(chains(&audit).len(), kept, "{kind:?}");
    }
}
