//! Agents with a model: runs that call a tool, and requests for approval that wait.

use std::{
    cell::RefCell,
    error::Error,
    rc::Rc,
    time::{Duration, Instant},
};

use tokio::{task::JoinSet, time::sleep};

use crate::{
    client::{self, Counted},
    figures::{at, sorted},
    model,
    service::{Agents, Service},
};

/// Runs at once.
const RUNS: usize = 100;

/// Time between the starts of two runs: a hundred people do not send in one moment.
const START_PAUSE: Duration = Duration::from_millis(20);

/// Numbers of requests for approval that wait. The first is a service that has done all of it once.
const WAITING: [usize; 3] = [1, 100, 1000];

/// Posts at the same time while they are made.
const POSTS_AT_ONCE: usize = 10;

/// The time in which a service comes to rest, and that in which its processor is watched then.
const REST: Duration = Duration::from_secs(5);

/// Measures both, and prints rows for docs/MEASUREMENTS.md.
pub(crate) async fn measure() -> Result<(), Box<dyn Error>> {
    let url = model::start()?;
    together(&url).await?;
    waiting(&url).await
}

/// Runs at once: a model that writes 50 tokens a second, and a call of a tool in the middle.
async fn together(url: &str) -> Result<(), Box<dyn Error>> {
    let service = Service::start(Agents::Model(url))?;
    println!("\n{RUNS} runs at once, 50 tokens a second and one tool call each\n");
    // The tool server is started, and its program is no part of what is measured.
    let first = Rc::default();
    client::read(service.address.clone(), "desk", "go", Rc::clone(&first)).await;
    if first.borrow().ended != 1 {
        return Err("the first run broke".into());
    }
    let rest = service.process().memory().now;
    let counted = Rc::new(RefCell::new(Counted::default()));
    let mut readers = JoinSet::new();
    let (start, processor) = (Instant::now(), service.process().processor());
    for _ in 0..RUNS {
        let (address, counted) = (service.address.clone(), Rc::clone(&counted));
        readers.spawn_local(client::read(address, "desk", "go", counted));
        sleep(START_PAUSE).await;
    }
    while readers.join_next().await.is_some() {}
    let processor = (service.process().processor() - processor) / start.elapsed().as_secs_f64();
    let counted = counted.take();
    let delays = sorted(&counted.delays);
    println!(
        "| tokens | tool calls | ended, broken | delay p50, p99, longest | processor | memory before, at most |"
    );
    println!("|---|---|---|---|---|---|");
    println!(
        "| {} | {} | {}, {} | {:.1}, {:.1}, {:.1} ms | {:.0} % | {rest:.1}, {:.1} MB |",
        counted.chunks,
        counted.tools,
        counted.ended,
        counted.broken,
        at(&delays, 0.50),
        at(&delays, 0.99),
        at(&delays, 1.0),
        processor * 100.0,
        service.process().memory().peak,
    );
    Ok(())
}

/// Requests for approval that wait: what the service holds for them, and what is left of it in a
/// new process.
async fn waiting(url: &str) -> Result<(), Box<dyn Error>> {
    let mut service = Service::start(Agents::Model(url))?;
    println!("\nRequests for approval that wait\n");
    println!(
        "| waiting | memory | connections and files | threads | processor in {} s | database |",
        REST.as_secs()
    );
    println!("|---|---|---|---|---|---|");
    let mut made = 0;
    for count in WAITING {
        while made < count {
            let counted = Rc::new(RefCell::new(Counted::default()));
            let mut posts = JoinSet::new();
            let more = POSTS_AT_ONCE.min(count - made);
            for _ in 0..more {
                let (address, counted) = (service.address.clone(), Rc::clone(&counted));
                posts.spawn_local(client::read(address, "desk", model::ASK, counted));
            }
            while posts.join_next().await.is_some() {}
            let asked = counted.borrow().asked;
            if asked != more {
                return Err(format!("{asked} of {more} runs asked").into());
            }
            made += more;
        }
        held(&service, &count.to_string()).await;
    }
    service.restart()?;
    held(&service, &format!("{made}, after a restart")).await;
    Ok(())
}

async fn held(service: &Service, name: &str) {
    sleep(REST).await;
    let processor = service.process().processor();
    sleep(REST).await;
    println!(
        "| {name} | {:.1} MB | {} | {} | {:.2} s | {:.1} MB |",
        service.process().memory().now,
        service.process().count("fd"),
        service.process().count("task"),
        service.process().processor() - processor,
        service.database() as f64 / 1_000_000.0,
    );
}
