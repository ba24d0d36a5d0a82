//! The same user in one file of SQLite, of 1 GB: how long the service takes to start with it.

use std::fs;

use hyper::Method;
use sqlx::{
    AssertSqlSafe, Connection as _, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use tokio::time::Instant;

use crate::{
    client::{Connection, Result},
    cluster::Server,
    figures::{at, milliseconds, sorted},
    large,
    service::{Agents, KEY, Service},
};

/// Starts that are measured.
const STARTS: usize = 7;

/// Fills a file, and prints rows.
pub(crate) async fn measure(threads: usize) -> Result<()> {
    let mut service = Service::start(Agents::Scenarios)?;
    service.stop();
    fill(&service, threads).await?;
    let size = fs::metadata(service.database_file())?.len();
    let (mut starts, mut answered) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        service.stop();
        let since = Instant::now();
        service.restart()?;
        starts.push(milliseconds(since.elapsed()));
        until_ready(&server(&service)).await?;
        answered.push(milliseconds(since.elapsed()));
    }
    let (starts, answered) = (sorted(&starts), sorted(&answered));
    println!("| file | listens, median of {STARTS}, longest | ready | memory |");
    println!("|---|---|---|---|");
    println!(
        "| {} MB | {:.0}, {:.0} ms | {:.0}, {:.0} ms | {:.1} MB |\n",
        size / 1_000_000,
        at(&starts, 0.5),
        at(&starts, 1.0),
        at(&answered, 0.5),
        at(&answered, 1.0),
        service.process().memory().now,
    );
    large::measure(&server(&service), threads).await
}

fn server(service: &Service) -> Server {
    Server {
        address: service.address.clone(),
        key: KEY.to_owned(),
    }
}

async fn fill(service: &Service, threads: usize) -> Result<()> {
    let options = SqliteConnectOptions::new()
        .filename(service.database_file())
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Off);
    let mut file = SqliteConnection::connect_with(&options).await?;
    for statement in large::statements(threads, &large::SQLITE) {
        sqlx::raw_sql(AssertSqlSafe(statement))
            .execute(&mut file)
            .await?;
    }
    sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        .execute(&mut file)
        .await?;
    file.close().await?;
    Ok(())
}

async fn until_ready(server: &Server) -> Result<()> {
    let mut connection = Connection::open(server).await?;
    let asked = connection.send(Method::GET, "many", "/readyz", String::new());
    let status = asked.await?.status();
    if status != 200 {
        return Err(format!("it listens and is not ready: {status}").into());
    }
    Ok(())
}
