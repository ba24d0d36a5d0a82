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

mod client;
#[path = "../common/mod.rs"]
mod common;
mod proxy;
mod random;
mod replica;

use std::{
    collections::BTreeMap,
    env,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use common::{
    Folder,
    database::{TestDatabase, kill_cluster},
};
use tokio::time::timeout;

use client::{Client, Summary};
use proxy::Fault;
use random::Random;
use replica::Replica;

const REPLICAS: usize = 3;
const CLIENTS: usize = 6;

/// Answers that have to come to their end between two failures.
const ANSWERS_BETWEEN: usize = 4;

/// The longest time for that: far more than a lease, since the machine may be busy.
const PROGRESS: Duration = Duration::from_secs(60);

/// What the clients share.
pub struct World {
    pub addresses: std::sync::Mutex<Vec<String>>,
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
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let done = timeout(PROGRESS, progress).await;
        assert!(done.is_ok(), "nothing goes on after {after}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_client_was_told_is_true_whatever_fails() {
    let seed = number("ASSENT_CLUSTER_SEED", 1);
    let mut random = Random::new(seed);
    let folder = Folder::with(TestDatabase::postgres(""));
    let mut replicas = Vec::new();
    for _ in 0..REPLICAS {
        replicas.push(Replica::start(&folder).await);
    }
    let world = Arc::new(World {
        addresses: replicas
            .iter()
            .map(Replica::address)
            .collect::<Vec<_>>()
            .into(),
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
    for event in plan(&mut random) {
        let at = random.below(REPLICAS);
        let replica = &mut replicas[at];
        match event {
            Event::Kill => replica.kill().await,
            Event::Stop => replica.stop().await,
            Event::Zombie => replica.stand_still(&folder).await,
            Event::Restart => kill_cluster(),
            Event::Cut(fault) => replica.proxy.arm(fault),
        }
        world.addresses.lock().unwrap()[at] = replica.address();
        *happened.entry(event).or_default() += 1;
        if clients.iter().any(tokio::task::JoinHandle::is_finished) {
            break;
        }
        world.goes_on(&format!("{event:?} of seed {seed}")).await;
    }
    world.stops.store(true, Ordering::Relaxed);
    let mut summary = Summary::default();
    for client in clients {
        summary.add(client.await.unwrap());
    }
    println!("{happened:?}\n{summary:?}");
    assert!(
        summary.answers > CLIENTS && summary.resumed > 0,
        "{summary:?}"
    );
    for replica in replicas {
        replica.end().await;
    }
}
