//! A replica that is killed while answers are written: how soon those that were read from it go on at
//! another one.

use std::{cell::Cell, collections::BTreeMap, process::Command, rc::Rc, time::Duration};

use tokio::{
    task::JoinSet,
    time::{Instant, sleep, timeout},
};

use crate::{
    client::{Connection, Result, Stream},
    cluster::{Cluster, Person},
    figures::{at, milliseconds, sorted},
};

/// The time for which all are written before the kill.
const BEFORE: Duration = Duration::from_secs(3);

/// The pause before a client connects again.
const PAUSE: Duration = Duration::from_millis(50);

/// The longest time that anybody waits: some leases.
const PATIENCE: Duration = Duration::from_secs(30);

/// What became of a reader of the replica that was killed.
struct Moved {
    /// True if the replica wrote the answer, too.
    was_owner: bool,
    /// From the kill to the response of another replica, and to the next event, in ms.
    connected: f64,
    went_on: f64,
}

/// Kills a replica while there are so many answers, each with a reader at another replica, and prints
/// rows.
pub(crate) async fn measure(cluster: &Rc<Cluster>, streams: usize) -> Result<()> {
    let victim = cluster.replicas.first().ok_or("no replica")?.clone();
    let killed: Rc<Cell<Option<Instant>>> = Rc::default();
    let mut readers = JoinSet::new();
    for person in cluster.add_threads("moves", streams).await? {
        let (cluster, killed) = (Rc::clone(cluster), Rc::clone(&killed));
        let victim = victim.name.clone();
        let posted = Connection::open(&cluster.server)
            .await?
            .post(&person, "steady")
            .await?;
        let other = Stream::follow_elsewhere(&cluster, &person, &posted.replica).await?;
        let owner = posted.replica.clone();
        for (stream, way) in [(posted, 0), other] {
            if stream.replica != victim {
                // It may end with its owner; who reads it on is somebody else's row.
                continue;
            }
            let was_owner = owner == victim;
            let (cluster, person, killed) =
                (Rc::clone(&cluster), person.clone(), Rc::clone(&killed));
            readers.spawn_local(async move {
                let moved = go_on(&cluster, &person, stream, way, &killed);
                let (connected, went_on) = match timeout(PATIENCE, moved).await {
                    Ok(moved) => moved.map_err(|error| error.to_string())?,
                    Err(_) => return Err(format!("{} does not go on", person.user)),
                };
                Ok(Moved {
                    was_owner,
                    connected,
                    went_on,
                })
            });
        }
    }
    sleep(BEFORE).await;
    killed.set(Some(Instant::now()));
    let kill = ["-9", &victim.process.to_string()].map(str::to_owned);
    Command::new("kill").args(kill).status()?;
    let mut rows: BTreeMap<bool, (Vec<f64>, Vec<f64>)> = BTreeMap::new();
    while let Some(moved) = readers.join_next().await {
        let moved = moved??;
        let (connected, went_on) = rows.entry(moved.was_owner).or_default();
        connected.push(moved.connected);
        went_on.push(moved.went_on);
    }
    println!(
        "| the replica that was killed | readers | connected elsewhere p50, p99 | next event p50, p99 |"
    );
    println!("|---|---|---|---|");
    for (was_owner, (connected, went_on)) in rows {
        let (connected, went_on) = (sorted(&connected), sorted(&went_on));
        println!(
            "| {} | {} | {:.0}, {:.0} ms | {:.0}, {:.0} ms |",
            if was_owner {
                "wrote the answer"
            } else {
                "passed it on"
            },
            connected.len(),
            at(&connected, 0.50),
            at(&connected, 0.99),
            at(&went_on, 0.50),
            at(&went_on, 0.99),
        );
    }
    Ok(())
}

/// Reads until the replica is killed, and then elsewhere until the next event.
async fn go_on(
    cluster: &Cluster,
    person: &Person,
    mut stream: Stream,
    way: usize,
    killed: &Cell<Option<Instant>>,
) -> Result<(f64, f64)> {
    loop {
        match stream.read().await {
            Ok(Some(_)) => {}
            Ok(None) => return Err("an answer has ended".into()),
            Err(error) => match killed.get() {
                Some(_) if !error.to_string().starts_with("GAP") => break,
                _ => return Err(error),
            },
        }
    }
    let since = killed.get().ok_or("nothing was killed")?;
    let mut connected = None;
    loop {
        let place = stream.place.clone();
        if let Ok(again) = Stream::follow(cluster, person, way, &place).await {
            let connected = *connected.get_or_insert_with(|| milliseconds(since.elapsed()));
            stream = again;
            // An event that is missing here is found out, too.
            if let Some(arrived) = read_one(&mut stream).await?
                && arrived > 0
            {
                return Ok((connected, milliseconds(since.elapsed())));
            }
        }
        sleep(PAUSE).await;
    }
}

/// Returns the number of events that come next; `None` if the connection breaks.
async fn read_one(stream: &mut Stream) -> Result<Option<usize>> {
    loop {
        match stream.read().await {
            // Comments keep a connection alive.
            Ok(Some(arrived)) if arrived.events == 0 => {}
            Ok(arrived) => return Ok(arrived.map(|arrived| arrived.events)),
            Err(error) if error.to_string().starts_with("GAP") => return Err(error),
            Err(_) => return Ok(None),
        }
    }
}
