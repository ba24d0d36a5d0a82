//! Decisions that wait are told to a webhook, by the form of Standard Webhooks
//! (<https://www.standardwebhooks.com>), at least once: each process looks for what is due, claims it
//! and sends it, and tries again after pauses where the receiver does not take it.

mod backoff;
mod message;
mod sender;
mod signature;

use std::time::Duration;

use assent_protocol::ApprovalRequest;
use futures_util::{StreamExt as _, stream};
use jiff::Timestamp;
use tokio::time::{MissedTickBehavior, interval};

use crate::{
    AppState, Result,
    settings::notify::NotifySettings,
    store::{Notice, ThreadKey},
    telemetry::notices::NoticeEnd,
};
use backoff::pause_after;
use message::{end, message};
use sender::{Sender, Sent};

/// The time between two looks at what is due.
const INTERVAL: Duration = Duration::from_secs(1);

/// The most notices that are looked for at once.
const DUE_AT_ONCE: i64 = 64;

/// The most requests to the receiver at the same time.
const SENT_AT_ONCE: usize = 8;

/// The time that a claim lasts beyond the one that the receiver has.
const CLAIM_MARGIN: Duration = Duration::from_secs(5);

/// What has become of a notice that was due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    /// It is sent, given up, postponed, or somebody else's.
    Yes,
    /// The receiver wants nothing more.
    Gone,
}

/// Tells the webhook of the settings of what is due, now and each second, until the receiver says
/// that it wants nothing more.
pub(super) async fn send_notices(state: AppState, settings: NotifySettings) {
    let sender = match Sender::new(&settings) {
        Ok(sender) => sender,
        Err(error) => {
            tracing::error!(%error, "nobody is told of decisions that wait");
            return;
        }
    };
    let place = settings.place();
    tracing::info!("decisions that wait are told to {place}");
    let mut seconds = interval(INTERVAL);
    seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        seconds.tick().await;
        match send_due(&state, &settings, &sender).await {
            Ok(Done::Yes) => {}
            Ok(Done::Gone) => {
                tracing::error!(
                    "{place} answers 410 Gone: it is told nothing more until this service starts \
                     again"
                );
                return;
            }
            Err(error) => tracing::warn!(%error, "decisions that wait are not told yet"),
        }
    }
}

/// Sends what is due until nothing more is.
async fn send_due(state: &AppState, settings: &NotifySettings, sender: &Sender) -> Result<Done> {
    loop {
        let due = state.store().due_notices(DUE_AT_ONCE).await?;
        if due.is_empty() {
            return Ok(Done::Yes);
        }
        let sending = due
            .into_iter()
            .map(|notice| send(state, settings, sender, notice));
        let sent: Vec<Result<Done>> = stream::iter(sending)
            .buffer_unordered(SENT_AT_ONCE)
            .collect()
            .await;
        for done in sent {
            if done? == Done::Gone {
                return Ok(Done::Gone);
            }
        }
    }
}

async fn send(
    state: &AppState,
    settings: &NotifySettings,
    sender: &Sender,
    notice: Notice,
) -> Result<Done> {
    let store = state.store();
    let hold = settings.timeout + CLAIM_MARGIN;
    if !store.claim_notice(&notice, hold).await? {
        return Ok(Done::Yes);
    }
    let thread = ThreadKey {
        user_id: notice.user_id.clone(),
        id: notice.thread_id.clone(),
    };
    // It may have been decided since it was found.
    let Some(waiting) = store.waiting_batch(&thread, &notice.batch_id).await? else {
        store.end_notice(&notice).await?;
        return Ok(Done::Yes);
    };
    let requests = waiting.requests()?;
    let reminds = notice.reminds == 1;
    let body = message(&notice.user_id, &waiting, &requests, reminds, settings)?;
    let notices = state.metrics().notices();
    let (reason, wait) = match sender.send(&notice.id, body).await {
        Sent::Taken => {
            match reminder(&requests, settings.remind).filter(|_| !reminds) {
                Some(at) => store.remind_at(&notice, at).await?,
                None => store.end_notice(&notice).await?,
            }
            notices.count(NoticeEnd::Sent);
            return Ok(Done::Yes);
        }
        Sent::Gone => {
            // It is kept for a receiver that the operator names at the next start.
            notices.count(NoticeEnd::Failed);
            return Ok(Done::Gone);
        }
        Sent::Failed { reason, wait } => (reason, wait),
    };
    let (id, attempts) = (&notice.id, notice.attempts + 1);
    let age = Duration::from_millis(u64::try_from(notice.age_ms).unwrap_or_default());
    if age >= settings.give_up_after {
        store.end_notice(&notice).await?;
        notices.count(NoticeEnd::GivenUp);
        tracing::error!(
            id,
            attempts,
            reason,
            "a decision that waits is told to nobody"
        );
    } else {
        let pause = pause_after(settings.first_pause, attempts, wait);
        store.postpone_notice(&notice, pause).await?;
        notices.count(NoticeEnd::Failed);
        tracing::warn!(
            id,
            attempts,
            reason,
            "a decision that waits is not told yet"
        );
    }
    Ok(Done::Yes)
}

/// Returns the time of the reminder for requests, `before` their end; `None` if they have none, or it
/// is too late for that.
fn reminder(requests: &[ApprovalRequest], before: Duration) -> Option<Timestamp> {
    let end: Timestamp = end(requests)?.parse().ok()?;
    let at = end.checked_sub(before).ok()?;
    (at > Timestamp::now()).then_some(at)
}
