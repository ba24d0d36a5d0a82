//! The program under `kill -9`, at moments that a seed chooses: it starts again on the same
//! database, accepted messages are stored once, approvals are pending or decided as the client saw
//! it, and half an answer is never served as a whole.
//!
//! `ASSENT_KILLS` sets how many kills there are, `ASSENT_KILLS_SEED` the first seed; `cargo xtask
//! kills` sets both.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    reason = "a failed expectation is a failed test"
)]

mod check;
mod client;
#[path = "../common/mod.rs"]
mod common;
mod endings;
mod grants;
mod program;
mod reads;
mod script;
mod summary;
mod tools;
mod watcher;

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

use axum::http::Method;
use futures_util::future::join_all;
use proptest::{
    collection::vec,
    option,
    prelude::*,
    sample::select,
    strategy::ValueTree as _,
    test_runner::{RngAlgorithm, TestRng, TestRunner},
};
use sqlx::{Connection as _, SqliteConnection};

use check::{PostOutcome, outcome};
use client::{Conversation, Seen, ask};
use common::{Folder, THREADS, database::on_postgres, messages_of, service};
use program::{Moment, Place, Program};
use script::{LAST, SCRIPTS, Stored, Turn, play, read};
use summary::Counts;

/// The events around a kill.
#[derive(Debug)]
struct Plan {
    /// Indices of the scripts that are played at the same time.
    scripts: Vec<usize>,
    pace: f64,
    kill: Place,
    /// A second kill: this statement of the next start, unless it listens before.
    again: Option<u32>,
}

fn plans() -> impl Strategy<Value = Plan> {
    let place = |moment, counts: std::ops::Range<u32>| {
        counts.prop_map(move |count| Place { moment, count })
    };
    let kill = prop_oneof![
        4 => place(Moment::Event, 1..200),
        // Some answers are long enough for their drafts to be kept.
        3 => place(Moment::Event, 200..1_200),
        3 => place(Moment::Post, 1..8),
        3 => place(Moment::Decision, 1..4),
        4 => place(Moment::Statement, 1..120),
        1 => place(Moment::End, 1..2),
    ];
    let pace = select(vec![0.0, 0.05, 0.5]);
    let scripts = vec(0..SCRIPTS.len(), 2..8);
    (scripts, pace, kill, option::of(1..14_u32)).prop_map(|(scripts, pace, kill, again)| Plan {
        scripts,
        pace,
        kill,
        again,
    })
}

fn plan(seed: u64) -> Plan {
    chosen(&plans(), seed)
}

/// Returns what a seed chooses.
fn chosen<T: std::fmt::Debug>(among: &impl Strategy<Value = T>, seed: u64) -> T {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
    among.new_tree(&mut runner).unwrap().current()
}

/// Pace of a restarted service: no pauses.
const AT_ONCE: f64 = 0.0;

const NEVER: Place = Place {
    moment: Moment::End,
    count: u32::MAX,
};

/// The messages that each script, and the last turn of all, add to their threads.
struct Whole {
    scripts: Vec<Vec<Vec<Stored>>>,
    last: Vec<Stored>,
}

impl Whole {
    async fn learn() -> Self {
        let service = service().await;
        let mut scripts = Vec::new();
        for turns in SCRIPTS {
            scripts.push(play(&service, turns).await);
        }
        let last = play(&service, &[LAST]).await.remove(0);
        Self { scripts, last }
    }
}

/// Kills at a time: they wait for pauses and disks more than for a processor.
const WORKERS: usize = 4;

fn number(name: &str, default: u64) -> u64 {
    env::var(name).map_or(default, |text| text.parse().unwrap())
}

#[test]
fn a_service_that_is_killed_loses_nothing() {
    let whole = block_on(Whole::learn());
    with_seeds(5, |seed| block_on(kill(&plan(seed), &whole)));
}

#[test]
fn an_approved_tool_runs_at_most_once_and_a_denied_one_never() {
    with_seeds(20, |seed| block_on(tools::kill(&tools::plan(seed))));
}

