//! What is kept for some time only: conversations, where the operator says so, whose last message is
//! old, with their files; the logs of answers that ended; and files that no row names.

use std::{num::NonZeroU32, time::Duration};

use jiff::{SignedDuration, Timestamp};
use tokio::time::{MissedTickBehavior, interval};

use crate::{AppState, Result, generate::format_time, store::Store};

/// The time between two searches for old conversations.
const INTERVAL: Duration = Duration::from_secs(3600);

/// The time for which the log of an answer is kept after its end: for readers whose connection broke
/// just then.
const LOG_AGE: SignedDuration = SignedDuration::from_mins(15);

/// The time for which a run is known after its end: whoever repeats its post within that finds it
/// accepted.
const RUN_AGE: SignedDuration = SignedDuration::from_hours(24);

/// The time between two searches for old logs.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// The time between two searches for files that no row names.
const ORPHAN_INTERVAL: Duration = Duration::from_secs(24 * 3600);

/// Removes, now and every minute, the logs of answers that ended some time ago, and records the end of
/// grants whose time is over.
pub(crate) async fn trim_log(store: Store) {
    let mut minutes = interval(LOG_INTERVAL);
    minutes.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        minutes.tick().await;
        while let Ok(false) = end_old_grants(&store).await {}
        let now = Timestamp::now();
        let (time, forgotten) = (format_time(now - LOG_AGE), format_time(now - RUN_AGE));
        loop {
            match store.trim_log(&time, &forgotten).await {
                Ok(true) => break,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "old logs of answers are not removed yet");
                    break;
                }
            }
        }
    }
}

async fn end_old_grants(store: &Store) -> Result<bool> {
    let ended = store.end_old_grants().await;
    ended.inspect_err(|error| tracing::warn!(%error, "the end of grants is not recorded yet"))
}

/// Removes, now and every day, the files that no row names.
pub(crate) async fn remove_orphans(store: Store) {
    let mut days = interval(ORPHAN_INTERVAL);
    days.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        days.tick().await;
        if let Err(error) = store.remove_orphans().await {
            tracing::warn!("files that no row names are not removed yet: {error}");
        }
    }
}

/// Deletes, now and every hour, the conversations whose last message is older than `days`.
pub(crate) async fn delete_old_threads(days: NonZeroU32, state: AppState) {
    let age = SignedDuration::from_hours(24 * i64::from(days.get()));
    let mut hours = interval(INTERVAL);
    hours.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        hours.tick().await;
        match delete_before(&state, Timestamp::now() - age).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "conversations were deleted because of their age"),
            Err(error) => tracing::warn!(%error, "old conversations are not deleted yet"),
        }
    }
}

/// Deletes the threads whose last message is older than `time`, and returns their number. A thread
/// in which an answer is being written stays until that is done.
async fn delete_before(state: &AppState, time: Timestamp) -> Result<usize> {
    let time = format_time(time);
    let store = state.store();
    let mut count = 0;
    loop {
        let before = count;
        for thread in store.threads_idle_since(&time).await? {
            // Somebody may have written in it meanwhile.
            if store.delete_idle_thread(&thread, &time).await? {
                state.agents().thread_deleted(&thread.id).await;
                count += 1;
            }
        }
        if count == before {
            return Ok(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::{SignedDuration, Timestamp};

    use super::delete_before;
    use crate::{
        AppState, Settings,
        agents::Agents,
        store::{Database, Store, ThreadKey},
    };

    #[tokio::test]
    async fn what_is_older_is_deleted_and_what_is_younger_stays() {
        let folder = std::env::temp_dir().join(format!("assent-keep-{}", uuid::Uuid::new_v4()));
        let store = Store::open(&Database::File(folder.join("a.sqlite")).into())
            .await
            .unwrap();
        let agents = Agents::load(None).unwrap();
        let demo = agents.get("demo").unwrap().profile().clone();
        let state = AppState::new(store, agents, Settings::default());
        for user in ["ada", "bob"] {
            state.store().create_thread(user, &demo).await.unwrap();
        }
        // More than are read at once.
        for _ in 0..600 {
            state.store().create_thread("cleo", &demo).await.unwrap();
        }
        let now = Timestamp::now();
        let day = SignedDuration::from_hours(24);
        assert_eq!(delete_before(&state, now - day).await.unwrap(), 0);
        assert!(state.store().has_threads("ada", "demo").await.unwrap());
        // One that was written in after it was found stays.
        let thread = state
            .store()
            .threads_at("ada", "demo", &[1])
            .await
            .unwrap()
            .remove(0);
        let thread = ThreadKey {
            user_id: "ada".to_owned(),
            id: thread.id,
        };
        let earlier = crate::generate::format_time(now - day);
        let deleted = state.store().delete_idle_thread(&thread, &earlier);
        assert!(!deleted.await.unwrap());
        assert_eq!(delete_before(&state, now + day).await.unwrap(), 602);
        assert!(!state.store().has_threads("ada", "demo").await.unwrap());
        state.store().close().await;
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
