//! The history of many users: the real core of several pages against the real service, behind a
//! network that delays, loses, cuts and copies, on a clock of its own; and what has to be true of
//! every such history (`check.rs`).
//!
//! `ASSENT_TRIALS` sets how many trials there are, `ASSENT_TRIALS_SEED` the first seed; `cargo
//! xtask history` sets both.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_precision_loss,
    missing_docs,
    unreachable_pub,
    reason = "a failed expectation is a failed test"
)]

mod agent;
mod check;
#[path = "../common/mod.rs"]
mod common;
mod history;
mod mutant;
mod network;
mod person;
mod random;
mod server;
mod tab;
mod trial;
mod world;

use std::{
    collections::BTreeMap,
    env,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};

use check::Property;
use mutant::Mutant;
use trial::{Counts, Report, play};

/// Trials at a time.
const WORKERS: usize = 2;

fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().unwrap())
}

fn trial(seed: u64, mutant: Mutant) -> Report {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(play(seed, mutant))
}

#[test]
fn every_history_is_one_of_a_service_that_keeps_its_word() {
    let trials = number("ASSENT_TRIALS", 40);
    let first = number("ASSENT_TRIALS_SEED", 1);
    let start = Instant::now();
    let next = AtomicU64::new(first);
    let counts = Mutex::new(Counts::default());
    let failed = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + trials {
                        return;
                    }
                    let report = trial(seed, Mutant::None);
                    counts.lock().unwrap().add(&report.counts);
                    if !report.problems.is_empty() {
                        failed.lock().unwrap().insert(seed, report);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    for (seed, report) in &failed {
        println!("── seed {seed}");
        if failed.len() == 1 || trials == 1 {
            report.story.iter().for_each(|line| println!("{line}"));
        }
        for (property, what) in &report.problems {
            println!("{property:?}: {what}");
        }
    }
    let took = start.elapsed().as_secs();
    println!("Seeds {first} to {}, {took} s", first + trials - 1);
    println!("{}", counts.into_inner().unwrap());
    for property in Property::ALL {
        let broken = failed.values();
        let broken = broken.filter(|it| it.problems.iter().any(|(of, _)| *of == property));
        let broken = broken.count();
        let bound = 3.0 / trials as f64;
        match broken {
            0 => println!("{property}: never broken, 95 % bound {bound:.5} per trial"),
            _ => println!("{property}: broken in {broken} trials"),
        }
    }
    let seeds: Vec<_> = failed.keys().collect();
    assert!(
        seeds.is_empty(),
        "failed: {seeds:?}; one alone: `cargo xtask history --trials 1 --seed N`"
    );
}

/// Maximum number of trials until a mutant is found.
const MUTANT_TRIALS: u64 = 20;

/// Returns true if a trial finds this mutant by this property.
fn finds(mutant: Mutant, property: Property) -> bool {
    let mut seeds = 1..=MUTANT_TRIALS;
    seeds.any(|seed| {
        let problems = trial(seed, mutant).problems;
        problems.iter().any(|(of, _)| *of == property)
    })
}

#[test]
fn a_service_that_stores_twice_is_found() {
    assert!(finds(Mutant::StoresTwice, Property::StoredOnce));
}

#[test]
fn a_service_that_loses_what_it_acknowledged_is_found() {
    assert!(finds(Mutant::LosesAcknowledged, Property::StoredOnce));
}

#[test]
fn a_client_that_posts_again_is_found() {
    assert!(finds(Mutant::PostsAgain, Property::SentByPeople));
}

#[test]
fn a_tool_that_runs_twice_is_found() {
    assert!(finds(Mutant::RunsTwice, Property::AtMostOnce));
}

#[test]
fn a_tool_that_runs_without_a_decision_in_time_is_found() {
    assert!(finds(Mutant::RunsEnded, Property::AtMostOnce));
}

#[test]
fn a_tool_that_runs_without_what_a_person_changed_is_found() {
    assert!(finds(Mutant::ForgetsEdits, Property::AtMostOnce));
}

#[test]
fn a_decision_that_is_turned_is_found() {
    assert!(finds(Mutant::TurnsDecisions, Property::AtMostOnce));
}

#[test]
fn a_service_that_serves_anybody_is_found() {
    assert!(finds(Mutant::ServesAnybody, Property::Private));
}

#[test]
fn a_page_that_shows_a_message_twice_is_found() {
    assert!(finds(Mutant::ShowsTwice, Property::Shown));
}

#[test]
fn a_page_that_forgets_what_was_not_sent_is_found() {
    assert!(finds(Mutant::ForgetsUnsent, Property::Kept));
}