#[test]
fn an_end_of_waiting_holds_once_and_nothing_runs() {
    with_seeds(12, |seed| block_on(endings::kill(endings::plan(seed))));
}

#[test]
fn a_grant_is_given_with_its_decision_and_what_it_lets_run_runs_once() {
    with_seeds(16, |seed| block_on(grants::kill(grants::plan(seed))));
}

#[test]
fn reads_that_run_at_the_same_time_are_all_accounted_for() {
    with_seeds(20, |seed| block_on(reads::kill(&reads::plan(seed))));
}

/// Runs trials with all seeds, some at a time, and shows what came of them.
fn with_seeds(default: u64, trial: impl Fn(u64) -> Counts + Sync) {
    let kills = number("ASSENT_KILLS", default);
    let first = number("ASSENT_KILLS_SEED", 1);
    let start = Instant::now();
    let next = AtomicU64::new(first);
    let counts = Mutex::new(Counts::default());
    let failed = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + kills {
                        return;
                    }
                    let trial = &trial;
                    // A thread of its own: its panic is shown with the seed, and is not the end of
                    // the others.
                    let one = thread::Builder::new().name(format!("seed {seed}"));
                    let one = one.spawn_scoped(scope, move || trial(seed));
                    match one.unwrap().join() {
                        Ok(found) => counts.lock().unwrap().add(&found),
                        Err(_) => failed.lock().unwrap().push(seed),
                    }
                }
            });
        }
    });
    let took = start.elapsed().as_secs();
    println!(
        "Seeds {first} to {}, {took} s:\n{}",
        first + kills - 1,
        counts.lock().unwrap()
    );
    let failed = failed.into_inner().unwrap();
    assert!(
        failed.is_empty(),
        "failed: {failed:?}; one alone: `cargo xtask kills --kills 1 --seed N`"
    );
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(work)
}

/// Plays a plan, kills, starts again and checks.
async fn kill(plan: &Plan, whole: &Whole) -> Counts {
    let mut counts = Counts::default();
    let folder = Folder::new();
    let program = Program::start(&folder, plan.pace, plan.kill);
    let mut talks: Vec<_> = plan
        .scripts
        .iter()
        .map(|at| Conversation::new(SCRIPTS[*at]))
        .collect();
    join_all(talks.iter_mut().map(|talk| talk.play(&program))).await;
    let early = program.address.is_none();
    counts.kill(if !program.was_killed_in_time() {
        "when all was said"
    } else if early {
        "while it started"
    } else {
        plan.kill.moment.name()
    });
    program.kill();

    if let Some(count) = plan.again {
        let again = Place {
            moment: Moment::Statement,
            count,
        };
        let program = Program::start(&folder, AT_ONCE, again);
        if program.address.is_none() {
            counts.kill("while it started again");
        }
        program.kill();
    }

    let program = Program::start(&folder, AT_ONCE, NEVER);
    let (_, listed) = ask(&program, Method::GET, &format!("{THREADS}/demo"), None)
        .await
        .unwrap();
    for (talk, at) in talks.iter_mut().zip(&plan.scripts) {
        let Some(id) = talk.thread.clone() else {
            continue;
        };
        let threads = listed.as_array().unwrap();
        assert_eq!(threads.iter().filter(|t| t["id"] == id.as_str()).count(), 1);
        go_on(
            &program,
            talk,
            &whole.scripts[*at],
            &whole.last,
            &mut counts,
        )
        .await;
    }
    program.kill();
    check_file(&folder).await;
    counts
}

