//! The service of this revision, in turn with that of another one: what a change has cost whoever has
//! one process and one file.

use std::{cell::RefCell, error::Error, path::Path, rc::Rc, time::Duration};

use tokio::{task::JoinSet, time::sleep};

use crate::{
    OPENED_AT_ONCE, OPENING_PAUSE, STREAMS,
    client::{self, Counted},
    figures::{at, sorted},
    service::{Agents, Service},
};

/// The time from the last post to the first event that counts, and the time that is measured then.
const WARM_UP: Duration = Duration::from_secs(1);
const MEASURED: Duration = Duration::from_secs(8);

/// What is compared, in this order.
const NAMES: [&str; 7] = [
    "start, ms",
    "memory at rest, MB",
    "events/s",
    "delay p50, ms",
    "delay p99, ms",
    "processor, % of a core",
    "memory, MB",
];

/// Measures both so many times, and prints the medians of each and of the ratios within a round.
pub(crate) async fn compare(before: &Path, rounds: usize) -> Result<(), Box<dyn Error>> {
    let after = Path::new(env!("CARGO_BIN_EXE_assent-service"));
    let (mut of_before, mut of_after) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        // Whoever comes second in a round comes first in the next one.
        let is_first = round % 2 == 0;
        if is_first {
            of_before.push(measure(before).await?);
        }
        of_after.push(measure(after).await?);
        if !is_first {
            of_before.push(measure(before).await?);
        }
    }
    println!("\n{STREAMS} streams, medians of {rounds} rounds in turn\n");
    println!("| | before | after | after ÷ before |");
    println!("|---|---|---|---|");
    for (index, name) in NAMES.iter().enumerate() {
        let column = |rows: &[[f64; NAMES.len()]]| -> Vec<f64> {
            rows.iter()
                .filter_map(|row| row.get(index))
                .copied()
                .collect()
        };
        let (before, after) = (column(&of_before), column(&of_after));
        let ratios: Vec<f64> = after.iter().zip(&before).map(|(a, b)| a / b).collect();
        let ratios = sorted(&ratios);
        println!(
            "| {name} | {:.1} | {:.1} | {:.2} ({:.2}–{:.2}) |",
            at(&sorted(&before), 0.5),
            at(&sorted(&after), 0.5),
            at(&ratios, 0.5),
            at(&ratios, 0.0),
            at(&ratios, 1.0),
        );
    }
    Ok(())
}

async fn measure(program: &Path) -> Result<[f64; NAMES.len()], Box<dyn Error>> {
    let started = std::time::Instant::now();
    let service = Service::start_program(program, Agents::Scenarios)?;
    let start = crate::figures::milliseconds(started.elapsed());
    let rest = service.process().memory().now;
    let counted = Rc::new(RefCell::new(Counted::default()));
    // Those who read are gone with this value.
    let mut readers = JoinSet::new();
    for number in 0..STREAMS {
        let (address, counted) = (service.address.clone(), Rc::clone(&counted));
        readers.spawn_local(client::read(address, "load", "steady", counted));
        if number % OPENED_AT_ONCE == OPENED_AT_ONCE - 1 {
            sleep(OPENING_PAUSE).await;
        }
    }
    sleep(WARM_UP).await;
    counted.take();
    let processor = service.process().processor();
    sleep(MEASURED).await;
    let found = counted.take();
    let seconds = MEASURED.as_secs_f64();
    let delays = sorted(&found.delays);
    if found.broken > 0 {
        return Err(format!("{} streams broke", found.broken).into());
    }
    Ok([
        start,
        rest,
        found.chunks as f64 / seconds,
        at(&delays, 0.50),
        at(&delays, 0.99),
        (service.process().processor() - processor) / seconds * 100.0,
        service.process().memory().now,
    ])
}
