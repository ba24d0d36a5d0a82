//! Answers that say nothing for a long time: what each costs, and whether others notice.

use std::{rc::Rc, time::Duration};

use tokio::{task::JoinSet, time::sleep};

use crate::{
    client::{Connection, Result, Stream},
    cluster::{COSTS, Cluster, Costs, Person},
    figures::{at, sorted},
    posts,
    process::Process,
};

/// Posts at the same time while they are opened.
const AT_ONCE: usize = 60;

/// The time in which the replicas come to rest, and that in which they are watched then.
const REST: Duration = Duration::from_secs(3);
const WATCHED: Duration = Duration::from_secs(8);

/// Posts beside the idle streams.
const POSTS_PER_SECOND: u32 = 20;

/// Opens so many streams, and prints a row.
pub(crate) async fn measure(cluster: &Rc<Cluster>, streams: usize) -> Result<()> {
    let people = cluster.add_threads("idle", streams).await?;
    let beside = cluster.add_threads("beside", 200).await?;
    let haproxy = Process(cluster.haproxy);
    let (before, proxy_before) = (cluster.memory(), haproxy.memory().now);
    let mut held: Vec<Stream> = Vec::new();
    for part in people.chunks(AT_ONCE) {
        let mut opening = JoinSet::new();
        for person in part.iter().cloned() {
            let cluster = Rc::clone(cluster);
            opening.spawn_local(async move {
                let opened = open(&cluster, &person).await;
                opened.map_err(|error| format!("{}: {error}", person.user))
            });
        }
        while let Some(stream) = opening.join_next().await {
            held.push(stream??);
        }
    }
    sleep(REST).await;
    let each = |now: f64, before: f64| (now - before) * 1024.0 / held.len() as f64;
    let (replicas, proxy) = (
        each(cluster.memory(), before),
        each(haproxy.memory().now, proxy_before),
    );
    let costs = Costs::begin(cluster);
    sleep(WATCHED).await;
    let costs = costs.columns(cluster);
    let meanwhile = posts::at_a_rate(cluster, &beside, POSTS_PER_SECOND, WATCHED).await?;
    let accepted = sorted(&meanwhile.accepted);
    println!(
        "| idle streams | replicas, kB each | HAProxy, kB each | {COSTS} | a post meanwhile p50, p99 |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    println!(
        "| {} | {replicas:.1} | {proxy:.1} | {costs} | {:.0}, {:.0} ms |",
        held.len(),
        at(&accepted, 0.50),
        at(&accepted, 0.99),
    );
    Ok(())
}

async fn open(cluster: &Cluster, person: &Person) -> Result<Stream> {
    let mut connection = Connection::open(&cluster.server).await?;
    connection.post(person, "wait").await
}
