//! This process as one of the replicas that share a database: it renews its lease, removes the rows
//! of replicas that are gone, goes on with their answers, and hears the hints of the others.
//!
//! A replica that is counted as gone although it lives (it stood still, or the database was out of its
//! reach) learns that from the database: nothing of what it writes counts any more, its readers are
//! cut off and find their answers elsewhere, and it goes on under a new id.

use std::time::Duration;

use tokio::{
    sync::Notify,
    time::{Instant, MissedTickBehavior, interval, sleep, timeout},
};

use crate::{
    AppState, Result,
    answers::run::Job,
    sentence::Sentence,
    store::{Hint, OwnedRun, Recovered},
    telemetry::Taken,
};

/// The number of beats in the time of a lease.
const BEATS_PER_LEASE: u32 = 4;

/// The answers that nobody was writing any more, and what became of them.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    interrupted: usize,
    resumed: usize,
}

/// Ends the answers that a crash interrupted, or lets them go on.
///
/// # Errors
///
/// [`crate::Error::Database`] or [`crate::Error::Stored`].
pub(super) async fn recover(state: &AppState) -> Result<()> {
    state.store().bury().await?;
    let Counts {
        interrupted,
        resumed,
    } = go_on_with_abandoned(state).await?;
    if interrupted + resumed > 0 {
        tracing::warn!(
            interrupted,
            resumed,
            "answers were cut off when the service last ended"
        );
    }
    Ok(())
}

/// Is one of the replicas, until this is dropped. With SQLite, which has no others, this does nothing.
pub(super) async fn live(state: AppState) {
    if !state.store().is_shared() {
        return;
    }
    let news = Notify::new();
    tokio::join!(beat(&state), sweep(&state, &news), hear(&state, &news));
}

/// Renews the lease, and removes the rows of replicas whose lease is over.
async fn beat(state: &AppState) {
    let lease = state.settings().lease;
    let mut beats = interval(lease / BEATS_PER_LEASE);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_failing = false;
    // The time before which nobody is counted as gone: after the database was out of reach for all,
    // the others get the time of a lease to come back.
    let mut patience = Instant::now();
    loop {
        beats.tick().await;
        let was_away = state.health().lease_is_over(lease);
        let renewed = in_time(lease, renew(state, lease)).await;
        if let Err(error) = renewed {
            if !is_failing {
                tracing::error!(error, "the lease of this replica is not renewed");
            }
            is_failing = true;
            state.metrics().replica().beat_failed();
            continue;
        }
        if is_failing {
            tracing::info!("the lease of this replica is renewed again");
        }
        is_failing = false;
        if was_away {
            patience = Instant::now() + lease;
        }
        if Instant::now() < patience {
            continue;
        }
        match in_time(lease, state.store().bury()).await {
            Ok(0) => {}
            Ok(buried) => {
                state.metrics().replica().found_gone(buried);
                tracing::warn!(buried, "replicas are gone");
            }
            Err(error) => tracing::warn!(error, "replicas that are gone are not removed yet"),
        }
    }
}

/// Waits for what the database is asked, and describes why it does not answer.
async fn in_time<T>(limit: Duration, asked: impl Future<Output = Result<T>>) -> Result<T, String> {
    let answer = timeout(limit, asked).await;
    let answer = answer.map_err(|_| "the database does not answer".to_owned())?;
    answer.map_err(|error| error.to_string())
}

async fn renew(state: &AppState, lease: Duration) -> Result<()> {
    let store = state.store();
    if !store.beat(lease).await? {
        // What was written under the old row is lost.
        let lost = state.runs().running();
        store.join(lease).await?;
        tracing::error!(
            answers = lost.len(),
            "this replica was counted as gone; it goes on, and others with its answers"
        );
        state.metrics().replica().lease_lost();
        lost.iter().for_each(|run| state.runs().lose(&run.id));
    }
    state.health().note_beat();
    let replicas = store.replica_count().await?;
    state.metrics().replica().set_replicas(replicas);
    state.log().set_has_others(replicas > 1);
    store
        .give_hint(Hint::Beat(store.replica_id().to_string()))
        .await;
    Ok(())
}

