//! Replicas behind HAProxy on one PostgreSQL under load, and databases with many rows.
//!
//! `cargo xtask bench scale` starts what is measured, and this program once for each part:
//! `PART [CLUSTER] [--quick]`, where `CLUSTER` is a [`Cluster`] in JSON.

mod client;
mod cluster;
mod events;
#[path = "../load/figures.rs"]
mod figures;
mod file;
mod idle;
mod large;
mod moves;
mod posts;
#[allow(dead_code, reason = "the other bench uses the rest of it")]
#[path = "../load/process.rs"]
mod process;
#[allow(dead_code, reason = "the other bench uses the rest of it")]
#[path = "../load/service.rs"]
mod service;

use std::{process::ExitCode, rc::Rc, time::Duration};

use sqlx::{AssertSqlSafe, Connection as _};
use tokio::task::LocalSet;

use client::Result;
use cluster::Cluster;

/// Answers of 50 events a second each, at once.
const STREAMS: usize = 300;

/// Answers at once while a replica is killed.
const MOVED_STREAMS: usize = 150;

/// Answers that say nothing, at once.
const IDLE_STREAMS: usize = 9_000;

/// Posts in a second.
const POSTS: u32 = 300;

/// Conversations of the user with many.
const THREADS: usize = 100_000;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match LocalSet::new().run_until(measure()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("scale: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn measure() -> Result<()> {
    rlimit::increase_nofile_limit(2 * IDLE_STREAMS as u64)?;
    // Cargo itself passes `--bench`.
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|it| it != "--bench")
        .collect();
    let is_quick = words.iter().any(|it| it == "--quick");
    // A quick run is a tenth of it all.
    let usual = |usual: usize| if is_quick { usual / 10 } else { usual };
    let time = Duration::from_secs(if is_quick { 5 } else { 20 });
    let part = words.first().map(String::as_str);
    if part == Some("file") {
        return file::measure(usual(THREADS)).await;
    }
    let cluster = words
        .get(1)
        .ok_or("it is started by `cargo xtask bench scale`")?;
    let cluster: Rc<Cluster> = Rc::new(serde_json::from_str(cluster)?);
    match part {
        Some("events") => events::measure(&cluster, usual(STREAMS), time).await,
        Some("idle") => idle::measure(&cluster, usual(IDLE_STREAMS)).await,
        Some("posts") => {
            posts::measure(&cluster, if is_quick { POSTS / 10 } else { POSTS }, time).await
        }
        Some("moves") => moves::measure(&cluster, usual(MOVED_STREAMS)).await,
        Some("large") => {
            fill(&cluster, usual(THREADS)).await?;
            large::measure(&cluster.server, usual(THREADS)).await
        }
        _ => Err("there is no such part".into()),
    }
}

async fn fill(cluster: &Cluster, threads: usize) -> Result<()> {
    let mut database = cluster.connect().await?;
    for statement in large::statements(threads, &large::POSTGRES) {
        sqlx::raw_sql(AssertSqlSafe(statement))
            .execute(&mut database)
            .await?;
    }
    // As it does by itself after a while.
    sqlx::raw_sql("VACUUM ANALYZE")
        .execute(&mut database)
        .await?;
    database.close().await?;
    Ok(())
}
