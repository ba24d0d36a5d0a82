//! One attempt to send a message to the receiver.

use std::{
    error::Error as _,
    time::{Duration, SystemTime},
};

use reqwest::{
    Client, StatusCode, Url,
    header::{CONTENT_TYPE, USER_AGENT},
};

use super::signature::sign;
use crate::{
    http_client::{client_for, retry_after},
    settings::notify::{NotPublic, NotifySettings, SigningKey},
};

/// What the receiver made of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// It has it.
    Taken,
    /// It has it not, as far as is known.
    Failed {
        /// The reason for the log, which holds nothing of the receiver's address.
        reason: String,
        /// The time after which it wants to be asked again, if it says one.
        wait: Option<Duration>,
    },
    /// It wants nothing more.
    Gone,
}

/// Sends messages to a receiver.
pub(super) struct Sender {
    client: Client,
    url: Url,
    key: SigningKey,
}

impl Sender {
    pub(super) fn new(settings: &NotifySettings) -> reqwest::Result<Self> {
        let client = client_for(&settings.url)
            // A proxy would look the name up by itself, and connect to whatever it finds.
            .no_proxy()
            .dns_resolver(settings.allowed)
            .timeout(settings.timeout)
            .build()?;
        Ok(Self {
            client,
            url: settings.url.clone(),
            key: settings.key.clone(),
        })
    }

    /// Sends a message once. Of the answer its status and `Retry-After` are read.
    pub(super) async fn send(&self, id: &str, body: String) -> Sent {
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let timestamp = time.map_or(0, |time| time.as_secs());
        let sending = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(
                USER_AGENT,
                concat!("assent-service/", env!("CARGO_PKG_VERSION")),
            )
            .header("webhook-id", id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", sign(&self.key, id, timestamp, &body))
            .body(body);
        match sending.send().await {
            Ok(answer) => outcome(answer.status(), retry_after(answer.headers())),
            Err(error) => Sent::Failed {
                reason: reason(&error),
                wait: None,
            },
        }
    }
}

fn outcome(status: StatusCode, wait: Option<Duration>) -> Sent {
    match status {
        StatusCode::GONE => Sent::Gone,
        status if status.is_success() => Sent::Taken,
        status => Sent::Failed {
            reason: format!("it answers {}", status.as_u16()),
            wait,
        },
    }
}

/// Returns why there was no answer, in words that hold no address.
fn reason(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(refused) = inner.downcast_ref::<NotPublic>() {
            return refused.to_string();
        }
        cause = inner.source();
    }
    let reason = if error.is_timeout() {
        "it does not answer in time"
    } else if error.is_connect() {
        "there is no connection to it"
    } else {
        "it breaks off"
    };
    reason.to_owned()
}