/// Goes on with the answers of replicas that are gone, begins those that others handed on, and ends those
/// of its own that others deleted or cancelled, at each beat and at each hint.
async fn sweep(state: &AppState, news: &Notify) {
    let mut beats = interval(state.settings().lease / BEATS_PER_LEASE);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let is_beat = tokio::select! {
            _ = beats.tick() => true,
            () = news.notified() => false,
        };
        if let Err(error) = look_at_own(state).await {
            tracing::warn!(%error, "the answers of this replica are not looked at");
            continue;
        }
        if is_beat && let Err(error) = state.store().checkpoint().await {
            tracing::warn!(%error, "the audit has no new checkpoint");
        }
        if state.health().is_draining() {
            continue;
        }
        match go_on_with_abandoned(state).await {
            Ok(Counts {
                interrupted: 0,
                resumed: 0,
            }) => {}
            Ok(Counts {
                interrupted,
                resumed,
            }) => tracing::warn!(interrupted, resumed, "answers of a replica that is gone"),
            Err(error) => tracing::warn!(%error, "abandoned answers are not gone on with yet"),
        }
    }
}

/// Ends those answers of this process that are not its own any more, and those that users do not want.
async fn look_at_own(state: &AppState) -> Result<()> {
    let writing = state.runs().running();
    if writing.is_empty() {
        return Ok(());
    }
    let own = state.store().own_runs().await?;
    for run in own.iter().filter(|run| run.is_cancel_wanted) {
        state.runs().cancel_run(&run.id);
    }
    // One that is not among them has ended meanwhile, or it is lost.
    for run in writing {
        let is_own = own.iter().any(|it| it.id == run.id);
        if !is_own && state.store().is_lost(&run).await? {
            state.runs().lose(&run.id);
        }
    }
    Ok(())
}

/// Ends the answers that nobody writes any more, or lets them go on.
async fn go_on_with_abandoned(state: &AppState) -> Result<Counts> {
    let mut counts = Counts::default();
    for run in state.store().abandoned_runs().await? {
        go_on_with(state, &run, &mut counts).await?;
        // Whoever reads it is told at once.
        state.store().give_hint(Hint::Events(vec![run.id])).await;
    }
    Ok(counts)
}

async fn go_on_with(state: &AppState, run: &OwnedRun, counts: &mut Counts) -> Result<()> {
    let place = state.rates().hold_answer();
    if place.is_err() && state.store().is_shared() {
        // The next beat looks again.
        return Ok(());
    }
    let agents = state.agents();
    let can_resume = |id: &str| agents.get(id).is_some_and(|agent| agent.resumes());
    let recovered = state
        .store()
        .recover(run, &Sentence::Interrupted, &can_resume)
        .await?;
    let resumed = match recovered {
        Recovered::Gone => return Ok(()),
        Recovered::Ended => {
            counts.interrupted += 1;
            state.metrics().replica().run_taken(Taken::Ended);
            return Ok(());
        }
        Recovered::Resumed(resumed) => resumed,
    };
    if resumed.is_first_time {
        state.metrics().replica().run_taken(Taken::HandedOn);
    } else {
        counts.resumed += 1;
        state.metrics().replica().run_taken(Taken::Resumed);
    }
    let agent = state.agents().into_agent(&resumed.agent_id);
    // Without a place the answer is left behind, and the next message of its thread ends it.
    if let (Some(agent), Ok(place)) = (agent, place) {
        let job = Job {
            content: resumed.content,
            accepted: resumed.accepted,
            resumed: !resumed.is_first_time,
        };
        state.runs().start(agent, place, job);
    }
    Ok(())
}

/// Hears the hints of the other replicas, and its own.
async fn hear(state: &AppState, news: &Notify) {
    let pause = state.settings().lease / BEATS_PER_LEASE;
    loop {
        if let Err(error) = hear_until_broken(state, news, pause).await {
            tracing::debug!(%error, "no hints are heard");
        }
        state.log().set_hints_arrive(false);
        sleep(pause).await;
    }
}

async fn hear_until_broken(state: &AppState, news: &Notify, beat: Duration) -> Result<()> {
    let Some(mut hints) = state.store().listen().await? else {
        return Ok(());
    };
    loop {
        // A database that takes hints and passes none on is found out by the missing beats.
        let Ok(heard) = timeout(beat * 3, hints.next()).await else {
            state.log().set_hints_arrive(false);
            continue;
        };
        match heard? {
            Some(Hint::Events(runs)) => state.log().hint(runs),
            Some(Hint::Beat(id)) => {
                if id == *state.store().replica_id() {
                    state.log().set_hints_arrive(true);
                }
            }
            // Some may have been missed.
            Some(Hint::Runs) | None => news.notify_one(),
        }
    }
}
