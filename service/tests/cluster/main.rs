//! Three replicas on one PostgreSQL under kill -9, standstill, orders to stop, a database that is
//! killed, and connections to it that break at a COMMIT: what a client was told is true for ever.
//!
//! `ASSENT_CLUSTER_KILLS`, `ASSENT_CLUSTER_ZOMBIES` and `ASSENT_CLUSTER_RESTARTS` set how many of these
//! there are (20, 5 and 2), `ASSENT_CLUSTER_SEED` the order.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    reason = "a failed expectation is a failed test"
)]

mod caller;
mod client;
#[path = "../common/mod.rs"]
mod common;
mod decisions;
mod desk;
mod proxy;
mod random;
mod replica;
mod takeover;

use std::{
    collections::BTreeMap,
    env,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use common::{
    Folder,
    database::{TestDatabase, kill_cluster},
    haproxy::HaProxy,
};
use tokio::time::timeout;

use client::{Client, Summary};
use proxy::{Fault, STALL};
use random::{Random, moment};
use replica::Replica;
use takeover::{Endless, Takeovers};

const REPLICAS: usize = 3;
const CLIENTS: usize = 6;

/// The lease of a replica.
const LEASE: Duration = Duration::from_secs(2);

/// Answers that have to come to their end between two failures.
const ANSWERS_BETWEEN: usize = 2;

/// The time in which an outage may still be felt: a COMMIT that stalls, and then the time of a lease, in
/// which nobody is counted as gone.
const DISTURBANCE: Duration = Duration::from_secs(STALL.as_secs() + 2 * LEASE.as_secs());

/// The longest time for that: far more than a lease, since the machine may be busy.
const PROGRESS: Duration = Duration::from_secs(120);

/// What the clients share.
pub struct World {
    pub addresses: Vec<String>,
    /// The address of HAProxy.
    pub balancer: String,
    pub answers: AtomicUsize,
    pub stops: AtomicBool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Kill,
    Zombie,
    Stop,
    Restart,
    Cut(Fault),
}

fn number(name: &str, usual: u64) -> u64 {
    env::var(name).map_or(usual, |text| text.parse().unwrap())
}

/// Returns all events, in an order that the seed decides.
fn plan(random: &mut Random) -> Vec<Event> {
    let mut events = Vec::new();
    let kills = number("ASSENT_CLUSTER_KILLS", 20);
    let mut add = |event, count: u64| events.extend((0..count).map(|_| event));
    add(Event::Kill, kills);
    add(Event::Zombie, number("ASSENT_CLUSTER_ZOMBIES", 5));
    add(Event::Restart, number("ASSENT_CLUSTER_RESTARTS", 2));
    add(Event::Stop, kills.div_ceil(5));
    for fault in [Fault::BeforeCommit, Fault::AfterCommit, Fault::Stall] {
        add(Event::Cut(fault), kills.div_ceil(5));
    }
    for at in (1..events.len()).rev() {
        events.swap(at, random.below(at + 1));
    }
    events
}

impl World {
    /// Waits until some more answers have come to their end.
    async fn goes_on(&self, after: &str) {
        let target = self.answers.load(Ordering::Relaxed) + ANSWERS_BETWEEN;
        let progress = async {
            while self.answers.load(Ordering::Relaxed) < target {
                moment().await;
            }
        };
        let done = timeout(PROGRESS, progress).await;
        assert!(done.is_ok(), "nothing goes on after {after}");
    }
}

/// Returns the addresses of the replicas. Connections of others leave from 127.0.0.1 and have no port
/// here, so that a replica that starts again finds its own free.
fn addresses() -> Vec<String> {
    let process = std::process::id();
    let (high, low) = (process >> 8 & 0xff, process & 0xff);
    let replicas = 1..=REPLICAS;
    replicas
        .map(|number| format!("127.{}.{low}.{number}:8787", high / 2 + 1))
        .collect()
}

/// Kills a replica in the middle of an answer, and starts it again; returns the time of the kill, and the
/// time that it took until others took a message in that conversation.
async fn kill(replica: &mut Replica, addresses: &[String]) -> (Instant, Duration) {
    let answer = Endless::begin(&replica.address).await;
    let others = addresses.iter().filter(|it| **it != replica.address);
    let others: Vec<String> = others.cloned().collect();
    let since = Instant::now();
    replica.kill();
    let writable = async {
        answer.until_writable(&others).await;
        since.elapsed()
    };
    let (taken, ()) = tokio::join!(writable, replica.start_again());
    (since, taken)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_client_was_told_is_true_whatever_fails() {
    let seed = number("ASSENT_CLUSTER_SEED", 1);
    let mut random = Random::new(seed);
    let folder = Folder::with(TestDatabase::postgres(""));
    let effects = desk::write_agent(&folder).await;
    let addresses = addresses();
    let mut replicas = Vec::new();
    for address in &addresses {
        replicas.push(Replica::start(&folder, address.clone()).await);
    }
    let servers = addresses.iter().map(String::as_str);
    let haproxy = HaProxy::start(&folder, ["a", "b", "c"].into_iter().zip(servers));
    let world = Arc::new(World {
        addresses,
        balancer: haproxy.address.clone(),
        answers: AtomicUsize::new(0),
        stops: AtomicBool::new(false),
    });
    let clients: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let client = Client::new(number, Random::new(seed + 1 + number as u64), &world);
            tokio::spawn(client.talk())
        })
        .collect();
    world.goes_on("the start").await;
    let mut happened: BTreeMap<Event, usize> = BTreeMap::new();
    let mut takeovers = Takeovers::default();
    // The time from which on the database is not in the way of a take-over.
    let mut calm = Instant::now();
    for event in plan(&mut random) {
        let at = random.below(REPLICAS);
        let replica = &mut replicas[at];
        match event {
            Event::Kill => takeovers.add(kill(replica, &world.addresses).await, calm),
            Event::Stop => replica.stop().await,
            Event::Zombie => replica.stand_still(&folder).await,
            Event::Restart => kill_cluster(),
            Event::Cut(fault) => replica.proxy.arm(fault),
        }
        if matches!(event, Event::Restart | Event::Cut(Fault::Stall)) {
            calm = Instant::now() + DISTURBANCE;
        }
        *happened.entry(event).or_default() += 1;
        if clients.iter().any(tokio::task::JoinHandle::is_finished) {
            break;
        }
        world.goes_on(&format!("{event:?} of seed {seed}")).await;
    }
    world.stops.store(true, Ordering::Relaxed);
    let mut summary = Summary::default();
    for client in clients {
        summary.add(&client.await.unwrap());
    }
    for replica in replicas {
        replica.end().await;
    }
    let calls = desk::check(&folder, &effects).await;
    println!("{happened:?}\n{summary:?}\n{takeovers:?}\ncalls of tools: {calls:?}");
    assert!(
        summary.answers > CLIENTS && summary.resumed > 0,
        "{summary:?}"
    );
    assert!(summary.balanced > CLIENTS, "{summary:?}");
    takeovers.check();
}
