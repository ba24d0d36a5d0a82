//! What is measured: replicas behind HAProxy on one PostgreSQL, which `cargo xtask bench scale` starts
//! and describes.

use std::{error::Error, fs, time::Duration};

use serde::Deserialize;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use tokio::time::Instant;

use crate::process::Process;

/// A replica.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Replica {
    /// The name that HAProxy has for it.
    pub(crate) name: String,
    pub(crate) process: u32,
}

/// What requests are sent to: HAProxy, or a service.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Server {
    pub(crate) address: String,
    /// The key that it takes.
    pub(crate) key: String,
}

/// The replicas and what they need.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Cluster {
    /// HAProxy.
    #[serde(flatten)]
    pub(crate) server: Server,
    pub(crate) replicas: Vec<Replica>,
    pub(crate) haproxy: u32,
    /// The process of PostgreSQL that starts the others.
    pub(crate) postgres: u32,
    /// The address of the database.
    pub(crate) database: String,
}

impl Cluster {
    pub(crate) async fn connect(&self) -> sqlx::Result<PgConnection> {
        PgConnection::connect(&self.database).await
    }

    /// Makes a thread of each of the users `NAME-1` to `NAME-COUNT`, and returns these.
    pub(crate) async fn add_threads(
        &self,
        name: &str,
        count: usize,
    ) -> Result<Vec<Person>, Box<dyn Error>> {
        let statement = format!(
            "INSERT INTO threads (user_id, id, agent_id, agent_name, agent_handle, build_id, name, \
             ordinal, last_message_time) SELECT '{name}-' || n, '{name}-thread-' || n, 'load', \
             'Load', '@load', 'load-1', 'New conversation', 1, '2026-01-01T00:00:00.000Z' \
             FROM generate_series(1, {count}) AS s (n)"
        );
        let mut database = self.connect().await?;
        sqlx::raw_sql(AssertSqlSafe(statement))
            .execute(&mut database)
            .await?;
        database.close().await?;
        let person = |number| Person {
            user: format!("{name}-{number}"),
            thread: format!("{name}-thread-{number}"),
        };
        Ok((1..=count).map(person).collect())
    }

    /// Returns the resident memory of all replicas in MB.
    pub(crate) fn memory(&self) -> f64 {
        let replicas = self.replicas.iter();
        replicas.map(|it| Process(it.process).memory().now).sum()
    }
}

/// A user with one conversation.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) user: String,
    pub(crate) thread: String,
}

/// Processor time of all that takes part, since some moment, in percent of one core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Costs {
    since: Instant,
    replicas: f64,
    postgres: f64,
    haproxy: f64,
    clients: f64,
}

impl Costs {
    /// Begins to measure.
    pub(crate) fn begin(cluster: &Cluster) -> Self {
        Self {
            since: Instant::now(),
            replicas: cluster
                .replicas
                .iter()
                .map(|it| Process(it.process).processor())
                .sum(),
            postgres: with_children(cluster.postgres),
            haproxy: Process(cluster.haproxy).processor(),
            clients: Process(std::process::id()).processor(),
        }
    }

    /// Returns the columns of a table: replicas, PostgreSQL, HAProxy, clients.
    pub(crate) fn columns(self, cluster: &Cluster) -> String {
        let now = Self::begin(cluster);
        let seconds = (now.since - self.since).max(Duration::from_millis(1));
        let part = |now: f64, before: f64| (now - before) / seconds.as_secs_f64() * 100.0;
        format!(
            "{:.0} | {:.0} | {:.0} | {:.0}",
            part(now.replicas, self.replicas),
            part(now.postgres, self.postgres),
            part(now.haproxy, self.haproxy),
            part(now.clients, self.clients),
        )
    }
}

/// The names of the columns of [`Costs`].
pub(crate) const COSTS: &str = "replicas, % of a core | PostgreSQL, % | HAProxy, % | clients, %";

/// Returns the processor time of a process and of all that run whose parent it is, in seconds.
fn with_children(parent: u32) -> f64 {
    let mut sum = Process(parent).processor();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(process) = name.to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let process = Process(process);
        if process.parent() == parent {
            sum += process.processor();
        }
    }
    sum
}