/// Checks one thread after the kill, and continues it.
async fn go_on(
    program: &Program,
    talk: &mut Conversation,
    whole: &[Vec<Stored>],
    last: &[Stored],
    counts: &mut Counts,
) {
    let path = messages_of(talk.thread.as_ref().unwrap());
    let (mut stored, statuses) = stored(program, &path).await;
    let posted = talk.saw.len();
    let cut_turn = talk
        .saw
        .last()
        .filter(|seen| !seen.ended)
        .map(|_| talk.turns[posted - 1]);
    let stands = outcome(whole, &talk.saw, &stored);
    if posted > 0 {
        counts.stream(stands, cut_turn.is_none());
    }

    // Accepted decisions stay decided, with the run's own verdict; all other requests are pending.
    let accepted = cut_turn.filter(|_| stands != PostOutcome::Unstored);
    let before = talk.open.clone();
    let now = accepted.map_or_else(BTreeMap::new, |turn| talk.open.decide(turn));
    for (run, verdict) in &now {
        assert_eq!(
            statuses.get(run),
            Some(verdict),
            "an accepted decision is lost: {stored:#?}"
        );
        counts.decisions += 1;
    }
    for run in talk.open.runs() {
        let status = statuses.get(&run).map(String::as_str);
        assert_eq!(
            status,
            Some("PENDING_HUMAN_APPROVAL"),
            "a request is lost: {stored:#?}"
        );
        counts.pending += 1;
    }
    if let Some(turn) = accepted.filter(|_| !now.is_empty()) {
        // Deciding once more is refused, so that no tool runs twice.
        let (status, _) = ask(program, Method::POST, &path, Some(&before.body(turn)))
            .await
            .unwrap();
        assert_eq!(status, 400);
    }

    let waiting = statuses
        .values()
        .filter(|status| *status == "PENDING_HUMAN_APPROVAL")
        .count();
    let unseen = waiting - talk.open.runs().len();
    if unseen > 0 {
        // Asked, and killed before the client could read it: a stored request lacks what an answer
        // needs.
        counts.unseen += unseen;
        return;
    }
    let next = match stands {
        PostOutcome::Unstored => posted - 1,
        PostOutcome::Whole => posted,
        // A message is posted again; a decision was taken and is over, and with it what would have
        // followed it.
        PostOutcome::Cut(_) if matches!(talk.turns[posted - 1], Turn::Say(_)) => posted - 1,
        PostOutcome::Cut(_) if talk.open.runs().is_empty() => talk.turns.len(),
        PostOutcome::Cut(_) => posted,
    };
    for (turn, adds) in talk.turns.iter().zip(whole).skip(next) {
        assert!(talk.post(program, *turn).await, "{turn:?}");
        stored.extend_from_slice(adds);
    }
    assert!(talk.post(program, LAST).await);
    stored.extend_from_slice(last);
    let (after, decided) = self::stored(program, &path).await;
    assert_eq!(after, stored);
    assert!(
        decided
            .values()
            .all(|status| status != "PENDING_HUMAN_APPROVAL"),
        "{decided:?}"
    );
    for tool in stored.iter().flat_map(|message| &message.tools) {
        let started = format!("Starting {tool}");
        let times = talk
            .saw
            .iter()
            .flat_map(runs_of)
            .filter(|run| **run == started);
        assert!(times.count() <= 1, "{tool} ran more than once");
    }
}

/// Returns the tools that were started, as the client saw it.
fn runs_of(seen: &Seen) -> Vec<&str> {
    seen.texts("NOTIFICATION_TOOL_EXECUTION_INITIATED")
}

async fn stored(program: &Program, path: &str) -> (Vec<Stored>, BTreeMap<String, String>) {
    let (status, messages) = ask(program, Method::GET, path, None).await.unwrap();
    assert_eq!(status, 200);
    read(messages.as_array().unwrap())
}

/// Runs SQLite's own integrity check of the file. PostgreSQL has none, and holds its own constraints.
async fn check_file(folder: &Folder) {
    if on_postgres() {
        return;
    }
    let address = format!("sqlite://{}", folder.database().display());
    let mut file = SqliteConnection::connect(&address).await.unwrap();
    let sound: String = sqlx::query_scalar("PRAGMA integrity_check")
        .fetch_one(&mut file)
        .await
        .unwrap();
    assert_eq!(sound, "ok");
    let broken = sqlx::query("PRAGMA foreign_key_check")
        .fetch_all(&mut file)
        .await
        .unwrap();
    assert!(broken.is_empty());
    file.close().await.unwrap();
}
