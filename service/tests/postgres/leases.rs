//! What the operator is told of leases: replicas that are gone, leases that were lost, and those that
//! could not be renewed.

use std::{sync::Arc, time::Duration};

use assent_service::Settings;

use crate::common::{Folder, Service, database::TestDatabase, service_in, settings, soon};

/// Returns the value of a metric.
fn count(service: &Service, metric: &str) -> u64 {
    let text = service.state.metrics().text(0, &[]).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(metric));
    line.unwrap().trim().parse().unwrap()
}

#[tokio::test]
async fn what_becomes_of_leases_is_counted() {
    let folder = Folder::with(TestDatabase::postgres(""));
    let settings = Settings {
        // Long enough for a beat to come in time on a busy machine.
        lease: Duration::from_secs(2),
        ..settings()
    };
    let service = service_in(Arc::clone(&folder), settings, Vec::new()).await;
    let live = service.listen().await;
    let mut database = folder.connect().await;
    let counted = |metric: &'static str, least: u64| {
        let service = &service;
        soon(async move || count(service, metric) >= least)
    };
    counted("assent_replicas ", 1).await;

    let gone = "INSERT INTO replicas (id, process, expires_ms) VALUES ('r', 'other', 0)";
    database.execute(gone).await.unwrap();
    counted("assent_replicas_gone_total ", 1).await;
    assert_eq!(count(&service, "assent_leases_lost_total "), 0);

    database.execute("DELETE FROM replicas").await.unwrap();
    counted("assent_leases_lost_total ", 1).await;
    assert_eq!(count(&service, "assent_replicas_gone_total "), 1);

    let away = "ALTER TABLE replicas RENAME TO away";
    database.execute(away).await.unwrap();
    counted("assent_lease_failures_total ", 1).await;
    let back = "ALTER TABLE away RENAME TO replicas";
    database.execute(back).await.unwrap();
    counted("assent_replicas ", 1).await;
    assert_eq!(count(&service, "assent_leases_lost_total "), 1);
    database.close().await;
    live.stop().await;
}
