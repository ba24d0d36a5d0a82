//! Answers that are written at the same time, each read by whoever has posted and by somebody else at
//! another replica: how fast events arrive, and whether all do.

use std::{cell::RefCell, rc::Rc, time::Duration};

use sqlx::Connection as _;
use tokio::{task::JoinSet, time::sleep};

use crate::{
    client::{Arrived, Connection, Result, Stream},
    cluster::{COSTS, Cluster, Costs, Person},
    figures::{at, sorted},
};

/// The pause after each post: 300 people do not send in one moment.
const OPENING_PAUSE: Duration = Duration::from_millis(10);

/// The time from the last post to the first event that counts.
const WARM_UP: Duration = Duration::from_secs(2);

#[derive(Default)]
struct Counted {
    of_posters: Seen,
    of_others: Seen,
}

#[derive(Default)]
struct Seen {
    events: usize,
    delays: Vec<f64>,
}

impl Seen {
    fn add(&mut self, arrived: Arrived) {
        self.events += arrived.events;
        self.delays.extend(arrived.delays);
    }

    fn columns(&self, seconds: f64) -> String {
        let delays = sorted(&self.delays);
        format!(
            "{:.0} | {:.1}, {:.1} ms",
            self.events as f64 / seconds,
            at(&delays, 0.50),
            at(&delays, 0.99),
        )
    }
}

/// Measures so many answers of 50 events a second each for so long, and prints a row.
pub(crate) async fn measure(
    cluster: &Rc<Cluster>,
    streams: usize,
    measured: Duration,
) -> Result<()> {
    let people = cluster.add_threads("events", streams).await?;
    let counted = Rc::new(RefCell::new(Counted::default()));
    let mut readers = JoinSet::new();
    for person in people {
        let (cluster, counted) = (Rc::clone(cluster), Rc::clone(&counted));
        readers.spawn_local(async move {
            let read = read_twice(&cluster, &person, &counted).await;
            read.map_err(|error| format!("{}: {error}", person.user))
        });
        sleep(OPENING_PAUSE).await;
    }
    sleep(WARM_UP).await;
    counted.take();
    let multixacts = multixacts(cluster).await?;
    let costs = Costs::begin(cluster);
    tokio::select! {
        () = sleep(measured) => {}
        // No answer ends in that time.
        ended = readers.join_next() => {
            let ended = ended.ok_or("no reader")?;
            return Err(ended?.err().unwrap_or_else(|| "an answer has ended".to_owned()).into());
        }
    }
    let found = counted.take();
    let costs = costs.columns(cluster);
    let seconds = measured.as_secs_f64();
    println!(
        "| replicas | events/s to posters | delay p50, p99 | events/s to others | delay p50, p99 | \
         {COSTS} | memory of a replica | multixacts |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    println!(
        "| {} | {} | {} | {costs} | {:.1} MB | {} |",
        cluster.replicas.len(),
        found.of_posters.columns(seconds),
        found.of_others.columns(seconds),
        cluster.memory() / cluster.replicas.len() as f64,
        self::multixacts(cluster).await? - multixacts,
    );
    Ok(())
}

/// Posts, and reads the answer as two people do.
async fn read_twice(cluster: &Cluster, person: &Person, counted: &RefCell<Counted>) -> Result<()> {
    let mut posted = Connection::open(&cluster.server)
        .await?
        .post(person, "steady")
        .await?;
    let (mut other, _) = Stream::follow_elsewhere(cluster, person, &posted.replica).await?;
    let poster = async {
        while let Some(arrived) = posted.read().await? {
            counted.borrow_mut().of_posters.add(arrived);
        }
        Ok(())
    };
    let reader = async {
        while let Some(arrived) = other.read().await? {
            counted.borrow_mut().of_others.add(arrived);
        }
        Ok(())
    };
    tokio::try_join!(poster, reader).map(drop)
}

/// Returns the number of times that transactions have shared the lock of a row: PostgreSQL numbers
/// them, and stops writing where too many are kept.
async fn multixacts(cluster: &Cluster) -> Result<i64> {
    let mut database = cluster.connect().await?;
    let age = "SELECT CAST(mxid_age(datminmxid) AS BIGINT) FROM pg_database \
               WHERE datname = current_database()";
    let age = sqlx::query_scalar(age).fetch_one(&mut database).await?;
    database.close().await?;
    Ok(age)
}
