//! Load test of the service with many streams at once: throughput, latency, and costs of the
//! service.
//!
//! `cargo xtask bench load`, with `--quick` for a short run, `--long` for the long answers only,
//! `--agents` for agents with a model only, and `--before PROGRAM` for the service of another revision
//! in turn with this one.

mod before;
mod client;
mod figures;
mod model;
#[allow(dead_code, reason = "the other bench uses the rest of it")]
mod process;
mod runs;
#[allow(dead_code, reason = "the other bench uses the rest of it")]
mod service;

use std::{cell::RefCell, error::Error, process::ExitCode, rc::Rc, time::Duration};

use client::Counted;
use figures::{at, sorted};
use service::{Agents, Service};
use tokio::{
    task::{JoinSet, LocalSet},
    time::{Instant, sleep, sleep_until},
};

/// Streams at once.
const STREAMS: usize = 500;

/// Streams that are opened in a row before the next pause: a page load does not come 500 times in
/// one moment.
const OPENED_AT_ONCE: usize = 50;
const OPENING_PAUSE: Duration = Duration::from_millis(100);

/// The text of each piece of an agent, in bytes (`agents/load`).
const PIECE: usize = "word upon word, ".len();

/// Time between two rows of the table.
const STEP: Duration = Duration::from_secs(5);

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    // Cargo itself passes `--bench`.
    let has = |option: &str| std::env::args().any(|it| it == option);
    let steps = if has("--quick") { 2 } else { 6 };
    let clients = LocalSet::new();
    let measured = clients.run_until(async {
        if has("--long") {
            return steady(STREAMS, "long", 36).await.map(drop);
        }
        if let Some(program) = before_program() {
            return before::compare(program.as_ref(), if has("--quick") { 1 } else { 5 }).await;
        }
        if has("--agents") {
            return runs::measure().await;
        }
        let alone = steady(1, "steady", 1).await?;
        let together = steady(STREAMS, "steady", steps).await?;
        let asked = alone * STREAMS as f64;
        println!(
            "{together:.0} events/s of {asked:.0}, which is {STREAMS} times what one stream has alone: {:.0} %",
            together / asked * 100.0
        );
        stopped().await?;
        runs::measure().await
    });
    match measured.await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("load: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the program that the option `--before` names.
fn before_program() -> Option<String> {
    std::env::args().skip_while(|it| it != "--before").nth(1)
}

/// Clients that read everything; returns the number of events in a second.
async fn steady(streams: usize, words: &'static str, steps: u32) -> Result<f64, Box<dyn Error>> {
    let service = Service::start(Agents::Scenarios)?;
    println!("\n{streams} streams of a little more than 50 events a second each");
    println!("memory at rest {:.1} MB", service.process().memory().now);
    let counted = Rc::new(RefCell::new(Counted::default()));
    let mut readers = JoinSet::new();
    for number in 0..streams {
        let counted = Rc::clone(&counted);
        readers.spawn_local(client::read(
            service.address.clone(),
            "load",
            words,
            counted,
        ));
        if number % OPENED_AT_ONCE == OPENED_AT_ONCE - 1 {
            sleep(OPENING_PAUSE).await;
        }
    }
    sleep(Duration::from_secs(1)).await;
    println!("{HEAD}");
    let mut at = Instant::now();
    let before = counted.take().chunks;
    let mut chunks = 0;
    for _ in 0..steps {
        let processor = service.process().processor();
        at += STEP;
        sleep_until(at).await;
        let found = counted.take();
        let processor = (service.process().processor() - processor) / STEP.as_secs_f64();
        chunks += found.chunks;
        row(&service, &found, before + chunks, processor);
    }
    // The rest is read to its end, so that the memory afterwards is that of a service at rest.
    if streams > 1 {
        while readers.join_next().await.is_some() {}
        let found = counted.take();
        println!(
            "{} streams came to their end, {} broke",
            found.ended, found.broken
        );
        sleep(Duration::from_secs(1)).await;
        let memory = service.process().memory();
        println!(
            "memory after the last one {:.1} MB, at most {:.1} MB",
            memory.now, memory.peak
        );
    }
    Ok(chunks as f64 / (STEP * steps).as_secs_f64())
}

const HEAD: &str = "events/s | delay p50 | p95 | p99 | gap p50 | p99 | longest | processor | memory | texts | database";

/// Prints a row. `said`: number of pieces so far.
fn row(service: &Service, found: &Counted, said: usize, processor: f64) {
    let (delays, gaps) = (sorted(&found.delays), sorted(&found.gaps));
    println!(
        "{:8.0} | {:6.1} ms | {:6.1} ms | {:6.1} ms | {:5.1} ms | {:5.1} ms | {:5.0} ms | {:5.0} % | {:5.1} MB | {:4.1} MB | {:4} MB",
        found.chunks as f64 / STEP.as_secs_f64(),
        at(&delays, 0.50),
        at(&delays, 0.95),
        at(&delays, 0.99),
        at(&gaps, 0.50),
        at(&gaps, 0.99),
        at(&gaps, 1.0),
        processor * 100.0,
        service.process().memory().now,
        (said * PIECE) as f64 / (1024.0 * 1024.0),
        service.database() / 1_000_000,
    );
}

/// Clients that stop reading, while their answers come as fast as they are taken.
async fn stopped() -> Result<(), Box<dyn Error>> {
    let service = Service::start(Agents::Scenarios)?;
    println!("\n{STREAMS} streams whose clients stop reading; a row every 5 s");
    println!("memory at rest {:.1} MB", service.process().memory().now);
    let mut held = Vec::new();
    for _ in 0..STREAMS {
        held.push(client::stop_reading(service.address.clone()).await?);
    }
    let mut at = Instant::now();
    for _ in 0..12 {
        let processor = service.process().processor();
        at += STEP;
        sleep_until(at).await;
        let processor = (service.process().processor() - processor) / STEP.as_secs_f64();
        println!(
            "processor {:3.0} %, memory {:6.1} MB, {} connections broken",
            processor * 100.0,
            service.process().memory().now,
            service.given_up()
        );
    }
    drop(held);
    let memory = service.process().memory();
    println!("memory at most {:.1} MB", memory.peak);
    Ok(())
}
