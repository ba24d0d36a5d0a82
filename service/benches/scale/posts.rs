//! Posts at a steady rate, each with a short answer that is stored.

use std::{cell::RefCell, rc::Rc, time::Duration};

use tokio::{
    task::JoinSet,
    time::{Instant, interval},
};

use crate::{
    client::{Connection, Result},
    cluster::{COSTS, Cluster, Costs, Person},
    figures::{at, milliseconds, sorted},
};

/// Conversations that are posted to in turn.
const THREADS: usize = 3000;

/// The distance between two who post one after the other, which shares no factor with their number.
const STRIDE: usize = 1_009;

/// What was measured of posts, in ms.
#[derive(Default)]
pub(crate) struct Posted {
    /// From the moment at which a post was due to its acceptance.
    pub(crate) accepted: Vec<f64>,
    /// From the same moment to the end of the answer, which is stored by then.
    ended: Vec<f64>,
}

/// Posts at a rate for so long, and prints a row.
pub(crate) async fn measure(cluster: &Rc<Cluster>, rate: u32, time: Duration) -> Result<()> {
    let people = cluster.add_threads("posts", THREADS).await?;
    // Connections to the database are opened when they are needed first.
    at_a_rate(cluster, &people, rate / 4, Duration::from_secs(2)).await?;
    let (costs, since) = (Costs::begin(cluster), Instant::now());
    let posted = at_a_rate(cluster, &people, rate, time).await?;
    let seconds = since.elapsed().as_secs_f64();
    let costs = costs.columns(cluster);
    let (accepted, ended) = (sorted(&posted.accepted), sorted(&posted.ended));
    println!("| posts/s | accepted p50, p99 | answered and stored p50, p99 | {COSTS} |");
    println!("|---|---|---|---|---|---|---|");
    println!(
        "| {:.0} | {:.0}, {:.0} ms | {:.0}, {:.0} ms | {costs} |",
        ended.len() as f64 / seconds,
        at(&accepted, 0.50),
        at(&accepted, 0.99),
        at(&ended, 0.50),
        at(&ended, 0.99),
    );
    Ok(())
}

/// Posts at a rate, whether earlier ones were answered or not; one that fails is an error.
pub(crate) async fn at_a_rate(
    cluster: &Rc<Cluster>,
    people: &[Person],
    rate: u32,
    time: Duration,
) -> Result<Posted> {
    let posted = Rc::new(RefCell::new(Posted::default()));
    let mut running = JoinSet::new();
    let mut pace = interval(Duration::from_secs(1) / rate);
    let count = (time.as_secs_f64() * f64::from(rate)) as usize;
    for number in 0..count {
        // Those who post at the same time are no neighbours in an index.
        let Some(person) = people.get(number * STRIDE % people.len()).cloned() else {
            return Err("nobody posts".into());
        };
        let due = pace.tick().await;
        let (cluster, posted) = (Rc::clone(cluster), Rc::clone(&posted));
        running.spawn_local(async move {
            let post = post(&cluster, &person, due, &posted).await;
            post.map_err(|error| format!("{}: {error}", person.user))
        });
        while let Some(ended) = running.try_join_next() {
            ended??;
        }
    }
    while let Some(ended) = running.join_next().await {
        ended??;
    }
    Ok(posted.take())
}

async fn post(
    cluster: &Cluster,
    person: &Person,
    due: Instant,
    posted: &RefCell<Posted>,
) -> Result<()> {
    let mut connection = Connection::open(&cluster.server).await?;
    let mut stream = connection.post(person, "short").await?;
    let accepted = milliseconds(due.elapsed());
    while stream.read().await?.is_some() {}
    let mut posted = posted.borrow_mut();
    posted.accepted.push(accepted);
    posted.ended.push(milliseconds(due.elapsed()));
    Ok(())
}
